"""A test that opens a model says so: with the mark `model`, or `slow`. One that does not say so fails.

To open a model is to load weights, tiny ones included, into an engine in this process: CTranslate2 or
transformers. The static encoder has no engine: its table is a file that is mapped into memory. A doctest has
no marks; those that open a model are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from _pytest.doctest import DoctestItem

MARKS = ("model", "slow")
# The doctests that open a model: examples of the verbs, of a session, of judged claims and of the package.
DOCTESTS = {
    "probative",
    "probative.models.loading.load_model",
    "probative.models.loading.load_policy",
    "probative.session.session.Session",
    "probative.verify.judged_claims.JudgedClaims",
    *(
        f"probative.{place}"
        for verb in ("ask", "check", "prove", "reason", "verify")
        for place in (f"verbs.{verb}.bind", f"session.default.{verb}", f"session.session.Session.{verb}")
    ),
}


class OpenedModels:
    """Which test runs now, and what was opened for it: in its own body or in a fixture that it shares."""

    def __init__(self) -> None:
        self.item: pytest.Item | None = None
        self.unmarked: list[str] = []
        self._fixtures: list[pytest.FixtureDef[Any]] = []
        self._openers: dict[tuple[str, str], str] = {}

    def note(self, what: str) -> None:
        """Take down that a model is opened now; fails a test that has no mark for it."""
        for fixture in self._fixtures:
            self._openers[fixture.baseid, fixture.argname] = what
        self._refuse(what)

    def _refuse(self, what: str) -> None:
        if self.item is not None and not may_open(self.item):
            self.unmarked.append(what)
            pytest.fail(message(self.item, what), pytrace=False)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        """Remember the test that runs."""
        self.item, self.unmarked = item, []
        try:
            return (yield)
        finally:
            self.item = None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
        """Remember the fixture that is made."""
        self._fixtures.append(fixturedef)
        try:
            return (yield)
        finally:
            self._fixtures.pop()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        """Fail a test whose fixture opened a model for an earlier test."""
        info = getattr(item, "_fixtureinfo", None)
        for chain in info.name2fixturedefs.values() if info is not None else ():
            used = chain[-1]  # a fixture of the file itself hides one of the same name above it
            if (what := self._openers.get((used.baseid, used.argname))) is not None:
                self._refuse(what)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Forget what a test has failed for already."""
        if report.failed:
            self.unmarked = []

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Fail a test of which a thread opened a model, or that caught the failure."""
        if self.unmarked:
            pytest.fail(message(item, self.unmarked[0]), pytrace=False)


def may_open(item: pytest.Item) -> bool:
    """Return whether a test says that it opens a model."""
    if isinstance(item, DoctestItem):
        return item.name in DOCTESTS
    return any(item.get_closest_marker(mark) is not None for mark in MARKS)


def message(item: pytest.Item, what: str) -> str:
    """Return why a test failed, and what to do."""
    todo = "list it in tests/helpers/model_marks.py" if isinstance(item, DoctestItem) else "mark it `model`"
    return f"{item.nodeid} opened a model without its mark: {what}. Use a scripted model, or {todo}."


OPENED = OpenedModels()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(OPENED, "opened_models")


@pytest.fixture(autouse=True, scope="session")
def _noted_transformers() -> Iterator[None]:
    """Note every model of transformers. The fixture that shares engines notes those of CTranslate2."""
    from probative.models.hf.runtime import Runtime

    start = Runtime.__init__

    def noted(self: Runtime, name: str, *arguments: Any, **options: Any) -> None:
        OPENED.note(f"hf:{name}")
        start(self, name, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Runtime, "__init__", noted)
        yield
