"""A server on loopback whose answers are scripted by the question, for tests with the official client."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from served_app import served_app
from small_corpus import write

from probative import Session
from probative.corpus.corpus import Corpus
from probative.errors import ModelError
from probative.models.verdict import VerdictScores
from probative.scope.result import Answer, ChainPassage, CitedSentence, Conflict, Level
from probative.server.app import create_app
from probative.server.base.options import Limits, ServerOptions
from probative.server.state.catalog import Catalog
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedVerdict
from probative.types import Usage, Verdict

MODEL = "probative/ferries"
SUPPORTED = "Where was the Heron built?"
INSUFFICIENT = "Who painted the Heron?"
CONTRADICTED = "How many seats does the Heron have?"
PROBABLE = "In which town was the ship built that Ada Berg commanded?"
FAILING = "What breaks the model?"
SLOW = "How long is a run that is never done?"
USAGE = Usage(calls=3, prompt_tokens=40, completion_tokens=2, scored_tokens=60)
DOCUMENTS = {
    "ferries.md": "# Ferries\n\nThe Heron was built in Molde. It has 40 seats.\n",
    "news.md": "# News\n\nThe Heron has 44 seats.\n",
}
BUILT = "The Heron was built in Molde."
COMMANDED = "Ada Berg commanded the Heron."


def asked(question: str) -> Any:
    """Return the messages of a conversation that is one question."""
    return [{"role": "user", "content": question}]


class AnsweringSession(Session):
    """A session whose `ask` answers by a table. `seen` are the arguments of every call."""

    seen: list[tuple[str, dict[str, Any]]]

    def ask(self, question: str, passages: Any = (), **named: Any) -> Answer:
        """Return the scripted answer; a slow question goes on until it is cancelled."""
        self.seen.append((question, named))
        if question == FAILING:
            raise ModelError("the model's server gave no answer")
        while question == SLOW:
            named["progress"](Usage(calls=1))
            time.sleep(0.01)
        return ANSWERS[question]


def answering_session() -> AnsweringSession:
    """Return a session with scripted answers; its models are never asked."""
    session = AnsweringSession(
        model=ScriptedModel(generate="Molde", name="embedded"),  # which rewrites no follow-ups
        verdict=ScriptedVerdict(lambda item: VerdictScores(0.9, 0.05, 0.05, (1.0,) * len(item.evidence))),
        settings=Settings(cache=False),
    )
    session.seen = []
    return session


CHAIN = (
    ChainPassage(
        index=0,
        title="Ferries",
        source="ferries.md",
        text=f"{BUILT} It has 40 seats.",
        citation="ferries.md#char=11,57",
    ),
)
ANSWERS = {
    SUPPORTED: Answer(
        question=SUPPORTED,
        answer="Molde",
        verdict=Verdict.SUPPORTED,
        certainty=0.9,
        complete=True,
        chain=CHAIN,
        citations=(0,),
        cited=(CitedSentence(index=0, text=BUILT, start=0, end=29, citation="ferries.md#char=11,40"),),
        usage=USAGE,
    ),
    INSUFFICIENT: Answer(
        question=INSUFFICIENT,
        answer=None,
        candidate="Ole Brandt",
        verdict=Verdict.INSUFFICIENT,
        reason="the model finds no answer in the chain",
        missing=("relation: painted the Heron",),
        chain=CHAIN,
        usage=USAGE,
    ),
    PROBABLE: Answer(
        question=PROBABLE,
        answer=None,
        candidate="Molde",
        certainty=0.62,
        verdict=Verdict.INSUFFICIENT,
        level=Level.PROBABLE,
        reason="the answer is too uncertain",
        chain=(*CHAIN, ChainPassage(index=1, text=COMMANDED, citation="crew.md#char=8,37")),
        citations=(0,),
        cited=(CitedSentence(index=0, text=BUILT, start=0, end=29, citation="ferries.md#char=11,40"),),
        leading=(CitedSentence(index=1, text=COMMANDED, start=0, end=29, citation="crew.md#char=8,37"),),
        usage=USAGE,
    ),
    CONTRADICTED: Answer(
        question=CONTRADICTED,
        answer=None,
        candidate="40",
        verdict=Verdict.CONTRADICTED,
        reason="the passages contradict one another: [1] says 40, [2] says 44",
        chain=CHAIN,
        conflicts=(
            Conflict(
                index=0,
                other=1,
                says="40",
                instead="44",
                text="It has 40 seats.",
                other_text="The Heron has 44 seats.",
                blocking=True,
                citation="ferries.md#char=41,57",
                other_citation="news.md#char=8,31",
            ),
        ),
        usage=USAGE,
    ),
}


@contextmanager
def listening(
    folder: Path,
    *,
    session: Session | None = None,
    limits: Limits | None = None,
    folder_of_corpus: Path | None = None,
    **options: Any,
) -> Iterator[str]:
    """Serve a corpus `ferries` on a free port of loopback; yields the address without a path."""
    documents = folder_of_corpus or write(folder / "documents", DOCUMENTS)
    chosen = ServerOptions(port=0, data=folder / "data", limits=limits or Limits(), **options)
    with (
        _home(folder / "home"),
        session or answering_session() as opened,
        Corpus.open(
            documents, vectors=folder_of_corpus is not None, settings=Settings(cache=False)
        ) as corpus,
        Catalog({"ferries": corpus}) as catalog,
        served_app(create_app(opened, catalog, chosen)) as url,
    ):
        yield url


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROBATIVE_HOME", str(folder))
        yield


def eventually(condition: Callable[[], bool]) -> bool:
    """Return whether a condition comes true within two minutes."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False
