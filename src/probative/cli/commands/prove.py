"""`probative prove`: the sentences that together prove a claim, marked in the text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from probative.cli import options
from probative.cli.inputs.text import read_text
from probative.errors import InputError
from probative.settings import Settings

Context = Annotated[
    str | None, typer.Option("--context", help="The text: a file, or - for standard input (the default).")
]

# A claim of more characters than this is no sentence, and takes long to score.
LONG_CLAIM = 1500


def prove(
    claim: Annotated[str | None, typer.Argument(help="What is to be proved.")] = None,
    context: Context = None,
    k: options.K = "3",
    method: options.Method = "mcse",
    preset: Annotated[str, typer.Option(help="mcse: fast, full or paper.")] = "fast",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="mcse, learned: an option, as NAME=VALUE; may be repeated."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(help="mcse: what its look-ahead follows: path, pair, learned or random."),
    ] = None,
    prompt: Annotated[
        Path | None, typer.Option(help="mcse: a file with your own prompt; {evidence} is the text's place.")
    ] = None,
    verdict: Annotated[
        bool, typer.Option("--verdict", help="Also say whether the evidence supports the claim.")
    ] = False,
    lines: Annotated[
        bool, typer.Option("--lines", help="The text has one sentence a line; do not cut it.")
    ] = False,
    source: options.In = None,
    target: options.Out = None,
    limit: options.Limit = None,
    model: options.Model = None,
    encoder: options.EncoderName = None,
    base_url: options.BaseUrl = None,
    api_key: options.ApiKey = None,
    concurrency: options.Concurrency = None,
    timeout: options.Timeout = None,
    retries: options.Retries = None,
    requests_per_minute: options.RequestsPerMinute = None,
    tokens_per_minute: options.TokensPerMinute = None,
    budget_calls: options.BudgetCalls = None,
    budget_tokens: options.BudgetTokens = None,
    budget_money: options.BudgetMoney = None,
    price_prompt: options.PricePrompt = None,
    price_completion: options.PriceCompletion = None,
    seed: options.Seed = None,
    no_cache: options.NoCache = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> None:
    """Find the sentences of a text that together prove a claim, and show what each adds."""
    settings = options.settings_of(locals())
    if method != "mcse" and (prompt or policy or preset != "fast" or (option and method != "learned")):
        raise InputError(
            f"--preset, --option, --policy and --prompt are mcse's, and {method} has "
            + ("only --option" if method == "learned" else "none of them")
        )
    changes = _changes(method, option, policy, prompt, seed)
    asked = {"k": _k(k), "method": method, "preset": preset, "verdict": verdict, **changes}
    if source is not None or target is not None:
        if claim is not None or context is not None:
            raise InputError(
                "--in and --out take the claims from a file", hint="leave out CLAIM and --context"
            )
        if source is None or target is None:
            raise InputError("--in and --out belong together", hint="give both")
        if lines:
            raise InputError("--lines is for --context", hint="give `sentences` as a list in each line")
        from probative.batch.prove import prove_file
        from probative.cli.views.batch import run_file

        asked |= {"limit": limit, "settings": settings}
        run_file(prove_file, source, target, "claims", dry_run=dry_run, json=json, **asked)
        return
    if limit is not None:
        raise InputError("--limit is for --in and --out")
    if claim is None:
        raise InputError("there is no claim", hint='probative prove "claim" --context FILE')
    _one(claim, _text(context, lines=lines), asked, settings, dry_run=dry_run, json=json)


def _one(
    claim: str, text: str | list[str], asked: dict[str, Any], settings: Settings, *, dry_run: bool, json: bool
) -> None:
    from probative import prove
    from probative.cli.views.search import showing_search

    if len(claim) > LONG_CLAIM and asked["method"] == "mcse" and not dry_run:
        typer.echo(
            f"hint: a claim of {len(claim):,} characters is read anew with every sentence, which may take "
            "minutes; --dry-run counts the tokens",
            err=True,
        )
    with showing_search() as progress:
        proof = prove(claim, text, settings=settings, dry_run=dry_run, progress=progress, **asked)
    if json:
        typer.echo(proof.to_json())
        return
    from probative.cli.views.proof import show_proof
    from probative.cli.views.usage import show_dry_run, show_usage

    if dry_run:
        show_dry_run(proof.usage)
        return
    show_proof(proof, text)
    if isinstance(text, str) and len(proof.evidence) == 1 and "\n" in proof.evidence[0].text.strip():
        typer.echo("hint: a text with one sentence a line is read as such with --lines", err=True)
    show_usage(proof.usage, proof.model, proof.policy, proof.policy_usage)


def _text(context: str | None, *, lines: bool) -> str | list[str]:
    """The text of a file or of standard input."""
    _, text = read_text(context, what="is no text", option="--context")
    return [line.strip() for line in text.split("\n") if line.strip()] if lines else text


def _k(k: str) -> int | str:
    if k == "auto":
        return k
    try:
        return int(k)
    except ValueError:
        raise InputError(f"k must be a number of sentences, at least 1, or auto, got {k!r}") from None


def _changes(
    method: str, option: list[str] | None, policy: str | None, prompt: Path | None, seed: int | None
) -> dict[str, Any]:
    """The options of mcse or learned that were given: numbers, truths or nothing where they look like it."""
    if method == "learned":
        from probative.mcse.evidence_policy import LearnedOptions

        return options.changes_of(option, "learned", LearnedOptions.model_fields)
    from probative import McseOptions

    changes = options.changes_of(option, "mcse", McseOptions.model_fields)
    if policy is not None:
        changes["policy"] = policy
    if seed is not None:
        changes["seed"] = seed
    if prompt is not None:
        try:
            changes["prompt"] = prompt.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{prompt} cannot be read: {error}") from None
    return changes
