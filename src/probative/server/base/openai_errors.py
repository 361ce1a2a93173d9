"""Errors in the shape that OpenAI clients read, and the route class that replies with them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from probative.errors import InputError, ProbativeError
from probative.server.base.errors import (
    RETRY_AFTER,
    ErrorDetail,
    NotThereError,
    detail_of,
    status_of,
    status_of_type,
)
from probative.server.base.validation_messages import first_problem, printable, unread_body
from probative.server.base.whole_text import WholeTextRoute
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
) -> Response:
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


def error_reply(error: ProbativeError) -> Response:
    """Return the reply with an error of ours."""
    param = getattr(error, "param", None)
    code = getattr(error, "code", None)
    if isinstance(error, UnknownModelError):
        param, code = "model", "model_not_found"
    return openai_error(status_of(error), message_of(detail_of(error)), param=param, code=code)


def openai_body(error: ProbativeError) -> dict[str, Any]:
    """Return the body of an error of ours."""
    return error_body(status_of(error), message_of(detail_of(error)))


def detail_reply(detail: ErrorDetail) -> Response:
    """Return the reply with the error of a run."""
    return openai_error(status_of_type(detail.type), message_of(detail))


def message_of(detail: ErrorDetail) -> str:
    """Return what happened and what to do, in one line.

    >>> message_of(ErrorDetail(type="InputError", message="k must be at least 1", hint="give another k"))
    'k must be at least 1 (give another k)'
    """
    return f"{detail.message} ({detail.hint})" if detail.hint else detail.message


class OpenAIRoute(WholeTextRoute):
    """A route whose errors have the shape of OpenAI's."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler of the route, with errors turned into replies."""
        handler = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handler(request)
            except ProbativeError as error:
                return error_reply(error)
            except RequestValidationError as error:
                return _shape_reply(error)
            except HTTPException as error:
                return openai_error(error.status_code, unread_body(error.__cause__) or str(error.detail))

        return handled


def _shape_reply(error: RequestValidationError) -> Response:
    problem = first_problem(error.errors())
    code = "unknown_parameter" if problem.kind == "extra_forbidden" else "invalid_value"
    return openai_error(400, problem.message, param=problem.field, code=code)
