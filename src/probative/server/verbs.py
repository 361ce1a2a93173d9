"""Carry out a run: turn a request into a call of the session, and tell what happens meanwhile."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from probative.errors import InputError
from probative.give.query import make_query
from probative.give.reasoning import Reasoning
from probative.mcse.annotation import Annotation
from probative.mcse.proof import Proof
from probative.scope.result import Answer, Check
from probative.server.catalog import Catalog
from probative.server.errors import TooLargeError
from probative.server.options import Limits
from probative.server.requests import (
    AnnotateRequest,
    AskRequest,
    CheckRequest,
    JudgeRequest,
    ProveRequest,
    ReasonRequest,
    Request,
    Sourced,
    VerifyRequest,
)
from probative.server.runs.live import LiveRun
from probative.server.runs.run import VerbName
from probative.server.uploads import Uploads
from probative.session.choice_check import check_choice
from probative.session.session import Session
from probative.trace import Observer, RunStoppedError, observing
from probative.types import Passage, Value
from probative.usage import Usage
from probative.verdict.judgement import Judgement
from probative.verify.verification import CheckedClaim, Verification

REQUESTS: dict[VerbName, type[Request]] = {
    "ask": AskRequest,
    "check": CheckRequest,
    "prove": ProveRequest,
    "judge": JudgeRequest,
    "verify": VerifyRequest,
    "reason": ReasonRequest,
    "annotate": AnnotateRequest,
}
RESULTS: dict[VerbName, type[Value]] = {
    "ask": Answer,
    "check": Check,
    "prove": Proof,
    "judge": Judgement,
    "verify": Verification,
    "reason": Reasoning,
    "annotate": Annotation,
}


class Verbs:
    """The verbs of a session on the registered corpora and graphs, and on uploads."""

    def __init__(self, session: Session, catalog: Catalog, uploads: Uploads, limits: Limits) -> None:
        self.session = session
        self.catalog = catalog
        self.uploads = uploads
        self._limits = limits

    def check(self, request: Request) -> None:
        """Raise the error of a request that cannot succeed, before it is queued."""
        if isinstance(request, Sourced):
            self._check_sources(request)
        if isinstance(request, VerifyRequest):
            length = len(request.text or "")
            if request.upload is not None:
                length = self.uploads.get(request.upload).characters
            if length > self._limits.text_characters:
                raise TooLargeError(
                    f"the text has {length:,} characters, more than {self._limits.text_characters:,}",
                    hint="verify it in parts",
                )
        if isinstance(request, ReasonRequest):
            if request.graph is not None:
                self.catalog.graph(request.graph)
            elif len(request.triples or ()) > self._limits.triples:
                raise TooLargeError(
                    f"there are {len(request.triples or ()):,} triples, more than {self._limits.triples:,}",
                    hint="register the graph when the server is started: --graph NAME=FILE",
                )
        if isinstance(request, CheckRequest) and not isinstance(request.knowledge, str):
            self._check_count(len(request.knowledge))
        checked_options(request, self.session)
        self._check_method(request)

    def _check_method(self, request: Request) -> None:
        if isinstance(request, JudgeRequest | AnnotateRequest):
            return
        verb = next(name for name, kind in REQUESTS.items() if type(request) is kind)
        method = "scope" if isinstance(request, CheckRequest) else request.method
        check_choice(self.session, verb, method, getattr(request, "preset", None), request.options)
        if isinstance(request, ReasonRequest):
            make_query(request.question, request.choices, request.form)

    def _check_sources(self, request: Sourced) -> None:
        if request.corpus is not None:
            self.catalog.corpus(request.corpus)
        # Counted when they were read: to make too many passages here would take time and memory.
        uploaded = sum(self.uploads.get(upload).passages for upload in dict.fromkeys(request.uploads or ()))
        self._check_count(uploaded or len(request.passages or ()))

    def _check_count(self, passages: int) -> None:
        if passages > self._limits.passages:
            raise TooLargeError(
                f"there are {passages:,} passages, more than {self._limits.passages:,}",
                hint="register a corpus when the server is started: --corpus NAME=FOLDER",
            )

    def execute(self, live: LiveRun) -> Value:
        """Carry out a run and return its result."""
        request = REQUESTS[live.run.verb].model_validate(live.request)
        progress = _progress(live)
        call: Callable[..., Value] = getattr(self, f"_{live.run.verb}")
        try:
            with observing(_StepTeller(live)):
                return call(request, live, progress)
        except RunStoppedError:
            live.check()  # says why
            raise

    def passages(self, request: Sourced) -> list[Any]:
        """Return the passages that a request brings, itself or by its uploads; none for a corpus."""
        if request.uploads is not None:
            passages: list[Any] = list(self.uploads.passages(request.uploads))
            self._check_count(len(passages))
            return passages
        return [_passage(passage) for passage in request.passages or ()]

    def _ask(self, request: AskRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        corpus = None if request.corpus is None else self.catalog.corpus(request.corpus)
        return self.session.ask(
            request.question,
            self.passages(request),
            corpus=corpus,
            method=request.method,
            preset=request.preset,
            seed=request.seed,
            progress=progress,
            **request.options,
        )

    def _check(self, request: CheckRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        knowledge = request.knowledge
        given = knowledge if isinstance(knowledge, str) else [_passage(passage) for passage in knowledge]
        return self.session.check(
            request.question, given, preset=request.preset, progress=progress, **request.options
        )

    def _prove(self, request: ProveRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        preset: dict[str, Any] = {} if request.preset is None else {"preset": request.preset}
        return self.session.prove(
            request.claim,
            request.words,
            request.k,
            method=request.method,
            progress=progress,
            **preset,
            **request.options,
        )

    def _judge(self, request: JudgeRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        return self.session.judge(request.claim, request.evidence, progress=progress)

    def _annotate(self, request: AnnotateRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        return self.session.annotate(request.claim, request.words, progress=progress)

    def _verify(self, request: VerifyRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        text = self.uploads.document(request.upload) if request.upload is not None else request.text or ""
        sources = self.passages(request) if request.corpus is None else self.catalog.corpus(request.corpus)
        return self.session.verify(
            text,
            sources,
            name=request.name,
            method=request.method,
            progress=progress,
            claim_done=_claim_done(live),
            **request.options,
        )

    def _reason(self, request: ReasonRequest, live: LiveRun, progress: Callable[[Usage], None]) -> Value:
        graph: Any = list(request.triples or ())
        if request.graph is not None:
            graph = self.catalog.graph(request.graph)
        return self.session.reason(
            request.question,
            graph,
            request.choices,
            form=request.form,
            method=request.method,
            preset=request.preset,
            seed=request.seed,
            progress=progress,
            embedding=_counting(live, "embedding the graph"),
            learning=_counting(live, "learning from the graph"),
            **request.options,
        )


def checked_options(request: Request, session: Session) -> None:
    """Raise `InputError` if an option has the name of an argument of the verb.

    Such a name would take the place of what the server gives, a corpus by its path for example.
    """
    options: Mapping[str, Any] = getattr(request, "options", {})
    verb = next(name for name, kind in REQUESTS.items() if type(request) is kind)
    reserved = inspect.signature(getattr(session, verb)).parameters
    for name in options:
        if name in reserved or name.startswith("_"):
            raise InputError(
                f"{name!r} is not an option of the method",
                hint="give it as a field of the request, if the verb has such a field",
            )


def _passage(passage: Any) -> Passage | str:
    return passage if isinstance(passage, str | Passage) else Passage.model_validate(passage)


def _progress(live: LiveRun) -> Callable[[Usage], None]:
    def progress(usage: Usage) -> None:
        live.check()
        live.tell("progress", {"calls": usage.calls, "tokens": usage.tokens, "seconds": usage.seconds})

    return progress


def _claim_done(live: LiveRun) -> Callable[[int, CheckedClaim, int], None]:
    done = 0

    def tell(index: int, claim: CheckedClaim, claims: int) -> None:
        nonlocal done
        live.check()
        done += 1
        live.tell("claim", {"index": index, "total": claims, "claim": claim.to_dict()})
        live.tell("progress", {"done": done, "total": claims})

    return tell


class _StepTeller(Observer):
    """Tells the clients of a run which step it is at, and stops a run that is not wanted any more."""

    def __init__(self, live: LiveRun) -> None:
        self._live = live
        self._last = ""

    def step_started(self, name: str) -> None:
        if self._live.must_stop:
            raise RunStoppedError
        if name != self._last:
            self._last = name
            self._live.tell("step", {"name": name})


def _counting(live: LiveRun, step: str) -> Callable[[int, int], None]:
    def progress(done: int, count: int) -> None:
        live.check()
        live.tell("progress", {"step": step, "done": done, "total": count})

    return progress
