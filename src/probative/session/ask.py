"""`ask` and `check`: an answer from the smallest chain of evidence, and whether there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from probative.baselines.passages.methods import ANSWER_METHODS, answer_baseline
from probative.baselines.passages.rag import by_rag
from probative.engine.runner import MAX_ACTIVE, run_searches
from probative.engine.search import Search, fail
from probative.engine.tools import Tools
from probative.errors import InputError, ProbativeError
from probative.models.contract import Encoder, LanguageModel
from probative.models.types import reason
from probative.scope.inputs import as_passages, non_latin_notes
from probative.scope.options import PRESETS, ScopeOptions, default_preset
from probative.scope.pipeline import Retriever, ScopeResult, check_knowledge, find_answer
from probative.scope.result import Answer, ChainPassage, Check, Conflict, PassageJudgement
from probative.session.tools import one_at_a_time, open_tools
from probative.settings import Settings, load_settings
from probative.text.sentences import split_sentences
from probative.trace import Trace
from probative.types import Passage, Value
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RAG_OPTIONS = {"answering", "answer_anyway"}
"""Of scope's options, those that `rag` takes."""
Passages = Sequence[str | Passage | Mapping[str, Any]]


class AskCase(Value):
    """One question with its passages, for `ask_all`."""

    question: str
    passages: tuple[Any, ...]


def ask(
    question: str,
    passages: Passages = (),
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "scope",
    preset: str | None = None,
    options: ScopeOptions | None = None,
    retriever: Retriever | None = None,
    vectors: NDArray[np.float32] | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    dry_run: bool = False,
    progress: Callable[[Usage], None] | None = None,
    **changes: Any,
) -> Answer:
    """The answer to a question from the smallest chain of passages that carries it, or what is missing.

    A passage is a text, a `Passage` or a dictionary with a `text` and perhaps an `id`, a `title` and a
    `source`. `preset` is ``embedded`` (the evidence policy chooses, the tuned reader answers; the default
    of the embedded model), ``words`` (no call before the answer; of the plain one), ``calls`` (two calls; of
    any other) or ``paper``; `changes` are fields of `ScopeOptions` that differ from it. A
    `retriever`, called with a query and a number, is asked for passages with features that are missing.
    `vectors` are the passages' own, from a vector store that uses the same encoder. `method` may name a
    baseline instead; of the options, `rag` takes `answering` and `answer_anyway`.

    >>> answer = ask(
    ...     "In which town was the ship built that Ada Berg commanded?",
    ...     ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde.", "Tar is made of pine."],
    ...     max_passages=2,
    ... )
    >>> [passage.index for passage in answer.chain], answer.answer
    ([0, 1], 'Molde')
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    chosen = scope_options(method, preset, options, changes, model, settings)
    with Trace("ask") as trace:
        search = _search(
            question, as_passages(passages), method, chosen, tools, seed, retriever, vectors, changes
        )
        ((_, ended),) = run_searches([search], tools, progress=progress)
    if ended.error is not None:
        raise ended.error
    assert ended.result is not None
    usage = ended.usage.model_copy(update={"seconds": trace.root.seconds})
    return _answer(ended.result, question, method, tools, usage).model_copy(update={"trace": trace.root})


def ask_all(
    cases: Iterable[AskCase | Mapping[str, Any]],
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    method: str = "scope",
    preset: str | None = None,
    options: ScopeOptions | None = None,
    retriever: Retriever | None = None,
    seed: int = 0,
    max_active: int = MAX_ACTIVE,
    settings: Settings | None = None,
    dry_run: bool = False,
    **changes: Any,
) -> Iterator[tuple[int, Answer | ProbativeError]]:
    """Many questions side by side: each one's number with its answer or its error, as they are finished.

    What all of them ask of the model at a time goes out as one batch. See `ask` for the rest.
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    chosen = scope_options(method, preset, options, changes, model, settings)
    yield from answers(
        cases, method, chosen, tools, seed, retriever, changes, one_at_a_time(settings, max_active)
    )


def answers(
    cases: Iterable[AskCase | Mapping[str, Any]],
    method: str,
    options: ScopeOptions,
    tools: Tools,
    seed: int,
    retriever: Retriever | None,
    changes: Mapping[str, Any],
    max_active: int,
) -> Iterator[tuple[int, Answer | ProbativeError]]:
    """`ask_all` with tools and options that are made already; `changes` are the options that were given."""
    questions: dict[int, str] = {}

    def searches() -> Iterator[Search[ScopeResult]]:
        for number, given in enumerate(cases):
            questions[number] = ""
            try:
                case = as_ask_case(given)
                questions[number] = case.question
                texts = as_passages(list(case.passages))
            except InputError as error:  # the others go on
                yield fail(error)
                continue
            yield _search(case.question, texts, method, options, tools, seed, retriever, None, changes)

    for number, ended in run_searches(searches(), tools, max_active=max_active):
        question = questions.pop(number)
        if ended.error is not None:
            yield number, ended.error
        else:
            assert ended.result is not None
            yield number, _answer(ended.result, question, method, tools, ended.usage)


