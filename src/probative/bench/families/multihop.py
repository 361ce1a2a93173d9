"""Multi-hop questions with gold passages: their cases, the metrics of answers, and a run over gold evidence.

Passages are single sentences with their page's title, all of a question's distractors included. Exact match
(EM) ignores case, articles and punctuation; F1 is over the words of both answers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import probative
from probative.bench.data.files import draw, spread
from probative.bench.data.pages import COLLECTIONS
from probative.bench.data.questions import Question, read_questions
from probative.bench.data.sets import CATALOGUE, find_set
from probative.bench.data.splits import MULTIHOP_FILES
from probative.bench.metrics import answer_f1, exact_match
from probative.bench.rows import Row
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Metrics, score, share
from probative.engine.methods import Tools
from probative.engine.search import Search
from probative.errors import InputError
from probative.scope.answer.compute import ComputedAnswer, compute_answer, find_plan
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.finding import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import Run, start_run
from probative.session.session import Session
from probative.text.words import words
from probative.verbs.ask import METHODS as ASK_METHODS

SETS = tuple(MULTIHOP_FILES)
WIKI, PAGES = "2wikimultihopqa", "2wiki-corpus"


class MultihopStudy(Study):
    """A study on HotpotQA and 2WikiMultihopQA; `tuning=true` takes the questions used for tuning."""

    data = SETS
    sets = Names("sets", SETS, SETS)
    options: ClassVar[tuple[str, ...]] = ("tuning",)
    limit_of = "questions of each set, each of which is a case with every method"
    questions: ClassVar[int | None] = 200
    """Questions of each set that the seed draws, unless --limit says otherwise; None: all, and `limit` are
    spread over the file (that of HotpotQA begins with questions whose pages BM25 finds).
    """

    def data_of(self, settings: Settings) -> tuple[str, ...]:
        names: list[str] = []
        for name in self.sets.chosen(settings):
            names += [WIKI, PAGES] if name in COLLECTIONS else [name]
        return tuple(dict.fromkeys([*names, *([PAGES] if PAGES in self.data and WIKI in names else [])]))

    def items(self, settings: Settings, name: str) -> Iterable[Any]:
        questions = read_questions(settings.data, name, tuning=settings.is_on("tuning"))
        if self.questions is None:
            return spread(questions, settings.limit)
        return draw(questions, settings.limit or self.questions, settings.seed)

    def about(self, case: Case) -> Row:
        return {**super().about(case), "question": case.content.id, "right": case.content.answer}


def is_exact(row: Row) -> bool:
    """Return whether the answer of a row is right."""
    return exact_match(row["answer"], row["right"])


def answer_metrics(of: Callable[[Row], Any] = lambda row: True) -> Metrics:
    """Return the metrics of answers and verdicts; "EM of these" is the exact match of the supported ones."""
    return {
        "EM": share(is_exact, of),
        "F1": score(lambda row: answer_f1(row["answer"], row["right"]), of),
        "supported": share("supported", of),
        "EM of these": share(is_exact, lambda row: of(row) and row["supported"]),
    }


def answering(lab: Lab) -> str:
    """Return how the studied model answers: the tuned reader reads answers, any other model picks them."""
    return "read" if lab.model.reader else "picked"


def answer_anyway(method: str = "scope") -> dict[str, Any]:
    """Return the arguments of `ask` that make a method answer every question, where it may withhold one.

    >>> answer_anyway("scope"), answer_anyway("closed-book")
    ({'answer_anyway': True}, {})
    """
    may_withhold = "answer_anyway" in ASK_METHODS.load(method).options.model_fields
    return {"answer_anyway": True} if may_withhold else {}


def gold_run(lab: Lab, question: Question, **options: Any) -> Run:
    """Start a run over the passages of a question, as they are."""
    tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
    chosen = ScopeOptions.model_validate({"answering": answering(lab), "answer_anyway": True, **options})
    return start_run(Inputs(question.text, question.passages), chosen, tools, split=False)


def read_gold(lab: Lab, question: Question) -> Row:
    """Return the row of a question answered from its gold passages, read and, if possible, computed."""
    chain = sorted(question.gold)
    finished = lab.session.finish_search(_read_and_compute(gold_run(lab, question, compare=True), chain))
    if finished.error is not None:
        raise finished.error
    assert finished.result is not None
    reading, computed = finished.result
    return {
        "answer": reading.answer.text or "",
        "computed": computed,
        "supported": not reading.forced,
        "all_gold": True,
        "pieces": len(chain),
        "completeness": None,
        "answerable": reading.answerable,
        "calls": finished.usage.calls,
        "tokens": finished.usage.tokens,
    }


def _read_and_compute(run: Run, chain: Sequence[int]) -> Search[tuple[Reading, str | None]]:
    reading = yield from make_answer(run, Evidence(chain))
    computed = yield from compute_gold(run, chain)
    return reading, None if computed is None else computed.answer


def compute_gold(run: Run, chain: Sequence[int]) -> Search[ComputedAnswer | None]:
    """Return what the plan of the question gives over its gold passages; None without a plan."""
    run.pool.judge_only(chain)
    plan = yield from find_plan(run)
    return None if plan is None or plan.parts else (yield from compute_answer(run, plan))


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


def read_set(name: str, settings: Settings) -> list[Question]:
    """Return `limit` questions of a data set, drawn by the seed; raises `InputError` if it has none to
    answer.
    """
    module, _, function = find_set(name).questions.partition(":")
    if not function:
        readable = ", ".join(name for name, other in CATALOGUE.items() if other.questions)
        raise InputError(
            f"the data set {name} has no questions with passages",
            hint=f"use one of {readable}, or a data set of your own whose `questions` names a reader",
        )
    questions = getattr(importlib.import_module(module), function)(settings.data)
    return draw(list(questions), settings.limit, settings.seed)


class SilentModel(probative.LanguageModel):
    """Answers everything with a dot, at no cost."""

    name = "none"
    fingerprint = "none"
    capabilities = frozenset({probative.Capability.GENERATE, probative.Capability.SCORE})

    def _generate(self, requests: Any) -> Any:
        for index, _ in enumerate(requests):
            yield index, probative.Completion(text=".", finish_reason="stop", model=self.name)

    def _score(self, pairs: Any) -> Any:
        for index, _ in enumerate(pairs):
            score = probative.Score(log_probability=-1.0, token_log_probabilities=(-1.0,), model=self.name)
            yield index, score


def silent_session(lab: Lab) -> Session:
    """Return a session with the encoder, the evidence policy and the verdict model of the lab."""
    return lab.session.with_model(SilentModel())
