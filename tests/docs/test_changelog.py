"""The changes since the last release, and how they come into the changelog."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.tools.changelog import ROOT, main, with_changes

CHANGES = sorted(file for file in (ROOT / "changes").glob("*.md") if file.name != "README.md")


def test_a_new_version_stands_on_top_and_its_files_are_gone(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.1.0 (2026-01-05)\n\n- Old.\n")
    for name, text in (("README.md", "Read me."), ("b.md", "Second.\n"), ("a.md", "First,\nof two lines.\n")):
        (tmp_path / "changes" / name).write_text(text)
    main(tmp_path, version="0.2.0", date="2026-02-03")
    assert (tmp_path / "CHANGELOG.md").read_text() == (
        "# Changelog\n\n## 0.2.0 (2026-02-03)\n\n- First, of two lines.\n- Second.\n"
        "\n## 0.1.0 (2026-01-05)\n\n- Old.\n"
    )
    assert [file.name for file in (tmp_path / "changes").iterdir()] == ["README.md"]


@pytest.mark.parametrize(("before", "between"), [("- One.", "\n"), ("The first.", "\n\n")])
def test_a_version_that_waits_gets_its_date_and_keeps_what_it_has(before: str, between: str) -> None:
    changelog = f"# Changelog\n\n## 0.1.0 (unreleased)\n\n{before}\n"
    expected = f"# Changelog\n\n## 0.1.0 (2026-02-03)\n\n{before}{between}- Two.\n"
    assert with_changes(changelog, ["Two."], "0.1.0", "2026-02-03") == expected


@pytest.mark.parametrize("file", CHANGES, ids=lambda file: file.stem)
def test_a_change_is_one_short_paragraph(file: Path) -> None:
    text = file.read_text(encoding="utf-8").strip()
    assert text.endswith(".")
    assert len(text) <= 600
    assert "\n\n" not in text
    assert not text.startswith(("-", "#"))
