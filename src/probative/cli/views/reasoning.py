"""An answer over a graph: its stages, the groups of entities and the knowledge behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.cli.views.features import show_notes
from probative.cli.views.terminal import console, plain
from probative.give.reasoning import Reasoning, describe_verdict
from probative.give.result import EntityGroup, GraphVerdict, Member
from probative.text.labels import counted
from probative.types import Triple

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

# How many triples of each set are shown; those nearest to the question come first.
MAX_TRIPLES = 8
_STYLES = {GraphVerdict.READ: "green", GraphVerdict.EXTRAPOLATED: "cyan"}


def show_reasoning(reasoning: Reasoning) -> None:
    """Print the answer, its stages, the groups, the knowledge and the notes."""
    from rich.text import Text

    terminal = console()
    terminal.print(_headline(reasoning))
    for fact in reasoning.facts:
        terminal.print(_triple(fact, "green"))
    if reasoning.rationale:
        terminal.print(Text(plain(reasoning.rationale), style="italic"))
    if reasoning.verdict is GraphVerdict.READ:
        show_notes(terminal, reasoning.notes)
        return
    if reasoning.method == "give" and reasoning.answers.a is not None:
        terminal.print()
        terminal.print(_stages(reasoning))
    if reasoning.groups:
        terminal.print("\ngroups")
        for group in reasoning.groups:
            terminal.print(_group(group))
        if reasoning.path is not None:
            terminal.print(Text(f"  by way of {plain(str(reasoning.path))}", style="dim"))
    expert = [triple for triple in reasoning.knowledge.expert if triple not in reasoning.facts]
    _show_triples(terminal, "expert", "green", expert)
    _show_triples(terminal, "affirmative", "cyan", reasoning.knowledge.affirmative)
    _show_triples(terminal, "counterfactual", "red", reasoning.knowledge.counterfactual)
    if reasoning.maybe:
        terminal.print(
            f"\nmaybe: {counted(reasoning.maybe, 'candidate')}, not used as knowledge", style="dim"
        )
    if reasoning.expert_ratio is not None:
        terminal.print(f"expert ratio: {reasoning.expert_ratio:.2f}", style="dim")
    show_notes(terminal, reasoning.notes)


def _headline(reasoning: Reasoning) -> Text:
    """Return the answer and what it rests on."""
    from rich.text import Text

    line = Text()
    if reasoning.verdict is GraphVerdict.UNKNOWN:
        return line.append(describe_verdict(reasoning), style="bold yellow")
    answer = "no answer: the output of the model could not be read"
    line.append(answer if reasoning.answer is None else plain(reasoning.answer), style="bold")
    if reasoning.verdict is not None:
        line.append(f"  {describe_verdict(reasoning)}", style=_STYLES[reasoning.verdict])
    return line


def _stages(reasoning: Reasoning) -> Table:
    """Return a row for each stage: how much knowledge it has, and its answer."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("with")
    table.add_column("triples", justify="right")
    table.add_column("words", justify="right")
    table.add_column("answer", overflow="fold")
    answers, knowledge = reasoning.answers, reasoning.knowledge
    stages: list[tuple[str, str, tuple[Triple, ...], str | None]] = [
        ("affirmative knowledge", "affirmative", knowledge.affirmative, answers.a),
        ("+ counterfactual", "counterfactual", knowledge.counterfactual, answers.ac),
        ("+ expert", "expert", knowledge.expert, answers.ace),
    ]
    for label, name, triples, answer in stages:
        cell = Text("not read", style="red") if answer is None else Text(plain(answer), style="bold")
        read = reasoning.read.get(name, len(triples))
        count = f"{len(triples):,}" if read == len(triples) else f"{read:,} of {len(triples):,}"
        table.add_row(label, count, f"{reasoning.words.get(name, 0):,}", cell)
    return table


def _group(group: EntityGroup) -> Text:
    """Return the entity of a group, then the others with their cosines."""
    from rich.text import Text

    line = Text("  ")
    line.append(plain(group.name), style="bold")
    if group.intermediate:
        line.append(" (between)", style="dim")
    elif group.members[0].entity is None:
        line.append(" (not in the graph)", style="dim")
    if len(group.members) > 1:
        line.append(": " + ", ".join(_member(member) for member in group.members[1:]))
    return line


def _member(member: Member) -> str:
    return plain(member.name) if member.cosine is None else f"{plain(member.name)} {member.cosine:.2f}"


def _show_triples(terminal: Console, name: str, style: str, triples: Sequence[Triple]) -> None:
    """Print the first triples of a set, and how many more there are."""
    from rich.text import Text

    if not triples:
        return
    terminal.print(Text(f"\n{name} knowledge", style=f"bold {style}"))
    for triple in triples[:MAX_TRIPLES]:
        terminal.print(_triple(triple, style))
    if len(triples) > MAX_TRIPLES:
        terminal.print(f"  … and {len(triples) - MAX_TRIPLES:,} more", style="dim")


def _triple(triple: Triple, style: str) -> Text:
    from rich.text import Text

    line = Text("  ")
    line.append(plain(triple.head)).append(f" —{plain(triple.relation)}→ ", style=style)
    return line.append(plain(triple.tail))
