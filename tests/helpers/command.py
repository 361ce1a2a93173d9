"""`probative` as a user runs it: in this process, which takes milliseconds, or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from functools import cache
from typing import Any
from unittest import mock

from probative.session.default import close_default_sessions


@cache
def every_command() -> dict[str, Any]:
    """Return every command by its words."""
    from typer.main import get_command

    from probative.cli.app import app

    commands: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        if not hasattr(command, "list_commands"):
            commands[" ".join(words)] = command
            return
        context = command.make_context("probative", [], resilient_parsing=True)
        for name in command.list_commands(context):
            walk(command.get_command(context, name), (*words, name))

    walk(get_command(app), ())
    return commands


Done = subprocess.CompletedProcess[str]


def run_here(*words: str, stdin: str | bytes = "", columns: int = 120, **environ: str) -> Done:
    """Run `probative` with these words in this process; the sessions that it opens are closed after it."""
    from probative.cli import main

    given = io.TextIOWrapper(io.BytesIO(_bytes(stdin)), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: object = 0
    with (
        mock.patch.multiple(sys, argv=["probative", *words], stdin=given, stdout=out, stderr=err),
        mock.patch.dict(os.environ, {"COLUMNS": str(columns), **environ}),
        warnings.catch_warnings(),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        finally:
            close_default_sessions()
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    assert isinstance(code, int)
    return subprocess.CompletedProcess(list(words), code, *texts)


def run_process(*words: str, stdin: str | bytes = "", columns: int = 120, **environ: str) -> Done:
    """Run `probative` with these words in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "probative", *words],
        input=_bytes(stdin),
        capture_output=True,
        env={**os.environ, "COLUMNS": str(columns), **environ},
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
