"""Every error that Probative raises on purpose. Each says what happened and what to do next.

ProbativeError
├── ModelError              a language model or encoder did not give a result
│   ├── ServerError         the server did not answer as it should
│   │   ├── AuthError       401, 403
│   │   ├── NotFoundError   404: no such model or route
│   │   ├── RequestError    another 4xx: the server refuses this request
│   │   ├── RateLimitError  429, even after the retries
│   │   ├── OverloadError   5xx, even after the retries
│   │   ├── ConnectError    no connection, or it broke, even after the retries
│   │   ├── SlowServerError no answer in time, even after the retries
│   │   └── ReplyError      an answer that is malformed or truncated
│   ├── CapabilityError     it cannot do what was asked at all
│   ├── ContextError        the prompt is longer than its window
│   ├── EmptyError          it wrote nothing
│   ├── OutputError         its output does not fit the schema, even after one repair
│   ├── BudgetError         the next call would exceed the budget
│   └── BatchError          some requests of a batch failed; carries the others' results
├── InUseError              another run is writing the same output file
├── InputError              what was passed in cannot be used (also a ValueError)
├── SettingsError           an option, variable or probative.toml entry is wrong
├── MissingExtraError       an optional part is not installed
├── WeightsError            the embedded weights could not be fetched, checked or converted
└── StoreError              the response cache cannot be read or written
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from probative.usage import Usage


class ProbativeError(Exception):
    """Something went wrong; `hint` says what to do about it."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(f"{what}\n  → {hint}" if hint else what)
        self.what = what
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors travel between processes, whatever their constructors ask for."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[ProbativeError], args: tuple[Any, ...], state: dict[str, Any]) -> ProbativeError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(ProbativeError, ValueError):
    """What was passed in cannot be used."""


class InUseError(ProbativeError):
    """Another run is writing the same output file."""


class SettingsError(ProbativeError):
    """An option, an environment variable or an entry of probative.toml is wrong."""


class MissingExtraError(ProbativeError, ImportError):
    """An optional part is not installed."""

    def __init__(self, extra: str, why: str) -> None:
        super().__init__(f"{why} needs the extra '{extra}'", hint=f"pip install 'probative[{extra}]'")
        self.extra = extra


class WeightsError(ProbativeError):
    """The embedded weights could not be fetched, checked or converted."""


class StoreError(ProbativeError):
    """The response cache cannot be read or written."""


class ModelError(ProbativeError):
    """A language model or an encoder did not give a result.

    `usage` is what it cost all the same, where that is known.
    """

    usage: Usage | None = None


class CapabilityError(ModelError):
    """The model cannot do what was asked at all."""


class ContextError(ModelError):
    """The prompt, or the prompt with its continuation, is longer than the model's window."""

    def __init__(self, what: str, *, tokens: int | None = None, window: int | None = None) -> None:
        super().__init__(
            what, hint="shorten the text, send less of it at a time, or use a model with a larger window"
        )
        self.tokens = tokens
        self.window = window


class EmptyError(ModelError):
    """The model wrote nothing that could be used."""


class OutputError(ModelError):
    """The model's output does not fit the schema, even after one repair request.

    Carries everything needed to see why: the raw text, the model, the step and the finish reason.
    """

    def __init__(
        self, what: str, *, raw: str, model: str, step: str, finish_reason: str, hint: str = ""
    ) -> None:
        shown = raw if len(raw) <= 300 else raw[:300] + "…"
        where = f" in step '{step}'" if step else ""
        super().__init__(
            f"{model}{where}: {what} (finish reason: {finish_reason}); raw output: {shown!r}", hint=hint
        )
        self.raw = raw
        self.model = model
        self.step = step
        self.finish_reason = finish_reason


class BudgetError(ModelError):
    """The next call would exceed the budget, so it was not made.

    `results` holds what the same batch had done by then, at its places.
    """

    def __init__(self, what: str, *, hint: str = "", results: Sequence[Any] = ()) -> None:
        super().__init__(what, hint=hint)
        self.results = list(results)


class BatchError(ModelError):
    """Some requests of a batch failed. The others' results are in `results`, at their places.

    >>> failed = BatchError(["fine", None], {1: ModelError("no answer")})
    >>> failed.results[0], list(failed.errors)
    ('fine', [1])
    """

    def __init__(self, results: Sequence[Any], errors: Mapping[int, ModelError]) -> None:
        kinds = Counter(type(error).__name__ for error in errors.values())
        counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        first = errors[min(errors)]
        super().__init__(
            f"{len(errors)} of {len(results)} requests failed ({counted}); the first: {first.what}",
            hint=first.hint,
        )
        self.results = list(results)
        self.errors = dict(errors)


class ServerError(ModelError):
    """The server did not answer as it should.

    `retry_after` is how many seconds it asked to wait; `final` that no retry can help.
    """

    def __init__(
        self,
        what: str,
        *,
        hint: str = "",
        status: int | None = None,
        body: str = "",
        retry_after: float | None = None,
        final: bool = False,
    ) -> None:
        super().__init__(what, hint=hint)
        self.status = status
        self.body = body
        self.retry_after = retry_after
        self.final = final


class AuthError(ServerError):
    """The server refuses the key (401, 403)."""


class NotFoundError(ServerError):
    """The server has no such model or route (404)."""


class RequestError(ServerError):
    """The server refuses this request (another 4xx)."""


class RateLimitError(ServerError):
    """The server asks to slow down (429), even after the retries."""


class OverloadError(ServerError):
    """The server failed (5xx), even after the retries."""


class ConnectError(ServerError):
    """No connection to the server, or it broke, even after the retries."""


class SlowServerError(ServerError):
    """No answer within the time-out, even after the retries."""


class ReplyError(ServerError):
    """The server's answer is malformed or truncated."""
