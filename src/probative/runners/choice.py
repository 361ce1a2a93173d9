"""The runner that a user names with `--runner`."""

from __future__ import annotations

from probative.errors import InputError
from probative.runners.contract import Runner
from probative.runners.in_process import InProcess
from probative.runners.processes import Processes

_HINT = "use local or local:PROCESSES"


def parse_runner(text: str) -> Runner:
    """Return the runner of this name; raises `InputError` if there is none.

    >>> parse_runner("local:4").processes
    4
    """
    name, _, rest = text.partition(":")
    if text == "local":
        return InProcess()
    if name == "local":
        if not rest.isdecimal():
            raise InputError(f"the number of processes is not a number: {text!r}", hint=_HINT)
        return Processes(int(rest))
    raise InputError(f"there is no runner {text!r}", hint=_HINT)
