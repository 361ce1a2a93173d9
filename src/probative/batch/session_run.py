"""Run a batch with a session, or count what it would cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from probative.batch.manifest import BatchManifest
from probative.batch.run import Batch, Progress, RunCases, plan_batch, run_batch
from probative.session.session import Session
from probative.text.own_prompts import digest


def run_with_session(
    session: Session,
    verb: str,
    source: Path,
    target: Path,
    run: RunCases,
    *,
    options: dict[str, Any],
    limit: int | None,
    unordered: bool,
    progress: Progress | None,
) -> BatchManifest:
    """Run a verb over a file. `options` decide the results together with the models that `session` names.

    Addresses are stored without the credentials that they may contain. A session that is a dry run writes
    nothing: the manifest only has the cost.
    """
    settings = session.settings
    made_with = {
        "model": settings.model,
        "judge_model": settings.judge_model,
        "encoder": settings.encoder,
        "verdict": settings.verdict,
        "base_url": _masked(settings.base_url),
        "judge_base_url": _masked(settings.judge_base_url),
        **({"prompts": digest(session.prompts)} if session.prompts else {}),
        **options,
    }
    batch = Batch(source, target, verb, made_with, session, limit, unordered)
    return plan_batch(batch, run) if session.dry_run else run_batch(batch, run, progress)


def _masked(address: str | None) -> str | None:
    from probative.server_url import ServerUrl

    return None if address is None else str(ServerUrl(address))