def check(
    question: str,
    knowledge: str | Passages,
    *,
    model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    preset: str | None = None,
    options: ScopeOptions | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
    progress: Callable[[Usage], None] | None = None,
    **changes: Any,
) -> Check:
    """Whether knowledge is a chain of evidence for a question: all its features, and those that are missing.

    Knowledge is one text, which is judged as a whole, or passages, which are judged each and count
    together. See `ask` for the options.

    >>> checked = check("Who commanded the Sea Lark?", ["Ada Berg commanded the Sea Lark.", "Pines grow."])
    >>> checked.complete, checked.judgements[1].carries
    (True, ())
    """
    tools = open_tools(model, encoder, settings, dry_run=dry_run)
    chosen = scope_options("scope", preset, options, changes, model, settings)
    texts = as_passages([knowledge] if isinstance(knowledge, str) else knowledge)
    with Trace("check") as trace:
        ((_, ended),) = run_searches(
            [check_knowledge(question, texts, chosen, tools, _sentences)], tools, progress=progress
        )
    if ended.error is not None:
        raise ended.error
    found = ended.result
    assert found is not None
    assert found.features is not None
    return Check(
        question=question,
        complete=found.complete,
        completeness=found.completeness,
        answerable=found.answerable,
        missing=found.missing,
        features=found.features,
        judgements=tuple(
            PassageJudgement(
                index=place,
                id=found.passages[place].id,
                text=found.passages[place].text,
                carries=carries,
                strengths=found.strengths[place],
            )
            for place, carries in found.judgements.items()
        ),
        model=tools.model_name(),
        notes=_notes(found, question, tools),
        usage=ended.usage.model_copy(update={"seconds": trace.root.seconds}),
        trace=trace.root,
    )


def as_ask_case(case: AskCase | Mapping[str, Any]) -> AskCase:
    """A case, or an `InputError` for what is none."""
    if isinstance(case, AskCase):
        return case
    try:
        return AskCase.model_validate(case)
    except ValidationError as error:
        raise InputError(
            f"this is no case for ask: {reason(error)}", hint="a case has a question and passages"
        ) from None


def scope_options(
    method: str,
    preset: str | None,
    options: ScopeOptions | None,
    changes: dict[str, Any],
    model: LanguageModel | str | None,
    settings: Settings | None,
) -> ScopeOptions:
    """The preset's options, or those given, with the changes made. Without a preset, that of the model. Of a
    baseline only `rag` takes options: `answering` and `answer_anyway`.
    """
    others = set(changes) - RAG_OPTIONS if method == "rag" else changes
    if method != "scope" and (preset is not None or options is not None or others):
        raise InputError(f"presets and options are scope's, and {method} has none of them")
    if preset is None:
        name = model.name if isinstance(model, LanguageModel) else model
        name = name or (settings if settings is not None else load_settings()).model
        reader = model.reader if isinstance(model, LanguageModel) else name == "embedded"
        preset = default_preset(name, reader=reader)
    if preset not in PRESETS:
        raise InputError(f"there is no preset called {preset!r}", hint=f"one of {', '.join(PRESETS)}")
    start = options if options is not None else PRESETS[preset]
    try:
        return ScopeOptions.model_validate({**start.model_dump(), **changes})
    except ValidationError as error:
        known = ", ".join(ScopeOptions.model_fields)
        raise InputError(
            f"an option of scope is wrong: {reason(error)}", hint=f"the options are {known}"
        ) from None


def _search(
    question: str,
    passages: list[Passage],
    method: str,
    options: ScopeOptions,
    tools: Tools,
    seed: int,
    retriever: Retriever | None,
    vectors: NDArray[np.float32] | None,
    changes: Mapping[str, Any],
) -> Search[ScopeResult]:
    """The search of a method; `changes` are the options that were given, for a baseline that takes some."""
    if method == "scope":
        return find_answer(
            question, passages, options, tools, _sentences, retriever=retriever, vectors=vectors
        )
    if method not in ANSWER_METHODS:
        raise InputError(f"there is no method called {method!r}", hint=f"one of {', '.join(ANSWER_METHODS)}")
    if retriever is not None or vectors is not None:
        raise InputError(f"a retriever and vectors are scope's, and {method} uses neither")
    if method == "rag":
        answering = options.answering if "answering" in changes else None
        return by_rag(question, passages, tools, seed, answering, anyway=options.answer_anyway)
    return answer_baseline(method)(question, passages, tools, seed)


def _sentences(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


def _notes(found: ScopeResult, question: str, tools: Tools) -> tuple[str, ...]:
    """What was noted on the way, and that the embedded models, where they were needed, know only English."""
    english = tools.policy_name() is not None or (tools.model_name() is not None and tools.model.reader)
    return (*found.notes, *(non_latin_notes(question, found.passages) if english else ()))


def _answer(found: ScopeResult, question: str, method: str, tools: Tools, usage: Usage) -> Answer:
    return Answer(
        question=question,
        answer=found.answer.text,
        verdict=found.verdict,
        chain=tuple(
            ChainPassage(
                index=place,
                id=found.passages[place].id,
                title=found.passages[place].title,
                source=found.passages[place].source,
                text=found.passages[place].text,
                carries=found.judgements.get(place, ()),
                probability=found.probabilities.get(place),
            )
            for place in found.chain
        ),
        citations=found.answer.citations,
        features=found.features,
        missing=found.missing,
        conflicts=tuple(
            Conflict(
                index=clash.place,
                other=clash.other,
                says=clash.says,
                instead=clash.instead,
                text=clash.text,
                other_text=clash.other_text,
            )
            for clash in found.clashes
        ),
        completeness=found.completeness,
        answerable=found.answerable,
        method=method,
        model=tools.model_name(),
        passages=len(found.passages),
        notes=_notes(found, question, tools),
        usage=usage,
    )
