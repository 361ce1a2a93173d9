"""The command line. It calls the public surface and has no logic of its own."""

from __future__ import annotations

import os
import sys
import warnings
from contextlib import suppress
from io import TextIOWrapper
from typing import Any


def main() -> None:
    """Run `probative` and exit; an error is one clear message and an exit code, never a traceback."""
    from probative.cli.framework.exit_codes import ExitCode

    code = _run()
    try:
        if sys.stdout is not None:  # it is None if the caller closed it
            sys.stdout.flush()
    except BrokenPipeError:
        code = ExitCode.CLOSED_PIPE
        _discard_output()
    except OSError as error:
        if code != ExitCode.ERROR:
            _print_error(f"standard output cannot be written: {error.strerror or error}")
        code = ExitCode.ERROR
        _discard_output()
    sys.exit(int(code))


def _run() -> int:
    """Run the command and return its exit code."""
    from probative.cli.app import app
    from probative.cli.framework.exit_codes import ExitCode
    from probative.errors import ProbativeError

    warnings.showwarning = _show_warning
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal that cannot show a character shows a question mark
            stream.reconfigure(errors="replace")
    try:
        code = app(standalone_mode=False)
    except ProbativeError as error:
        _print_error(str(error))
        return ExitCode.ERROR
    except SystemExit as ended:
        # The framework ends with code 1 when the reader of standard output goes away.
        if isinstance(ended.__context__, BrokenPipeError):
            _discard_output()
            return ExitCode.CLOSED_PIPE
        return ended.code if isinstance(ended.code, int) else ExitCode.OK
    except OSError as error:
        # A failed write to a stream names no file; files of the user are handled where they are opened.
        if error.filename is None:
            _print_error(f"standard output cannot be written: {error.strerror or error}")
        else:
            _print_error(f"{error.strerror}: {error.filename}")
        return ExitCode.ERROR
    except Exception as error:
        if not hasattr(error, "exit_code"):  # not a usage error of the framework
            raise
        return _show_usage_error(error)
    if code == ExitCode.INTERRUPTED:
        _print_error("stopped; finished results are kept, and the same command goes on from there")
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)  # an ordinary end would wait for the engine, which may compute for a minute
    return code if isinstance(code, int) else ExitCode.OK


def _print_error(text: str) -> None:
    from probative.cli.views.terminal import print_error

    with suppress(OSError):
        print_error(text)


def _show_usage_error(error: Any) -> int:
    """Show an error about options as the framework does, with the user's words made safe to print."""
    from typer.rich_utils import rich_format_error

    from probative.views.terminal import plain

    for name in ("message", "option_name"):
        if isinstance(text := getattr(error, name, None), str):
            setattr(error, name, plain(text))
    rich_format_error(error)
    return int(error.exit_code)


def _discard_output() -> None:
    """Let the interpreter flush what is left into nothing, so that it does not complain at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _print_error(f"note: {message}")
