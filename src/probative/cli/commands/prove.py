"""`probative prove`: the sentences of a text that together prove a claim."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli.framework.options import (
    BatchOptions,
    MethodOption,
    ModelOptions,
    RunOptions,
    Seed,
    method_option,
)
from probative.cli.framework.verb_command import VerbCommand
from probative.cli.inputs.text import read_sentences
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.mcse.proof import Proof

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
        method_option(
            help="mcse, learned (the evidence policy alone), or a baseline: rouge, bm25, embedding, "
            "llm-pick, llm-rerank, rankgpt."
        ),
    ] = "mcse",
    preset: Annotated[
        str | None, method_option(help="Options of mcse: fast (default), full or paper.")
    ] = None,
    option: MethodOption = None,
    policy: Annotated[
        str | None, method_option(help="What the look-ahead of mcse follows: path, pair, learned or random.")
    ] = None,
    prompt: Annotated[
        Path | None,
        method_option(
            metavar="FILE", help="Your own prompt for mcse; the evidence replaces {evidence} in it."
        ),
    ] = None,
    seed: Seed = None,
    *,
    batch: BatchOptions,
    models: ModelOptions,
    run: RunOptions,
) -> None:
    """Find the sentences of a text that together prove a claim. Show what each of them adds."""
    call = VerbCommand("prove", batch, models, run)
    if run.fail_on is not None and no_verdict:
        raise InputError("--fail-on needs the verdict", hint="leave out --no-verdict")
    given = {"policy": policy, "seed": seed, "prompt": _prompt(prompt)}
    arguments: dict[str, Any] = {
        "k": _k(k),
        "method": method,
        "preset": preset,
        "verdict": not no_verdict,
        **call.method_options(option, method),
        **{name: value for name, value in given.items() if value is not None},
    }
    if claim is not None and batch.source is None and not run.dry_run:
        _warn(claim, method, verdict=not no_verdict)
    call.execute(
        {"CLAIM": claim, "--context": context, "--lines": lines},
        lambda _: {"sentences": read_sentences(context, what="text", option="--context", lines=lines)},
        arguments,
        lambda proof, case: show(proof, case["sentences"]),
    )


def show(proof: Proof, text: str | list[str]) -> None:
    """Print a proof from a text, and its cost."""
    from probative.cli.views.terminal import print_note
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    show_result(proof, text=text)
    if isinstance(text, str) and len(proof.evidence) == 1 and "\n" in proof.evidence[0].text.strip():
        print_note("hint: use --lines for a text with one sentence on each line")
    others = {proof.policy: proof.policy_usage, proof.verdict_model: proof.verdict_usage}
    show_usage(proof.usage, proof.model, others)


def _warn(claim: str, method: str, *, verdict: bool) -> None:
    """Print a hint about a claim that takes long, or that is none."""
    from probative.cli.views.terminal import print_note
    from probative.verdict.claim import claims_nothing

    if len(claim) > LONG_CLAIM and method == "mcse":
        print_note(
            f"hint: a claim of {len(claim):,} characters is read again with every sentence, which may take "
            "minutes; --dry-run counts the tokens"
        )
    if verdict and (problem := claims_nothing(claim)) is not None:
        print_note(f"hint: {problem}, so there will be no verdict, only the sentences nearest to it")


def _k(k: str) -> int | str:
    if k == "auto":
        return k
    try:
        return int(k)
    except ValueError:
        raise InputError(f"-k must be a number from 1, or auto, got {k!r}") from None


def _prompt(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
