"""Questions about a corpus: read from a file, or written by a model from passages at random."""

from __future__ import annotations

import json
import random
import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.calibration.claims import random_passages
from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError, InputError
from probative.models.types import Message, Request
from probative.text.prompts import fill, headed, read_prompt
from probative.types import Passage

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

# More passages than questions: some replies are no question.
SPARE = 1.5
MAX_TOKENS = 60
_QUESTION = re.compile(r"[^\n?]{10,300}\?")
# What such a question is about stands in the passage only.
_POINTING = re.compile(r"(?i)\b(?:passage|document|text|excerpt|author|above)\b")


def read_questions(file: Path) -> list[tuple[str, str]]:
    """Return the questions of a file, each with its id and each text once.

    A line is a question, or a JSON object with a `question` and perhaps an `id`, such as the output of a
    batch. Raises `InputError`.
    """
    try:
        lines = file.expanduser().read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}", hint="name a file with --questions") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            ident, question = _question(file, number, line.strip())
            found.setdefault(" ".join(question.split()), ident)
    idents = list(found.values())
    if not found:
        raise InputError(f"{file} has no questions", hint="write one on each line")
    if len(set(idents)) < len(idents):
        twice = next(ident for ident in idents if idents.count(ident) > 1)
        raise InputError(f"{file} has two questions with the id {twice!r}", hint="give each its own id")
    return [(ident, question) for question, ident in found.items()]


def _question(file: Path, number: int, line: str) -> tuple[str, str]:
    if not line.startswith("{"):
        return f"line-{number}", line
    try:
        data = json.loads(line)
    except ValueError as error:
        raise InputError(f"{file}, line {number} is not JSON: {error}") from None
    question = data.get("question")
    if not isinstance(question, str) or not question.strip():
        raise InputError(f"{file}, line {number} has no question", hint='write {"id": "1", "question": "…"}')
    return str(data.get("id", f"line-{number}")), question


def write_questions(corpus: Corpus, n: int, seed: int, *, at_once: int | None = None) -> Search[list[str]]:
    """Let the language model write `n` questions, each from another passage; fewer if it cannot.

    It writes all in one batch, or `at_once` of them.
    """
    passages: dict[str, Passage] = {}
    for passage, _ in islice(random_passages(corpus, random.Random(seed)), 20 * n):
        passages.setdefault(passage.id or passage.text, passage)
        if len(passages) >= SPARE * n:
            break
    prompt = read_prompt("probative.calibration", "question")
    requests = [
        Request(
            messages=(Message(role="user", content=fill(prompt, passage=headed(passage))),),
            max_tokens=MAX_TOKENS,
        )
        for passage in passages.values()
    ]
    replies = []
    size = at_once or max(len(requests), 1)
    for start in range(0, len(requests), size):
        replies += yield from generate_or_empty(requests[start : start + size], step="question")
    texts = (asked(reply) for reply in replies)
    return list(dict.fromkeys(filter(None, texts)))[:n]


def asked(reply: Any) -> str:
    """Return the question of a reply; an empty string if it has none that can be asked of a corpus.

    >>> from probative.models.types import Completion
    >>> asked(Completion(text="Question: Who built the Sea Lark?", finish_reason="stop", model="m"))
    'Who built the Sea Lark?'
    """
    if isinstance(reply, EmptyError):
        return ""
    match = _QUESTION.search(reply.text.removeprefix("Question:"))
    question = "" if match is None else match[0].strip()
    return "" if _POINTING.search(question) else question
