"""The verb `ask`: an answer from a chain of evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from probative.calibration.kept import GUARANTEE, KeptGuarantee, kept, present_settings
from probative.engine.methods import ChosenMethod, MethodChoice, Methods, Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.errors import InputError
from probative.scope.follow_up import Turn, as_turns, read_follow_up
from probative.scope.inputs import Inputs, Retriever, as_passages, as_retriever
from probative.scope.options import ScopeOptions
from probative.scope.result import Answer, Level, ScopeResult
from probative.text.words import clean
from probative.types import Passage, Value, Verdict
from probative.verbs import BUILT_IN
from probative.verbs.command import FILE_OF_PASSAGES, QUESTION, Command, Input
from probative.verbs.corpus_source import Places, language_to_search, opened_corpus, translate
from probative.verbs.requests import Line, ModelName, Name, Options, Seed, Sourced
from probative.verbs.spec import BoundVerb, Host, OpenedVerb, Tool, VerbRun, VerbSpec, choose
from probative.verbs.tools import CITE, DATA, DocumentArguments, ToolText

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.corpus.corpus import Corpus

METHODS = Methods(
    "ask",
    {
        "scope": "probative.scope.pipeline.find_answer:SCOPE",
        "rag": "probative.baselines.passages.rag:RAG",
        "closed-book": "probative.baselines.passages.closed_book:CLOSED_BOOK",
        "cot-sc": "probative.baselines.passages.closed_book:by_cot_sc",
        "verify-edit": "probative.baselines.passages.verify_edit:VERIFY_EDIT",
    },
)
HINT = "a case has a question and passages"
Passages = Sequence[str | Passage | Mapping[str, Any]]
History = Sequence[Turn | Mapping[str, Any]]


class AskCase(Value):
    """One question with its passages, for `ask_all`, and the turns of a conversation before it."""

    question: str
    passages: tuple[Any, ...] = ()
    history: tuple[Turn, ...] = ()


class AskRequest(Sourced):
    """A question and where to look for its answer."""

    question: Line
    history: Annotated[
        tuple[Turn, ...], Field(max_length=100, description="the turns before the question, oldest first")
    ] = ()
    method: Name = "scope"
    preset: Name | None = None
    seed: Seed = 0
    model: ModelName = None
    options: Options = Field(default_factory=dict)


class AskArguments(DocumentArguments):
    """The arguments of the tool."""

    question: ToolText = Field(description="The question, in one sentence.")


def bind(
    host: Host,
    *,
    method: str = "scope",
    preset: str | None = None,
    options: ScopeOptions | None = None,
    retriever: Retriever | Any = None,
    vectors: NDArray[np.float32] | None = None,
    corpus: Corpus | str | Path | None = None,
    seed: int = 0,
    **changes: Any,
) -> BoundVerb:
    """Answer a question from a chain of passages that carries it, or say what is missing.

    A passage is a text, a `Passage` or a dictionary with a `text` and perhaps an `id`, a `title` and a
    `source`. `preset` is ``embedded`` (the evidence policy chooses, the tuned reader answers), ``words`` (no
    call before the answer), ``calls`` (two calls) or ``paper``; the model decides which is the default.
    `changes` are fields of `ScopeOptions` that differ from the preset. A `retriever` is called with a query
    and a number to look for missing features; one of LangChain or LlamaIndex is taken as it is. `vectors` are
    the passages' own, made by the same encoder. `method` may name a baseline. `progress` is called with the
    cost so far.

    `history` are the turns of a conversation before the question, each with a `question` and an `answer`: the
    model rewrites a follow-up so that it stands alone (`Answer.read_as`).

    `corpus` is a folder of documents, an index, or an opened `Corpus`: the passages come from it, and each
    piece of the chain has a citation of its place. A folder is indexed first, or brought up to date.

    >>> import probative
    >>> answer = probative.ask(
    ...     "In which town was the ship built that Ada Berg commanded?",
    ...     ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde.", "Tar is made of pine."],
    ...     max_passages=2,
    ... )
    >>> [passage.index for passage in answer.chain], answer.answer
    ([0, 1], 'Molde')
    """
    chosen = choose(host, METHODS, MethodChoice(method, preset, options, changes, seed))
    if not chosen.method.takes_retriever and (retriever is not None or vectors is not None):
        raise InputError(f"the method {method} takes no retriever and no vectors")
    lookup = as_retriever(retriever)

    @contextmanager
    def opened(many: bool) -> Iterator[OpenedVerb]:
        with opened_corpus(corpus, host, background=not many) as found:
            guaranteed = None if found is None else kept(found.path, GUARANTEE, KeptGuarantee)
            answering = _Answering(chosen, seed, lookup, vectors, found, guaranteed)
            yield OpenedVerb(VerbRun("ask", answering.read, answering.search, answering.result))

    def deciding() -> dict[str, Any]:
        settings = {"method": method, "seed": seed, **chosen.options.to_dict()}
        if corpus is None:
            return settings
        with opened_corpus(corpus, host) as found:
            assert found is not None
            found.wait_for_vectors()  # all lines, and all runs, search the same vectors
            settings["corpus"] = found.fingerprint
            guaranteed = kept(found.path, GUARANTEE, KeptGuarantee)
            if guaranteed is not None and settings.get("min_certainty") is None:
                settings["guarantee"] = guaranteed.to_dict()  # its limit decides
            return settings

    return BoundVerb(opened, deciding)


@dataclass(frozen=True)
class _Answering:
    """`ask` with its arguments. With a corpus, the passages for each question come from it."""

    chosen: ChosenMethod
    seed: int
    retriever: Retriever | None
    vectors: NDArray[np.float32] | None
    corpus: Corpus | None
    kept: KeptGuarantee | None = None
    limit: float | None = None

    def read(self, raw: AskCase | Mapping[str, Any]) -> AskCase:
        """Return the case; without a corpus, it must have passages."""
        case: AskCase = ASK.as_case(raw)
        if case is not raw and "passages" not in case.model_fields_set and self.corpus is None:
            raise InputError("a case for ask cannot be read: passages: Field required", hint=HINT)
        return case

    def search(self, case: AskCase, tools: Tools) -> Search[ScopeResult]:
        """Start the method."""
        inputs = Inputs(case.question, as_passages(case.passages), self.retriever, self.vectors)
        answering = self._with_limit(case, tools)
        turns = as_turns(case.history)
        return answering._read(inputs, turns, tools) if turns else answering._find(inputs, tools)

    def _read(self, inputs: Inputs, turns: Sequence[Turn], tools: Tools) -> Search[ScopeResult]:
        """Answer a question after earlier turns, unless it points at them and cannot be rewritten."""
        question = yield from read_follow_up(inputs.question, turns, tools)
        if question.pointer is not None:
            return ScopeResult(
                passages=tuple(inputs.passages),
                verdict=Verdict.INSUFFICIENT,
                complete=False,
                reason=f"“{question.pointer}” points at an earlier question, and {tools.model.name} does not "
                "rewrite follow-ups: ask again with the name of what is meant",
            )
        found = yield from self._find(replace(inputs, question=question.text), tools)
        notes = found.notes if question.note is None else (question.note, *found.notes)
        return replace(found, notes=notes, read_as=question.read_as)

    def _find(self, inputs: Inputs, tools: Tools) -> Search[ScopeResult]:
        if self.corpus is None or not self.chosen.method.reads_passages:
            return self._answer(inputs, tools)
        return self._from_corpus(inputs, self.corpus, tools)

    def _with_limit(self, case: AskCase, tools: Tools) -> _Answering:
        """Return the same with the limit of the corpus's guarantee as the lowest certainty, if it holds."""
        if self.kept is None or self._lapse(case, tools) is not None:
            return self
        options = self.chosen.options.model_copy(update={"min_certainty": self.kept.limit})
        return replace(self, chosen=replace(self.chosen, options=options), limit=self.kept.limit)

    def _lapse(self, case: AskCase, tools: Tools) -> str | None:
        """Return why the guarantee of the corpus does not hold for a case; None if it does."""
        if self.kept is None or self.corpus is None:
            return None
        if getattr(self.chosen.options, "min_certainty", None) is not None:
            return "min_certainty was given"
        if case.passages or self.retriever is not None:
            return "it is about the documents alone"
        settings = present_settings(self.chosen.name, self.chosen.options)
        # That a model is compared does not mean that this answer used it.
        return self.kept.lapse(self.corpus, settings, tools.for_run().fingerprint)

    def _answer(self, inputs: Inputs, tools: Tools) -> Search[ScopeResult]:
        found: ScopeResult = yield from self.chosen.run(inputs, tools, self.seed)
        return found if self.limit is None else at_limit(found, self.limit)

    def _from_corpus(self, inputs: Inputs, corpus: Corpus, tools: Tools) -> Search[ScopeResult]:
        """Answer from the passages that a corpus has for the question, after those that were given.

        If many documents are in another language than the question, they are also searched for its
        translation. If the evidence policy chooses the chain, it also finds the passages, in several rounds.
        A method that takes a retriever looks up missing features in the corpus, too, unless it has another.
        """
        from probative.corpus.rounds import retrieve

        if not clean(inputs.question):
            raise InputError("the question is empty", hint="give a question with at least one content word")
        looks_up = self.chosen.method.takes_retriever
        rounds = looks_up and self.chosen.options.cover in ("learned", "read")
        language = language_to_search(inputs.question, corpus.documents_by_language())
        other = None if language is None else (yield from translate(inputs.question, language, tools))
        found = yield from retrieve(inputs.question, corpus, several_rounds=rounds, translation=other)
        if not found and not inputs.passages:
            return ScopeResult(
                passages=(),
                verdict=Verdict.INSUFFICIENT,
                complete=False,
                reason=_nothing_found(corpus),
            )
        retriever = inputs.retriever or (corpus if looks_up else None)
        passages = [*inputs.passages, *found]
        return (yield from self._answer(replace(inputs, passages=passages, retriever=retriever), tools))

    def result(self, case: AskCase, finished: Finished[ScopeResult], tools: Tools) -> Answer:
        """Return what the caller gets."""
        outcome = finished.result
        assert outcome is not None
        places = Places(outcome.passages, self.corpus)
        chain = places.chain(outcome.chain)
        corpus_notes = () if self.corpus is None else self.corpus.notes
        lapse = self._lapse(case, tools)
        if lapse is not None:
            corpus_notes += (f"the guarantee of this corpus does not hold here: {lapse}",)
        return Answer(
            question=case.question,
            answer=outcome.answer,
            verdict=outcome.verdict,
            level=outcome.level,
            read_as=outcome.read_as,
            complete=outcome.complete,
            chain=chain,
            citations=outcome.citations,
            features=outcome.features,
            missing=outcome.missing,
            conflicts=places.conflicts(outcome.conflicts),
            computation=outcome.computation,
            robustness=outcome.robustness,
            completeness=outcome.completeness,
            answerable=outcome.answerable,
            certainty=outcome.certainty,
            candidate=outcome.candidate,
            reason=outcome.reason,
            checks=outcome.checks,
            cited=places.cited(outcome.cited, chain),
            leading=places.cited(outcome.leading, chain),
            signals=outcome.signals,
            guarantee=self.kept.guarantee if self.kept is not None and lapse is None else None,
            method=self.chosen.name,
            model=tools.name_if_used("model"),
            passages=len(outcome.passages),
            retrieved=places.retrieved(),
            notes=(*scope_notes(outcome, tools), *corpus_notes),
            usage=finished.usage,
        )


