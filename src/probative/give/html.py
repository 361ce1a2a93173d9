"""An answer over a graph as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from probative import html
from probative.give.reasoning import Reasoning, describe_verdict
from probative.give.result import EntityGroup, GraphVerdict
from probative.html import Html, Tone
from probative.types import Triple

# The triples shown of each set; a set has those nearest to the question first.
MAX_TRIPLES = 12
_TONES: dict[GraphVerdict, Tone] = {
    GraphVerdict.READ: "good",
    GraphVerdict.EXTRAPOLATED: "neutral",
}


def reasoning_html(reasoning: Reasoning) -> str:
    """Return the answer, its three stages, the groups, the knowledge behind it, the notes and the cost."""
    answer = html.tag("b", reasoning.answer) if reasoning.answer is not None else html.faded("no answer")
    verdict = describe_verdict(reasoning)
    parts = [html.paragraph(html.faded(reasoning.question)), html.paragraph(answer)]
    if reasoning.verdict is GraphVerdict.UNKNOWN:
        parts[-1] = html.paragraph(html.highlight(verdict, "warning"))
    elif reasoning.verdict is not None:
        parts[-1] = html.paragraph(answer, " ", html.highlight(verdict, _TONES[reasoning.verdict]))
    parts += _triples("Facts", reasoning.facts, "good")
    if reasoning.rationale:
        parts.append(html.paragraph(html.tag("i", reasoning.rationale)))
    if reasoning.method == "give" and reasoning.answers.a is not None:
        parts.append(_stages(reasoning))
    knowledge = reasoning.knowledge
    parts += _triples("Expert knowledge", knowledge.expert, "good")
    parts += _triples("Affirmative knowledge", knowledge.affirmative, "neutral")
    parts += _triples("Counterfactual knowledge", knowledge.counterfactual, "bad")
    if reasoning.groups:
        parts.append(html.details("Groups", *(_group(group) for group in reasoning.groups)))
    parts.append(html.notes(reasoning.notes))
    model = [reasoning.model] if reasoning.model else []
    source = [f"method {reasoning.method}", *model, reasoning.usage.describe()]
    parts.append(html.paragraph(html.faded(", ".join(source))))
    return html.result(*parts)


def _stages(reasoning: Reasoning) -> Html:
    """Return a row for each stage: the knowledge that is added, and the answer with it."""
    answers, knowledge = reasoning.answers, reasoning.knowledge
    stages = (
        ("affirmative", len(knowledge.affirmative), answers.a),
        ("+ counterfactual", len(knowledge.counterfactual), answers.ac),
        ("+ expert", len(knowledge.expert), answers.ace),
    )
    rows = [
        [name, f"{count:,}", answer if answer is not None else html.faded("none")]
        for name, count, answer in stages
    ]
    return html.table(rows, ["knowledge", "triples", "answer"], numeric=(1,))


def _triples(title: str, triples: Sequence[Triple], tone: Tone) -> list[Html]:
    """Return the first triples of a set, hidden until its title is clicked; nothing for an empty set."""
    if not triples:
        return []
    rows = [
        [triple.head, html.highlight(triple.relation, tone), triple.tail] for triple in triples[:MAX_TRIPLES]
    ]
    left = len(triples) - MAX_TRIPLES
    more = html.faded(f"… and {left:,} more") if left > 0 else ""
    return [html.details(f"{title} ({len(triples):,})", html.table(rows), more)]


def _group(group: EntityGroup) -> Html:
    """Return the entity of a group in bold, and its nearest entities with their cosines."""
    others = [
        member.name if member.cosine is None else f"{member.name} {member.cosine:.2f}"
        for member in group.members[1:]
    ]
    kind = " (on the path between two entities)" if group.intermediate else ""
    nearest = f": {', '.join(others)}" if others else ""
    return html.paragraph(html.tag("b", group.name), kind, nearest)
