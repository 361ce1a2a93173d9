"""`prove` for a whole file of claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from probative.batch.run import Batch, BatchManifest, Line, over_lines, plan_batch, run_batch
from probative.errors import ProbativeError
from probative.mcse.options import DEFAULT_PRESET
from probative.mcse.search import K
from probative.session.prove import as_case, method_options
from probative.session.session import Session
from probative.settings import Settings
from probative.types import Value


def prove_file(
    source: Path,
    target: Path,
    *,
    settings: Settings,
    k: K = 3,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    verdict: bool = False,
    limit: int | None = None,
    dry_run: bool = False,
    progress: Callable[[int, int, int], None] | None = None,
    **changes: Any,
) -> BatchManifest:
    """Prove every claim of a JSONL file (`id`, `claim`, `sentences`) into another; see `batch`.

    A dry run writes nothing: its manifest only says what the whole would cost.
    """
    chosen = method_options(method, preset, None, changes)
    made_with = {
        "k": k,
        "method": method,
        "verdict": verdict,
        "model": settings.model,
        "encoder": settings.encoder,
        "base_url": settings.base_url,
        **(chosen.to_dict() if method in ("mcse", "learned") else {}),
    }
    with Session(settings=settings, dry_run=dry_run) as session:
        batch = Batch(source, target, "prove", made_with, session, limit=limit)

        def run(lines: list[Line]) -> Iterator[tuple[int, Value | ProbativeError]]:
            return over_lines(
                lines,
                as_case,
                lambda cases: session.prove_all(
                    cases, k, method=method, preset=preset, verdict=verdict, **changes
                ),
            )

        return plan_batch(batch, run) if dry_run else run_batch(batch, run, progress)
