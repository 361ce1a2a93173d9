"""A bench report as the command line keeps it, for tests of how the page shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def keep_report(folder: Path, name: str, right: float) -> None:
    """Write a report with one table and one chart."""
    cell = {"value": right, "low": right - 5, "high": right + 5, "n": 200, "published": 60.0}
    points = [[0.0, 0.1], [0.5, 0.4], [1.0, 0.9]]
    series = [{"name": name, "points": points, "published": published} for published in (False, True)]
    rows = [{"name": "ours", "cells": [cell]}]
    run: dict[str, Any] = {
        "version": "0.1.0",
        "experiment": "herbs",
        "title": "How often are answers right?",
        "paper": "ours",
        "shown_as": "a table",
        "models": {"model": "scripted"},
        "settings": {"seed": 1},
        "data": [],
        "cases": 200,
        "errors": [],
        "notes": ["A note."],
        "report": {
            "tables": [{"title": "Accuracy", "corner": "method", "columns": ["right"], "rows": rows}],
            "plots": [{"title": "Risk", "kind": "lines", "x": "share", "y": "risk", "series": series}],
            "findings": ["Ours is above the paper."],
        },
    }
    report = {"name": name, "command": "probative bench", "date": "2026-11-16", "machine": "two cores"}
    kept = {**report, "fingerprints": {}, "run": run}
    (folder / f"{name}.json").write_text(json.dumps(kept), encoding="utf-8")
