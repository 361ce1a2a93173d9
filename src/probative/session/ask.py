"""The verbs `ask` and `check`: an answer from a chain of evidence, and whether there is such a chain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import AliasChoices, Field, ValidationError

from probative.baselines.passages.methods import ANSWER_METHODS, answer_baseline
from probative.baselines.passages.rag import RagOptions, by_rag
from probative.baselines.passages.verify_edit import VerifyEditOptions, by_verify_edit
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.models.contract import LanguageModel
from probative.models.types import reason
from probative.scope.inputs import Inputs, Retriever, as_passages, as_retriever, non_latin_notes
from probative.scope.options import PRESETS, ScopeOptions, default_preset
from probative.scope.pipeline.find_answer import check_knowledge, find_answer
from probative.scope.result import Answer, Check, ScopeResult
from probative.session.corpus_source import Places
from probative.session.method_choice import MethodChoice
from probative.session.verb import Verb
from probative.settings import Settings
from probative.types import Passage, Value, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.corpus.corpus import Corpus

BASELINE_OPTIONS = {
    "rag": ("answering", "answer_anyway"),
    "verify-edit": tuple(VerifyEditOptions.model_fields),
}
"""The options of baselines; those of `rag` are options of scope."""
Passages = Sequence[str | Passage | Mapping[str, Any]]


class AskCase(Value):
    """One question with its passages, for `ask_all`."""

    question: str
    passages: tuple[Any, ...] = ()


class CheckCase(Value):
    """One question with the knowledge to be checked, for `check_all`: one text, or passages."""

    question: str
    knowledge: str | tuple[Any, ...] = Field(validation_alias=AliasChoices("knowledge", "passages"))


def ask_verb(
    choice: MethodChoice,
    options: ScopeOptions,
    retriever: Retriever | None = None,
    vectors: NDArray[np.float32] | None = None,
    corpus: Corpus | None = None,
) -> Verb[AskCase, ScopeResult, Answer]:
    """Return `ask` with its options bound. With a corpus, the passages for each question come from it."""
    method = choice.method
    if method not in ANSWER_METHODS:
        raise InputError(f"there is no method {method!r}", hint=f"use one of {', '.join(ANSWER_METHODS)}")
    if method != "scope" and (retriever is not None or vectors is not None):
        raise InputError(f"only the method scope takes a retriever and vectors, not {method}")
    retriever = as_retriever(retriever)

    def answer(inputs: Inputs, tools: Tools) -> Search[ScopeResult]:
        if method == "scope":
            return find_answer(inputs, options, tools)
        if method == "rag":
            answering = options.answering if "answering" in choice.changes else None
            return by_rag(
                inputs,
                tools,
                choice.seed,
                RagOptions(answering=answering, answer_anyway=options.answer_anyway),
            )
        if method == "verify-edit":
            return by_verify_edit(
                inputs, tools, choice.seed, check_options(VerifyEditOptions, choice.changes, method)
            )
        return answer_baseline(method)(inputs, tools, choice.seed)

    def search(case: AskCase, tools: Tools) -> Search[ScopeResult]:
        inputs = Inputs(case.question, as_passages(case.passages), retriever, vectors)
        if corpus is None or method == "closed-book":
            return answer(inputs, tools)
        rounds = method == "scope" and options.cover == "learned"
        return _from_corpus(inputs, corpus, lambda found: answer(found, tools), method, rounds=rounds)

    def result(case: AskCase, finished: Finished[ScopeResult], tools: Tools) -> Answer:
        return _answer(case.question, finished, method, tools, corpus)

    return Verb("ask", partial(as_ask_case, has_corpus=corpus is not None), search, result)


def _from_corpus(
    inputs: Inputs,
    corpus: Corpus,
    answer: Callable[[Inputs], Search[ScopeResult]],
    method: str,
    *,
    rounds: bool,
) -> Search[ScopeResult]:
    """Answer from the passages that a corpus has for the question, after those that were given.

    If the evidence policy chooses the chain, it also finds the passages, in several `rounds`. Scope looks up
    missing features in the corpus, too, unless it has another retriever.
    """
    from probative.corpus.rounds import retrieve

    found = yield from retrieve(inputs.question, corpus, several_rounds=rounds)
    if not found and not inputs.passages:
        return ScopeResult(
            passages=(),
            verdict=Verdict.INSUFFICIENT,
            complete=False,
            reason="the filters leave no document of the corpus"
            if corpus.takes_nothing
            else "no passage of the corpus has a word of the question",
        )
    retriever = inputs.retriever or (corpus if method == "scope" else None)
    return (yield from answer(replace(inputs, passages=[*inputs.passages, *found], retriever=retriever)))


def check_verb(options: ScopeOptions) -> Verb[CheckCase, ScopeResult, Check]:
    """Return `check` with its options bound."""

    def search(case: CheckCase, tools: Tools) -> Search[ScopeResult]:
        knowledge = [case.knowledge] if isinstance(case.knowledge, str) else case.knowledge
        return check_knowledge(Inputs(case.question, as_passages(knowledge)), options, tools)

    return Verb("check", as_check_case, search, _check)


def as_ask_case(case: AskCase | Mapping[str, Any], *, has_corpus: bool = False) -> AskCase:
    """Convert to AskCase; raises InputError. With a corpus, a case needs no passages."""
    if isinstance(case, AskCase):
        return case
    try:
        made = AskCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"a case for ask cannot be read: {reason(error)}", hint="a case has a question and passages"
        ) from None
    if "passages" not in made.model_fields_set and not has_corpus:
        raise InputError(
            "a case for ask cannot be read: passages: Field required",
            hint="a case has a question and passages",
        )
    return made


def as_check_case(case: CheckCase | Mapping[str, Any]) -> CheckCase:
    """Convert to CheckCase; raises InputError."""
    if isinstance(case, CheckCase):
        return case
    try:
        return CheckCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"a case for check cannot be read: {reason(error)}", hint="a case has a question and knowledge"
        ) from None


def scope_options(choice: MethodChoice, *, model: LanguageModel | None, settings: Settings) -> ScopeOptions:
    """Return the options of the preset, or the options object, with the changes applied.

    Without a preset, the model decides: `model`, or the one that `settings` names. Of the baselines, `rag`
    takes `answering` and `answer_anyway`, and `verify-edit` takes `edit`.
    """
    changes, preset = choice.changes, choice.preset
    others = set(changes) - set(BASELINE_OPTIONS.get(choice.method, ()))
    if choice.method != "scope" and (preset is not None or choice.options is not None or others):
        raise InputError(f"only the method scope takes presets and options, not {choice.method}")
    if choice.method == "verify-edit":
        check_options(VerifyEditOptions, changes, choice.method)
        changes = {}
    if preset is None:
        name = settings.model if model is None else model.name
        preset = default_preset(name, reader=name == "embedded" if model is None else model.reader)
    if preset not in PRESETS:
        raise InputError(f"there is no preset {preset!r}", hint=f"use one of {', '.join(PRESETS)}")
    start = choice.options if choice.options is not None else PRESETS[preset]
    return check_options(ScopeOptions, {**start.model_dump(), **changes}, "scope")


Options = TypeVar("Options", bound=Value)


def check_options(kind: type[Options], values: Mapping[str, Any], method: str) -> Options:
    """Return the options of a method; raises InputError."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        known = ", ".join(kind.model_fields)
        raise InputError(
            f"an option of {method} is wrong: {reason(error)}", hint=f"the options are {known}"
        ) from None


