"""The options that commands share: one spelling, one meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from probative.cli.framework.command import OptionGroup
from probative.errors import InputError
from probative.settings import Settings, load_settings

if TYPE_CHECKING:
    from probative.session.session import Session

# Options by the panel of the help that they are in.
run_option = partial(typer.Option, rich_help_panel="Run")
batch_option = partial(typer.Option, rich_help_panel="Batch")
method_option = partial(typer.Option, rich_help_panel="Method")

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read the settings of this file, not of a probative.toml nearby.",
        rich_help_panel="Models",
    ),
]
NoCache = Annotated[bool, run_option("--no-cache", help="Neither read nor write the response cache.")]
MethodOption = Annotated[
    list[str] | None,
    method_option("--option", metavar="NAME=VALUE", help="Set an option of the method. May be repeated."),
]


# Which settings are in which panel of the help; the others are among the models.
PANELS = {
    "Server": "base_url judge_base_url api_key concurrency timeout retries requests_per_minute "
    "tokens_per_minute",
    "Budget": "budget_calls budget_tokens budget_money price_prompt price_completion",
    "Method": "prompts",
}


class SettingsGroup(OptionGroup):
    """Options that are settings: their types, helps and ranges are those of `Settings`.

    `names` are the settings, and perhaps `config` (a file of settings) and `no_cache`.
    """

    names: ClassVar[str]

    def __init__(self, **values: Any) -> None:
        self._values = values

    @classmethod
    def parameters(cls) -> list[Parameter]:
        """Return the options."""
        special = {"config": (Config, None), "no_cache": (NoCache, False)}
        return [
            Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name in cls.names.split()
            for annotation, default in [special.get(name) or (_setting(name), None)]
        ]

    def settings(self) -> Settings:
        """Return the settings in force: these options, then the environment and the files."""
        values = {name: value for name, value in self._values.items() if name not in ("config", "no_cache")}
        if self._values.get("no_cache"):
            values["cache"] = False
        return load_settings(values, config=self.config)

    @property
    def config(self) -> Path | None:
        """The file of settings that was named."""
        file: Path | None = self._values.get("config")
        return file


def _setting(name: str) -> Any:
    """Return the type of an option with the help of its setting."""
    field = Settings.model_fields[name]
    kind = next((kind for kind in (int, float, Path) if kind.__name__ in str(field.annotation)), str)
    default = f"{field.default:g}" if isinstance(field.default, float) else field.default
    about = f"{str(field.description)[0].upper()}{str(field.description)[1:]}"
    shown = f"{about} (default: {default})." if field.default else f"{about}."
    panel = next((panel for panel, names in PANELS.items() if name in names.split()), "Models")
    return Annotated[kind | None, typer.Option(help=shown, rich_help_panel=panel)]


class ConfigOptions(SettingsGroup):
    """The option of commands that read settings but use no model."""

    names = "config"


class EncoderOptions(SettingsGroup):
    """The options of commands that use only the encoder."""

    names = "encoder base_url api_key config"


class JudgedServerOptions(SettingsGroup):
    """The options of commands that only check or list models."""

    names = "model encoder config base_url api_key judge_model judge_base_url"


class ModelOptions(SettingsGroup):
    """The options of commands that call models."""

    names = (
        "model encoder config base_url api_key verdict prompts concurrency timeout retries "
        "requests_per_minute tokens_per_minute budget_calls budget_tokens budget_money price_prompt "
        "price_completion no_cache"
    )

    def session(self, *, dry_run: bool) -> Session:
        """Open a session with these options."""
        from probative.session.session import Session

        return Session(settings=self.settings(), dry_run=dry_run)


class JudgedModelOptions(ModelOptions):
    """The options of commands that call the model and the judge."""

    names = f"{ModelOptions.names} judge_model judge_base_url"


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
