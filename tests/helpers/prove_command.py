"""`probative prove` in a process of its own, and a claim with its text."""

from __future__ import annotations

import os
import subprocess
import sys

CLAIM = "The lighthouse was lit in 1871, and Brandt designed its lens."
TEXT = "Gulls nest here. The lighthouse was lit in 1871. Tickets are cheap. Ida Brandt designed the lens."


def run(*words: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "probative", "prove", *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env={**os.environ, "COLUMNS": "120"},
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
