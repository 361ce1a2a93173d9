"""The reader's words: how the model that was tuned to read evidence is asked, and how its replies are read.

The system message names the task in one word, because every token is read once a passage on a slow machine.
The same words are used to train it (training/reader/prompts.py), so a change here needs a new training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from probative.models.types import Request
from probative.text.prompts import fenced, numbered
from probative.types import Passage

AskForm = Literal["around", "after"]
"""Where the question stands: before and after the passages, or only after them."""

UNKNOWN = "unknown"
"""The reply where the passages do not hold the answer."""
STATEMENTS = ("yes", "no", "maybe")
"""The replies about a statement."""

# The longest answer of HotpotQA and 2WikiMultihopQA has 27 tokens; a longer reply is a ramble.
ANSWER_TOKENS = 32
FEATURES_TOKENS = 128
_LINE = re.compile(r"^(intent|nodes|relations): *(.+?) *$", re.MULTILINE)


class FeatureLines(NamedTuple):
    """What a question is made of, as the reader wrote it; relations are (head, predicate, tail)."""

    intent: str
    nodes: tuple[str, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()


def ask_answer(question: str, passages: Sequence[Passage], form: AskForm = "around") -> Request:
    r"""The answer to a question from numbered passages, in the fewest words, or `UNKNOWN`.

    >>> ask_answer("Who sailed?", [Passage(text="Ole sailed.")], "after").messages[1].content
    '[1] Ole sailed.\n\nWho sailed?'
    """
    question = " ".join(question.split())
    texts = numbered(passages)
    said = f"{texts}\n\n{question}" if form == "after" else f"{question}\n\n{texts}\n\n{question}"
    return _short("answer", said, ANSWER_TOKENS)


def ask_features(question: str) -> Request:
    """What a question is made of, for `read_features`."""
    return _short("features", " ".join(question.split()), FEATURES_TOKENS)


def ask_carries(kind: str, feature: str, passage: Passage) -> Request:
    r"""Whether a passage carries a feature: yes or no. The feature stands first, so that the text is read
    with it.

    >>> ask_carries("node", "Ole", Passage(text="Ole sailed.")).messages[1].content
    'node: Ole\n\nOle sailed.'
    """
    return _short("carries", f"{kind}: {' '.join(feature.split())}\n\n{fenced(passage.whole)}", 4)


def ask_judge(statement: str, passages: Sequence[Passage]) -> Request:
    """Whether a statement is true by the passages: one of `STATEMENTS`."""
    return _short("judge", f"{numbered(passages)}\n\n{statement}", 4)


def write_features(features: FeatureLines) -> str:
    r"""The features on their lines. JSON would cost three times the tokens. A line without content is left
    out.

    >>> write_features(FeatureLines("year", ("ferry",)))
    'intent: year\nnodes: ferry'
    """
    lines = [f"intent: {features.intent}"]
    if features.nodes:
        lines.append("nodes: " + " ; ".join(features.nodes))
    if features.relations:
        lines.append("relations: " + " ; ".join(" | ".join(one) for one in features.relations))
    return "\n".join(lines)


def read_features(text: str) -> FeatureLines | None:
    r"""The features that such lines say, or None where there is no intent; a relation that joins no two nodes
    is left out.

    >>> read_features("intent: year\nnodes: ferry ; Ole\nrelations: ferry | of | Ole ; ferry | of | Eve")
    FeatureLines(intent='year', nodes=('ferry', 'Ole'), relations=(('ferry', 'of', 'Ole'),))
    >>> read_features("The year is 1842.")
    """
    lines = dict(_LINE.findall(text))
    intent = lines.get("intent", "").strip()
    if not intent:
        return None
    nodes = dict.fromkeys(node.strip() for node in lines.get("nodes", "").split(" ; ") if node.strip())
    relations = []
    for said in lines.get("relations", "").split(" ; "):
        head, predicate, tail = [*(part.strip() for part in said.split(" | ")), "", ""][:3]
        if said.count(" | ") == 2 and head in nodes and tail in nodes and head != tail:
            relations.append((head, predicate, tail))
    return FeatureLines(intent, tuple(nodes), tuple(relations))


def _short(task: str, said: str, most: int) -> Request:
    return Request.user(said, system=task, max_tokens=most)
