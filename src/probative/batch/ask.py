"""`ask` for a whole file of questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from probative.baselines.passages.methods import ANSWER_METHODS
from probative.batch.run import Batch, BatchManifest, Line, over_lines, plan_batch, run_batch
from probative.errors import InputError, ProbativeError
from probative.scope.inputs import as_passages
from probative.session.ask import AskCase, as_ask_case, scope_options
from probative.session.session import Session
from probative.settings import Settings
from probative.types import Value


def ask_file(
    source: Path,
    target: Path,
    *,
    settings: Settings,
    method: str = "scope",
    preset: str | None = None,
    seed: int = 0,
    limit: int | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
    **changes: Any,
) -> BatchManifest:
    """Answer every question of a JSONL file (`id`, `question`, `passages`) into another; see `batch`.

    A dry run writes nothing: its manifest only says what the whole would cost.
    """
    if method not in ANSWER_METHODS:
        raise InputError(f"there is no method {method!r}", hint=f"one of {', '.join(ANSWER_METHODS)}")
    chosen = scope_options(method, preset, None, changes, model=None, settings=settings)
    theirs = {name: getattr(chosen, name) for name in changes} if method != "scope" else {}
    made_with = {
        "method": method,
        "seed": seed,
        "model": settings.model,
        "encoder": settings.encoder,
        "base_url": settings.base_url,
        **(chosen.to_dict() if method == "scope" else theirs),
    }
    with Session(settings=settings, dry_run=dry_run) as session:
        batch = Batch(source, target, "ask", made_with, session, limit=limit)

        def run(lines: list[Line]) -> Iterator[tuple[int, Value | ProbativeError]]:
            return over_lines(
                lines,
                _case,
                lambda cases: session.ask_all(cases, method=method, preset=preset, seed=seed, **changes),
            )

        return plan_batch(batch, run) if dry_run else run_batch(batch, run, progress)


def _case(line: Line) -> AskCase:
    """A line's question with passages that can be used, or an `InputError`."""
    case = as_ask_case(line)
    return case.model_copy(update={"passages": tuple(as_passages(list(case.passages)))})
