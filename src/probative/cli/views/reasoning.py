"""An answer over a graph as people read it: its stages, its groups, and the knowledge that decided it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from probative.cli.views.answer import show_notes
from probative.cli.views.plain_text import plain
from probative.give.reasoning import Reasoning
from probative.give.result import EntityGroup, Member
from probative.types import Triple

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

# Triples shown of each set; the sets come with those nearest to the question first.
MOST_SHOWN = 8


def show_reasoning(reasoning: Reasoning) -> None:
    """Print the answer, its stages, the groups, the knowledge and the notes."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if reasoning.answer is not None:
        console.print(Text(plain(reasoning.answer), style="bold"))
    else:
        console.print(Text("no answer: what the model wrote could not be read", style="bold"))
    if reasoning.rationale:
        console.print(Text(plain(reasoning.rationale), style="italic"))
    if reasoning.method == "give":
        console.print()
        console.print(_stages(reasoning))
    if reasoning.groups:
        console.print("\ngroups")
        for group in reasoning.groups:
            console.print(_group(group))
        if reasoning.path is not None:
            console.print(Text(f"  by way of {plain(str(reasoning.path))}", style="dim"))
    _show_set(console, "expert", "green", reasoning.knowledge.expert)
    _show_set(console, "affirmative", "cyan", reasoning.knowledge.affirmative)
    _show_set(console, "counterfactual", "red", reasoning.knowledge.counterfactual)
    if reasoning.maybe:
        console.print(f"\nmaybe: {reasoning.maybe:,} candidates, which are no knowledge", style="dim")
    if reasoning.expert_ratio is not None:
        console.print(f"expert ratio: {reasoning.expert_ratio:.2f}", style="dim")
    show_notes(reasoning.notes)


def _stages(reasoning: Reasoning) -> Table:
    """A row for each stage: what it knows, and what it answers."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("with")
    table.add_column("triples", justify="right")
    table.add_column("words", justify="right")
    table.add_column("answer", overflow="fold")
    answers = reasoning.answers
    known = reasoning.knowledge
    stages: list[tuple[str, str, tuple[Triple, ...], str | None]] = [
        ("affirmative knowledge", "affirmative", known.affirmative, answers.a),
        ("+ counterfactual", "counterfactual", known.counterfactual, answers.ac),
        ("+ expert", "expert", known.expert, answers.ace),
    ]
    for label, name, triples, answer in stages:
        said = Text(plain(answer), style="bold") if answer is not None else Text("not read", style="red")
        read = reasoning.read.get(name, len(triples))
        shown = f"{len(triples):,}" if read == len(triples) else f"{read:,} of {len(triples):,}"
        table.add_row(label, shown, f"{reasoning.words.get(name, 0):,}", said)
    return table


def _group(group: EntityGroup) -> Text:
    """The group's own entity, then the others with their cosines."""
    from rich.text import Text

    shown = Text("  ")
    shown.append(plain(group.name), style="bold")
    if group.intermediate:
        shown.append(" (between)", style="dim")
    elif group.members[0].entity is None:
        shown.append(" (not in the graph)", style="dim")
    if len(group.members) > 1:
        shown.append(": " + ", ".join(_member(member) for member in group.members[1:]))
    return shown


def _member(member: Member) -> str:
    return f"{plain(member.name)} {member.cosine:.2f}" if member.cosine is not None else plain(member.name)


def _show_set(console: Console, name: str, style: str, triples: Sequence[Triple]) -> None:
    """The first triples of a set, and how many more there are."""
    from rich.text import Text

    if not triples:
        return
    console.print(Text(f"\n{name} knowledge", style=f"bold {style}"))
    for triple in triples[:MOST_SHOWN]:
        line = Text("  ")
        line.append(plain(triple.head)).append(f" —{plain(triple.relation)}→ ", style=style)
        console.print(line.append(plain(triple.tail)))
    if len(triples) > MOST_SHOWN:
        console.print(f"  … and {len(triples) - MOST_SHOWN:,} more", style="dim")
