"""`probative check`: whether knowledge is a chain of evidence for a question, and what is missing."""

from __future__ import annotations

from typing import Annotated

import typer

from probative.cli import options
from probative.errors import InputError

KnowledgeFile = Annotated[
    str | None,
    typer.Option(
        "--knowledge",
        help="The knowledge: a .jsonl file, or a text with a blank line between passages or one a line; "
        "- for standard input (the default).",
    ),
]


def check(
    question: Annotated[str | None, typer.Argument(help="What is to be answered.")] = None,
    knowledge: KnowledgeFile = None,
    whole: Annotated[bool, typer.Option("--whole", help="Judge the text as one passage.")] = False,
    preset: options.ScopePreset = None,
    option: options.ScopeOption = None,
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
    no_cache: options.NoCache = False,
    dry_run: options.DryRun = False,
    json: options.Json = False,
) -> None:
    """Say whether passages together carry everything that a question asks, and what is missing."""
    settings = options.settings_of(locals())
    if question is None:
        raise InputError("there is no question", hint='probative check "question" --knowledge FILE')
    from probative import check
    from probative.cli.inputs.passages import read_passages
    from probative.cli.views.search import showing_search
    from probative.scope.options import ScopeOptions

    changes = options.changes_of(option, "scope", ScopeOptions.model_fields)
    passages = read_passages(knowledge, "--knowledge")
    known = "\n".join(passage.whole for passage in passages) if whole else passages
    with showing_search() as progress:
        checked = check(
            question,
            known,
            preset=preset,
            settings=settings,
            dry_run=dry_run,
            progress=progress,
            **changes,
        )
    if json:
        typer.echo(checked.to_json())
        return
    from probative.cli.views.check import show_check
    from probative.cli.views.usage import show_dry_run, show_usage

    if dry_run:
        show_dry_run(checked.usage)
        return
    show_check(checked)
    show_usage(checked.usage, checked.model)
