"""Errors in the shape that OpenAI clients read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import JSONResponse

from probative.errors import InputError, ProbativeError
from probative.server.base.errors import (
    RETRY_AFTER,
    ErrorDetail,
    NotThereError,
    detail_of,
    status_of,
)
from probative.server.base.validation_messages import printable
from probative.types import Value

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
_CODES = {401: "invalid_api_key", 429: "rate_limit_exceeded"}
# The official client repeats a request after these unless it is told not to; repeating would not help.
_FINAL = (409, 500, 504)


class OpenAIErrorDetail(Value):
    """An error as OpenAI clients read it. `param` is the parameter at fault, if one is."""

    message: str
    type: str
    param: str | None = None
    code: str | None = None


class OpenAIErrorBody(Value):
    """The body of every reply of `/v1` that is an error."""

    error: OpenAIErrorDetail


class ParameterError(InputError):
    """A parameter asks for something that is not offered here, so that ignoring it would mislead."""

    def __init__(self, what: str, *, param: str, code: str = "unsupported_parameter", hint: str = "") -> None:
        super().__init__(what, hint=hint)
        self.param = param
        self.code = code


class UnknownModelError(NotThereError):
    """A model that is not registered."""

    param, code = "model", "model_not_found"


def is_openai_path(path: str) -> bool:
    """Return whether an address belongs to the OpenAI API."""
    return path == "/v1" or path.startswith("/v1/")


def openai_error(
    status: int,
    message: str,
    *,
    param: str | None = None,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return the reply with an error."""
    retry = {"Retry-After": RETRY_AFTER} if status == 429 else {}
    if status in _FINAL:
        retry["x-should-retry"] = "false"
    body = error_body(status, message, param=param, code=code)
    return JSONResponse(body, status, headers={**(headers or {}), **retry})


def error_body(
    status: int, message: str, *, param: str | None = None, code: str | None = None
) -> dict[str, Any]:
    """Return the body of an error.

    >>> error_body(429, "64 runs are waiting")["error"]["code"]
    'rate_limit_exceeded'
    """
    kind = _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")
    detail = OpenAIErrorDetail(
        message=printable(message),
        type=kind,
        param=None if param is None else printable(param),
        code=code or _CODES.get(status),
    )
    return OpenAIErrorBody(error=detail).to_dict()


def openai_reply(
    error: ProbativeError | ErrorDetail, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return the reply with an error of ours, or with that of a run."""
    param, code = getattr(error, "param", None), getattr(error, "code", None)
    return openai_error(status_of(error), message_of(error), param=param, code=code, headers=headers)


def message_of(error: ProbativeError | ErrorDetail) -> str:
    """Return what happened and what to do, in one line.

    >>> message_of(InputError("k must be at least 1", hint="give another k"))
    'k must be at least 1 (give another k)'
    """
    detail = detail_of(error)
    return f"{detail.message} ({detail.hint})" if detail.hint else detail.message
