"""Questions about each corpus that its documents answer, made in the background while nobody else asks.

The model writes questions about passages at random, as for a calibration, and asks them itself; those that
are answered `supported` are kept with the index until the documents change.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from probative.calibration.kept import keep, kept
from probative.calibration.questions import write_questions
from probative.corpus.corpus import Corpus
from probative.corpus.index.index_folder import SUGGESTIONS
from probative.errors import ProbativeError, StoreError
from probative.scope.follow_up import is_too_small
from probative.server.state.catalog import Catalog
from probative.session.session import Session
from probative.trace import Observer, RunStoppedError, observing
from probative.types import Value, Verdict

MOST = 5
WRITTEN = 12
"""How many questions are suggested, and how many are written at most to find them."""
PAUSE = 2.0
"""Seconds between two looks at what is to be done."""

log = logging.getLogger("probative.server")


class Suggestions(Value):
    """Questions about a version of the documents that this model answers with `supported`."""

    questions: tuple[str, ...]
    version: int
    model: str


@dataclass
class _Draft:
    """Questions that were written and not asked yet, and those that were answered."""

    version: int
    written: list[str]
    supported: list[str] = field(default_factory=list)


class SuggestionMaker(Observer):
    """Makes the suggestions of every corpus, one after the other, while `is_idle` says that no run works.

    A run that comes meanwhile stops it at its next step; it goes on later. Without `start`, nothing is made,
    and neither with a model that is too small to write questions.
    """

    def __init__(self, session: Session, catalog: Catalog, is_idle: Callable[[], bool]) -> None:
        self._session = session
        self._catalog = catalog
        self._is_idle = is_idle
        self._made: dict[str, Suggestions] = {}
        self._drafts: dict[str, _Draft] = {}
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to make them."""
        if not is_too_small(self._session.model_name):
            self._thread = threading.Thread(target=self._work, name="probative-suggestions", daemon=True)
            self._thread.start()

    def of(self, name: str) -> Suggestions | None:
        """Return the suggestions for the documents as they are; None if they are not made yet."""
        corpus = self._catalog.corpus(name)
        made = self._made.get(name)
        if made is None or not self._is_fresh(made, corpus):
            try:
                made = kept(corpus.path, SUGGESTIONS, Suggestions)
            except StoreError:  # damaged: they are made again
                made = None
        return made if made is not None and self._is_fresh(made, corpus) else None

    @property
    def is_making(self) -> bool:
        """Whether suggestions that are missing will come."""
        return self._thread is not None

    def close(self, seconds: float = 5.0) -> None:
        """Stop at the next step."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(seconds)

    def step_started(self, name: str) -> None:
        """Stop for whoever asks."""
        if self._closing.is_set() or not self._is_idle():
            raise RunStoppedError

    def _is_fresh(self, made: Suggestions, corpus: Corpus) -> bool:
        return made.version == corpus.version and made.model == self._session.model_name

    def _work(self) -> None:
        while not self._closing.wait(PAUSE):
            for name in self._catalog.corpora:
                try:
                    if self._is_idle() and self.of(name) is None:
                        with observing(self):
                            self._make(name, self._catalog.corpus(name))
                except RunStoppedError:
                    break
                except Exception as error:  # nothing may end this thread: a corpus may have gone meanwhile
                    log.warning("no questions could be suggested for %s: %s", name, error)
                    self._give_up(name)

    def _make(self, name: str, corpus: Corpus) -> None:
        draft = self._drafts.get(name)
        if draft is None or draft.version != corpus.version:
            version = corpus.version
            # One at a time: who asks meanwhile waits for one.
            written = self._session.run_search(write_questions(corpus, WRITTEN, seed=0, at_once=1))
            draft = self._drafts[name] = _Draft(version, written)
        while draft.written and len(draft.supported) < MOST:
            question = draft.written[0]
            answer = self._session.ask(question, corpus=corpus)
            draft.written.pop(0)
            if answer.verdict is Verdict.SUPPORTED:
                draft.supported.append(question)
        self._keep(name, corpus, draft)

    def _keep(self, name: str, corpus: Corpus, draft: _Draft) -> None:
        made = Suggestions(
            questions=tuple(draft.supported), version=draft.version, model=self._session.model_name
        )
        self._made[name] = made
        del self._drafts[name]
        try:
            keep(corpus.path, SUGGESTIONS, made)
        except StoreError as error:  # they are then known to this server only
            log.info("suggested questions are not kept: %s", error)

    def _give_up(self, name: str) -> None:
        """Leave a corpus without suggestions until its documents change or the server starts again."""
        try:
            version = self._catalog.corpus(name).version
        except ProbativeError:
            return
        self._made[name] = Suggestions(questions=(), version=version, model=self._session.model_name)
