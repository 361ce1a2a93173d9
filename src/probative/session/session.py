"""`Session`: models opened once, one cache, one budget, and the verbs on top of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from probative.engine.runner import MAX_ACTIVE
from probative.engine.tools import Tools
from probative.errors import InputError, ProbativeError
from probative.give.options import GiveOptions
from probative.give.query import Form, make_query
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import DEFAULT_PRESET, McseOptions
from probative.models.contract import Encoder, LanguageModel
from probative.models.evidence_policy import EvidencePolicy
from probative.models.loading import settings_budget, settings_cache
from probative.models.wrappers.budget import Budget
from probative.models.wrappers.cache import ResponseCache
from probative.scope.options import ScopeOptions
from probative.session.ask import AskCase, CheckCase, Passages, ask_verb, check_verb, scope_options
from probative.session.asynchronous import run_in_thread
from probative.session.pool import Leases
from probative.session.prove import ProveCase, SplitCase, Text, method_options, number_sentences, prove_verb
from probative.session.reason import (
    GraphLike,
    ReasonCase,
    as_examples,
    as_graph,
    reason_options,
    reason_verb,
)
from probative.session.tools import Opener, check_kinds, open_tools
from probative.session.verb import Found, Result, Verb
from probative.settings import Settings, load_settings
from probative.usage import Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.baselines.graphs.options import GiveBaselineOptions
    from probative.give.reasoning import Reasoning
    from probative.give.result import Example
    from probative.mcse.proof import Proof
    from probative.mcse.search import K
    from probative.scope.pipeline import Retriever
    from probative.scope.result import Answer, Check

UsageProgress = Callable[[Usage], None]


class Session:
    """Opened models with their cache and budget, and the verbs `ask`, `check`, `prove` and `reason`.

    `model`, `judge_model` and `encoder` are names or opened objects; what is not given comes from `settings`,
    which default to those in force. Each model is opened when it is first needed, and shared with the other
    sessions of the process. A `judge_model` extracts and judges features where a language model does that;
    the model answers. With `dry_run`, calls and tokens are counted and no model is called.

    A session may be shared between threads. Its budget covers everything it does; `usage` is what it has
    cost so far. Close it, or use it as a context manager.

    >>> with Session() as session:
    ...     proof = session.prove("Cats sleep.", ["Dogs bark.", "Cats sleep all day."], k=1, method="bm25")
    >>> proof.indexes
    (1,)
    """

    def __init__(
        self,
        model: LanguageModel | str | None = None,
        *,
        judge_model: LanguageModel | str | None = None,
        encoder: Encoder | str | None = None,
        policy: EvidencePolicy | None = None,
        settings: Settings | None = None,
        budget: Budget | None = None,
        dry_run: bool = False,
        _share: Session | None = None,
    ) -> None:
        check_kinds(model, judge_model, encoder, settings)
        if dry_run and isinstance(model, LanguageModel):
            raise InputError(
                "a dry run needs the name of the model, not an opened one",
                hint="give the name, or load the model with load_model(…, dry_run=True)",
            )
        self.settings = with_names(settings, model=model, judge_model=judge_model, encoder=encoder)
        self.budget = budget if budget is not None else settings_budget(self.settings)
        self._shared = _share is not None
        self._leases: Leases = _share._leases if _share is not None else Leases()
        self._cache: ResponseCache | None = (
            _share._cache if _share is not None else settings_cache(self.settings)
        )
        self._opener = Opener(self.settings, self._leases, self._cache, self.budget, dry_run)
        self._model = model if isinstance(model, LanguageModel) else None
        self._judge = judge_model if isinstance(judge_model, LanguageModel) else None
        self._encoder = encoder if isinstance(encoder, Encoder) else None
        self._policy = None if policy is None else self._opener.cached_policy(policy)
        self._tools = open_tools(self._opener, self._model, self._judge, self._encoder, self._policy)
        self._dry_run = dry_run
        self._usage = Usage()
        self._lock = threading.Lock()
        self._closed = False

    # The session itself.

    @property
    def usage(self) -> Usage:
        """What this session has cost so far."""
        return self._usage

    @property
    def weights(self) -> dict[str, str]:
        """The fingerprints of the models opened so far: `model`, `judge`, `encoder`, `policy`."""
        return self._tools.opened

    def fingerprint(self, name: str) -> str | None:
        """Return the fingerprint of the model, judge, encoder or policy, which is opened for that."""
        return self._tools.fingerprint(name)

    def close(self) -> None:
        """Close the cache and give the models back; a second call does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        if self._shared:
            return
        if self._cache is not None:
            self._cache.close()
        self._leases.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Questions to passages.

    def ask(
        self,
        question: str,
        passages: Passages = (),
        *,
        method: str = "scope",
        preset: str | None = None,
        options: ScopeOptions | None = None,
        retriever: Retriever | None = None,
        vectors: NDArray[np.float32] | None = None,
        seed: int = 0,
        progress: UsageProgress | None = None,
        **changes: Any,
    ) -> Answer:
        """Answer a question from a chain of passages that carries it, or say what is missing.

        A passage is a text, a `Passage` or a dictionary with a `text` and perhaps an `id`, a `title` and a
        `source`. `preset` is ``embedded`` (the evidence policy chooses, the tuned reader answers), ``words``
        (no call before the answer), ``calls`` (two calls) or ``paper``; the model decides which is the
        default. `changes` are fields of `ScopeOptions` that differ from the preset. A `retriever` is called
        with a query and a number to look for missing features. `vectors` are the passages' own, made by the
        same encoder. `method` may name a baseline. `progress` is called with the cost so far.
        """
        verb = self._ask_verb(method, preset, options, changes, seed, retriever, vectors)
        unchecked: Any = passages  # `as_passages` checks them, and says which one is wrong
        return self._run(verb, AskCase.model_construct(question=question, passages=unchecked), progress)

    def ask_all(
        self,
        cases: Iterable[AskCase | Mapping[str, Any]],
        *,
        method: str = "scope",
        preset: str | None = None,
        options: ScopeOptions | None = None,
        retriever: Retriever | None = None,
        seed: int = 0,
        max_active: int = MAX_ACTIVE,
        **changes: Any,
    ) -> Iterator[tuple[int, Answer | ProbativeError]]:
        """Answer many questions side by side; yields each index with its answer or its error, as they finish.

        What `max_active` questions ask at a time goes out as one batch; with a budget, one question runs at a
        time, so that the budget is spent on whole answers.
        """
        verb = self._ask_verb(method, preset, options, changes, seed, retriever, None)
        return self._run_all(verb, cases, max_active)

    async def ask_async(self, *arguments: Any, **keywords: Any) -> Answer:
        """Run `ask`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.ask, *arguments, **keywords)

    def check(
        self,
        question: str,
        knowledge: str | Passages,
        *,
        preset: str | None = None,
        options: ScopeOptions | None = None,
        progress: UsageProgress | None = None,
        **changes: Any,
    ) -> Check:
        """Check whether knowledge is a chain of evidence for a question, and which features are missing.

        `knowledge` is one text, which is judged as a whole, or passages, which are judged one by one and
        count together. See `ask` for the options.
        """
        verb = check_verb(self._scope_options("scope", preset, options, changes))
        unchecked: Any = knowledge
        return self._run(verb, CheckCase.model_construct(question=question, knowledge=unchecked), progress)

    def check_all(
        self,
        cases: Iterable[CheckCase | Mapping[str, Any]],
        *,
        preset: str | None = None,
        options: ScopeOptions | None = None,
        max_active: int = MAX_ACTIVE,
        **changes: Any,
    ) -> Iterator[tuple[int, Check | ProbativeError]]:
        """Check many questions side by side; see `ask_all`."""
        verb = check_verb(self._scope_options("scope", preset, options, changes))
        return self._run_all(verb, cases, max_active)

    async def check_async(self, *arguments: Any, **keywords: Any) -> Check:
        """Run `check`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.check, *arguments, **keywords)

    # Claims and texts.

    def prove(
        self,
        claim: str,
        sentences: Text,
        k: K = 3,
        *,
        method: str = "mcse",
        preset: str = DEFAULT_PRESET,
        options: McseOptions | LearnedOptions | None = None,
        verdict: bool = False,
        progress: UsageProgress | None = None,
        **changes: Any,
    ) -> Proof:
        """Find the k sentences that together prove a claim, in order, with what each adds.

        `sentences` is a list, or one text that is split. `k` may be ``"auto"``: stop when the next sentence
        adds too little. `preset` is ``fast`` (the default, without look-ahead), ``full`` or ``paper``;
        `changes` are fields of `McseOptions` that differ from it. `method` may name a baseline, or
        ``learned``: the evidence policy alone; `changes` are then fields of `LearnedOptions`.
        """
        verb = prove_verb(method_options(method, preset, options, changes), method, k=k, verdict=verdict)
        case = SplitCase(claim, number_sentences(sentences), k)
        return self._run(verb, case, progress)

    def prove_all(
        self,
        cases: Iterable[ProveCase | Mapping[str, Any]],
        k: K = 3,
        *,
        method: str = "mcse",
        preset: str = DEFAULT_PRESET,
        options: McseOptions | LearnedOptions | None = None,
        verdict: bool = False,
        max_active: int = MAX_ACTIVE,
        **changes: Any,
    ) -> Iterator[tuple[int, Proof | ProbativeError]]:
        """Prove many claims side by side; see `ask_all`. The `k` of a case beats the common one."""
        verb = prove_verb(method_options(method, preset, options, changes), method, k=k, verdict=verdict)
        return self._run_all(verb, cases, max_active)

    async def prove_async(self, *arguments: Any, **keywords: Any) -> Proof:
        """Run `prove`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.prove, *arguments, **keywords)

    # Questions to a graph.

    def reason(
        self,
        question: str,
        graph: GraphLike,
        choices: Sequence[str] | None = None,
        *,
        form: Form | None = None,
        method: str = "give",
        preset: str | None = None,
        options: GiveOptions | GiveBaselineOptions | None = None,
        worked: Sequence[Example | Mapping[str, Any]] | None = None,
        seed: int = 0,
        progress: UsageProgress | None = None,
        embedding: Callable[[int, int], None] | None = None,
        **changes: Any,
    ) -> Reasoning:
        """Answer a question over a graph in three stages, with the knowledge behind each.

        The form is told from the question if it is not given: choices, yes/no/maybe, or free text. `preset`
        is ``small`` (the default of an embedded model), ``calls`` (of any other: candidates judged in
        batches) or ``paper``; `changes` are fields of `GiveOptions` that differ from it, or a baseline's own.
        `worked` are examples for the prompt instead of ours. `progress` is called with the cost so far,
        `embedding` with how many entities of the graph are encoded, which happens once.
        """
        verb, tools = self._reason_verb(graph, method, preset, options, worked, seed, embedding, changes)
        return self._run(verb, make_query(question, choices, form), progress, tools)

    def reason_all(
        self,
        cases: Iterable[ReasonCase | Mapping[str, Any]],
        graph: GraphLike,
        *,
        method: str = "give",
        preset: str | None = None,
        options: GiveOptions | GiveBaselineOptions | None = None,
        worked: Sequence[Example | Mapping[str, Any]] | None = None,
        seed: int = 0,
        max_active: int = MAX_ACTIVE,
        embedding: Callable[[int, int], None] | None = None,
        **changes: Any,
    ) -> Iterator[tuple[int, Reasoning | ProbativeError]]:
        """Answer many questions over one graph side by side; see `ask_all`."""
        verb, tools = self._reason_verb(graph, method, preset, options, worked, seed, embedding, changes)
        return self._run_all(verb, cases, max_active, tools)

    async def reason_async(self, *arguments: Any, **keywords: Any) -> Reasoning:
        """Run `reason`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.reason, *arguments, **keywords)

    # Running a verb.

    def _scope_options(
        self, method: str, preset: str | None, options: ScopeOptions | None, changes: Mapping[str, Any]
    ) -> ScopeOptions:
        return scope_options(method, preset, options, changes, model=self._model, settings=self.settings)

    def _ask_verb(
        self,
        method: str,
        preset: str | None,
        options: ScopeOptions | None,
        changes: Mapping[str, Any],
        seed: int,
        retriever: Retriever | None,
        vectors: NDArray[np.float32] | None,
    ) -> Verb[AskCase, Any, Answer]:
        chosen = self._scope_options(method, preset, options, changes)
        return ask_verb(chosen, method, seed=seed, retriever=retriever, vectors=vectors, changes=changes)

    def _reason_verb(
        self,
        graph: GraphLike,
        method: str,
        preset: str | None,
        options: GiveOptions | GiveBaselineOptions | None,
        worked: Sequence[Example | Mapping[str, Any]] | None,
        seed: int,
        embedding: Callable[[int, int], None] | None,
        changes: Mapping[str, Any],
    ) -> tuple[Verb[Any, Any, Reasoning], Tools]:
        from probative.session.graph_source import dry_run_encoder, graph_source

        chosen = reason_options(
            method, preset, options, changes, model=self._model, settings=self.settings, seed=seed
        )
        examples = as_examples(worked)
        opened = as_graph(graph)
        tools, stand_in = self._tools.for_run(), False
        if self._dry_run and self._encoder is None:
            encoder = dry_run_encoder(opened, self._opener)
            stand_in = encoder is None
            if encoder is not None:
                tools = open_tools(self._opener, self._model, self._judge, encoder, self._policy)
        source = graph_source(opened, tools, self._opener, embedding, stand_in=stand_in)
        return reason_verb(source, chosen, method, worked=examples, dry_run=self._dry_run), tools

    def _run(
        self,
        verb: Verb[Any, Found, Result],
        case: Any,
        progress: UsageProgress | None,
        tools: Tools | None = None,
    ) -> Result:
        self._check_open()
        try:
            result = verb.run(case, tools or self._tools.for_run(), progress)
        except ProbativeError as error:
            self._add(getattr(error, "usage", None) or Usage())
            raise
        self._add(getattr(result, "usage", Usage()))
        return result

    def _run_all(
        self,
        verb: Verb[Any, Found, Result],
        cases: Iterable[Any],
        max_active: int,
        tools: Tools | None = None,
    ) -> Iterator[tuple[int, Result | ProbativeError]]:
        self._check_open()
        active = min(max_active, 1) if self.budget is not None else max_active
        for index, outcome, usage in verb.run_all(cases, tools or self._tools.for_run(), active):
            self._add(usage)
            yield index, outcome

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage

    def _check_open(self) -> None:
        if self._closed:
            raise InputError("the session is closed", hint="open a new one: probative.Session(…)")


def with_names(settings: Settings | None, **tools: object) -> Settings:
    """Return the settings with the names that were given; objects keep what the settings say."""
    names = {role: tool for role, tool in tools.items() if isinstance(tool, str)}
    if settings is None:
        return load_settings(names)
    return settings.model_copy(update=names) if names else settings
