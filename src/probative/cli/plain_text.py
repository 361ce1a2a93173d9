"""Texts of others on the terminal: on one line, and without anything that steers it."""

from __future__ import annotations

from probative.cli.proof_view import _clean as plain

__all__ = ["plain"]
