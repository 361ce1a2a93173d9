"""`judge` and `annotate` for a file of claims: verbs without options of their own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.batch.width import max_active
from probative.session.session import Session


def claims_file(
    verb: Literal["judge", "annotate"],
    source: Path,
    target: Path,
    *,
    session: Session,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
) -> BatchManifest:
    """Judge or annotate every claim of a JSONL file (`id`, `claim`, and `evidence` or `sentences`); see
    `Session.judge` and `Session.annotate`.
    """
    run_all = session.judge_all if verb == "judge" else session.annotate_all
    return run_with_session(
        session,
        verb,
        source,
        target,
        partial(run_all, max_active=max_active(session)),
        options={},
        limit=limit,
        unordered=unordered,
        progress=progress,
    )
