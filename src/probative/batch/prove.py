"""`prove` for a file of claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.mcse.options import DEFAULT_PRESET
from probative.mcse.search import K
from probative.runners.contract import Runner
from probative.session.prove import method_options
from probative.session.session import Session


def prove_file(
    source: Path,
    target: Path,
    *,
    session: Session,
    k: K = 3,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    verdict: bool = True,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
    **changes: Any,
) -> BatchManifest:
    """Prove every claim of a JSONL file (`id`, `claim`, `sentences`, perhaps `k`); see `Session.prove`."""
    chosen = method_options(method, preset, None, changes)
    options = chosen.to_dict() if method in ("mcse", "learned") else {}
    arguments = {"k": k, "method": method, "preset": preset, "verdict": verdict, **changes}
    return run_with_session(
        session,
        "prove",
        source,
        target,
        arguments=arguments,
        options={"k": k, "method": method, "verdict": verdict, **options},
        limit=limit,
        unordered=unordered,
        progress=progress,
        runner=runner,
    )
