"""`probative ask`: an answer from the smallest chain of passages that carries it, or what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from probative.cli import options
from probative.errors import InputError
from probative.settings import Settings

if TYPE_CHECKING:
    from probative.types import Passage

PassageFile = Annotated[
    str | None,
    typer.Option(
        "--passages",
        help="The passages: a .jsonl file, or a text with a blank line between them or one a line; "
        "- for standard input (the default).",
    ),
]


def ask(
    question: Annotated[str | None, typer.Argument(help="What is to be answered.")] = None,
    passages: PassageFile = None,
    method: options.AnswerMethod = "scope",
    preset: options.ScopePreset = None,
    option: options.ScopeOption = None,
    answer_anyway: Annotated[
        bool,
        typer.Option("--answer-anyway", help="Answer even if something is missing or contradicted."),
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
    """Answer a question from passages, and show which of them carry it, or what is missing."""
    settings = options.settings_of(locals())
    if method not in ("scope", "rag") and (preset or option or answer_anyway):
        raise InputError(f"--preset, --option and --answer-anyway are scope's, and {method} has none of them")
    asked = {"method": method, "preset": preset, "seed": seed or 0, **_changes(option, answer_anyway)}
    if source is not None or target is not None:
        if question is not None or passages is not None:
            raise InputError(
                "--in and --out take the questions from a file", hint="leave out QUESTION and --passages"
            )
        if source is None or target is None:
            raise InputError("--in and --out belong together", hint="give both")
        from probative.batch.ask import ask_file
        from probative.cli.views.batch import run_file

        asked |= {"limit": limit, "settings": settings}
        run_file(ask_file, source, target, "questions", dry_run=dry_run, json=json, **asked)
        return
    if limit is not None:
        raise InputError("--limit is for --in and --out")
    if question is None:
        raise InputError("there is no question", hint='probative ask "question" --passages FILE')
    _one(question, _passages(passages, method), asked, settings, dry_run=dry_run, json=json)


def _changes(option: list[str] | None, answer_anyway: bool) -> dict[str, Any]:
    """The options of scope that were given."""
    from probative.scope.options import ScopeOptions

    changes = options.changes_of(option, "scope", ScopeOptions.model_fields)
    return {**changes, "answer_anyway": True} if answer_anyway else changes


def _passages(file: str | None, method: str) -> list[Passage]:
    from probative.cli.inputs.passages import read_passages

    if file is None and method == "closed-book":  # it reads none, and must not wait for any
        return []
    return read_passages(file, "--passages")


def _one(
    question: str,
    passages: list[Passage],
    asked: dict[str, Any],
    settings: Settings,
    *,
    dry_run: bool,
    json: bool,
) -> None:
    from probative import ask
    from probative.cli.views.search import showing_search

    with showing_search() as progress:
        answer = ask(question, passages, settings=settings, dry_run=dry_run, progress=progress, **asked)
    if json:
        typer.echo(answer.to_json())
        return
    from probative.cli.views.answer import show_answer
    from probative.cli.views.usage import show_dry_run, show_usage

    if dry_run:
        show_dry_run(answer.usage)
        return
    show_answer(answer)
    show_usage(answer.usage, answer.model)
