"""The exit codes of `probative`, for scripts."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the exit code of a command means."""

    OK = 0
    ERROR = 1
    USAGE = 2
    VERDICT = 3
    FAILED_LINES = 4
    INTERRUPTED = 130
    CLOSED_PIPE = 141


MEANINGS = {
    ExitCode.OK: "the command did what was asked",
    ExitCode.ERROR: "an error; the message is on standard error",
    ExitCode.USAGE: "an option or argument that does not exist or has a wrong form",
    ExitCode.VERDICT: "a result has a verdict that --fail-on names",
    ExitCode.FAILED_LINES: "a batch ended, and some of its lines have an error",
    ExitCode.INTERRUPTED: "stopped with Ctrl-C; finished results are kept",
    ExitCode.CLOSED_PIPE: "the reader of standard output went away",
}