def _nothing_found(corpus: Corpus) -> str:
    """Return why a corpus has no passage for a question."""
    if not corpus.documents:
        return "no document could be read"
    if corpus.takes_nothing:
        return "the filters leave no document of the corpus"
    return "no passage of the corpus has a word of the question"


def at_limit(found: ScopeResult, limit: float) -> ScopeResult:
    """Return the result, not supported if its certainty is below the limit of a guarantee.

    Of a question with two parts, each may reach the limit and both together not.
    """
    certainty = found.certainty or 0.0
    if found.verdict is not Verdict.SUPPORTED or certainty >= limit:
        return found
    return replace(
        found,
        verdict=Verdict.INSUFFICIENT,
        complete=False,
        answer=None,
        candidate=found.answer,
        reason=f"the answer as a whole is too uncertain ({certainty:.0%}, and {limit:.0%} is needed)",
    )


def scope_notes(outcome: ScopeResult, tools: Tools) -> tuple[str, ...]:
    """Return the notes of the run, and that a judge that was given was not needed."""
    unused = tools.unused_judge()
    judge = [f"the judge model {unused} was not needed: no language model judged"] if unused else []
    return (*outcome.notes, *judge)


ASK = VerbSpec(
    name="ask",
    help=BUILT_IN["ask"],
    case=AskCase,
    case_hint=HINT,
    request=AskRequest,
    result=Answer,
    bind=bind,
    positional=("question", "passages"),
    methods=METHODS,
    cases_name="questions",
    verdicts=("supported", "insufficient", "contradicted"),
    levels=tuple(Level),
    tool=Tool(
        "Ask the documents",
        "Answer a question of fact from a corpus or from given passages. Use it when a short answer "
        "(a name, a date, an amount, yes or no) is wanted. The result has the answer with its chain of "
        "evidence and citations, or says what is missing or contradicted: then there is no answer, and "
        "none should be made up. Its level is supported, probable (a candidate that is not confirmed: say "
        f"so), disputed or not_found. {CITE} {DATA}",
        AskArguments,
        options=(
            "max_passages",
            "min_certainty",
            "min_sources",
            "robustness",
            "compare",
            "conflicts",
            "answer_anyway",
        ),
    ),
    command=Command(
        {
            "question": QUESTION,
            "passages": Input(
                f"The passages: {FILE_OF_PASSAGES} - is standard input, the default.",
                metavar="FILE",
                reads="passages",
            ),
            "answer_anyway": Input("Answer even if a feature is missing or contradicted.", panel="Method"),
            "min_sources": Input("How many independent sources must each state the answer.", panel="Method"),
        },
        (
            'probative ask "In which town was the Sea Lark built?" --passages notes.txt',
            'cat *.txt | probative ask "Who commanded the Sea Lark?" --json',
            'probative ask "Who commanded the Sea Lark?" --passages crew.jsonl --passages ships.txt '
            "--fail-on insufficient,contradicted",
            'probative ask "When does the lift close?" --corpus documents',
            "probative ask --in questions.jsonl --out answers.jsonl --model openai:gpt-4o-mini",
        ),
        judged=True,
        searches=True,
    ),
    types={"passages": "Passages", "history": "History"},
)
