"""Run the command of `verify` again whenever a text or its sources change."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from probative.cli.framework.verb_command import VerbCall
from probative.corpus.watching import settled, state_of
from probative.errors import BudgetError, ProbativeError
from probative.text.labels import counted
from probative.verify.judged_claims import JudgedClaims

if TYPE_CHECKING:
    from probative.session.session import Session


def watch(call: VerbCall) -> None:
    """Check the texts of a call, and again after each change, until the process is stopped.

    What fails at first ends the command; later it is shown, and the next change tries again. A text that
    cannot be read, because it is gone or half written, does not keep the others from being checked.
    """
    from probative.cli.views.terminal import print_error

    assert call.documents is not None
    sources = [call.documents.corpus] if call.documents.corpus is not None else call.values["passages"]
    watched = [*call.values["text"], *sources]
    judged, before = JudgedClaims(), None
    with call.models.session(dry_run=False) as session:
        while True:
            now = settled(lambda: tuple(state_of(file) for file in watched), before)
            try:
                _check(call, session, judged, is_first=before is None)
            except BudgetError:
                raise
            except ProbativeError as error:
                if before is None:
                    raise
                print_error(str(error))
            before = now


def _check(call: VerbCall, session: Session, judged: JudgedClaims, *, is_first: bool) -> None:
    """Check every text that can be read, write the reports, and print the results."""
    from probative.cli.views.terminal import print_error, print_note

    started, before = time.monotonic(), judged.judged
    asked: dict[str, Any] = {}
    for file in call.values["text"]:
        try:
            asked |= call.read_first(text=[file])
        except ProbativeError as error:
            if is_first:
                raise
            print_error(str(error))
    done = call.results(session, asked, judged=judged) if asked else []
    if not done:
        return
    call.print_results(done)
    new = judged.judged - before
    kept = sum(len(result.claims) for result, _ in done) - new
    print_note(
        f"{time.strftime('%H:%M:%S')}: {counted(new, 'claim')} judged, {kept:,} as before; "
        f"{time.monotonic() - started:.1f} s. Waiting for changes; Ctrl-C ends"
    )
