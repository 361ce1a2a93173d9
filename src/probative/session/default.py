"""The verbs of the package, over one default session for each settings of the process.

They are made from the table (`probative.verbs.table`); their types are in `default.pyi`.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import Parameter, signature
from typing import Any

from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.verdict import VerdictModel
from probative.session.base import with_names
from probative.session.session import Session
from probative.session.tools import check_kinds
from probative.settings import Settings
from probative.verbs import BUILT_IN
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS
from probative.verdict.judgement import CALIBRATED, Judgement

_SESSIONS: dict[tuple[Settings, bool], Session] = {}
_LOCK = threading.RLock()


def default_session(settings: Settings, *, dry_run: bool = False) -> Session:
    """Return the session that the package's verbs use with these settings; it stays open."""
    with _LOCK:
        key = (settings, dry_run)
        if key not in _SESSIONS:
            _SESSIONS[key] = Session(settings=settings, dry_run=dry_run)
        return _SESSIONS[key]


@atexit.register
def close_default_sessions() -> None:
    """Close the sessions behind the package's verbs; the next call opens a new one."""
    with _LOCK:
        sessions = list(_SESSIONS.values())
        _SESSIONS.clear()
    for session in sessions:
        session.close()


@contextmanager
def session_for(
    *,
    model: LanguageModel | str | None = None,
    judge_model: LanguageModel | str | None = None,
    encoder: Encoder | str | None = None,
    verdict: VerdictModel | str | None = None,
    settings: Settings | None = None,
    dry_run: bool = False,
) -> Iterator[Session]:
    """Give the default session, or one that shares its models where opened models or a budget are given.

    A budget in the settings covers one call of a verb, not all calls of the process.
    """
    check_kinds(model, judge_model, encoder, settings, verdict)
    named = with_names(settings, model=model, judge_model=judge_model, encoder=encoder, verdict=verdict)
    session = default_session(named, dry_run=dry_run)
    opened = [tool for tool in (model, judge_model, encoder, verdict) if not isinstance(tool, str | None)]
    if not opened and session.budget is None:
        yield session
        return
    with Session(
        model,
        judge_model=judge_model,
        encoder=encoder,
        verdict=verdict,
        settings=named,
        dry_run=dry_run,
        _share=session,
    ) as own:
        yield own


def functions_of(spec: VerbSpec) -> dict[str, Callable[..., Any]]:
    """Return the functions of a verb by name: for one case, and for many."""

    def one(*given: Any, **keywords: Any) -> Any:
        models = {name: keywords.pop(name) for name in names if name in keywords}
        with session_for(**models) as session:
            result = getattr(session, spec.name)(*given, **keywords)
        return _noted(result, models.get("model"))

    def many(*given: Any, **keywords: Any) -> Iterator[Any]:
        models = {name: keywords.pop(name) for name in names if name in keywords}
        with session_for(**models) as session:
            yield from getattr(session, f"{spec.name}_all")(*given, **keywords)

    shared = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY)
        for name, parameter in signature(session_for).parameters.items()
        if name not in spec.arguments
    ]
    names = [parameter.name for parameter in shared]
    functions = {spec.name: one, f"{spec.name}_all": many}
    for name, function in functions.items():
        form = spec.signature if function is one else spec.signature_all
        own = list(form.parameters.values())
        parameters = sorted([*own, *shared], key=lambda parameter: parameter.kind)
        function.__name__ = function.__qualname__ = name
        function.__doc__ = spec.bind.__doc__ if function is one else f"Run `{spec.name}` for many cases."
        function.__signature__ = form.replace(parameters=parameters)  # type: ignore[attr-defined]
    return functions


def _noted(result: Any, model: object) -> Any:
    """Return a judgement with a note if a model was given that was not asked."""
    if model is None or not isinstance(result, Judgement) or result.verdict_model not in CALIBRATED:
        return result
    if result.verdict_model == getattr(model, "name", model):
        return result
    note = "the model was not asked: verdict='model' asks it instead of the embedded verdict model"
    return result.model_copy(update={"notes": (*result.notes, note)})


for built_in in BUILT_IN:
    globals().update(functions_of(VERBS.load(built_in)))
