"""`probative prove`: the sentences of a text that together prove a claim."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from probative.cli.command import command
from probative.cli.options import (
    METHOD,
    BatchOptions,
    MethodOption,
    ModelOptions,
    RunOptions,
    Seed,
    method_options,
)
from probative.errors import InputError

VERDICTS = ("supported", "insufficient", "contradicted")
EXAMPLES = (
    'probative prove "The lighthouse was lit in 1871." --context lighthouse.txt',
    'probative prove "The lighthouse was lit in 1871." --context lighthouse.txt -k auto --no-verdict',
    'probative prove "The lens is French." --method learned --json < lighthouse.txt',
    "probative prove --in claims.jsonl --out proofs.jsonl -k 2",
)
# Longer claims are hardly sentences; each step of mcse reads the claim again.
LONG_CLAIM = 1500


def prove(
    claim: Annotated[str | None, typer.Argument(metavar="CLAIM", help="The claim.")] = None,
    context: Annotated[
        list[str] | None,
        typer.Option(
            "--context", "--evidence", metavar="FILE", help="The text. - is standard input, the default."
        ),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="The text has one sentence on each line; do not split it.")
    ] = False,
    k: Annotated[
        str, typer.Option("-k", "--k", metavar="N", help="How many sentences: a number, or auto.")
    ] = "3",
    no_verdict: Annotated[
        bool, typer.Option("--no-verdict", help="Do not judge the claim by the chosen sentences.")
    ] = False,
    method: Annotated[
        str,
        typer.Option(
            help="mcse, learned (the evidence policy alone), or a baseline: rouge, bm25, embedding, "
            "llm-pick, llm-rerank, rankgpt.",
            rich_help_panel=METHOD,
        ),
    ] = "mcse",
    preset: Annotated[
        str, typer.Option(help="Options of mcse: fast, full or paper.", rich_help_panel=METHOD)
    ] = "fast",
    option: MethodOption = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help="What the look-ahead of mcse follows: path, pair, learned or random.", rich_help_panel=METHOD
        ),
    ] = None,
    prompt: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Your own prompt for mcse; the evidence replaces {evidence} in it.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    seed: Seed = None,
    *,
    batch: BatchOptions,
    models: ModelOptions,
    run: RunOptions,
) -> None:
    """Find the sentences of a text that together prove a claim. Show what each of them adds."""
    if method != "mcse" and (prompt or policy or preset != "fast" or (option and method != "learned")):
        takes = "it takes only --option" if method == "learned" else "it takes none of them"
        raise InputError(
            f"--preset, --option, --policy and --prompt are options of mcse, not of {method}", hint=takes
        )
    verdicts = run.verdicts(*VERDICTS)
    if verdicts and no_verdict:
        raise InputError("--fail-on needs the verdict", hint="leave out --no-verdict")
    changes = _changes(method, option, policy, prompt, seed)
    options = {
        "k": _k(k),
        "method": method,
        "preset": preset,
        "verdict": not no_verdict,
        **changes,
    }
    if batch.is_used({"CLAIM": claim, "--context": context, "--lines": lines}):
        from probative.cli.outcome import run_file

        run_file("prove", "claims", batch, models, run, verdicts, **options)
        return
    if claim is None:
        raise InputError("there is no claim", hint='probative prove "claim" --context FILE')
    from probative.cli.inputs.text import read_sentences

    text = read_sentences(context, what="text", option="--context", lines=lines)
    _prove(claim, text, models, run, verdicts, options)


def _prove(
    claim: str,
    text: str | list[str],
    models: ModelOptions,
    run: RunOptions,
    verdicts: frozenset[str],
    options: dict[str, Any],
) -> None:
    from probative.cli.outcome import check_trace, finish
    from probative.cli.views.progress import search_progress
    from probative.cli.views.terminal import print_note
    from probative.cli.views.usage import show_usage
    from probative.verdict.claim import claims_nothing
    from probative.views.terminal import show_result

    check_trace(run)
    if len(claim) > LONG_CLAIM and options["method"] == "mcse" and not run.dry_run:
        print_note(
            f"hint: a claim of {len(claim):,} characters is read again with every sentence, which may take "
            "minutes; --dry-run counts the tokens"
        )
    if options["verdict"] and not run.dry_run and (problem := claims_nothing(claim)) is not None:
        print_note(f"hint: {problem}, so there will be no verdict, only the sentences nearest to it")
    with models.session(dry_run=run.dry_run) as session, search_progress() as progress:
        proof = session.prove(claim, text, progress=progress, **options)

    def show() -> None:
        show_result(proof, text=text)
        if isinstance(text, str) and len(proof.evidence) == 1 and "\n" in proof.evidence[0].text.strip():
            print_note("hint: use --lines for a text with one sentence on each line")
        show_usage(
            proof.usage,
            proof.model,
            {proof.policy: proof.policy_usage, proof.verdict_model: proof.verdict_usage},
        )

    finish(proof, run, show, verdicts)


def _k(k: str) -> int | str:
    if k == "auto":
        return k
    try:
        return int(k)
    except ValueError:
        raise InputError(f"-k must be a number from 1, or auto, got {k!r}") from None


def _changes(
    method: str, option: list[str] | None, policy: str | None, prompt: Path | None, seed: int | None
) -> dict[str, Any]:
    """Return the options of mcse or learned that were given."""
    if method == "learned":
        from probative.mcse.evidence_policy import LearnedOptions

        if seed is not None:
            raise InputError("--method learned draws nothing at random and takes no --seed")
        return method_options(option, "learned", LearnedOptions.model_fields)
    from probative.mcse.options import McseOptions

    changes = method_options(option, "mcse", McseOptions.model_fields)
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


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    command(app, "prove", examples=EXAMPLES)(prove)
