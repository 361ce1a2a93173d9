"""What the tuned readers are asked for an answer, and the parsing of the features that they write."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probative.models.task_prompts import BEFORE_CITED, lines_of, task_request
from probative.models.types import Request
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
