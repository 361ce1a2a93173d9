"""The installation at a glance: models, settings, the response cache, and the report of `doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from probative.cli.views.terminal import print_note, print_text
from probative.settings import Settings, SettingsFile
from probative.types import Usage, Value
from probative.views.terminal import console, plain

if TYPE_CHECKING:
    from probative.doctor import Report
    from probative.models.response_cache import CacheSummary

MARKS = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}


class EmbeddedState(Value):
    """An embedded model: `model` is its name for --model, --encoder or --verdict; `state`
    says whether it is ready.
    """

    model: str
    name: str
    title: str
    licence: str
    state: str
    bytes: int = 0
    folder: Path


class ModelList(Value):
    """The backends, the embedded models, and the models that the settings name."""

    backends: dict[str, str]
    embedded: tuple[EmbeddedState, ...]
    model: str
    judge_model: str | None
    verdict: str


class Trial(Value):
    """The reply of a model to a prompt and what it cost; in a dry run, what it would cost."""

    model: str
    capabilities: tuple[str, ...]
    text: str | None
    usage: Usage
    dry_run: bool


def show_models(models: ModelList) -> None:
    """Print the models."""
    from probative.models.embedded.shipped import pull_command

    judge = models.judge_model or "(the same)"
    print_text(
        f"in use: --model {plain(models.model)}  --verdict {plain(models.verdict)}  "
        f"--judge-model {plain(judge)}"
    )
    print_text(f"backends: {', '.join(sorted(models.backends))}")
    for state in models.embedded:
        where = (
            f"{state.bytes / 1e6:.0f} MB in {state.folder}"
            if state.bytes
            else f"run: {pull_command(state.model)}"
        )
        print_text(f"{state.model}: {state.title} ({state.licence}): {state.state}, {where}")


def show_trial(trial: Trial) -> None:
    """Print the reply on standard output and the cost on standard error."""
    if trial.text is not None:
        print_text(trial.text)
    usage = trial.usage
    made = "would make at most" if trial.dry_run else "made"
    print_note(
        f"[{trial.model} {made} {usage.calls} {'call' if usage.calls == 1 else 'calls'}, "
        f"{usage.prompt_tokens} prompt and "
        f"{usage.completion_tokens} completion tokens; {usage.cached} from the cache; {usage.seconds:.1f} s]"
    )


class Removed(Value):
    """How many results were removed."""

    removed: int


def show_cache(summary: CacheSummary) -> None:
    """Print the place and the size of the cache, and its results by model."""
    print_text(f"{summary.path}: {summary.results:,} results, {summary.bytes / 1e6:.1f} MB")
    for model, count in summary.by_model.items():
        print_text(f"  {count:>8,}  {model}")


def show_report(report: Report) -> None:
    """Print the findings."""
    for finding in report.findings:
        print_text(f"{MARKS[finding.state]}  {plain(finding.what)}")
        if finding.hint:
            print_text(f"         → {plain(finding.hint)}")


def show_settings(settings: Settings, files: Sequence[SettingsFile]) -> None:
    """Print every setting, in bold where it differs from its default, and the files in force."""
    from rich.table import Table
    from rich.text import Text

    table = Table("setting", "value", "meaning", box=None)
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        style = "" if value == field.default else "bold"
        table.add_row(name, Text("" if value is None else plain(str(value)), style=style), field.description)
    terminal = console()
    terminal.print(table)
    names = ", ".join(plain(str(file.path)) for file in files) or "none"
    lines = [
        "",
        "The first of these that has a setting wins: an option; an environment variable (PROBATIVE_ and the "
        "name in capitals); the file of --config or PROBATIVE_CONFIG, otherwise probative.toml in this "
        "folder or above; probative.toml in your configuration folder; the default.",
        f"Files in force: {names}",
        *(plain(file.notice) for file in files if file.notice),
    ]
    for line in lines:
        terminal.print(line, markup=False)
