"""One run of a verb: how a case becomes a search, and what was found a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from probative.engine.runner import Finished, run_searches
from probative.engine.search import Search, fail
from probative.engine.tools import Tools
from probative.errors import InputError, ProbativeError, UnreadableError
from probative.trace import Trace
from probative.types import Value
from probative.usage import Usage

Case = TypeVar("Case")
RawResult = TypeVar("RawResult")
Result = TypeVar("Result", bound=Value)


@dataclass(frozen=True)
class VerbRun(Generic[Case, RawResult, Result]):
    """A verb with its arguments bound, as a session runs it for one case or for many.

    `read` turns what the caller gave into a case and raises `InputError` if it cannot; `search` starts the
    method; `result` makes the value that the caller gets.
    """

    name: str
    read: Callable[[Any], Case]
    search: Callable[[Case, Tools], Search[RawResult]]
    result: Callable[[Case, Finished[RawResult], Tools], Result]

    def run(
        self, case: Any, tools: Tools, progress: Callable[[Usage], None] | None = None
    ) -> tuple[Result | ProbativeError, Usage]:
        """Run one case; returns its result with its trace, or its error, and what it cost."""
        with Trace(self.name) as trace:
            prepared = self.read(case)
            ((_, finished),) = run_searches([self.search(prepared, tools)], tools, progress=progress)
        finished.usage = finished.usage.model_copy(update={"seconds": trace.root.seconds})
        if finished.error is not None:
            return finished.error, finished.usage
        result = _noted(self.result(prepared, finished, tools), tools)
        return result.model_copy(update={"trace": trace.root}), finished.usage

    def run_all(
        self, cases: Iterable[Any], tools: Tools, max_active: int
    ) -> Iterator[tuple[int, Result | ProbativeError, Usage]]:
        """Run many cases side by side; yields the index, the result or the error, and the cost of each."""
        active: dict[int, Case] = {}

        def searches() -> Iterator[Search[RawResult]]:
            for index, given in enumerate(cases):
                try:
                    active[index] = self.read(given)
                    yield self.search(active[index], tools)
                except (InputError, UnreadableError) as error:  # the other cases go on
                    yield fail(error)

        for index, finished in run_searches(searches(), tools, max_active=max_active):
            case = active.pop(index, None)
            if finished.error is not None or case is None:
                assert finished.error is not None
                yield index, with_usage(finished.error, finished.usage), finished.usage
            else:
                yield index, _noted(self.result(case, finished, tools), tools), finished.usage


def _noted(result: Result, tools: Tools) -> Result:
    """Return a result with a note of what its models turned out not to be able to do."""
    limits = tools.limits
    return result.model_copy(update={"notes": (*getattr(result, "notes", ()), *limits)}) if limits else result


def with_usage(error: ProbativeError, usage: Usage) -> ProbativeError:
    """Return a copy of an error that has the cost of its own case: several cases may share one error."""
    own = type(error).__new__(type(error))
    own.__dict__.update(error.__dict__)
    own.args, own.__cause__, own.__traceback__ = error.args, error.__cause__, error.__traceback__
    own.__dict__["usage"] = usage
    return own
