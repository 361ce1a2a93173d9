"""The prompts of the tuned reader, and the parsing of its replies.

The system message names the task in one word, because the model reads every token once per passage, on a
CPU. The training uses the same prompts (training/reader/prompts.py), so a change here needs a new training.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from probative.models.contract import LanguageModel
from probative.models.task_prompts import BEFORE_CITED, VERDICTS, lines_of, task_request
from probative.models.types import Request
from probative.text.prompts import fenced, numbered
from probative.types import Passage

AskForm = Literal["around", "after", "lines"]
"""The position of the question: before and after the passages, or only after them; `lines` is the form of the
large model, which reads numbered lines below headers (`probative.models.task_prompts`)."""

STATEMENTS = VERDICTS
"""The possible replies about a statement."""

# The longest answer of HotpotQA and 2WikiMultihopQA has 27 tokens.
ANSWER_TOKENS = 32
# The longest prompt of the training (training/reader/arrays.py). A longer one is read worse, and slowly:
# 2,000 tokens take 22 seconds on two cores.
TRAINED_TOKENS = 512
LINES_TOKENS = 2048
FEATURES_TOKENS = 128
_LINE = re.compile(r"^(intent|nodes|relations): *(.+?) *$", re.MULTILINE)


class FeatureLines(NamedTuple):
    """The features of a question as the reader writes them; relations are (head, predicate, tail)."""

    intent: str
    nodes: tuple[str, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()


def form_for(model: LanguageModel) -> AskForm:
    """Return the form in which a reader is asked."""
    return "lines" if model.reader_form == "lines" else "around"


def trained_tokens(model: LanguageModel) -> int:
    """Return the longest prompt of a reader's training."""
    return LINES_TOKENS if model.reader_form == "lines" else TRAINED_TOKENS


def ask_answer(question: str, passages: Sequence[Passage], form: AskForm = "around") -> Request:
    """Return the request for a short answer from numbered passages, or `UNKNOWN`."""
    if form == "lines":
        lines = lines_of(passages)
        return task_request("answer", question, lines, max_tokens=ANSWER_TOKENS, stop=(BEFORE_CITED,))
    question = " ".join(question.split())
    texts = numbered(passages, headers=False)
    prompt = f"{texts}\n\n{question}" if form == "after" else f"{question}\n\n{texts}\n\n{question}"
    return _request("answer", prompt, ANSWER_TOKENS)


def ask_features(question: str, form: AskForm = "around") -> Request:
    """Return the request for the features of a question, which `read_features` parses."""
    if form == "lines":
        return task_request("features", question, max_tokens=FEATURES_TOKENS)
    return _request("features", " ".join(question.split()), FEATURES_TOKENS)


def ask_carries(kind: str, feature: str, passage: Passage) -> Request:
    """Return the request whether a passage carries a feature: yes or no. The feature comes first, so that
    the model reads the passage with it in view.
    """
    return _request("carries", f"{kind}: {' '.join(feature.split())}\n\n{fenced(passage.whole)}", 4)


def ask_judge(statement: str, passages: Sequence[Passage]) -> Request:
    """Return the request whether the passages support a statement; the reply is one of `STATEMENTS`."""
    return _request("judge", f"{numbered(passages, headers=False)}\n\n{statement}", 4)


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


def _request(task: str, prompt: str, max_tokens: int) -> Request:
    return Request.user(prompt, system=task, max_tokens=max_tokens)
