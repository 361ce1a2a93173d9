"""The runner that a user names with `--runner`."""

from __future__ import annotations

from probative.errors import InputError
from probative.runners.contract import Runner
from probative.runners.in_process import InProcess
from probative.runners.processes import Processes
from probative.runners.ray_cluster import RayCluster

_HINT = "use local, local:PROCESSES, ray or ray:ADDRESS"


def parse_runner(text: str, threads: int | None = None) -> Runner:
    """Return the runner of this name; raises `InputError` if there is none.

    `threads` is the number of threads of each worker, where the user has set it.

    >>> parse_runner("local:4").processes
    4
    """
    name, colon, rest = text.partition(":")
    if text == "local":
        return InProcess()
    if name == "local":
        if not rest.isdecimal():
            raise InputError(f"the number of processes is not a number: {text!r}", hint=_HINT)
        return Processes(int(rest), threads)
    if name == "ray" and (rest or not colon):
        return RayCluster(rest or None, threads)
    raise InputError(f"there is no runner {text!r}", hint=_HINT)
