"""How a server runs: where it listens, who may call it, and its limits."""

from __future__ import annotations

import ipaddress
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, SecretStr

from probative.errors import InputError
from probative.types import Value

PORT = 8377
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Limits(Value):
    """What one request may bring, and how much runs at a time."""

    body_bytes: int = Field(default=8_000_000, ge=1_000, description="largest JSON body")
    upload_bytes: int = Field(default=50_000_000, ge=1_000, description="largest file")
    uploads_bytes: int = Field(default=500_000_000, ge=1_000, description="all files together")
    corpora_bytes: int = Field(
        default=20_000_000_000,
        ge=1_000_000,
        description="all corpora that were made on the server, with their indexes",
    )
    upload_hours: float = Field(default=24.0, gt=0, description="how long a file is kept")
    read_seconds: float = Field(default=60.0, gt=0, description="longest reading of a file")
    read_memory_bytes: int = Field(
        default=2_000_000_000,
        ge=256_000_000,
        description="memory of a process that reads files, where the system can limit it",
    )
    readers: int = Field(default=2, ge=1, description="files that are read at a time; others wait")
    passages: int = Field(default=2_000, ge=1, description="passages of a request")
    text_characters: int = Field(default=400_000, ge=1, description="characters of a text to verify")
    triples: int = Field(default=5_000, ge=1, description="triples of a request")
    run_seconds: float = Field(default=600.0, gt=0, description="longest run")
    runs_at_once: int = Field(default=2, ge=1, description="runs at a time")
    queue: int = Field(default=64, ge=0, description="runs that wait")
    kept_runs: int = Field(default=2_000, ge=1, description="runs that are kept; the oldest go first")
    kept_bytes: int = Field(
        default=2_000_000_000,
        ge=1_000_000,
        description="bytes of these runs; the oldest go first",
    )


class ServerOptions(Value):
    """Where a server listens and keeps its runs. Another address than loopback needs a `token`.

    `allowed_hosts` are further names in the `Host` header, such as that of a proxy. With `suggest`, the model
    makes questions about each corpus while no run works. With `choose_model`, a request may name one of the
    embedded models in the place of the server's.

    >>> ServerOptions(host="0.0.0.0").checked()
    Traceback (most recent call last):
    probative.errors.InputError: the address 0.0.0.0 can be reached from other machines, and there is no token
      → set PROBATIVE_TOKEN to a long random text, or listen on 127.0.0.1
    """

    host: str = "127.0.0.1"
    port: int = Field(default=PORT, ge=0, le=65535)
    token: SecretStr | None = None
    allowed_hosts: tuple[str, ...] = ()
    suggest: bool = False
    choose_model: bool = True
    data: Path = Field(default_factory=lambda: user_data_path("probative") / "server")
    limits: Limits = Limits()

    def checked(self) -> ServerOptions:
        """Return the options; raises `InputError` if the server would be open to everyone."""
        if not is_loopback(self.host) and self.token is None:
            raise InputError(
                f"the address {self.host} can be reached from other machines, and there is no token",
                hint="set PROBATIVE_TOKEN to a long random text, or listen on 127.0.0.1",
            )
        if self.token is not None:
            _check_token(self.token.get_secret_value())
        return self


def _check_token(token: str) -> None:
    hint = 'python -c "import secrets; print(secrets.token_urlsafe())" makes one'
    if len(token) < 16:
        raise InputError("the token is shorter than 16 characters", hint=hint)
    # Clients encode other characters in different ways, or not at all.
    if not all("!" <= character <= "~" for character in token):
        raise InputError("the token may have only ASCII characters, and no spaces", hint=hint)


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
