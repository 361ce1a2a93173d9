"""The options that commands share: one spelling, one meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.command import OptionGroup
from probative.errors import InputError
from probative.settings import Settings, load_settings

if TYPE_CHECKING:
    from probative.session.session import Session

# Options by the panel of the help that they are in.
model_option = partial(typer.Option, rich_help_panel="Models")
server_option = partial(typer.Option, rich_help_panel="Server")
budget_option = partial(typer.Option, rich_help_panel="Budget")
run_option = partial(typer.Option, rich_help_panel="Run")
batch_option = partial(typer.Option, rich_help_panel="Batch")
method_option = partial(typer.Option, rich_help_panel="Method")

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Read the settings of this file, not of a probative.toml nearby."
    ),
]
MethodOption = Annotated[
    list[str] | None,
    method_option("--option", metavar="NAME=VALUE", help="Set an option of the method. May be repeated."),
]


class SettingsGroup(OptionGroup):
    """A group whose fields are settings of the same names, and perhaps `config` and `no_cache`."""

    def settings(self) -> Settings:
        """Return the settings in force: these options, then the environment and the files."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        config = values.pop("config", None)
        if values.pop("no_cache", False):
            values["cache"] = False
        return load_settings(values, config=config)


@dataclass(frozen=True)
class ConfigOptions(SettingsGroup):
    """The option of commands that read settings but use no model."""

    config: Config = None


@dataclass(frozen=True)
class ServerOptions(SettingsGroup):
    """The options of commands that only check or list models."""

    model: Annotated[
        str | None,
        model_option(
            help="The language model: embedded (default), embedded:plain, openai:NAME or hf:NAME-or-path."
        ),
    ] = None
    encoder: Annotated[
        str | None, model_option(help="The encoder: embedded (default), openai:NAME or hf:NAME-or-path.")
    ] = None
    config: Annotated[
        Path | None,
        model_option(metavar="FILE", help="Read the settings of this file, not of a probative.toml nearby."),
    ] = None
    base_url: Annotated[str | None, server_option(help="The address of an OpenAI-compatible server.")] = None
    api_key: Annotated[
        str | None, server_option(help="The server's key. Safer: the variable PROBATIVE_API_KEY.")
    ] = None


@dataclass(frozen=True)
class ModelOptions(ServerOptions):
    """The options of commands that call models."""

    verdict: Annotated[
        str | None,
        model_option(
            help="Who gives verdicts: embedded (default), model (the judge or language model) or hf:NAME."
        ),
    ] = None
    prompts: Annotated[
        Path | None,
        method_option(
            metavar="FOLDER",
            help="Your own prompts: a file such as scope/answer.txt takes the place of ours.",
        ),
    ] = None
    concurrency: Annotated[
        int | None, server_option(help="Simultaneous requests to the server (default: 16).")
    ] = None
    timeout: Annotated[float | None, server_option(help="Seconds to wait for a reply (default: 120).")] = None
    retries: Annotated[
        int | None, server_option(help="Further attempts after a temporary failure (default: 5).")
    ] = None
    requests_per_minute: Annotated[
        float | None, server_option(help="The server's limit (default: none).")
    ] = None
    tokens_per_minute: Annotated[float | None, server_option(help="The server's limit (default: none).")] = (
        None
    )
    budget_calls: Annotated[int | None, budget_option(help="Stop before more calls than this.")] = None
    budget_tokens: Annotated[int | None, budget_option(help="Stop before more tokens than this.")] = None
    budget_money: Annotated[
        float | None, budget_option(help="Stop before a higher cost than this; needs the prices.")
    ] = None
    price_prompt: Annotated[float | None, budget_option(help="The price of a million prompt tokens.")] = None
    price_completion: Annotated[
        float | None, budget_option(help="The price of a million completion tokens.")
    ] = None
    no_cache: Annotated[bool, run_option("--no-cache", help="Neither read nor write the response cache.")] = (
        False
    )

    def session(self, *, dry_run: bool) -> Session:
        """Open a session with these options."""
        from probative.session.session import Session

        return Session(settings=self.settings(), dry_run=dry_run)


@dataclass(frozen=True)
class EncoderOptions(SettingsGroup):
    """The options of commands that use only the encoder."""

    encoder: Annotated[
        str | None, model_option(help="The encoder: embedded (default), openai:NAME or hf:NAME-or-path.")
    ] = None
    base_url: Annotated[str | None, model_option(help="The address of an OpenAI-compatible server.")] = None
    api_key: Annotated[
        str | None, model_option(help="The server's key. Safer: the variable PROBATIVE_API_KEY.")
    ] = None
    config: Config = None