def _notes(outcome: ScopeResult, question: str, tools: Tools) -> tuple[str, ...]:
    """Return the notes of the run; if an embedded model was used, also that it knows only English."""
    unused = tools.unused_judge()
    judge = [f"the judge model {unused} was not needed: no language model judged"] if unused else []
    english = tools.name_if_used("policy") or (tools.name_if_used("model") and tools.model.reader)
    foreign = non_latin_notes(question, outcome.passages) if english else ()
    return (*outcome.notes, *judge, *foreign)


def _answer(
    question: str, finished: Finished[ScopeResult], method: str, tools: Tools, corpus: Corpus | None
) -> Answer:
    outcome = finished.result
    assert outcome is not None
    places = Places(outcome.passages, corpus)
    chain = places.chain(outcome.chain)
    return Answer(
        question=question,
        answer=outcome.answer,
        verdict=outcome.verdict,
        complete=outcome.complete,
        chain=chain,
        citations=outcome.citations,
        features=outcome.features,
        missing=outcome.missing,
        conflicts=places.conflicts(outcome.conflicts),
        computation=outcome.computation,
        completeness=outcome.completeness,
        answerable=outcome.answerable,
        certainty=outcome.certainty,
        candidate=outcome.candidate,
        reason=outcome.reason,
        checks=outcome.checks,
        cited=places.cited(outcome.cited, chain),
        leading=places.cited(outcome.leading, chain),
        signals=outcome.signals,
        method=method,
        model=tools.name_if_used("model"),
        passages=len(outcome.passages),
        retrieved=places.retrieved(),
        notes=(*_notes(outcome, question, tools), *(() if corpus is None else corpus.notes)),
        usage=finished.usage,
    )


def _check(case: CheckCase, finished: Finished[ScopeResult], tools: Tools) -> Check:
    outcome = finished.result
    assert outcome is not None
    assert outcome.features is not None
    return Check(
        question=case.question,
        complete=outcome.complete,
        completeness=outcome.completeness,
        answerable=outcome.answerable,
        certainty=outcome.certainty,
        candidate=outcome.candidate if outcome.answer is None else outcome.answer,
        reason=outcome.reason,
        checks=outcome.checks,
        signals=outcome.signals,
        missing=outcome.missing,
        features=outcome.features,
        judgements=outcome.judgements,
        model=tools.name_if_used("model"),
        notes=_notes(outcome, case.question, tools),
        usage=finished.usage,
    )
