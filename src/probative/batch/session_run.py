"""Run a batch with a session, or count what it would cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import AliasChoices

from probative.batch.manifest import BatchManifest
from probative.batch.run import Batch, Progress, plan_batch, run_batch
from probative.batch.width import max_active
from probative.runners.contract import Runner
from probative.session.annotate import AnnotateCase
from probative.session.ask import AskCase, CheckCase
from probative.session.judge import JudgeCase
from probative.session.prove import ProveCase
from probative.session.reason import ReasonCase
from probative.session.session import Session
from probative.session.verify import VerifyCase
from probative.text.own_prompts import digest
from probative.types import Value

CASES: dict[str, type[Value]] = {
    "ask": AskCase,
    "check": CheckCase,
    "prove": ProveCase,
    "judge": JudgeCase,
    "annotate": AnnotateCase,
    "verify": VerifyCase,
    "reason": ReasonCase,
}
"""What a line of each verb is read as."""


def run_with_session(
    session: Session,
    verb: str,
    source: Path,
    target: Path,
    *,
    arguments: Mapping[str, Any],
    options: dict[str, Any],
    limit: int | None,
    unordered: bool,
    progress: Progress | None,
    runner: Runner | None = None,
) -> BatchManifest:
    """Run a verb over a file. `options` decide the results together with the models that `session` names.

    `arguments` are those of the session's method for many cases, such as `ask_all`. With a `runner`, the
    lines run in its workers, which open the models themselves; the results are the same.
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
    run = partial(getattr(session, f"{verb}_all"), max_active=max_active(session, verb), **arguments)
    batch = Batch(source, target, verb, made_with, session, limit, unordered, fields_of(CASES[verb]))
    if session.dry_run:
        return plan_batch(batch, run)
    if runner is not None:
        from probative.batch.job import RunnerRun

        workers = RunnerRun(session, verb, arguments, runner)
        return run_batch(replace(batch, weights=workers), workers, progress)
    return run_batch(batch, run, progress)


def fields_of(case: type[Value]) -> frozenset[str]:
    """Return the names of the fields of a case, by which a line may call them.

    >>> sorted(fields_of(CheckCase))
    ['knowledge', 'passages', 'question']
    """
    aliases = (field.validation_alias for field in case.model_fields.values())
    others = (alias.choices for alias in aliases if isinstance(alias, AliasChoices))
    return frozenset(case.model_fields) | {str(name) for names in others for name in names}


def _masked(address: str | None) -> str | None:
    from probative.server_url import ServerUrl

    return None if address is None else str(ServerUrl(address))
