"""What the command lines `python -m training.PACKAGE` share.

A command is named after its function, and the options of a training come from a dataclass of settings.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import MISSING, field, fields
from pathlib import Path
from typing import Any, TypeVar

Settings = TypeVar("Settings")
Run = Callable[[argparse.Namespace], None]

# The help of the paths that several commands take.
PATHS = {
    "data": "folder of the public data sets",
    "base": "a GGUF file",
    "examples": "the output of prepare",
    "out": "what to write",
    "adapter": "a trained adapter",
}


def setting(default: Any, help: str) -> Any:  # noqa: A002
    """Return a dataclass field with a default and the help of its option."""
    return field(default=default, metadata={"help": help})


class Commands:
    """The commands of one training package.

    >>> def double(args):
    ...     "Print a number twice."
    ...     print(args.number, args.number)
    >>> commands = Commands("Some arithmetic.")
    >>> _ = commands.add(double).add_argument("--number", type=int)
    >>> commands.run(["double", "--number", "4"])
    4 4
    """

    def __init__(self, description: str | None) -> None:
        self.parser = argparse.ArgumentParser(
            description=description, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self._commands = self.parser.add_subparsers(required=True, metavar="COMMAND")

    def add(self, run: Run, *paths: str) -> argparse.ArgumentParser:
        """Add a command with the name and the docstring of its function; `paths` are required options."""
        text = " ".join((run.__doc__ or "").split()).replace("%", "%%")
        command = self._commands.add_parser(run.__name__, help=text, description=text)
        for name in paths:
            command.add_argument(f"--{name}", type=Path, required=True, help=PATHS.get(name))
        command.set_defaults(run=run)
        return command

    def run(self, words: Sequence[str] | None = None) -> None:
        """Parse the words of a command line (default: this program's) and run the command."""
        args = self.parser.parse_args(words)
        args.run(args)


def add_settings(command: argparse.ArgumentParser, settings: type[Any]) -> None:
    """Add one option for each field of a dataclass of numbers, texts and switches."""
    for item in fields(settings):
        assert item.default is not MISSING, item.name
        name = "--" + item.name.replace("_", "-")
        text = f"{item.metadata.get('help', '')} (default: %(default)s)".strip()
        kind = str(item.type).removesuffix(" | None")
        if kind == "bool":
            command.add_argument(name, action=argparse.BooleanOptionalAction, default=item.default, help=text)
        else:
            convert = {"int": int, "float": float, "str": str}[kind]
            command.add_argument(name, type=convert, default=item.default, help=text)


def settings_from(args: argparse.Namespace, settings: type[Settings]) -> Settings:
    """Return the settings that a command line gives.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Options:
    ...     max_steps: int = setting(6000, "the maximum number of steps")
    ...     compile: bool = False
    >>> parser = argparse.ArgumentParser()
    >>> add_settings(parser, Options)
    >>> settings_from(parser.parse_args(["--max-steps", "12", "--compile"]), Options)
    Options(max_steps=12, compile=True)
    """
    return settings(**{item.name: getattr(args, item.name) for item in fields(settings)})  # type: ignore[arg-type]


def write_json(file: Path, facts: Any) -> None:
    """Write facts as indented JSON."""
    file.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def print_now(text: str) -> None:
    """Print a line at once, so that a log shows how far a training is."""
    print(text, flush=True)
