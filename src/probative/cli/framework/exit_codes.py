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
    NO_GUARANTEE = 5
    INTERRUPTED = 130
    CLOSED_PIPE = 141


MEANINGS = {
    ExitCode.OK: "the command did what was asked",
    ExitCode.ERROR: "an error, such as a value that cannot be used; the message is on standard error",
    ExitCode.USAGE: "an option that does not exist, or a value that is not of its type",
    ExitCode.VERDICT: "a result has a verdict that --fail-on names",
    ExitCode.FAILED_LINES: "a batch ended, and some of its lines have an error",
    ExitCode.NO_GUARANTEE: "calibrate --labels gave no guarantee",
    ExitCode.INTERRUPTED: "stopped with Ctrl-C; finished results are kept",
    ExitCode.CLOSED_PIPE: "the reader of standard output went away",
}
