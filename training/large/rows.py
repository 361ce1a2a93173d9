"""One row of training or measuring: what is asked, over which lines, and the reply, in the form of its task.

    verdict    Claim: …  numbered lines  Claim: …       yes 3 | no 2 5 | maybe
    answer     Question: …  numbered lines  Question: …  Oslo [2 5] | unknown
    features   Question: …                              intent, nodes and relations on three lines
    plan       Question: …                              the steps as JSON (`probative.scope.plan`)
    alone      Question: …  numbered turns  Question: …  the question, which then needs no turns
    in_force   About: …  two numbered lines  About: …    1 | 2 | both | unknown
    same       Relations: … | …                         yes | no | inverse

The system message names the task in one word. Above the lines of a document stands its header, `# title
(date) · term = meaning`. A reply cites the numbers of the lines that decide; where nobody marked them, the
numbers are not learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from training.large.arrays import CITED, HEADER, PROMPT, REPLY, Encoded
from training.large.tokens import Tokens

Task = Literal["verdict", "answer", "features", "plan", "alone", "in_force", "same"]
Label = Literal["supported", "contradicted", "insufficient"]
LABELS: tuple[Label, ...] = ("supported", "contradicted", "insufficient")
VERDICTS = ("yes", "no", "maybe")
"""The replies for the labels, in the same order; each is one token."""
UNKNOWN = "unknown"
_ASKED: dict[Task, str] = {
    "verdict": "Claim",
    "answer": "Question",
    "features": "Question",
    "plan": "Question",
    "alone": "Question",
    "in_force": "About",
    "same": "Relations",
}
# Longer lines and questions are cut.
LINE_TOKENS, ASKED_TOKENS = 256, 160
_ROWS_AT_ONCE = 2000


@dataclass(frozen=True)
class Line:
    """A sentence or a row of a table, and the header of its document."""

    text: str
    header: str = ""


@dataclass(frozen=True)
class Row:
    """A request and its reply. `cited` are the indexes of the lines that decide; None if nobody marked them.

    `either` says that the evidence does not support the claim, without saying whether it denies it.
    """

    task: Task
    asked: str
    lines: tuple[Line, ...]
    reply: str
    source: str
    cited: tuple[int, ...] | None = None
    either: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


Piece = tuple[str, int]
"""A text that is encoded alone, and the role of its tokens."""


def prompt_pieces(row: Row) -> Iterator[Piece]:
    r"""Yield the pieces of the prompt between its control tokens. No token spans two: each ends a line.

    >>> row = Row("verdict", "It rained.", (Line("The street was wet.", "Diary (2024)"),), "maybe", "own")
    >>> [text for text, _ in prompt_pieces(row)]
    ['Claim: It rained.\n', '# Diary (2024)\n', '1. The street was wet.\n', 'Claim: It rained.']
    """
    asked = f"{_ASKED[row.task]}: {_one_line(row.asked)}"
    if row.lines:
        yield f"{asked}\n", PROMPT
    header = ""
    for number, line in enumerate(row.lines, 1):
        if line.header != header:
            header = line.header
            yield f"# {_one_line(header)}\n", HEADER
        yield f"{number}. {_one_line(line.text)}\n", PROMPT
    yield asked, PROMPT


def reply_pieces(row: Row) -> Iterator[Piece]:
    """Yield the pieces of the reply, without the token that ends it.

    >>> row = Row("answer", "Where?", (Line("It is in Oslo."),), "Oslo", "own", cited=(0,))
    >>> list(reply_pieces(row))
    [('Oslo', 2), (' [', 2), ('1]', 3)]
    """
    yield row.reply, REPLY
    if row.task == "answer" and row.reply != UNKNOWN:
        yield " [", REPLY
    if row.cited and row.reply not in ("maybe", UNKNOWN):
        numbers = " ".join(str(index + 1) for index in row.cited)
        yield (f"{numbers}]" if row.task == "answer" else f" {numbers}"), CITED


def is_whole(row: Row) -> bool:
    """Return whether the end of the reply is known, so that it is learned."""
    return bool(row.cited) or row.task not in ("verdict", "answer") or row.reply in ("maybe", UNKNOWN)


def encode_rows(rows: Sequence[Row], tokens: Tokens) -> Iterator[Encoded]:
    """Yield the rows in tokens."""
    words = ("\n", "system\n", "user\n", "assistant\n", *_ASKED)
    control = dict(zip(words, tokens.encode(words), strict=True))
    between = [tokens.end, *control["\n"], tokens.start]
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = rows[start : start + _ROWS_AT_ONCE]
        texts = sorted({text for row in block for text, _ in (*prompt_pieces(row), *reply_pieces(row))})
        known = dict(zip(texts, tokens.encode(texts), strict=True))
        for row in block:
            parts = [([tokens.start, *control["system\n"], *control[row.task]], PROMPT)]
            parts.append(([*between, *control["user\n"]], PROMPT))
            parts += [
                (_cut(known[text], LINE_TOKENS if text[0] in "#123456789" else ASKED_TOKENS), role)
                for text, role in prompt_pieces(row)
            ]
            parts.append(([*between, *control["assistant\n"]], PROMPT))
            parts += [(known[text], role) for text, role in reply_pieces(row)]
            if is_whole(row):
                parts.append(([tokens.end], CITED if row.task == "verdict" else REPLY))
            ids = [token for piece, _ in parts for token in piece]
            roles = [role for piece, role in parts for _ in piece]
            yield Encoded(ids, roles, {"task": row.task, "source": row.source, **row.facts}, row.either)


def _cut(ids: list[int], limit: int) -> list[int]:
    """Return the ids of a line, or its start and its end if it is too long."""
    return ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]


def read_reply(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the answer in a reply, and the indexes of the lines that it cites.

    >>> read_reply("Oslo [2 5]"), read_reply("unknown"), read_reply("yes 3")
    (('Oslo', (1, 4)), ('unknown', ()), ('yes', (2,)))
    """
    answer, _, cited = text.strip().partition(" [")
    if not cited and answer.split(" ")[0] in VERDICTS:
        answer, _, cited = answer.partition(" ")
    return answer.strip(), tuple(int(word) - 1 for word in cited.rstrip("]").split() if word.isdigit())


def _one_line(text: str) -> str:
    return " ".join(text.split())
