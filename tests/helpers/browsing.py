"""A real server on a free port of this machine for tests in a browser, with models that follow a script."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audits import EVENT_ATTRIBUTES
from playwright.sync_api import Page
from served_app import served_app
from word_vectors import WordVectors

from probative import Session
from probative.corpus.corpus import Corpus
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.server.app import create_app
from probative.server.base.options import Limits, ServerOptions
from probative.server.state.catalog import Catalog
from probative.server.state.server_state import BenchReports
from probative.settings import Settings
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict

BROWSERS = ("/usr/bin/chromium", "/usr/bin/google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Taken before a test changes the environment.
_GIVEN = os.environ.get("PROBATIVE_CHROMIUM")

TRIPLES = [("willow bark", "contains", "salicin"), ("salicin", "eases", "pain")]
FERRIES = {
    "ships/heron.md": "# Grey Heron\n\nThe Grey Heron was designed by Marit Solberg and carried the mail.\n",
    "people/solberg.txt": "Marit Solberg was born in Vindal in 1868 😀 and learned engineering. "
    "She drew ships.\n",
    "weather.txt": "It rained for a week.\n",
}
ANSWERS = {"Grey Heron": "Vindal", "bridge": "1938"}


def browser_path() -> str | None:
    """Return the browser that tests use, if there is one."""
    found = [path for path in (_GIVEN, *BROWSERS) if path and Path(path).exists()]
    return found[0] if found else None


def scripted_reader(answers: dict[str, str] | None = None, **scripts: Any) -> ScriptedModel:
    """Return a reader that knows an answer for questions with a given word, and no other."""
    known = ANSWERS if answers is None else answers

    def read(request: Request) -> dict[str, float]:
        text = "\n".join(message.content for message in request.messages)
        asked = [answer for word, answer in known.items() if word in text and answer in text]
        return {asked[0]: 0.93, "unknown": 0.04} if asked else {"unknown": 0.9, "Nowhere": 0.05}

    return ScriptedModel(
        generate=lambda request: next(iter(read(request))), alternatives=read, reader=True, **scripts
    )


def scripted_session(answers: dict[str, str] | None = None, **tools: Any) -> Session:
    """Return a session with a scripted reader, which chooses by names and supports every answer."""
    chosen: dict[str, Any] = {
        "model": scripted_reader(answers),
        "policy": ScriptedPolicy(weigh_by_names),
        "verdict": ScriptedVerdict(judge_by_birth),
        "encoder": WordVectors(),
        "settings": Settings(cache=False),
    }
    return Session(**{**chosen, **tools})


def weigh_by_names(state: PolicyState) -> PolicyScores:
    """Prefer candidates that share names with the question and what is chosen; two passages are enough."""
    known = _names(" ".join((state.query, *state.chosen)))
    scores = tuple(float(len(known & _names(candidate))) for candidate in state.candidates)
    enough = len(state.chosen) >= 2
    return PolicyScores(scores, 9.0 if enough else -9.0, -9.0)


def _names(text: str) -> set[str]:
    return {word.strip(".,:?") for word in text.split() if word[0].isupper()}


def judge_by_birth(item: VerdictItem) -> VerdictScores:
    """Support every claim; what decides is the sentence about a birth. One sentence denies another one."""
    if "?" not in item.claim and len(item.evidence) == 1 and item.evidence[0] != item.claim:
        return VerdictScores(0.02, 0.95, 0.03, (1.0,))
    return VerdictScores(0.98, 0.01, 0.01, tuple(float(" born " in sentence) for sentence in item.evidence))


@dataclass
class Site:
    """A server that listens."""

    url: str
    app: Any


@contextmanager
def serve(
    data: Path,
    *,
    session: Session | None = None,
    corpora: dict[str, Corpus] | None = None,
    graphs: dict[str, Any] | None = None,
    limits: Limits | None = None,
    reports: BenchReports | None = None,
    **options: Any,
) -> Iterator[Site]:
    """Yield a server in a thread; it ends with the block."""
    chosen = ServerOptions(data=data, port=0, limits=limits or Limits(), **options)
    with (
        session or scripted_session() as opened,
        Catalog(corpora or {}, graphs or {"herbs": TRIPLES}) as catalog,
    ):
        app = create_app(opened, catalog, chosen, reports=reports)
        with served_app(app) as url:
            yield Site(f"{url}/", app)


@dataclass
class Watch:
    """What a page did that no page of ours may do."""

    origin: str
    problems: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    @property
    def unexpected(self) -> list[str]:
        """The problems that no test has waited for."""
        return [one for one in self.problems if not any(words in one for words in self.allowed)]

    def wait_for(self, page: Page, words: str) -> None:
        """Wait for a problem that the test brings about. What the console says may come after the page has
        shown it, and may come twice.
        """
        end = time.monotonic() + 60
        while not any(words in problem for problem in self.problems):
            assert time.monotonic() < end, self.problems
            page.wait_for_timeout(20)
        self.allowed.append(words)

    def follow(self, page: Page) -> None:
        """Note errors, refused content and requests to other hosts."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on("request", lambda request: self._request(request.url))
        page.on("dialog", lambda dialog: (self.problems.append("a dialog opened"), dialog.dismiss()))

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"{message.type}: {message.text}")

    def _request(self, url: str) -> None:
        if not url.startswith((self.origin, "data:", "blob:" + self.origin)):
            self.problems.append(f"request to another host: {url}")


def assert_only_text(page: Page, *texts: str) -> None:
    """Fail if a text became an element, or a script ran; drawings of our own may be there."""
    shown = page.locator("main").inner_text()
    for text in texts:
        assert text in shown
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, main svg:not(.lines, .legend svg), main iframe").count() == 0
    assert page.locator("a[href^='javascript:']").count() == 0
    assert page.evaluate(EVENT_ATTRIBUTES) == []
