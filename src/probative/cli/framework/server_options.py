"""The options that `serve` and `mcp` share: what is registered, and where the server listens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from probative.cli.framework.command import OptionGroup
from probative.errors import InputError

address_option = partial(typer.Option, rich_help_panel="Address")


@dataclass(frozen=True)
class RegisteredOptions(OptionGroup):
    """The corpora and graphs that clients may use, by name."""

    corpus: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FOLDER-or-INDEX",
            help="Register documents: a folder, which is indexed, or an index. May be repeated.",
        ),
    ] = None
    graph: Annotated[
        list[str] | None, typer.Option(metavar="NAME=FILE", help="Register a graph. May be repeated.")
    ] = None

    def corpora(self) -> dict[str, Path]:
        """Return the paths of the corpora by name; raises `InputError`."""
        return named_paths(self.corpus, "--corpus")

    def graphs(self) -> dict[str, Path]:
        """Return the paths of the graphs by name; raises `InputError`."""
        return named_paths(self.graph, "--graph")


@dataclass(frozen=True)
class AddressOptions(OptionGroup):
    """Where a server listens, and who is let in."""

    host: Annotated[
        str | None,
        address_option(
            help="The address to listen on (default: 127.0.0.1). Another than loopback needs a token."
        ),
    ] = None
    port: Annotated[
        int | None,
        address_option(min=0, max=65535, help="The port (default: 8377; of mcp: 8378). 0 takes a free one."),
    ] = None
    token: Annotated[
        str | None,
        address_option(
            envvar="PROBATIVE_TOKEN",
            show_envvar=False,
            help="What clients must send. Safer: the variable PROBATIVE_TOKEN.",
        ),
    ] = None
    allow_host: Annotated[
        list[str] | None,
        address_option(
            metavar="NAME",
            help="Accept this name in the Host header, such as that of a proxy. May be repeated.",
        ),
    ] = None

    def given(self) -> list[str]:
        """Return the options that were given on the command line. A token may be in the environment."""
        values = {"--host": self.host, "--port": self.port, "--allow-host": self.allow_host}
        return [name for name, value in values.items() if value is not None]

    def fields(self, *, port: int) -> dict[str, Any]:
        """Return them as fields of `probative.server.base.options.ServerOptions`; `port` is the default.

        >>> AddressOptions(host="::1").fields(port=8377)
        {'host': '::1', 'port': 8377, 'token': None, 'allowed_hosts': ()}
        """
        return {
            "host": self.host or "127.0.0.1",
            "port": port if self.port is None else self.port,
            "token": self.token or None,
            "allowed_hosts": tuple(self.allow_host or ()),
        }


def named_paths(given: list[str] | None, option: str) -> dict[str, Path]:
    """Return paths by name, from NAME=PATH; raises `InputError`.

    >>> {name: str(path) for name, path in named_paths(["here=."], "--corpus").items()}
    {'here': '.'}
    """
    paths: dict[str, Path] = {}
    for pair in given or []:
        name, equals, path = (part.strip() for part in pair.partition("="))
        if not equals or not name or not path:
            raise InputError(f"{option} must be NAME=PATH, got {pair!r}", hint=f"{option} docs=documents")
        if name in paths:
            raise InputError(f"{option} has the name {name!r} twice")
        paths[name] = Path(path).expanduser()
        if not paths[name].exists():
            raise InputError(f"there is nothing at {path}", hint=f"{option} NAME=PATH")
    return paths


def runs_at_once(model: str) -> int:
    """Return how many runs a server carries out at a time: few if the model is in this process.

    >>> runs_at_once("embedded"), runs_at_once("openai:Qwen3-8B")
    (2, 16)
    """
    return 2 if is_in_process(model) else 16


def is_in_process(model: str) -> bool:
    """Return whether a model works in this process, and not on a server that may take money for each call.

    >>> is_in_process("embedded:large"), is_in_process("openai:Qwen3-8B")
    (True, False)
    """
    return model.startswith(("embedded", "hf:"))