@dataclass(frozen=True)
class JudgeOptions(SettingsGroup):
    """The options of commands that use a second model as judge."""

    judge_model: Annotated[
        str | None, model_option(help="A second model that judges passages (default: the same model).")
    ] = None
    judge_base_url: Annotated[
        str | None, server_option(help="The address of the judge's server, if different.")
    ] = None


@dataclass(frozen=True)
class JudgedServerOptions(JudgeOptions, ServerOptions):
    """The options of commands that check the model and the judge."""


@dataclass(frozen=True)
class JudgedModelOptions(JudgeOptions, ModelOptions):
    """The options of commands that call the model and the judge."""


@dataclass(frozen=True)
class RunOptions(OptionGroup):
    """How a verb runs and what it prints."""

    dry_run: Annotated[
        bool, run_option("--dry-run", help="Count calls and tokens; call no model, write nothing.")
    ] = False
    json: Json = False
    trace: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write every model call to this file as JSON; - puts them into the --json output.",
        ),
    ] = None
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="VERDICTS",
            help="Exit with code 3 if a result has one of these verdicts, separated by commas.",
        ),
    ] = None

    def verdicts(self, *allowed: str) -> frozenset[str]:
        """Return the verdicts of --fail-on; raises `InputError` for one that the command cannot give."""
        names = [name.strip().lower() for name in (self.fail_on or "").split(",")]
        chosen = frozenset(name for name in names if name)
        if self.fail_on is not None and (not chosen or chosen - set(allowed)):
            wrong = ", ".join(sorted(chosen - set(allowed))) or "nothing"
            raise InputError(
                f"--fail-on does not know {wrong}", hint=f"use one or more of {', '.join(allowed)}"
            )
        return chosen


@dataclass(frozen=True)
class BatchOptions(OptionGroup):
    """Many cases from a file to a file."""

    source: Annotated[
        Path | None,
        batch_option(
            "--in", metavar="FILE", help="Read cases from this file, one JSON object with an id on each line."
        ),
    ] = None
    target: Annotated[
        Path | None,
        batch_option(
            "--out",
            metavar="FILE",
            help="Write results to this file. The same command again resumes the run.",
        ),
    ] = None
    limit: Annotated[int | None, batch_option(min=1, help="Read only the first N lines.")] = None
    unordered: Annotated[
        bool,
        batch_option(
            "--unordered", help="Write results as they are finished, not in the order of the input."
        ),
    ] = False
    runner: Annotated[
        str,
        batch_option(
            metavar="RUNNER",
            help="Where lines run: local (this process), local:N (N processes), ray or ray:ADDRESS.",
        ),
    ] = "local"

    def is_used(self, single: Mapping[str, object]) -> bool:
        """Whether the command runs a batch. `single` are the options of a single case, by their spelling."""
        if self.source is None and self.target is None:
            given = {
                "--limit": self.limit is not None,
                "--unordered": self.unordered,
                "--runner": self.runner != "local",
            }
            for wrong in (name for name, is_given in given.items() if is_given):
                raise InputError(f"{wrong} needs --in and --out")
            return False
        if used := [name for name, value in single.items() if value]:
            raise InputError(
                f"{', '.join(used)} cannot be used with --in and --out",
                hint="--in has the inputs of every case",
            )
        if self.source is None or self.target is None:
            raise InputError("--in and --out need each other", hint="give both")
        return True


def parse_options(options: list[str] | None, method: str, known: Iterable[str]) -> dict[str, Any]:
    """Return the options that were given as NAME=VALUE; `known` are the options of `method`.

    >>> parse_options(["max_passages=2"], "scope", ["max_passages"])
    {'max_passages': '2'}
    """
    changes: dict[str, Any] = {}
    for option in options or []:
        name, equals, value = (part.strip() for part in option.partition("="))
        if not equals or not name:
            raise InputError(f"--option must be NAME=VALUE, got {option!r}")
        if name not in known:
            listed = ", ".join(known)
            hint = f"the options are {listed}" if listed else "it has no options at all"
            raise InputError(f"{method} has no option {name!r}", hint=hint)
        changes[name] = None if value.lower() == "none" else value
    return changes
