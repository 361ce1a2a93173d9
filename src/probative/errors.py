"""The errors of Probative. Each says what happened, with the value, and what to do next.

ProbativeError
├── ModelError              a language model or an encoder gave no result
│   ├── ServerError         the server gave no usable reply
│   │   ├── AuthError       401, 403
│   │   ├── NotFoundError   404: the server has no such model or route
│   │   ├── RequestError    other 4xx: the server refuses this request
│   │   ├── RateLimitError  429 after all retries
│   │   ├── OverloadError   5xx after all retries
│   │   ├── ConnectError    no connection, or a broken one, after all retries
│   │   ├── SlowServerError no reply within the time-out, after all retries
│   │   └── ReplyError      a reply that is malformed, truncated or empty
│   ├── CapabilityError     the model does not have this verb
│   ├── ContextError        the prompt is longer than the model's window
│   ├── EmptyError          the model wrote nothing
│   ├── OutputError         the output does not fit the schema after one repair
│   ├── BudgetError         the next call would exceed the budget
│   └── BatchError          some requests of a batch failed; has the results of the others
├── InUseError              another run is writing the same output file or index
├── InputError              an argument or a file cannot be used (also a ValueError)
├── UnreadableError         a document has no text that can be read
│   ├── ReadingLimitError   its reading took too long, or too much memory
│   └── ReaderCrashError    it ended the process that read it
├── SettingsError           an option, a variable or an entry of probative.toml is invalid
├── MissingExtraError       an optional part is not installed
├── WeightsError            the embedded weights cannot be fetched, checked or converted
├── StoreError              the response cache or an index cannot be read or written
└── WorkerError             a worker process ended before its task was done
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from probative.types import Usage

DISTRIBUTION = "probative-evidence"
"""What pip calls this package; the import and the command are `probative`."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra.

    >>> install_command("serve")
    "pip install 'probative-evidence[serve]'"
    """
    return f"pip install '{DISTRIBUTION}[{extra}]'"


class ProbativeError(Exception):
    """The base of all errors: `what` says what happened, `hint` what to do."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(f"{what}\n  → {hint}" if hint else what)
        self.what = what
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the state, so that errors with any constructor pass between processes."""
        return _rebuilt, (type(self), self.args, self.__dict__)


def _rebuilt(kind: type[ProbativeError], args: tuple[Any, ...], state: dict[str, Any]) -> ProbativeError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class InputError(ProbativeError, ValueError):
    """An argument or a file cannot be used."""


class UnreadableError(ProbativeError):
    """A document has no text that can be read; `reason` is one or two words, such as "encrypted"."""

    def __init__(self, reason: str, what: str, *, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.reason = reason


class ReadingLimitError(UnreadableError):
    """The reading of a file was ended at a limit; `reason` is "time" or "memory"."""


class ReaderCrashError(UnreadableError):
    """The process that read a file ended before it had replied; `reason` is "crash"."""


class InUseError(ProbativeError):
    """Another run is writing the same output file or index."""


class SettingsError(ProbativeError):
    """An option, an environment variable or an entry of probative.toml is invalid."""


class MissingExtraError(ProbativeError, ImportError):
    """An optional part is not installed."""

    def __init__(self, extra: str, why: str) -> None:
        super().__init__(f"{why} needs the extra '{extra}'", hint=install_command(extra))
        self.extra = extra


class WeightsError(ProbativeError):
    """The embedded weights cannot be fetched, checked or converted."""


class StoreError(ProbativeError):
    """The response cache or an index cannot be read or written."""


class WorkerError(ProbativeError):
    """A worker process ended before its task was done."""


class ModelError(ProbativeError):
    """A language model or an encoder gave no result.

    `usage` is the cost of the failed call, or None if it is unknown.
    """

    usage: Usage | None = None


class CapabilityError(ModelError):
    """The model does not have this verb."""


class ContextError(ModelError):
    """The prompt with its continuation or output is longer than the model's window."""

    def __init__(self, what: str, *, tokens: int | None = None, window: int | None = None) -> None:
        super().__init__(what, hint="shorten the text, split it, or use a model with a larger window")
        self.tokens = tokens
        self.window = window


class EmptyError(ModelError):
    """The model wrote nothing."""


class OutputError(ModelError):
    """The model's output does not fit the schema after one repair request.

    `raw` is the output, `step` the step of the trace in which it was requested.
    """

    def __init__(
        self, what: str, *, raw: str, model: str, step: str, finish_reason: str, hint: str = ""
    ) -> None:
        shown = raw if len(raw) <= 300 else raw[:300] + "…"
        location = f" in step '{step}'" if step else ""
        super().__init__(
            f"{model}{location}: {what} (finish reason: {finish_reason}); raw output: {shown!r}", hint=hint
        )
        self.raw = raw
        self.model = model
        self.step = step
        self.finish_reason = finish_reason


class BudgetError(ModelError):
    """The next call would exceed the budget, so it was not made.

    `results` has the results of the batch so far, by request; None for the others.
    """

    def __init__(self, what: str, *, hint: str = "", results: Sequence[Any] = ()) -> None:
        super().__init__(what, hint=hint)
        self.results = list(results)


class BatchError(ModelError):
    """Some requests of a batch failed: `errors` by index; `results` of the others by index, None for these.

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
    """The server gave no usable reply.

    `retry_after` is the number of seconds that the server asks to wait; `final` means that a retry cannot
    help.
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
    """The server refuses this request (other 4xx)."""


class RateLimitError(ServerError):
    """The server asks for fewer requests (429), after all retries."""


class OverloadError(ServerError):
    """The server failed (5xx), after all retries."""


class ConnectError(ServerError):
    """There is no connection to the server, or it broke, after all retries."""


class SlowServerError(ServerError):
    """The server gave no reply within the time-out, after all retries."""


class ReplyError(ServerError):
    """The server's reply is malformed, truncated or empty."""
