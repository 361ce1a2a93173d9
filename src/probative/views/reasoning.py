"""An answer over a graph: its stages, the groups of entities, the knowledge behind it, and its picture."""

from __future__ import annotations

from collections.abc import Sequence

from probative.give.reasoning import Reasoning, describe_verdict
from probative.give.result import EntityGroup, GraphVerdict, Member
from probative.text.labels import counted
from probative.types import Triple
from probative.views.blocks import (
    Block,
    Cell,
    Folded,
    Line,
    Notes,
    Part,
    Picture,
    Span,
    Table,
    Tone,
    columns,
    cost,
    faint,
    line,
    page,
    screen,
    strong,
)
from probative.views.drawing.connections import Connection, knowledge_connections
from probative.views.drawing.picture import draw
from probative.views.html import Html, rendered, tag

# How many triples of each set are shown; those nearest to the question come first.
MAX_ON_SCREEN = 8
MAX_ON_PAGE = 12
MAX_IN_EXPORT = 200
_TONES: dict[GraphVerdict, Tone] = {
    GraphVerdict.READ: "good",
    GraphVerdict.EXTRAPOLATED: "neutral",
    GraphVerdict.UNKNOWN: "warning",
}
# The words of the page of the server.
_BADGES = {
    GraphVerdict.READ: "✓ Read in the graph",
    GraphVerdict.EXTRAPOLATED: "≈ Extrapolated",
    GraphVerdict.UNKNOWN: "? The graph does not say",
}
_SETS: dict[str, Tone] = {"expert": "good", "affirmative": "neutral", "counterfactual": "bad"}


def reasoning_view(reasoning: Reasoning) -> Sequence[Block]:
    """Return the answer, its three stages, the groups, the knowledge behind it, the notes and the cost."""
    staged = reasoning.answers.a is not None
    sets = [(name, getattr(reasoning.knowledge, name), tone) for name, tone in _SETS.items()]
    return [
        page(
            line(faint(reasoning.question)),
            line(*_answer(reasoning, faint("no answer"), " ")),
            *_folded("Facts", reasoning.facts, "good"),
            *([line(Span(reasoning.rationale, "italic"))] if reasoning.rationale else []),
            *([_stages(reasoning)] if staged else []),
            *(
                block
                for name, triples, tone in sets
                for block in _folded(f"{name.capitalize()} knowledge", triples, tone)
            ),
            *([Folded("Groups", tuple(map(_group, reasoning.groups)))] if reasoning.groups else []),
        ),
        screen(
            line(*_answer(reasoning, strong("no answer: the output of the model could not be read"), "  ")),
            *(_triple(fact, "green") for fact in reasoning.facts),
            *([line(Span(reasoning.rationale, "italic"))] if reasoning.rationale else []),
            *(_behind(reasoning, staged) if reasoning.verdict is not GraphVerdict.READ else []),
        ),
        Notes(reasoning.notes),
        cost(reasoning),
    ]


def _answer(reasoning: Reasoning, none: Span, gap: str) -> list[Part]:
    """Return the answer, or `none`, and what it rests on."""
    answer = none if reasoning.answer is None else strong(reasoning.answer)
    if reasoning.verdict is None:
        return [answer]
    rests_on = Span(describe_verdict(reasoning), _TONES[reasoning.verdict])
    return [rests_on] if reasoning.verdict is GraphVerdict.UNKNOWN else [answer, gap, rests_on]


def _stages(reasoning: Reasoning) -> Table:
    """Return a row for each stage: the knowledge that is added, and the answer with it."""
    rows = [
        (name, f"{len(triples):,}", answer if answer is not None else faint("none"))
        for name, _, triples, answer in _staged(reasoning, "affirmative", "+ counterfactual", "+ expert")
    ]
    return Table(rows, columns("knowledge", "triples", "answer", right=[1]))


def _staged(reasoning: Reasoning, *names: str) -> list[tuple[str, str, tuple[Triple, ...], str | None]]:
    """Return the name of each stage, the set of knowledge that it adds, its triples, and its answer."""
    answers, knowledge = reasoning.answers, reasoning.knowledge
    return [
        (names[0], "affirmative", knowledge.affirmative, answers.a),
        (names[1], "counterfactual", knowledge.counterfactual, answers.ac),
        (names[2], "expert", knowledge.expert, answers.ace),
    ]


def _folded(title: str, triples: Sequence[Triple], look: str, n: int = MAX_ON_PAGE) -> list[Folded]:
    """Return the first triples of a set, hidden until its title is clicked; nothing for an empty set."""
    if not triples:
        return []
    rows = [(triple.head, Span(triple.relation, look), triple.tail) for triple in triples[:n]]
    more = [faint(f"… and {len(triples) - n:,} more")] if len(triples) > n else []
    return [Folded(f"{title} ({len(triples):,})", (Table(rows), *more))]


def _group(group: EntityGroup) -> Line:
    """Return the entity of a group in bold, and its nearest entities with their cosines."""
    kind = " (on the path between two entities)" if group.intermediate else ""
    return line(strong(group.name), kind, _nearest(group))


def _nearest(group: EntityGroup) -> str:
    return f": {', '.join(map(_member, group.members[1:]))}" if len(group.members) > 1 else ""


def _member(member: Member) -> str:
    return member.name if member.cosine is None else f"{member.name} {member.cosine:.2f}"


