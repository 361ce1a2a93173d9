"""The methods of the experiment `answers`: the arguments of `ask`, or gold evidence alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from probative.bench.data.multihop import Question
from probative.bench.experiment import Lab
from probative.bench.rows import Row
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.scope.answer.compare.compute import compute_answer
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.answer.parsed import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import Run, start_run
from probative.text.words import words


class Method(NamedTuple):
    """A way to answer: its title, and the arguments of `ask` (None: gold evidence alone)."""

    title: str
    arguments: dict[str, Any] | None


METHODS = {
    "rag": Method("RAG top-5", {"method": "rag"}),
    "rag-written": Method("RAG top-5, written", {"method": "rag", "answering": "written"}),
    "words": Method("scope words", {"preset": "words"}),
    "embedded": Method("scope learned", {"preset": "embedded"}),
    "embedded-once": Method(
        "scope learned, read once", {"preset": "embedded", "extend_if_unanswered": False}
    ),
    "embedded-4": Method("scope learned, 4 passages", {"preset": "embedded", "min_passages": 4}),
    "gold": Method("gold evidence", None),
}


NO_ANSWER: Row = {
    "answer": "",
    "computed": None,
    "supported": False,
    "all_gold": False,
    "pieces": 0,
    "completeness": None,
    "answerable": None,
}
"""What a question counts as that could not be answered."""


def answer_row(lab: Lab, question: Question, method: str) -> Row:
    """Answer a question by a method: read by the tuned reader, picked by any other model."""
    answering = "read" if lab.model.reader else "picked"
    arguments = METHODS[method].arguments
    if arguments is None:
        return _from_gold(lab, question, answering)
    answer = lab.session.ask(
        question.text, question.passages, **{"answering": answering, **arguments, "answer_anyway": True}
    )
    return {
        "answer": answer.answer or "",
        "right": question.answer,
        "computed": None,
        "supported": answer.verdict.value == "supported",
        "all_gold": question.gold <= {passage.index for passage in answer.chain},
        "pieces": len(answer.chain),
        "completeness": answer.completeness,
        "answerable": answer.answerable,
        "calls": answer.usage.calls,
        "tokens": answer.usage.tokens,
    }


def _from_gold(lab: Lab, question: Question, answering: str) -> Row:
    chain = sorted(question.gold)
    options = ScopeOptions.model_validate({"answering": answering, "answer_anyway": True})
    finished = lab.session.finish_search(_both(_run(lab, question, options), chain))
    if finished.error is not None:
        raise finished.error
    assert finished.result is not None
    reading, computed = finished.result
    return {
        "answer": reading.answer.text or "",
        "right": question.answer,
        "computed": computed,
        "supported": not reading.forced,
        "all_gold": True,
        "pieces": len(chain),
        "completeness": None,
        "answerable": reading.answerable,
        "calls": finished.usage.calls,
        "tokens": finished.usage.tokens,
    }


def _run(lab: Lab, question: Question, options: ScopeOptions) -> Run:
    tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
    return start_run(Inputs(question.text, question.passages), options, tools, split=False)


def _both(run: Run, chain: Sequence[int]) -> Search[tuple[Reading, str | None]]:
    reading = yield from make_answer(run, Evidence(chain))
    computed = yield from compute_answer(run, chain)
    return reading, None if computed is None else computed.answer


def without_gold_page(question: Question) -> Question | None:
    """Return the question without one of its gold pages; None if the other pages contain the answer."""
    pages = list(dict.fromkeys(question.passages[index].title for index in sorted(question.gold)))
    for page in reversed(pages):
        left = [index for index, passage in enumerate(question.passages) if passage.title != page]
        passages = tuple(question.passages[index] for index in left)
        gold = frozenset(number for number, index in enumerate(left) if index in question.gold)
        text = f" {' '.join(words(' '.join(passage.whole for passage in passages)))} "
        answered = question.answer.lower() in ("yes", "no") or f" {' '.join(words(question.answer))} " in text
        if gold and not answered:
            return replace(question, passages=passages, gold=gold)
    return None
