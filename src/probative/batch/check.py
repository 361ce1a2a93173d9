"""`check` for a file of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.runners.contract import Runner
from probative.session.ask import scope_options
from probative.session.method_choice import MethodChoice
from probative.session.session import Session


def check_file(
    source: Path,
    target: Path,
    *,
    session: Session,
    preset: str | None = None,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
    **changes: Any,
) -> BatchManifest:
    """Check every question of a JSONL file (`id`, `question`, `knowledge`); see `Session.check`."""
    chosen = scope_options(
        MethodChoice("scope", preset, None, changes), model=None, settings=session.settings
    )
    arguments = {"preset": preset, **changes}
    return run_with_session(
        session,
        "check",
        source,
        target,
        arguments=arguments,
        options=chosen.to_dict(),
        limit=limit,
        unordered=unordered,
        progress=progress,
        runner=runner,
    )
