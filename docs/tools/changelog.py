"""Move the files of `changes/` into CHANGELOG.md, for a release: `make changelog VERSION=X.Y.Z`.

A section of this version that is not released yet gets the date and the changes; otherwise a new one is made.
"""

from __future__ import annotations

import re
import sys
import textwrap
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
WIDTH = 120


def main(folder: Path = ROOT, *, version: str, date: str) -> None:
    """Write CHANGELOG.md in `folder` and delete the files of the changes."""
    files = sorted(file for file in (folder / "changes").glob("*.md") if file.name != "README.md")
    changelog = folder / "CHANGELOG.md"
    changes = [file.read_text(encoding="utf-8") for file in files]
    written = with_changes(changelog.read_text(encoding="utf-8"), changes, version, date)
    changelog.write_text(written, encoding="utf-8")
    for file in files:
        file.unlink()


def with_changes(changelog: str, changes: list[str], version: str, date: str) -> str:
    r"""Return the changelog with the changes of a version.

    >>> with_changes("# Changelog\n\n## 0.1 (2026-01-05)\n", ["New."], "0.2", "2026-02-03")
    '# Changelog\n\n## 0.2 (2026-02-03)\n\n- New.\n\n## 0.1 (2026-01-05)\n'
    """
    items = "".join(f"{_item(change)}\n" for change in changes)
    title, *sections = re.split(r"(?m)^(?=## )", changelog)
    waiting = f"## {version} (unreleased)\n"
    is_waiting = bool(sections) and sections[0].startswith(waiting)
    before = sections.pop(0).removeprefix(waiting).rstrip() if is_waiting else ""
    goes_on = not before or before.split("\n")[-1].startswith(("- ", "  "))
    body = before + ("\n" if goes_on else "\n\n") + items
    return "".join((title, f"## {version} ({date})\n{body}", *(f"\n{section}" for section in sections)))


def _item(change: str) -> str:
    words = " ".join(change.split())
    return textwrap.fill(words, WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    main(version=sys.argv[1], date=f"{datetime.now(UTC):%Y-%m-%d}")
