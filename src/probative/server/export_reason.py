"""An answer over a graph in a downloaded page: what it rests on, the drawing, the stages, the connections."""

from __future__ import annotations

from collections.abc import Sequence

from probative import html
from probative.give.drawing.picture import draw
from probative.give.reasoning import Reasoning
from probative.give.result import GraphVerdict, Knowledge
from probative.html import Html, Tone
from probative.types import Triple

# The words of the page of the server.
_VERDICTS: dict[GraphVerdict, tuple[str, Tone]] = {
    GraphVerdict.READ: ("✓ Read in the graph", "good"),
    GraphVerdict.EXTRAPOLATED: ("≈ Extrapolated", "neutral"),
    GraphVerdict.UNKNOWN: ("? The graph does not say", "warning"),
}
_MAX_TRIPLES = 200


def reasoning_section(reasoning: Reasoning) -> Html:
    """Return the answer with all that is behind it; the drawing is SVG that loads nothing.

    >>> moss = Triple(head="moss", relation="grows in", tail="shade")
    >>> read = Reasoning(question="Where?", form="text", answer="shade", verdict="read", facts=(moss,))
    >>> section = reasoning_section(read)
    >>> section.count("<svg"), "Read in the graph" in section
    (1, True)
    """
    knowledge = _with_facts(reasoning)
    return html.join(
        _answer(reasoning),
        _listed("What decided it", reasoning.facts),
        _drawing(reasoning, knowledge),
        _stages(reasoning),
        _listed("Read in the graph", knowledge.expert),
        _listed("Extrapolated", knowledge.affirmative),
        _listed("Counterfactual (judged not to hold)", knowledge.counterfactual),
        _listed("Undecided", reasoning.uncertain),
        html.notes(reasoning.notes),
    )


def _with_facts(reasoning: Reasoning) -> Knowledge:
    """Return the knowledge with the facts: an answer that is read from the graph may have nothing else."""
    known = set(reasoning.knowledge.expert)
    facts = tuple(fact for fact in reasoning.facts if fact not in known)
    return reasoning.knowledge.model_copy(update={"expert": (*facts, *reasoning.knowledge.expert)})


def _answer(reasoning: Reasoning) -> Html:
    answer = html.tag("b", reasoning.answer) if reasoning.answer else html.faded("No answer")
    parts = [html.tag("p", answer, style="font-size:1.3rem;margin:0 0 .5rem")]
    if reasoning.verdict is not None:
        word, tone = _VERDICTS[reasoning.verdict]
        strength = "" if reasoning.strength is None else f" strength {reasoning.strength:.2f}"
        parts.append(html.paragraph(html.badge(word, tone), strength))
    if reasoning.rationale:
        parts.append(html.paragraph(html.tag("i", reasoning.rationale)))
    return html.join(*parts)


def _drawing(reasoning: Reasoning, knowledge: Knowledge) -> Html:
    if not (reasoning.groups or knowledge.expert or knowledge.affirmative or knowledge.counterfactual):
        return Html()
    picture = draw(reasoning.groups, knowledge, reasoning.question, reasoning.answer, heading=False)
    return html.join(html.tag("h2", "The connections"), Html(picture))


def _stages(reasoning: Reasoning) -> Html:
    """Return a row for each stage: the knowledge that is added, and the answer with it."""
    answers, knowledge = reasoning.answers, reasoning.knowledge
    stages = (
        ("Extrapolated knowledge", knowledge.affirmative, answers.a),
        ("Plus counterfactual knowledge", knowledge.counterfactual, answers.ac),
        ("Plus what the graph states", knowledge.expert, answers.ace),
    )
    if not any(answer for _, _, answer in stages):
        return Html()
    rows = [
        [name, f"{len(triples):,}", answer or html.faded("no answer at this stage")]
        for name, triples, answer in stages
    ]
    title = html.tag("h2", "The answer in three stages")
    return html.join(title, html.table(rows, ["Knowledge", "Triples", "Answer"], numeric=(1,)))


def _listed(title: str, triples: Sequence[Triple]) -> Html:
    if not triples:
        return Html()
    rows = [[triple.head, html.tag("i", triple.relation), triple.tail] for triple in triples[:_MAX_TRIPLES]]
    left = len(triples) - _MAX_TRIPLES
    more = html.faded(f"… and {left:,} more") if left > 0 else ""
    return html.details(f"{title} ({len(triples):,})", html.table(rows), more)
