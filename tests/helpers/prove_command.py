"""`probative prove`, and a claim with its text."""

from __future__ import annotations

from command import Done, run_here, run_process

CLAIM = "The lighthouse was lit in 1871, and Brandt designed its lens."
TEXT = "Gulls nest here. The lighthouse was lit in 1871. Tickets are cheap. Ida Brandt designed the lens."


def run(*words: str, stdin: str | bytes = "") -> Done:
    """Run `probative prove` in this process."""
    return run_here("prove", *words, stdin=stdin)


def run_alone(*words: str, stdin: str | bytes = "") -> Done:
    """Run `probative prove` in a process of its own."""
    return run_process("prove", *words, stdin=stdin)
