r"""The prompts of the large embedded model, one for each of its tasks, and the parsing of its replies.

    verdict    Claim: …  numbered lines  Claim: …        yes 3 | no 2 5 | maybe
    answer     Question: …  numbered lines  Question: …   Oslo [2 5] | unknown
    features   Question: …                               intent, nodes and relations on three lines
    plan       Question: …                               the steps as JSON (`probative.scope.plan`)
    alone      Question: …  numbered turns  Question: …   the question, which then needs no turns
    in_force   About: …  two numbered lines  About: …     1 | 2 | both | unknown
    same       Relations: … | …                          yes | no | inverse

The system message names the task in one word. Above the lines of a document stands its header, `# title
(date) · term = meaning`. The training uses the same prompts (training/large/rows.py), so a change here needs
a new training. Every part of a prompt ends a line, so that no token spans two of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal, NamedTuple

from probative.models.types import Request
from probative.models.verdict import VerdictItem
from probative.text.prompts import passage_header
from probative.text.sentences import entries_in, sentences_of
from probative.types import Passage

# The longest answer of HotpotQA and 2WikiMultihopQA has 27 tokens.
ANSWER_TOKENS = 32
# The longest prompts of the training; a longer one is read worse.
TRAINED_TOKENS = 2048
FEATURES_TOKENS = 128
_LINE = re.compile(r"^(intent|nodes|relations): *(.+?) *$", re.MULTILINE)


class FeatureLines(NamedTuple):
    """The features of a question as the reader writes them; relations are (head, predicate, tail)."""

    intent: str
    nodes: tuple[str, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()


def ask_answer(question: str, passages: Sequence[Passage]) -> Request:
    """Return the request for a short answer from the lines of passages, or `UNKNOWN`."""
    lines = lines_of(passages)
    return task_request("answer", question, lines, max_tokens=ANSWER_TOKENS, stop=(BEFORE_CITED,))


def ask_features(question: str) -> Request:
    """Return the request for the features of a question, which `read_features` parses."""
    return task_request("features", question, max_tokens=FEATURES_TOKENS)


def read_features(text: str) -> FeatureLines | None:
    """Return the features in such lines, or None without an intent. A relation that does not connect two
    of the nodes is left out.
    """
    lines = dict(_LINE.findall(text))
    intent = lines.get("intent", "").strip()
    if not intent:
        return None
    nodes = dict.fromkeys(node.strip() for node in lines.get("nodes", "").split(" ; ") if node.strip())
    relations = []
    for relation in lines.get("relations", "").split(" ; "):
        head, predicate, tail = [*(part.strip() for part in relation.split(" | ")), "", ""][:3]
        if relation.count(" | ") == 2 and head in nodes and tail in nodes and head != tail:
            relations.append((head, predicate, tail))
    return FeatureLines(intent, tuple(nodes), tuple(relations))


Task = Literal["verdict", "answer", "features", "plan", "alone", "in_force", "same"]
TASKS: dict[Task, str] = {
    "verdict": "Claim",
    "answer": "Question",
    "features": "Question",
    "plan": "Question",
    "alone": "Question",
    "in_force": "About",
    "same": "Relations",
}
"""The tasks, and what stands before that which is asked."""
VERDICTS = ("yes", "no", "maybe")
"""The replies for supported, contradicted and insufficient; each is one token."""
UNKNOWN = "unknown"
"""The reply if the lines do not contain the answer."""
BEFORE_CITED = " ["
"""What stands between an answer and the numbers of the lines that it rests on; it is one token."""


class Line(NamedTuple):
    """A sentence or a row of a table, and the header of its document."""

    text: str
    header: str = ""


class Piece(NamedTuple):
    """A part of a prompt, and whether it is a header."""

    text: str
    is_header: bool = False


def prompt_pieces(task: Task, asked: str, lines: Sequence[Line]) -> Iterator[Piece]:
    r"""Yield the parts of the user's message.

    >>> lines = [Line("The street was wet.", "Diary (2024)")]
    >>> [piece.text for piece in prompt_pieces("verdict", "It rained.", lines)]
    ['Claim: It rained.\n', '# Diary (2024)\n', '1. The street was wet.\n', 'Claim: It rained.']
    """
    question = f"{TASKS[task]}: {one_line(asked)}"
    if lines:
        yield Piece(f"{question}\n")
    header = ""
    for number, line in enumerate(lines, 1):
        if line.header != header:
            header = line.header
            yield Piece(f"# {one_line(header)}\n", is_header=True)
        yield Piece(f"{number}. {one_line(line.text)}\n")
    yield Piece(question)


def task_request(task: Task, asked: str, lines: Sequence[Line] = (), **options: Any) -> Request:
    """Return the request for a task."""
    text = "".join(piece.text for piece in prompt_pieces(task, asked, lines))
    return Request.user(text, system=task, **options)


def lines_in(item: VerdictItem) -> list[Line]:
    """Return the evidence of a claim with its headers.

    >>> lines_in(VerdictItem("It rained.", ("The street was wet.",)))
    [Line(text='The street was wet.', header='')]
    """
    return [Line(*pair) for pair in zip_longest(item.evidence, item.headers, fillvalue="")]


def lines_of(passages: Sequence[Passage]) -> list[Line]:
    """Return the sentences of passages, each below the title, the date and the definitions of its passage.

    >>> lines_of([Passage(text="It rained. We left.", title="Diary")])
    [Line(text='It rained.', header='Diary'), Line(text='We left.', header='Diary')]
    """
    return [Line(text, passage_header(passage)) for passage in passages for text in passage_lines(passage)]


def passage_lines(passage: Passage) -> list[str]:
    """Return the sentences of a passage, and the entries of its lists and tables."""
    return [entry for sentence in sentences_of(passage) for entry in entries_in(sentence)]


def read_reply(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the answer in a reply, and the indexes of the lines that it cites.

    >>> read_reply("Oslo [2 5]"), read_reply("unknown"), read_reply("yes 3")
    (('Oslo', (1, 4)), ('unknown', ()), ('yes', (2,)))
    """
    answer, _, cited = text.strip().partition(BEFORE_CITED)
    if not cited and answer.split(" ")[0] in VERDICTS:
        answer, _, cited = answer.partition(" ")
    numbers = [int(word) for word in cited.rstrip("]").split() if word.isdigit()]
    return answer.strip(), tuple(number - 1 for number in numbers if number)


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())
