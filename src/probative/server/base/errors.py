"""What a server refuses, and the HTTP status of every error."""

from __future__ import annotations

from typing import Any

from probative.errors import (
    BudgetError,
    CapabilityError,
    ContextError,
    InputError,
    MissingExtraError,
    ModelError,
    ProbativeError,
    SettingsError,
    SlowServerError,
    StoreError,
    UnreadableError,
)
from probative.server.base.validation_messages import printable
from probative.types import Value


class RefusedError(ProbativeError):
    """The host, the origin or the token of a request is not accepted; `status` is 401 or 403."""

    def __init__(self, what: str, *, status: int, hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.status = status


class NotThereError(ProbativeError):
    """A run, an upload, a corpus, a graph or a document that a request names does not exist."""


class ConflictError(ProbativeError):
    """A request cannot be fulfilled in the present state, such as a key that was used for another body."""


class TooLargeError(ProbativeError):
    """A body, a text or a file is larger than the server takes."""


class WrongTypeError(ProbativeError):
    """The body of a request is not of the type that the route takes."""


class QueueFullError(ProbativeError):
    """Too many runs wait already; `queue` says how many run and wait."""

    def __init__(self, queue: QueueState) -> None:
        super().__init__(
            f"{queue.waiting} runs are waiting, and no more than {queue.limit} may",
            hint="try again in a moment",
        )
        self.queue = queue


class ClosingError(ProbativeError):
    """The server is shutting down."""


class TimeLimitError(ProbativeError):
    """A run took longer than the server allows."""


class CancelledRunError(ProbativeError):
    """A run was cancelled."""


class ClientGoneError(ProbativeError):
    """The client that sent a request is gone: nobody waits for the reply."""


class InterruptedRunError(CancelledRunError):
    """A run was under way, or waited, when the server was stopped."""


class UnexpectedError(ProbativeError):
    """A fault of ours: what happened is in the log of the server."""


class QueueState(Value):
    """How many runs are under way, how many wait, and how many may wait."""

    running: int
    waiting: int
    limit: int


class ErrorDetail(Value):
    """An error: its type, what happened, and what to do."""

    type: str
    message: str
    hint: str | None = None
    field: str | None = None


class ErrorBody(Value):
    """The body of every reply that is an error. `queue` comes with 429."""

    error: ErrorDetail
    queue: QueueState | None = None


# What each status means, in `/api` and in `/v1`, which differ in the bodies of their errors.
_WORDS: dict[int, str] = {
    400: "The request cannot be used",
    401: "The token is missing or wrong; for `/v1`, it is the API key",
    402: "The budget of the server is spent",
    403: "The host or the origin is not accepted",
    404: "There is nothing of this name",
    409: "The run has ended, was cancelled, or the key came with another request",
    413: "The body is too large",
    415: "The body is not of the type that is taken",
    422: "The request has the wrong shape",
    429: "Too many runs wait; see Retry-After",
    500: "A fault of the server",
    502: "The model gave no usable answer",
    503: "The server is shutting down, or cannot keep runs",
    504: "The run took too long",
}
RETRY_AFTER = "2"

# The first class of a row that an error belongs to decides.
_STATUS: tuple[tuple[type[ProbativeError], int], ...] = (
    (NotThereError, 404),
    (ConflictError, 409),
    (CancelledRunError, 409),
    (TooLargeError, 413),
    (WrongTypeError, 415),
    (QueueFullError, 429),
    (ClientGoneError, 499),
    (ClosingError, 503),
    (StoreError, 503),
    (TimeLimitError, 504),
    (BudgetError, 402),
    (SlowServerError, 504),
    (CapabilityError, 400),
    (ContextError, 400),
    (InputError, 400),
    (UnreadableError, 400),
    (SettingsError, 400),
    (MissingExtraError, 400),
    (ModelError, 502),
)


def documented(body: type[Value], *statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what OpenAPI says of errors with this body: of these statuses, or of all.

    >>> documented(ErrorBody, 404)[404]["description"]
    'There is nothing of this name'
    """
    return {status: {"model": body, "description": _WORDS[status]} for status in statuses or _WORDS}


def status_of(error: ProbativeError | ErrorDetail) -> int:
    """Return the HTTP status of an error, or of one that a kept run has.

    >>> status_of(InputError("k must be at least 1, got 0")), status_of(ModelError("no answer"))
    (400, 502)
    >>> status_of(ErrorDetail(type="TimeLimitError", message="")), status_of(UnexpectedError(""))
    (504, 500)
    """
    if isinstance(error, RefusedError):
        return error.status
    name = error.type if isinstance(error, ErrorDetail) else type(error).__name__
    return next((status for kind, status in _STATUS if name in _names(kind)), 500)


def _names(kind: type[ProbativeError]) -> set[str]:
    return {kind.__name__}.union(*(_names(inner) for inner in kind.__subclasses__()))


def detail_of(error: ProbativeError | ErrorDetail) -> ErrorDetail:
    """Return an error as replies and events show it.

    >>> detail_of(InputError("k must be at least 1, got 0", hint="give another k")).hint
    'give another k'
    """
    if isinstance(error, ErrorDetail):
        return error
    return ErrorDetail(
        type=type(error).__name__, message=printable(error.what), hint=printable(error.hint) or None
    )


def body_of(error: ProbativeError | ErrorDetail) -> dict[str, Any]:
    """Return the body of a reply with an error."""
    queue = error.queue if isinstance(error, QueueFullError) else None
    return ErrorBody(error=detail_of(error), queue=queue).model_dump(mode="json", exclude_none=True)
