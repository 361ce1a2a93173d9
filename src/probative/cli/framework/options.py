"""The options that commands share: one spelling, one meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.command import OptionGroup
from probative.errors import InputError
from probative.settings import Settings, load_settings

if TYPE_CHECKING:
    from probative.session.session import Session

MODELS = "Models"
SERVER = "Server"
BUDGET = "Budget"
RUN = "Run"
BATCH = "Batch"
METHOD = "Method"

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Read the settings of this file, not of a probative.toml nearby."
    ),
]
MethodOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="Set an option of the method. May be repeated.",
        rich_help_panel=METHOD,
    ),
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
        typer.Option(
            help="The language model: embedded (default), embedded:plain, openai:NAME or hf:NAME-or-path.",
            rich_help_panel=MODELS,
        ),
    ] = None
    encoder: Annotated[
        str | None,
        typer.Option(
            help="The encoder: embedded (default), openai:NAME or hf:NAME-or-path.", rich_help_panel=MODELS
        ),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Read the settings of this file, not of a probative.toml nearby.",
            rich_help_panel=MODELS,
        ),
    ] = None
    base_url: Annotated[
        str | None,
        typer.Option(help="The address of an OpenAI-compatible server.", rich_help_panel=SERVER),
    ] = None
    api_key: Annotated[
        str | None,
        typer.Option(help="The server's key. Safer: the variable PROBATIVE_API_KEY.", rich_help_panel=SERVER),
    ] = None


@dataclass(frozen=True)
class ModelOptions(ServerOptions):
    """The options of commands that call models."""

    verdict: Annotated[
        str | None,
        typer.Option(
            help="Who gives verdicts: embedded (default), model (the judge or language model) or hf:NAME.",
            rich_help_panel=MODELS,
        ),
    ] = None
    prompts: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Your own prompts: a file such as scope/answer.txt takes the place of ours.",
            rich_help_panel=METHOD,
        ),
    ] = None
    concurrency: Annotated[
        int | None,
        typer.Option(help="Simultaneous requests to the server (default: 16).", rich_help_panel=SERVER),
    ] = None
    timeout: Annotated[
        float | None, typer.Option(help="Seconds to wait for a reply (default: 120).", rich_help_panel=SERVER)
    ] = None
    retries: Annotated[
        int | None,
        typer.Option(help="Further attempts after a temporary failure (default: 5).", rich_help_panel=SERVER),
    ] = None
    requests_per_minute: Annotated[
        float | None, typer.Option(help="The server's limit (default: none).", rich_help_panel=SERVER)
    ] = None
    tokens_per_minute: Annotated[
        float | None, typer.Option(help="The server's limit (default: none).", rich_help_panel=SERVER)
    ] = None
    budget_calls: Annotated[
        int | None, typer.Option(help="Stop before more calls than this.", rich_help_panel=BUDGET)
    ] = None
    budget_tokens: Annotated[
        int | None, typer.Option(help="Stop before more tokens than this.", rich_help_panel=BUDGET)
    ] = None
    budget_money: Annotated[
        float | None,
        typer.Option(help="Stop before a higher cost than this; needs the prices.", rich_help_panel=BUDGET),
    ] = None
    price_prompt: Annotated[
        float | None, typer.Option(help="The price of a million prompt tokens.", rich_help_panel=BUDGET)
    ] = None
    price_completion: Annotated[
        float | None, typer.Option(help="The price of a million completion tokens.", rich_help_panel=BUDGET)
    ] = None
    no_cache: Annotated[
        bool,
        typer.Option("--no-cache", help="Neither read nor write the response cache.", rich_help_panel=RUN),
    ] = False

    def session(self, *, dry_run: bool) -> Session:
        """Open a session with these options."""
        from probative.session.session import Session

        return Session(settings=self.settings(), dry_run=dry_run)


@dataclass(frozen=True)
class EncoderOptions(SettingsGroup):
    """The options of commands that use only the encoder."""

    encoder: Annotated[
        str | None,
        typer.Option(
            help="The encoder: embedded (default), openai:NAME or hf:NAME-or-path.", rich_help_panel=MODELS
        ),
    ] = None
    base_url: Annotated[
        str | None,
        typer.Option(help="The address of an OpenAI-compatible server.", rich_help_panel=MODELS),
    ] = None
    api_key: Annotated[
        str | None,
        typer.Option(help="The server's key. Safer: the variable PROBATIVE_API_KEY.", rich_help_panel=MODELS),
    ] = None
    config: Config = None


@dataclass(frozen=True)
class JudgeOptions(SettingsGroup):
    """The options of commands that use a second model as judge."""

    judge_model: Annotated[
        str | None,
        typer.Option(
            help="A second model that judges passages (default: the same model).", rich_help_panel=MODELS
        ),
    ] = None
    judge_base_url: Annotated[
        str | None,
        typer.Option(help="The address of the judge's server, if different.", rich_help_panel=SERVER),
    ] = None


@dataclass(frozen=True)
class JudgedServerOptions(JudgeOptions, ServerOptions):
    """The options of commands that check the model and the judge."""


@dataclass(frozen=True)
class JudgedModelOptions(JudgeOptions, ModelOptions):
    """The options of commands that call the model and the judge."""


ScopePreset = Annotated[
    str | None,
    typer.Option(
        help="Options of scope: embedded (evidence policy and tuned reader; default of the model "
        "embedded), words (default of embedded:plain), calls (default of other models) or paper.",
        rich_help_panel=METHOD,
    ),
]
Seed = Annotated[int | None, typer.Option(help="The seed of random draws (default: 0).", rich_help_panel=RUN)]


@dataclass(frozen=True)
class RunOptions(OptionGroup):
    """How a verb runs and what it prints."""

    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Count calls and tokens; call no model, write nothing.", rich_help_panel=RUN
        ),
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
            help="Exit with code 3 if a result has one of these verdicts, separated by commas: supported, "
            "insufficient, contradicted; for check: complete, incomplete; for reason: read, extrapolated, "
            "unknown, answered, unanswered.",
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
        typer.Option(
            "--in",
            metavar="FILE",
            help="Read cases from this file, one JSON object with an id on each line.",
            rich_help_panel=BATCH,
        ),
    ] = None
    target: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write results to this file. The same command again resumes the run.",
            rich_help_panel=BATCH,
        ),
    ] = None
    limit: Annotated[
        int | None, typer.Option(min=1, help="Read only the first N lines.", rich_help_panel=BATCH)
    ] = None
    unordered: Annotated[
        bool,
        typer.Option(
            "--unordered",
            help="Write results as they are finished, not in the order of the input.",
            rich_help_panel=BATCH,
        ),
    ] = False
    runner: Annotated[
        str,
        typer.Option(
            metavar="RUNNER",
            help="Where lines run: local (this process), local:N (N processes), ray or ray:ADDRESS.",
            rich_help_panel=BATCH,
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
