"""One row of training or measuring: what is asked, over which lines, and the reply, in the form of its task.

The prompts are those of the package (`probative.models.task_prompts`). A reply cites the numbers of the lines
that decide; where nobody marked them, the numbers are not learned.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from probative.models.task_prompts import TASKS, UNKNOWN, VERDICTS, Line, Task, prompt_pieces
from training.large.arrays import CITED, HEADER, PROMPT, REPLY, Encoded
from training.large.tokens import Tokens

Label = Literal["supported", "contradicted", "insufficient"]
LABELS: tuple[Label, ...] = ("supported", "contradicted", "insufficient")
# Longer lines and questions are cut.
LINE_TOKENS, ASKED_TOKENS = 256, 160
_ROWS_AT_ONCE = 2000


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


def asked_pieces(row: Row) -> Iterator[Piece]:
    """Yield the pieces of the prompt between its control tokens."""
    for piece in prompt_pieces(row.task, row.asked, row.lines):
        yield piece.text, HEADER if piece.is_header else PROMPT


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


def claims_digest(rows: Iterable[Row]) -> str:
    """Return a hash of the claims among some rows and of what is read with them, in whatever tokens: by it a
    teacher's verdicts are known to be about the same claims.

    >>> claims_digest([Row("verdict", "It rained.", (Line("Wet."),), "yes", "own")])[:8]
    '5e259c27'
    """
    digest = hashlib.sha256()
    for row in rows:
        if row.task == "verdict":
            digest.update(json.dumps([row.asked, row.lines]).encode())
    return digest.hexdigest()


def is_whole(row: Row) -> bool:
    """Return whether the end of the reply is known, so that it is learned."""
    return bool(row.cited) or row.task not in ("verdict", "answer") or row.reply in ("maybe", UNKNOWN)


def verdict_words(tokens: Tokens) -> list[int]:
    """Return the token of each verdict."""
    return [ids[0] for ids in tokens.encode(VERDICTS)]


def encode_rows(rows: Sequence[Row], tokens: Tokens) -> Iterator[Encoded]:
    """Yield the rows in tokens."""
    words = ("\n", "system\n", "user\n", "assistant\n", *TASKS)
    control = dict(zip(words, tokens.encode(words), strict=True))
    between = [tokens.end, *control["\n"], tokens.start]
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        block = rows[start : start + _ROWS_AT_ONCE]
        texts = sorted({text for row in block for text, _ in (*asked_pieces(row), *reply_pieces(row))})
        known = dict(zip(texts, tokens.encode(texts), strict=True))
        for row in block:
            parts = [([tokens.start, *control["system\n"], *control[row.task]], PROMPT)]
            parts.append(([*between, *control["user\n"]], PROMPT))
            parts += [
                (_cut(known[text], LINE_TOKENS if text[0] in "#123456789" else ASKED_TOKENS), role)
                for text, role in asked_pieces(row)
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
