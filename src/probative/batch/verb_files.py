"""A verb from file to file: run with a session, or counted."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import AliasChoices

from probative.batch.job import max_active
from probative.batch.manifest import BatchManifest
from probative.batch.run import Batch, Progress, plan_batch, run_batch
from probative.runners.contract import Runner
from probative.session.session import Session
from probative.text.prompts import digest
from probative.types import Value
from probative.verbs.table import VERBS


def verb_file(
    verb: str,
    source: Path,
    target: Path,
    *,
    session: Session,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
    **arguments: Any,
) -> BatchManifest:
    """Run a verb over every line of a JSONL file; `arguments` are those of the verb for all lines.

    A line has an `id` and the fields of the verb's case. With a `runner`, the lines run in its workers, which
    open the models themselves; the results are the same. Addresses are stored without the credentials that
    they may contain. A session that is a dry run writes nothing: the manifest only has the cost.
    """
    spec = VERBS.load(verb)
    settings = session.settings
    made_with = {
        "model": settings.model,
        "judge_model": settings.judge_model,
        "encoder": settings.encoder,
        "verdict": settings.verdict_model,
        "base_url": _masked(settings.base_url),
        "judge_base_url": _masked(settings.judge_base_url),
        **({"prompts": digest(session.prompts)} if session.prompts else {}),
        **spec.bind(session, **arguments).deciding(),
    }
    run = partial(getattr(session, f"{verb}_all"), max_active=max_active(session, verb), **arguments)
    batch = Batch(source, target, verb, made_with, session, limit, unordered, fields_of(spec.case))
    if session.dry_run:
        return plan_batch(batch, run)
    if runner is not None:
        from probative.batch.job import RunnerRun

        workers = RunnerRun(session, verb, arguments, runner)
        return run_batch(replace(batch, weights=workers), workers, progress)
    return run_batch(batch, run, progress)


def fields_of(case: type[Value]) -> frozenset[str]:
    """Return the names of the fields of a case, by which a line may call them.

    >>> from probative.verbs.check import CheckCase
    >>> sorted(fields_of(CheckCase))
    ['knowledge', 'passages', 'question']
    """
    aliases = (field.validation_alias for field in case.model_fields.values())
    others = (alias.choices for alias in aliases if isinstance(alias, AliasChoices))
    return frozenset(case.model_fields) | {str(name) for names in others for name in names}


def _masked(address: str | None) -> str | None:
    from probative.server_url import ServerUrl

    return None if address is None else str(ServerUrl(address))
