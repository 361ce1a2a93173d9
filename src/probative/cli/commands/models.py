"""`probative models`: which there are, fetching the embedded ones, and trying one out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from probative.cli import options
from probative.settings import load_settings
from probative.types import Value
from probative.usage import Usage

app = typer.Typer(help="List models, fetch the embedded ones, try one.", invoke_without_command=True)


class EmbeddedState(Value):
    """One of the embedded models, and whether it is here."""

    model: str
    """What it is called as a model, or as an encoder."""
    name: str
    title: str
    licence: str
    state: str
    bytes: int = 0
    folder: Path


class ModelList(Value):
    """The backends and the embedded models."""

    backends: dict[str, str]
    embedded: tuple[EmbeddedState, ...]
    model: str
    judge_model: str | None


class Trial(Value):
    """What a model said to a prompt, and what it cost; in a dry run, what it would cost."""

    model: str
    capabilities: tuple[str, ...]
    text: str | None
    usage: Usage
    dry_run: bool


@app.callback(invoke_without_command=True)
def default(context: typer.Context, json: options.Json = False) -> None:
    """List models, fetch the embedded ones, try one."""
    if context.invoked_subcommand is None:
        list_models(json=json)
    elif json:
        raise typer.BadParameter("give --json after the subcommand")


@app.command("list")
def list_models(json: options.Json = False) -> None:
    """List the backends and the embedded models."""
    from probative.models.embedded import policy_store, policy_weights
    from probative.models.embedded.adapter import PLAIN, TUNED, reader
    from probative.models.embedded.catalog import ENCODER, LANGUAGE_MODEL
    from probative.models.embedded.store import Store
    from probative.models.loading import MODELS

    settings = load_settings()
    store = Store(settings.weights_folder)
    states = []
    for called, source in ((TUNED, reader()), (PLAIN, LANGUAGE_MODEL), ("embedded", ENCODER)):
        found, problem = store.inspect(source)
        states.append(
            EmbeddedState(
                model=called,
                name=source.name,
                title=source.title,
                licence=source.licence,
                state="ready" if found else problem,
                bytes=found.bytes if found else 0,
                folder=store.place(source),
            )
        )
    if policy_weights.is_shipped():
        at = policy_store.place(settings.weights_folder)
        policy = policy_store.find(at)
        states.append(
            EmbeddedState(
                model="embedded:policy",
                name="policy",
                title="the evidence policy",
                licence="Apache-2.0",
                state="ready" if policy else "not converted yet",
                bytes=policy.bytes if policy else 0,
                folder=at,
            )
        )
    listed = ModelList(
        backends=MODELS.entries(),
        embedded=tuple(states),
        model=settings.model,
        judge_model=settings.judge_model,
    )
    if json:
        typer.echo(listed.to_json())
        return
    typer.echo(f"in force: --model {listed.model}  --judge-model {listed.judge_model or '(the same)'}")
    typer.echo(f"backends: {', '.join(sorted(listed.backends))}")
    for state in listed.embedded:
        plain = " --plain" if state.model == "embedded:plain" else ""
        size = (
            f"{state.bytes / 1e6:.0f} MB in {state.folder}"
            if state.bytes
            else f"run: probative models pull{plain}"
        )
        typer.echo(f"{state.model}: {state.title} ({state.licence}): {state.state}, {size}")


@app.command()
def pull(
    origin: options.From = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the published GGUF file too, for hf: and other engines.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="The untuned language model too, for --model embedded:plain.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Fetch and convert the embedded models; what is here and whole is left alone."""
    from probative.models.embedded import policy_store, policy_weights
    from probative.models.embedded.adapter import reader
    from probative.models.embedded.catalog import LANGUAGE_MODEL
    from probative.models.embedded.fetch import meant_for
    from probative.models.embedded.progress import showing_progress
    from probative.models.embedded.store import Store

    settings = load_settings()
    store = Store(settings.weights_folder)
    origin = origin.expanduser() if origin is not None else settings.wheels_folder
    wanted = meant_for(origin)
    with showing_progress() as report:
        if LANGUAGE_MODEL in wanted:
            wanted.remove(LANGUAGE_MODEL)
            for source in (reader(), LANGUAGE_MODEL) if plain else (reader(),):
                store.ensure(source, report, origin=origin, keep=keep)
        for source in wanted:
            store.ensure(source, report, origin=origin)
    if policy_weights.is_shipped():
        policy_store.ensure(settings.weights_folder)
    list_models(json=json)
    if keep and not json:
        typer.echo(f"kept: {store.kept_source(LANGUAGE_MODEL)}")


@app.command("try")
def try_model(
    prompt: str,
    model: options.Model = None,
    judge_model: options.JudgeModel = None,
    judge: Annotated[bool, typer.Option("--judge", help="Ask the judge instead.")] = False,
    base_url: options.BaseUrl = None,
    api_key: options.ApiKey = None,
    concurrency: options.Concurrency = None,
    timeout: options.Timeout = None,
    requests_per_minute: options.RequestsPerMinute = None,
    tokens_per_minute: options.TokensPerMinute = None,
    budget_calls: options.BudgetCalls = None,
    budget_tokens: options.BudgetTokens = None,
    budget_money: options.BudgetMoney = None,
    price_prompt: options.PricePrompt = None,
    price_completion: options.PriceCompletion = None,
    retries: options.Retries = None,
    max_tokens: Annotated[int, typer.Option(help="Most tokens to write.")] = 200,
    temperature: Annotated[float, typer.Option(help="0 is always the most probable token.")] = 0.0,
    seed: options.Seed = None,
    no_cache: options.NoCache = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> None:
    """Send one prompt to a model and show its answer and what it cost."""
    settings = options.settings_of(locals())
    from probative import Request, load_models

    models = load_models(dry_run=dry_run, settings=settings)
    asked = models.judge if judge else models.model
    request = Request.user(prompt, max_tokens=max_tokens, temperature=temperature, seed=seed)
    (completion,) = asked.generate([request])
    trial = Trial(
        model=asked.name,
        capabilities=tuple(sorted(asked.capabilities)),
        text=None if dry_run else completion.text,
        usage=completion.usage,
        dry_run=dry_run,
    )
    if json:
        typer.echo(trial.to_json())
        return
    if trial.text is not None:
        typer.echo(trial.text)
    cost = trial.usage
    would = "would make at most" if dry_run else "made"
    typer.echo(
        f"[{trial.model} {would} {cost.calls} call, {cost.prompt_tokens} prompt and "
        f"{cost.completion_tokens} completion tokens; {cost.cached} from the cache; {cost.seconds:.1f} s]",
        err=True,
    )
