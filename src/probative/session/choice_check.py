"""Check the method, the preset and the options of a verb before it is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probative.errors import InputError
from probative.mcse.options import DEFAULT_PRESET
from probative.session.ask import ask_verb, scope_options
from probative.session.base import SessionBase
from probative.session.method_choice import MethodChoice
from probative.session.prove import method_options, prove_verb
from probative.session.reason import reason_options
from probative.session.verify import verify_options, verify_verb


def check_choice(
    session: SessionBase, verb: str, method: str, preset: str | None, changes: Mapping[str, Any]
) -> None:
    """Raise the `InputError` that a verb of the session would raise for this choice; no model is opened.

    >>> from probative.session.session import Session
    >>> with Session() as session:
    ...     try:
    ...         check_choice(session, "prove", "bm52", None, {})
    ...     except InputError as error:
    ...         print(error.what)
    there is no method called 'bm52'
    """
    if preset is not None and verb == "verify":
        raise InputError("verify has no presets")
    choice = MethodChoice(method, preset, None, changes)
    if verb in ("ask", "check"):
        options = scope_options(choice, model=session._model, settings=session.settings)
        ask_verb(choice, options)
    elif verb == "prove":
        chosen = method_options(method, preset or DEFAULT_PRESET, None, dict(changes))
        prove_verb(chosen, method, k=1, verdict=False)
    elif verb == "verify":
        verify_verb(verify_options(None, changes), method)
    elif verb == "reason":
        reason_options(choice, model=session._model, settings=session.settings)
