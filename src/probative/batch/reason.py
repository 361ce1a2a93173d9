"""`reason` for a whole file of questions over one graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from probative.batch.run import Batch, BatchManifest, Line, over_lines, plan_batch, run_batch
from probative.engine.runner import MAX_ACTIVE
from probative.errors import ProbativeError
from probative.give.query import make_query
from probative.give.result import Example
from probative.session.reason import (
    GraphLike,
    ReasonCase,
    as_examples,
    as_reason_case,
    opened,
    reason_options,
    reasonings,
)
from probative.session.tools import one_at_a_time
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
    chosen = reason_options(method, preset, None, changes, None, settings, seed)
    own = as_examples(worked)
    over, tools = opened(graph, None, None, settings, embedding, dry_run=dry_run)
    made_with = {
        "method": method,
        "seed": seed,
        "graph": over.graph.fingerprint,
        "worked": [
            example if isinstance(example, Mapping) else example.to_dict() for example in worked or ()
        ],
        "model": settings.model,
        "encoder": settings.encoder,
        "base_url": settings.base_url,
        **chosen.to_dict(),
    }
    batch = Batch(source, target, "reason", made_with, tools, limit=limit)
    together = one_at_a_time(settings, MAX_ACTIVE)

    def run(lines: list[Line]) -> Iterator[tuple[int, Value | ProbativeError]]:
        return over_lines(
            lines,
            _case,
            lambda cases: reasonings(cases, over, method, chosen, tools, own, together, dry_run=dry_run),
        )

    return plan_batch(batch, run) if dry_run else run_batch(batch, run, progress)


def _case(line: Line) -> ReasonCase:
    """A line's question, or an `InputError`."""
    case = as_reason_case(line)
    make_query(case.question, case.choices, case.form)
    return case
