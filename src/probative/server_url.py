"""The address of a server, whose credentials are never shown or stored."""

from __future__ import annotations

import re
from typing import Annotated, Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from pydantic import PlainSerializer, PlainValidator

# A regular expression rather than a parser: an address that cannot be parsed may hold a key as well.
_LOGIN = re.compile(r"^(\s*[\w.+-]*:?//)?[^?#]*@")
_SENSITIVE = r"[^=&#?]*(?:key|token|secret|passw|auth|sig|credential)[^=&#]*"
_SENSITIVE_PARAMETER = re.compile(rf"([?&]{_SENSITIVE}=)[^&#]+", re.IGNORECASE)


class ServerUrl(str):
    """An address whose text is masked; `secret` is the whole address, for the client alone.

    >>> address = ServerUrl("https://ann:pa55@example.org/v1?api_key=k3y&version=2")
    >>> str(address)
    'https://***@example.org/v1?api_key=***&version=2'
    >>> address.secret
    'https://ann:pa55@example.org/v1?api_key=k3y&version=2'
    """

    secret: str

    def __new__(cls, address: str) -> ServerUrl:
        """Mask `address`; a `ServerUrl` keeps the secret it has."""
        masked = _SENSITIVE_PARAMETER.sub(r"\1***", _LOGIN.sub(r"\1***@", address))
        url = super().__new__(cls, masked)
        url.secret = address.secret if isinstance(address, ServerUrl) else address
        return url


class Endpoint(NamedTuple):
    """The parts of an address that a client needs."""

    base_url: str
    """The address without credentials, query and fragment."""
    login: tuple[str, str] | None
    """User name and password, sent as basic authentication."""
    query: str
    """The query that is sent with every request."""
    secrets: tuple[str, ...]
    """The strings that must not appear in a message."""


def endpoint(address: str) -> Endpoint:
    """Split an address into its parts; raises `ValueError` for an address that has no host.

    >>> endpoint("https://ann:pa55@example.org:80/v1/?api_key=k3y")[:3]
    ('https://example.org:80/v1', ('ann', 'pa55'), 'api_key=k3y')
    """
    parts = urlsplit(ServerUrl(address).secret)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("an address has the form http://HOST:PORT/v1")
    host = parts.netloc.rpartition("@")[2]
    login = None
    if parts.username is not None:
        login = unquote(parts.username), unquote(parts.password or "")
    parameters = parse_qsl(parts.query, keep_blank_values=True)
    values = [value for name, value in parameters if re.fullmatch(_SENSITIVE, name, re.IGNORECASE)]
    return Endpoint(
        urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", "")),
        login,
        urlencode(parameters),
        tuple(secret for secret in ((login[1] or login[0]) if login else "", *values) if secret),
    )


def _validated(value: Any) -> ServerUrl:
    if not isinstance(value, str):
        raise ValueError("an address is a string")
    return ServerUrl(value.strip()) if not isinstance(value, ServerUrl) else value


Url = Annotated[str, PlainValidator(_validated), PlainSerializer(str)]
"""The type of a pydantic field that holds a `ServerUrl`."""