def _behind(reasoning: Reasoning, staged: bool) -> list[Block]:
    """Return what is behind an answer that is not read from the graph, for a screen."""
    blocks: list[Block] = [line(), _stages_read(reasoning)] if staged else []
    if reasoning.groups:
        blocks += [line(), line("groups"), *map(_group_line, reasoning.groups)]
        if reasoning.path is not None:
            blocks.append(line(Span(f"by way of {reasoning.path}", "dim"), indent=2))
    for name, tone in _SETS.items():
        triples = getattr(reasoning.knowledge, name)
        if name == "expert":
            triples = [triple for triple in triples if triple not in reasoning.facts]
        if triples:
            blocks += [line(), line(Span(f"{name} knowledge", f"bold {tone}"))]
            blocks += [_triple(triple, tone) for triple in triples[:MAX_ON_SCREEN]]
        if len(triples) > MAX_ON_SCREEN:
            blocks.append(line(Span(f"… and {len(triples) - MAX_ON_SCREEN:,} more", "dim"), indent=2))
    if reasoning.maybe:
        unused = f"maybe: {counted(reasoning.maybe, 'candidate')}, not used as knowledge"
        blocks += [line(), line(Span(unused, "dim"))]
    if reasoning.expert_ratio is not None:
        blocks.append(line(Span(f"expert ratio: {reasoning.expert_ratio:.2f}", "dim")))
    return blocks


def _stages_read(reasoning: Reasoning) -> Table:
    """Return a row for each stage: how much knowledge the model read, and its answer."""
    rows: list[tuple[Cell, ...]] = []
    names = ("affirmative knowledge", "+ counterfactual", "+ expert")
    for label, name, triples, answer in _staged(reasoning, *names):
        read = reasoning.read.get(name, len(triples))
        count = f"{len(triples):,}" if read == len(triples) else f"{read:,} of {len(triples):,}"
        cell = Span("not read", "red") if answer is None else strong(answer)
        rows.append((label, count, f"{reasoning.words.get(name, 0):,}", cell))
    return Table(rows, columns("with", "triples", "words", "answer", right=[1, 2]))


def _group_line(group: EntityGroup) -> Line:
    kind: list[Part] = []
    if group.intermediate:
        kind = [" ", Span("(between)", "dim")]
    elif group.members[0].entity is None:
        kind = [" ", Span("(not in the graph)", "dim")]
    return line(strong(group.name), *kind, _nearest(group), indent=2)


def _triple(triple: Triple, look: str) -> Line:
    relation = Span(f"—{triple.relation}→", look)
    return line(Span(triple.head), " ", relation, " ", Span(triple.tail), indent=2)


def picture_of(
    reasoning: Reasoning, connections: Sequence[Connection] | None = None, *, heading: bool = True
) -> str:
    """Return the groups and the connections, or those of the knowledge, as an SVG picture."""
    return draw(
        reasoning.groups,
        knowledge_connections(reasoning.knowledge) if connections is None else connections,
        reasoning.question,
        reasoning.answer,
        rests_on=describe_verdict(reasoning),
        heading=heading,
    )


def reasoning_section(reasoning: Reasoning) -> Html:
    """Return the answer with all that is behind it, for a downloaded page; the picture loads nothing.

    >>> moss = Triple(head="moss", relation="grows in", tail="shade")
    >>> read = Reasoning(question="Where?", form="text", answer="shade", verdict="read", facts=(moss,))
    >>> section = reasoning_section(read)
    >>> section.count("<svg"), "Read in the graph" in section
    (1, True)
    """
    facts = tuple(fact for fact in reasoning.facts if fact not in reasoning.knowledge.expert)
    # An answer that is read from the graph may have nothing but its facts.
    knowledge = reasoning.knowledge.model_copy(update={"expert": (*facts, *reasoning.knowledge.expert)})
    sets = {
        "Read in the graph": knowledge.expert,
        "Extrapolated": knowledge.affirmative,
        "Counterfactual (judged not to hold)": knowledge.counterfactual,
        "Undecided": reasoning.uncertain,
    }
    parts: list[Part] = [*_lead(reasoning)]
    parts += _folded("What decided it", reasoning.facts, "italic", MAX_IN_EXPORT)
    if reasoning.groups or any(getattr(knowledge, name) for name in _SETS):
        picture = Picture(picture_of(reasoning, knowledge_connections(knowledge), heading=False))
        parts += [tag("h2", "The connections"), picture]
    names = ("Extrapolated knowledge", "Plus counterfactual knowledge", "Plus what the graph states")
    stages = _staged(reasoning, *names)
    if any(answer for _, _, _, answer in stages):
        rows = [
            (name, f"{len(triples):,}", answer or faint("no answer at this stage"))
            for name, _, triples, answer in stages
        ]
        titles = columns("Knowledge", "Triples", "Answer", right=[1])
        parts += [tag("h2", "The answer in three stages"), Table(rows, titles)]
    for title, triples in sets.items():
        parts += _folded(title, triples, "italic", MAX_IN_EXPORT)
    return rendered(*parts, Notes(reasoning.notes))


def _lead(reasoning: Reasoning) -> list[Part]:
    """Return the answer in large letters, its verdict and its rationale."""
    answer = strong(reasoning.answer) if reasoning.answer else faint("No answer")
    parts: list[Part] = [tag("p", rendered(answer), style="font-size:1.3rem;margin:0 0 .5rem")]
    if reasoning.verdict is not None:
        badge = Span(_BADGES[reasoning.verdict], f"badge {_TONES[reasoning.verdict]}")
        strength = "" if reasoning.strength is None else f" strength {reasoning.strength:.2f}"
        parts.append(line(badge, strength))
    if reasoning.rationale:
        parts.append(line(Span(reasoning.rationale, "italic")))
    return parts
