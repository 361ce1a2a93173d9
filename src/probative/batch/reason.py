"""`reason` for a whole file of questions over one graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from probative.batch.run import Batch, BatchManifest, Line, over_lines, plan_batch, run_batch
from probative.errors import ProbativeError
from probative.give.query import make_query
from probative.give.result import Example
from probative.session.reason import GraphLike, ReasonCase, as_graph, as_reason_case, reason_options
from probative.session.session import Session
from probative.settings import Settings
from probative.types import Value


def reason_file(
    source: Path,
    target: Path,
    *,
    graph: GraphLike,
    settings: Settings,
    method: str = "give",
    preset: str | None = None,
    worked: Sequence[Example | Mapping[str, Any]] | None = None,
    seed: int = 0,
    limit: int | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
    embedding: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> BatchManifest:
    """Answer every question of a JSONL file (`id`, `question`, perhaps `choices` and `form`) over one graph
    into another; see `batch`. A dry run writes nothing: its manifest only says what the whole would cost.
    """
    chosen = reason_options(method, preset, None, changes, model=None, settings=settings, seed=seed)
    opened = as_graph(graph)
    made_with = {
        "method": method,
        "seed": seed,
        "graph": opened.fingerprint,
        "worked": [
            example if isinstance(example, Mapping) else example.to_dict() for example in worked or ()
        ],
        "model": settings.model,
        "encoder": settings.encoder,
        "base_url": settings.base_url,
        **chosen.to_dict(),
    }
    with Session(settings=settings, dry_run=dry_run) as session:
        batch = Batch(source, target, "reason", made_with, session, limit=limit)

        def run(lines: list[Line]) -> Iterator[tuple[int, Value | ProbativeError]]:
            return over_lines(
                lines,
                _case,
                lambda cases: session.reason_all(
                    cases,
                    opened,
                    method=method,
                    preset=preset,
                    worked=worked,
                    seed=seed,
                    embedding=embedding,
                    **changes,
                ),
            )

        return plan_batch(batch, run) if dry_run else run_batch(batch, run, progress)


def _case(line: Line) -> ReasonCase:
    """A line's question, or an `InputError`."""
    case = as_reason_case(line)
    make_query(case.question, case.choices, case.form)
    return case
