"""What every verb of a session stands on: the tools, the cache, the budget, the cost so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, cast

from probative.dry_run.planned import planned
from probative.dry_run.stand_ins import stand_in, stands_in
from probative.engine.methods import Tools
from probative.engine.runner import Finished, run_searches
from probative.engine.search import Search
from probative.errors import InputError, ProbativeError
from probative.graph.graph import Graph
from probative.graph.veracity.graph_with_index import GraphWithIndex
from probative.models.budget import Budget
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.evidence_policy import EvidencePolicy
from probative.models.loading import (
    check_encoder_name,
    check_model_name,
    settings_budget,
    settings_cache,
)
from probative.models.response_cache import ResponseCache
from probative.models.verdict import VerdictModel
from probative.session.graphs import OpenedGraphs, graph_source
from probative.session.own_prompts import load_prompts
from probative.session.pool import Leases
from probative.session.tools import Opener, check_kinds, open_tools
from probative.settings import TUNED_MODELS, Settings, load_settings
from probative.telemetry.spans import run_span, start_span
from probative.text.prompts import using
from probative.types import Usage
from probative.verbs.reason import GraphLike
from probative.verbs.spec import RawResult, Result, VerbRun

UsageProgress = Callable[[Usage], None]


class SessionBase:
    """Opens the models, runs verbs on them, counts what they cost, and closes everything."""

    def __init__(
        self,
        model: LanguageModel | str | None = None,
        *,
        judge_model: LanguageModel | str | None = None,
        encoder: Encoder | str | None = None,
        policy: EvidencePolicy | None = None,
        verdict: VerdictModel | str | None = None,
        settings: Settings | None = None,
        budget: Budget | None = None,
        prompts: Path | str | None = None,
        dry_run: bool = False,
        _share: SessionBase | None = None,
    ) -> None:
        check_kinds(model, judge_model, encoder, settings, verdict)
        dry_run = dry_run or stands_in(model)
        if dry_run:
            check_not_opened(model, judge_model)
            encoder, verdict = (tool if isinstance(tool, str) else None for tool in (encoder, verdict))
            policy = None
        self.settings = with_names(
            settings, model=model, judge_model=judge_model, encoder=encoder, verdict=verdict
        )
        if prompts is not None:
            self.settings = self.settings.model_copy(update={"prompts": Path(prompts)})
        self.prompts = {} if self.settings.prompts is None else load_prompts(self.settings.prompts)
        self._check_names(model, judge_model, encoder)
        self.budget = budget if budget is not None else settings_budget(self.settings)
        self._shared = _share is not None
        self._leases: Leases = _share._leases if _share is not None else Leases()
        self._cache: ResponseCache | None = (
            _share._cache if _share is not None else settings_cache(self.settings)
        )
        self._graphs: OpenedGraphs = _share._graphs if _share is not None else OpenedGraphs()
        self._opener = Opener(self.settings, self._leases, self._cache, self.budget, dry_run)
        self._model = model if isinstance(model, LanguageModel) else None
        self._judge = judge_model if isinstance(judge_model, LanguageModel) else None
        self._encoder = encoder if isinstance(encoder, Encoder) else None
        self._policy = None if policy is None else self._opener.wrapped(policy)
        self._verdict = None if verdict is None or isinstance(verdict, str) else self._opener.wrapped(verdict)
        self._tools = open_tools(
            self._opener, self._model, self._judge, self._encoder, self._policy, self._verdict
        )
        self.dry_run = dry_run
        self._usage = Usage()
        self._lock = threading.Lock()
        self._closed = False

    def _check_names(self, model: object, judge_model: object, encoder: object) -> None:
        """Raise `InputError` at once for a name that no backend has."""
        if not isinstance(model, LanguageModel):
            check_model_name(self.settings.model)
        if not isinstance(judge_model, LanguageModel) and self.settings.judge_model is not None:
            check_model_name(self.settings.judge_model)
        if not isinstance(encoder, Encoder):
            check_encoder_name(self.settings.encoder)

    @property
    def usage(self) -> Usage:
        """What this session has cost so far."""
        return self._usage

    @property
    def model_name(self) -> str:
        """The name of the language model, which is not opened for that."""
        return self._model.name if self._model is not None else self.settings.model

    @property
    def has_reader(self) -> bool:
        """Whether the language model is a tuned reader; it is not opened for that."""
        return self._model.reader if self._model is not None else self.settings.model in TUNED_MODELS

    @property
    def has_opened_models(self) -> bool:
        """Whether a model was given as an object, not by its name: other processes cannot open it."""
        given = (self._model, self._judge, self._encoder, self._policy, self._verdict)
        return any(tool is not None for tool in given)

    @property
    def weights(self) -> dict[str, str]:
        """The fingerprints of the models opened so far: `model`, `judge`, `encoder`, `policy`,
        `verdict`.
        """
        return self._tools.opened

    def fingerprint(self, name: str) -> str | None:
        """Return the fingerprint of the model, judge, encoder or policy, which is opened for that."""
        return self._tools.fingerprint(name)

    @property
    def language_model(self) -> LanguageModel:
        """The language model of this session, opened, for calls that no verb makes."""
        self._check_open()
        return self._tools.for_run().model

    @property
    def sentence_encoder(self) -> Encoder:
        """The encoder of this session, opened."""
        self._check_open()
        return self._tools.for_run().encoder

    def with_encoder(self, encoder: Encoder | str) -> Self:
        """Return a session with another encoder that shares the language models, cache and budget of this
        one, and is closed with it.
        """
        return type(self)(
            self._model,
            judge_model=self._judge,
            encoder=encoder,
            settings=self.settings,
            budget=self.budget,
            dry_run=self.dry_run,
            _share=self,
        )

    def with_model(self, model: LanguageModel) -> Self:
        """Return a session with another language model that shares everything else of this one, and is
        closed with it.

        >>> from probative.session.session import Session
        >>> from probative.testing import ScriptedModel
        >>> with Session(ScriptedModel(generate="Molde")) as session:
        ...     session.with_model(ScriptedModel(generate="Oslo", name="other")).language_model.name
        'other'
        """
        return type(self)(
            stand_in(model) if self.dry_run and not stands_in(model) else model,
            encoder=self._encoder,
            policy=self._policy,
            verdict=self._verdict,
            settings=self.settings.model_copy(update={"judge_model": None}),
            budget=self.budget,
            dry_run=self.dry_run,
            _share=self,
        )

    def with_model_name(self, name: str) -> Self:
        """Return a session with the embedded model of this name, which judges, too, unless the settings name
        a verdict model. It shares everything else of this one, and is closed with it.

        >>> from probative.session.session import Session
        >>> with Session("openai:gpt") as session:
        ...     chosen = session.with_model_name("embedded:large")
        ...     chosen.model_name, chosen.settings.verdict_model
        ('embedded:large', 'embedded:large')
        """
        settings = self.settings
        by_model = settings.verdict == "model"
        return type(self)(
            encoder=self._encoder,
            policy=self._policy,
            verdict=self._verdict,
            settings=settings.model_copy(
                update={
                    "model": name,
                    "judge_model": None,
                    "verdict": None if by_model else settings.verdict,
                }
            ),
            budget=self.budget,
            dry_run=self.dry_run,
            _share=self,
        )

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

    def run_search(self, search: Search[RawResult]) -> RawResult:
        """Run a search of your own (`probative.engine.search`) on the models of this session, with its cache,
        budget and usage; raises the error of the search.

        >>> from probative.engine.search import score
        >>> from probative.testing import ScriptedModel
        >>> def strength() -> Search[float]:
        ...     (scored,) = yield from score([("It rained.", " It was wet.")], step="strength")
        ...     return scored.log_probability
        >>> from probative.session.session import Session
        >>> with Session(ScriptedModel(score=lambda prompt, text: -2.0)) as session:
        ...     session.run_search(strength())
        -2.0
        """
        finished = self.finish_search(search)
        if finished.error is not None:
            raise finished.error
        return cast(RawResult, finished.result)

    def finish_search(self, search: Search[RawResult]) -> Finished[RawResult]:
        """Run a search as `run_search` does; returns its result or its error with what it cost.

        >>> from probative.engine.search import generate
        >>> from probative.testing import ScriptedModel
        >>> from probative.session.session import Session
        >>> with Session(ScriptedModel(generate="Molde")) as session:
        ...     session.finish_search(generate(["Where?"], step="answer")).usage.calls
        1
        """
        self._check_open()
        with run_span("search", traced=False) as span, using(self.prompts):
            ((_, finished),) = run_searches([search], self._tools.for_run())
            span.spent(finished.usage)
            if finished.error is not None:
                span.failed(finished.error)
        self._add(finished.usage)
        return finished

    def open_graph(self, graph: GraphLike) -> Graph:
        """Return the graph, read from its file or folder unless that was done before."""
        return self._graphs.open(graph)

    def graph_tools(
        self,
        graph: Graph,
        embedding: Callable[[int, int], None] | None,
        learning: Callable[[int, int], None] | None,
    ) -> tuple[GraphWithIndex, Tools]:
        """Return a graph whose entities are embedded when they are first searched, and the tools for that.

        A dry run embeds nothing.
        """
        tools = self._tools.for_run()
        source = graph_source(graph, tools, self._opener, embedding, stand_in=self.dry_run, learning=learning)
        return source, tools

    def _planned(self, result: Result) -> Result:
        """Return what a dry run gives instead of a result."""
        return planned(result)

    def _prepared(self, verb: VerbRun[Any, RawResult, Result]) -> VerbRun[Any, RawResult, Result]:
        self._check_open()
        if not self.dry_run:
            return verb
        return replace(verb, result=lambda *finished: self._planned(verb.result(*finished)))

    def _run(
        self,
        verb: VerbRun[Any, RawResult, Result],
        case: Any,
        progress: UsageProgress | None,
        tools: Tools | None = None,
    ) -> Result:
        verb = self._prepared(verb)
        with run_span(verb.name) as span, using(self.prompts):
            outcome, usage = verb.run(case, tools or self._tools.for_run(), progress)
            self._add(usage)
            span.spent(usage)
            if isinstance(outcome, ProbativeError):
                raise outcome
            span.gave(outcome)
        return outcome

    def _run_all(
        self,
        verb: VerbRun[Any, RawResult, Result],
        cases: Iterable[Any],
        max_active: int,
        tools: Tools | None = None,
    ) -> Iterator[tuple[int, Result | ProbativeError]]:
        verb = self._prepared(verb)
        active = min(max_active, 1) if self.budget is not None else max_active
        results = verb.run_all(cases, tools or self._tools.for_run(), active)
        span = start_span(f"probative.{verb.name}_all")
        spent = Usage()
        try:
            while True:
                # not around the yield: what the caller does between is no run
                with span.active(), using(self.prompts):
                    finished = next(results, None)
                if finished is None:
                    return
                index, outcome, usage = finished
                self._add(usage)
                spent += usage
                yield index, outcome
        except Exception as error:
            span.failed(error)
            raise
        finally:
            span.spent(spent)
            span.end()

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage

    def _check_open(self) -> None:
        if self._closed:
            raise InputError("the session is closed", hint="open a new one: probative.Session(…)")


def check_not_opened(*models: object) -> None:
    """Raise `InputError` for an opened model, which a dry run could call."""
    if any(isinstance(model, LanguageModel) and not stands_in(model) for model in models):
        raise InputError(
            "a dry run needs the name of the model, not an opened one",
            hint="give the name, or load the model with load_model(…, dry_run=True)",
        )


def with_names(settings: Settings | None, **tools: object) -> Settings:
    """Return the settings with the names that were given; other objects than a tuned model, whose verdicts
    follow it, keep what the settings say.
    """
    names = {role: tool for role, tool in tools.items() if isinstance(tool, str)}
    if (name := getattr(tools.get("model"), "name", None)) in TUNED_MODELS:
        names["model"] = name
    if settings is None:
        return load_settings(names)
    return settings.model_copy(update=names) if names else settings
