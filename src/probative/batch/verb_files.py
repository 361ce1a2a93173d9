"""Each verb from file to file: run with a session, or counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import AliasChoices

from probative.baselines.passages.methods import ANSWER_METHODS
from probative.batch.job import max_active
from probative.batch.manifest import BatchManifest
from probative.batch.run import Batch, Progress, plan_batch, run_batch
from probative.errors import InputError
from probative.mcse.options import DEFAULT_PRESET
from probative.runners.contract import Runner
from probative.session.annotate import AnnotateCase
from probative.session.ask import AskCase, CheckCase, scope_options
from probative.session.judge import JudgeCase
from probative.session.method_choice import MethodChoice
from probative.session.prove import ProveCase, method_options
from probative.session.reason import GraphLike, ReasonCase, as_graph, reason_options
from probative.session.session import Session
from probative.session.verify import POLICY, VerifyCase, checked_method, verify_options
from probative.text.own_prompts import digest
from probative.types import Passage, Value

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.give.result import Example
    from probative.mcse.search import K


class Bound(NamedTuple):
    """The arguments of a verb for all lines, and those of its options that decide the results: a resumed run
    must have the same.
    """

    arguments: dict[str, Any]
    options: dict[str, Any]


class VerbFile(NamedTuple):
    """What a line of a verb is read as, and how the arguments of the verb are bound."""

    case: type[Value]
    bind: Callable[..., Bound]


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
    **given: Any,
) -> BatchManifest:
    """Run a verb over every line of a JSONL file; `given` are the arguments of the verb for all lines.

    A line has an `id` and the fields of the verb's case. With a `runner`, the lines run in its workers, which
    open the models themselves; the results are the same. Addresses are stored without the credentials that
    they may contain. A session that is a dry run writes nothing: the manifest only has the cost.
    """
    case, bind = VERB_FILES[verb]
    arguments, options = bind(session, **given)
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
    batch = Batch(source, target, verb, made_with, session, limit, unordered, fields_of(case))
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


def _ask(
    session: Session,
    *,
    method: str = "scope",
    preset: str | None = None,
    seed: int = 0,
    corpus: Corpus | None = None,
    **changes: Any,
) -> Bound:
    """Bind `ask`; with a `corpus`, the lines need no passages."""
    if method not in ANSWER_METHODS:
        raise InputError(f"there is no method {method!r}", hint=f"use one of {', '.join(ANSWER_METHODS)}")
    chosen = scope_options(MethodChoice(method, preset, None, changes), model=None, settings=session.settings)
    options = chosen.to_dict() if method == "scope" else {name: getattr(chosen, name) for name in changes}
    if corpus is not None:
        corpus.wait_for_vectors()  # all lines, and all runs, search the same vectors
        options["corpus"] = corpus.fingerprint
    arguments = {"method": method, "preset": preset, "seed": seed, "corpus": corpus, **changes}
    return Bound(arguments, {"method": method, "seed": seed, **options})


def _check(session: Session, *, preset: str | None = None, **changes: Any) -> Bound:
    choice = MethodChoice("scope", preset, None, changes)
    chosen = scope_options(choice, model=None, settings=session.settings)
    return Bound({"preset": preset, **changes}, chosen.to_dict())


def _prove(
    session: Session,
    *,
    k: K = 3,
    method: str = "mcse",
    preset: str = DEFAULT_PRESET,
    verdict: bool = True,
    **changes: Any,
) -> Bound:
    chosen = method_options(method, preset, None, changes)
    options = chosen.to_dict() if method in ("mcse", "learned") else {}
    common = {"k": k, "method": method, "verdict": verdict}
    return Bound({**common, "preset": preset, **changes}, {**common, **options})


def _reason(
    session: Session,
    *,
    graph: GraphLike,
    method: str = "give",
    preset: str | None = None,
    worked: Sequence[Example | Mapping[str, Any]] | None = None,
    seed: int = 0,
    embedding: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> Bound:
    choice = MethodChoice(method, preset, None, changes, seed)
    chosen = reason_options(choice, model=None, settings=session.settings)
    opened = as_graph(graph)
    common = {"method": method, "seed": seed}
    arguments = {"graph": opened, "preset": preset, "worked": worked, "embedding": embedding}
    examples = [example if isinstance(example, Mapping) else example.to_dict() for example in worked or ()]
    options = {"graph": opened.fingerprint, "worked": examples, **chosen.to_dict()}
    return Bound({**common, **arguments, **changes}, {**common, **options})


def _verify(
    session: Session,
    *,
    passages: Corpus | list[Passage] | None = None,
    method: str = POLICY,
    **changes: Any,
) -> Bound:
    """Bind `verify`; lines without passages of their own are checked against `passages`."""
    chosen = verify_options(None, changes)
    arguments = {"passages": passages, "method": checked_method(method), "options": chosen}
    # How many claims are checked side by side decides no verdict.
    options = {"method": method, **chosen.model_dump(exclude={"max_active"}), **_searched(passages)}
    return Bound(arguments, options)


def _searched(passages: Corpus | list[Passage] | None) -> dict[str, str]:
    """Return what identifies the sources of all lines."""
    from probative.corpus.corpus import Corpus
    from probative.scope.inputs import as_passages

    if passages is None:
        return {}
    if isinstance(passages, Corpus):
        return {"corpus": passages.fingerprint}
    content = json.dumps([passage.to_dict() for passage in as_passages(passages)], sort_keys=True)
    return {"passages": hashlib.sha256(content.encode()).hexdigest()[:16]}


def _no_options(session: Session) -> Bound:
    return Bound({}, {})


VERB_FILES: Mapping[str, VerbFile] = {
    "ask": VerbFile(AskCase, _ask),
    "check": VerbFile(CheckCase, _check),
    "prove": VerbFile(ProveCase, _prove),
    "judge": VerbFile(JudgeCase, _no_options),
    "annotate": VerbFile(AnnotateCase, _no_options),
    "verify": VerbFile(VerifyCase, _verify),
    "reason": VerbFile(ReasonCase, _reason),
}
