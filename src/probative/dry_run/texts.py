"""Replies to the prompts of every verb but `reason`, of their baselines, and of the tuned reader."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from probative.dry_run.prompts import TASK, Prompt, Reply
from probative.dry_run.words import STATED, best_answer, carries, common_words, yes_or_no
from probative.models.task_prompts import UNKNOWN
from probative.scope.question import Features, read_question
from probative.text.prompts import PromptKey
from probative.text.words import words

SCOPE, MCSE = "probative.scope", "probative.mcse"
PASSAGES, EVIDENCE = "probative.baselines.passages", "probative.baselines.evidence"
# How often a model finds in gold evidence what a question looks for, and its common nouns; less often
# in a single sentence.
FOUND, FOUND_ALONE = 0.9, 0.5
NO_INTENT, NO_RELATION = "More is not told.", "How they belong together is not told."
"""A text that says so does not carry the intent, or the relations."""


def _cited(prompt: Prompt) -> str:
    answer, number = best_answer(prompt.part("question"), prompt.lines("passages"))
    return f"{answer} [{number}]"


def from_context(prompt: Prompt) -> str:
    """Return an answer from the texts of a prompt, in one word."""
    texts = (prompt.part("context") or prompt.part("passages") or prompt.part("statements")).splitlines()
    return best_answer(prompt.part("question"), [text for text in texts if text.strip()])[0]


def _sampled(prompt: Prompt) -> str:
    """Two samples of three agree."""
    answer = prompt.draws.choice(("Molde", "Molde", "Bergen"))
    topic = " ".join(words(prompt.part("question"))[:6])
    return f"The question is about {topic}. {STATED} that it was {answer}.\nAnswer: {answer}"


def _carries_node(prompt: Prompt) -> str:
    """A name must stand there in part; a common noun is mostly found in other words."""
    feature = prompt.part("feature")
    found = feature.islower() and prompt.draws.random() < FOUND
    return yes_or_no(found or common_words(prompt.part("passage"), feature) > 0)


def _carries_intent(prompt: Prompt) -> str:
    passage = prompt.part("passage")
    found = FOUND if re.search(r"[.!?] \S", passage) else FOUND_ALONE
    return yes_or_no(NO_INTENT not in passage and prompt.draws.random() < found)


def _carries_relation(prompt: Prompt) -> str:
    feature, passage = prompt.part("feature"), prompt.part("passage")
    told = 3 * common_words(passage, feature) >= len(set(words(feature)))
    return yes_or_no(told and NO_RELATION not in passage)


def _carried(features: Sequence[str], text: str) -> list[int]:
    return [number for number, feature in enumerate(features, 1) if carries(text, feature)]


def _carries_all(prompt: Prompt) -> str:
    return json.dumps({"carries": _carried(prompt.lines("features"), prompt.part("passage"))})


def _carries_together(prompt: Prompt) -> str:
    features = prompt.lines("features")
    rows = [
        {"text": number, "carries": _carried(features, text)}
        for number, text in enumerate(prompt.lines("passages"), 1)
    ]
    return json.dumps({"texts": rows})


def features_of(question: str) -> Features:
    """Return the features of a question by rules."""
    return read_question(question).features


def _relations(question: str, nodes: Sequence[str]) -> list[dict[str, str]]:
    stated = [
        {"head": relation.head, "predicate": relation.predicate or "is of", "tail": relation.tail}
        for relation in features_of(question).relations
        if {relation.head, relation.tail} <= set(nodes)
    ]
    if stated or len(nodes) < 2:
        return stated
    return [{"head": nodes[0], "predicate": "belongs to", "tail": nodes[1]}]


def nodes_of(question: str) -> list[str]:
    """Return the nodes of a question by rules, otherwise its last words."""
    return [node.text for node in features_of(question).nodes] or words(question)[-2:]


def _features(prompt: Prompt, *, relations: bool = False) -> str:
    question = prompt.part("question")
    nodes = nodes_of(question)
    told: dict[str, Any] = {"intent": features_of(question).intent or "name of a thing", "nodes": nodes}
    return json.dumps({**told, "relations": _relations(question, nodes)} if relations else told)


def _connections(prompt: Prompt, *, described: bool = False) -> str:
    nodes = [str(node) for node in json.loads(prompt.part("nodes") or "[]")]
    rows = _relations(prompt.part("question"), nodes)
    if described:
        rows = [
            {"head": row["head"], "tail": row["tail"], "description": " ".join(row.values())} for row in rows
        ]
    return json.dumps({"relations": rows})


def _look_up(question: str) -> str:
    return json.dumps([{"do": "look_up", "ask": question, "of": (nodes_of(question) or ["it"])[0]}])


def _numbers(prompt: Prompt, count: int, form: str = "[{}]", between: str = " ") -> str:
    texts = prompt.lines("sentences")
    order = sorted(range(len(texts)), key=lambda row: -common_words(texts[row], prompt.part("claim")))
    return between.join(form.format(row + 1) for row in order[:count])


def _verdict(prompt: Prompt) -> str:
    supported = carries(prompt.part("evidence"), prompt.part("claim"))
    word = "supported" if supported else "insufficient"
    written = {"verdict": word, "confidence": 0.8, "deciding": ["A"]}
    return json.dumps(written) if "JSON" in prompt.part("reply") else word


def _task_features(prompt: Prompt) -> str:
    question = prompt.part("question")
    features, nodes = features_of(question), nodes_of(question)
    relations = " ; ".join(" | ".join(row.values()) for row in _relations(question, nodes))
    return f"intent: {features.intent or 'name'}\nnodes: {' ; '.join(nodes)}\nrelations: {relations}"


def _task_answer(prompt: Prompt) -> str:
    answer, number = best_answer(prompt.part("question"), prompt.lines("lines"))
    return f"{answer} [{number}]" if prompt.lines("lines") else UNKNOWN


def _task_verdict(prompt: Prompt) -> str:
    lines, claim = prompt.lines("lines"), prompt.part("question")
    return f"yes {best_answer(claim, lines)[1]}" if carries(" ".join(lines), claim) else "maybe"


REPLIES: Mapping[PromptKey, Reply] = {
    (SCOPE, "answer"): _cited,
    (SCOPE, "answer_anyway"): _cited,
    (SCOPE, "closed_book"): lambda prompt: "Ada Berg",
    (SCOPE, "pick"): from_context,
    (SCOPE, "carries_intent"): _carries_intent,
    (SCOPE, "carries_node"): _carries_node,
    (SCOPE, "carries_relation"): _carries_relation,
    (SCOPE, "carries_all"): _carries_all,
    (SCOPE, "carries_together"): _carries_together,
    (SCOPE, "features"): _features,
    (SCOPE, "once"): lambda prompt: _features(prompt, relations=True),
    (SCOPE, "triples"): _connections,
    (SCOPE, "described"): lambda prompt: _connections(prompt, described=True),
    (SCOPE, "plan"): lambda prompt: _look_up(prompt.part("question")),
    (SCOPE, "follow_up"): lambda prompt: prompt.part("question"),
    (SCOPE, "translate"): lambda prompt: prompt.part("question"),
    (MCSE, "annotate"): lambda prompt: _numbers(prompt, 2),
    ("probative.verify", "split"): lambda prompt: prompt.part("claim"),
    ("probative.calibration", "question"): lambda prompt: (
        f"What is said of {words(prompt.part('passage'))[0]}?"
    ),
    ("probative.models", "verdict"): _verdict,
    (PASSAGES, "reason"): _sampled,
    (PASSAGES, "verify_question"): lambda prompt: f"Is it so that {prompt.part('statement').rstrip('.')}?",
    (PASSAGES, "verify_answer"): lambda prompt: (
        f"The text says that it is {best_answer(prompt.part('question'), [prompt.part('passage')])[0]}."
    ),
    (PASSAGES, "verify_conclude"): from_context,
    (EVIDENCE, "pick"): lambda prompt: _numbers(prompt, int(prompt.part("count") or 1), between=", "),
    (EVIDENCE, "rank"): lambda prompt: _numbers(prompt, int(prompt.part("count") or 1), between=" > "),
    (TASK, "features"): _task_features,
    (TASK, "verdict"): _task_verdict,
    (TASK, "answer"): _task_answer,
    (TASK, "plan"): lambda prompt: _look_up(prompt.part("question")),
    (TASK, "alone"): lambda prompt: prompt.part("question"),
    (TASK, "in_force"): lambda prompt: prompt.draws.choice(("1", "2", "both", "unknown")),
    (TASK, "same"): lambda prompt: prompt.draws.choice(("yes", "no")),
}
"""A reply to each prompt, by its package and name."""
