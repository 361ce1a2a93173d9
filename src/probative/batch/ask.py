"""`ask` for a file of questions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.baselines.passages.methods import ANSWER_METHODS
from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.errors import InputError
from probative.runners.contract import Runner
from probative.session.ask import scope_options
from probative.session.method_choice import MethodChoice
from probative.session.session import Session

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus


def ask_file(
    source: Path,
    target: Path,
    *,
    session: Session,
    method: str = "scope",
    preset: str | None = None,
    seed: int = 0,
    corpus: Corpus | None = None,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
    **changes: Any,
) -> BatchManifest:
    """Answer every question of a JSONL file (`id`, `question`, `passages`); see `Session.ask`.

    With a `corpus`, the lines need no passages.
    """
    if method not in ANSWER_METHODS:
        raise InputError(f"there is no method {method!r}", hint=f"use one of {', '.join(ANSWER_METHODS)}")
    chosen = scope_options(MethodChoice(method, preset, None, changes), model=None, settings=session.settings)
    options = chosen.to_dict() if method == "scope" else {name: getattr(chosen, name) for name in changes}
    arguments = {"method": method, "preset": preset, "seed": seed, "corpus": corpus, **changes}
    if corpus is not None:
        corpus.wait_for_vectors()  # all lines, and all runs, search the same vectors
    searched = {} if corpus is None else {"corpus": corpus.fingerprint}
    return run_with_session(
        session,
        "ask",
        source,
        target,
        arguments=arguments,
        options={"method": method, "seed": seed, **options, **searched},
        limit=limit,
        unordered=unordered,
        progress=progress,
        runner=runner,
    )
