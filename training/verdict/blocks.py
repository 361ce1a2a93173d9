"""Claims over short texts of our own (`blocks/*.txt`), written where the model was found to be weak.

A block has the sentences of a text (`+`) and claims that they support (S), contradict (C) or are insufficient
for (I); after S or C stand the indexes of the sentences that decide. Names in curly brackets are drawn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from training.reader.genres.entity import sentence
from training.reader.genres.kind import kinds
from training.reader.genres.values import draw
from training.verdict.example import Judged, Label

LABELS: dict[str, Label] = {"S": "supported", "C": "contradicted", "I": "insufficient"}
_SLOT = re.compile(r"\{(\w+)\}")
_CLAIM = re.compile(r"([SCI])([\d,]*) (.+)")
# How often each claim is shown, with other names and other sentences around it.
TIMES = 4


@dataclass(frozen=True)
class Block:
    """Sentences and claims about them: label, indexes of the deciding sentences, text."""

    kind: str
    sentences: tuple[str, ...]
    claims: tuple[tuple[Label, tuple[int, ...], str], ...]


def read_blocks(text: str) -> list[Block]:
    r"""Return the blocks of a file.

    >>> (block,) = read_blocks("# denial\n+ No towels are lent.\nC0 Towels are lent.\nI Soap is lent.")
    >>> block.kind, block.claims[0]
    ('denial', ('contradicted', (0,), 'Towels are lent.'))
    """
    return [_block(part.strip().splitlines()) for part in re.split(r"\n\s*\n", text.strip())]


def _block(lines: Sequence[str]) -> Block:
    claims = []
    sentences = tuple(line[2:].strip() for line in lines if line.startswith("+ "))
    for line in lines:
        if line.startswith(("# ", "+ ")):
            continue
        parts = _CLAIM.fullmatch(line.strip())
        if parts is None:
            raise ValueError(f"neither a sentence nor a claim: {line!r}")
        deciding = tuple(int(index) for index in parts[2].split(",") if index)
        if any(index >= len(sentences) for index in deciding):
            raise ValueError(f"no such sentence: {line!r}")
        claims.append((LABELS[parts[1]], deciding, parts[3]))
    return Block(lines[0].removeprefix("# ").strip(), sentences, tuple(claims))


def shipped_blocks() -> list[Block]:
    """Return the blocks of all files."""
    folder = files("training.verdict") / "blocks"
    texts = sorted((file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir())
    return [block for name, text in texts if name.endswith(".txt") for block in read_blocks(text)]


def written(rng: random.Random, times: int = TIMES) -> Iterator[Judged]:
    """Yield every claim of the blocks some times, each with other names and sentences around it."""
    blocks = shipped_blocks()
    others = [line for block in blocks for line in block.sentences if "{" not in line]
    others += [line for kind in kinds().values() for line in kind.texts("fill")]
    for block in blocks:
        for label, deciding, claim in block.claims:
            for _ in range(times):
                yield _judged(block, label, deciding, claim, others, rng)


def _judged(
    block: Block,
    label: Label,
    deciding: tuple[int, ...],
    claim: str,
    others: Sequence[str],
    rng: random.Random,
) -> Judged:
    names: dict[str, str] = {}
    own = [sentence(fill_slots(line, names, rng)) for line in block.sentences]
    before, after = (rng.sample(others, rng.choice((0, 0, 1, 2, 4, 6))) for _ in range(2))
    shown = (*before, *own, *after)
    gold = tuple(len(before) + index for index in deciding)
    text = sentence(fill_slots(claim, names, rng))
    return Judged(text, shown, label, f"written_{block.kind}", gold, group=block.sentences[0])


def fill_slots(text: str, names: dict[str, str], rng: random.Random) -> str:
    """Return a text with its slots filled; slots with different numbers get different values.

    >>> fill_slots("{town} and {town2}", {"town": "Molde", "town2": "Ulm"}, random.Random(1))
    'Molde and Ulm'
    """

    def value(match: re.Match[str]) -> str:
        name = match[1]
        while name not in names:
            drawn = draw(name.rstrip("0123456789"), names, rng)
            if drawn not in names.values():
                names[name] = drawn
        return names[name]

    return _SLOT.sub(value, text)
