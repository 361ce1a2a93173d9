"""`verify` for a file of texts."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.corpus.corpus import Corpus
from probative.runners.contract import Runner
from probative.scope.inputs import as_passages
from probative.session.session import Session
from probative.session.verify import POLICY, checked_method, verify_options
from probative.types import Passage


def verify_file(
    source: Path,
    target: Path,
    *,
    session: Session,
    passages: Corpus | list[Passage] | None = None,
    method: str = POLICY,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
    **changes: Any,
) -> BatchManifest:
    """Verify every text of a JSONL file (`id`, `text`, perhaps `passages` and `name`); see `Session.verify`.

    Lines without passages of their own are checked against `passages`.
    """
    chosen = verify_options(None, changes)
    return run_with_session(
        session,
        "verify",
        source,
        target,
        arguments={"passages": passages, "method": checked_method(method), "options": chosen},
        # How many claims are checked side by side decides no verdict.
        options={"method": method, **chosen.model_dump(exclude={"max_active"}), **_searched(passages)},
        limit=limit,
        unordered=unordered,
        progress=progress,
        runner=runner,
    )


def _searched(passages: Corpus | list[Passage] | None) -> dict[str, str]:
    """Return what identifies the sources of all lines."""
    if passages is None:
        return {}
    if isinstance(passages, Corpus):
        return {"corpus": passages.fingerprint}
    content = json.dumps([passage.to_dict() for passage in as_passages(passages)], sort_keys=True)
    return {"passages": hashlib.sha256(content.encode()).hexdigest()[:16]}
