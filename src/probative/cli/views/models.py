"""Models: which there are, whether the embedded ones are ready, and the reply of one that was tried."""

from __future__ import annotations

from pathlib import Path

from probative.cli.views.terminal import plain, print_note, print_text
from probative.types import Value
from probative.usage import Usage


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


class Trial(Value):
    """The reply of a model to a prompt and what it cost; in a dry run, what it would cost."""

    model: str
    capabilities: tuple[str, ...]
    text: str | None
    usage: Usage
    dry_run: bool


def show_models(models: ModelList) -> None:
    """Print the models."""
    judge = models.judge_model or "(the same)"
    print_text(f"in force: --model {plain(models.model)}  --judge-model {plain(judge)}")
    print_text(f"backends: {', '.join(sorted(models.backends))}")
    for state in models.embedded:
        option = " --plain" if state.model == "embedded:plain" else ""
        where = (
            f"{state.bytes / 1e6:.0f} MB in {state.folder}"
            if state.bytes
            else f"run: probative models pull{option}"
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
