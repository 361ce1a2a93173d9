"""How many files one more of each thing changes. Generated types and reference pages are not counted."""

from __future__ import annotations

from pathlib import Path

import pytest

import places_to_change
from places_to_change import (
    Places,
    fewest,
    lists,
    of_question,
    places_of,
    reached_from,
    report,
    with_parameter,
)


@pytest.mark.parametrize(
    ("thing", "limit"),
    [
        ("an argument", 3),
        ("a verb", 6),
        ("a study", 1),
        ("a format", 3),
        ("a baseline", 3),
    ],
)
def test_one_more_changes_few_files(thing: str, limit: int) -> None:
    member, files = report()[thing]
    assert len(files) <= limit, f"{member} is named in {files}"


def test_a_place_declares_a_name_or_lists_it_and_a_use_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "verbs/mend.py": "NAME = 1",
        "function.py": "def mend(): ...",
        "field.py": "class Options:\n    mend: int = 1",
        "string.py": "TABLE = {'mend': 1}",
        "imported.py": "from verbs import mend",
        "list.py": '"""The verbs are `ask`, `mend` and `ask`."""',
        "names.js": "const TITLES = { mend: 1 };",
        "table.toml": "mend = 1",
        "called.py": "session.mend('a sock')",
        "prose.py": "HINT = 'mend it, then ask again'",
        "called.js": "session.mend(); // how to mend",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(places_to_change, "SOURCE", tmp_path)
    _, mend = places_of(["ask", "mend"], among=[tmp_path / name for name in files])
    assert mend.files == tuple(files)[:8]


def test_names_with_a_common_ending_are_still_a_list() -> None:
    assert lists("annotate annotate_all ask ask_all", "annotate", ["ask"])


def test_the_member_with_the_fewest_files_is_counted() -> None:
    assert fewest([Places("b", ("x",)), Places("a", ("x", "y"))]).member == "b"


def test_files_with_a_parameter_are_counted_among_those_that_a_file_reaches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "start.py": "from probative.steps import first\nimport re",
        "steps/first.py": "from probative.second import answer\ndef read(question): ...",
        "second.py": "answer = lambda question: None",
        "apart.py": "def other(question): ...",
        "steps/third.py": "question = 1",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(places_to_change, "SOURCE", tmp_path)
    reached = reached_from(tmp_path / "start.py")
    assert reached == [tmp_path / name for name in ("second.py", "start.py", "steps/first.py")]
    assert with_parameter("question", reached) == [tmp_path / "second.py", tmp_path / "steps/first.py"]


def test_the_question_goes_through_few_files() -> None:
    assert len(of_question().files) <= 15
