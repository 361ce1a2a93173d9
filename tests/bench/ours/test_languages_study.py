"""The study of other languages, and the tool that writes its levels into the package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.tools.languages import levels_of, write_levels
from probative.bench.data import own
from probative.bench.report import RunReport
from probative.bench.rows import Row
from probative.bench.studies.languages import Languages
from probative.bench.study import Lab, Settings
from probative.errors import InputError
from probative.verdict.languages import LEVELS, Level

FERRY = [{"title": "Fähre Lerche", "text": "Die Fähre Lerche wurde in Molde gebaut. Sie trug Salz."}]
TOLL = [{"title": "Zoll", "text": "Der Zoll der Brücke beträgt vier Kronen."}]
ROWS = [
    {
        "id": "de-1",
        "language": "de",
        "task": "question",
        "question": "Wo wurde die Fähre Lerche gebaut?",
        "passages": FERRY,
        "answer": "Molde",
        "accept": ["in Molde"],
    },
    {
        "id": "de-2",
        "language": "de",
        "task": "question",
        "question": "Who built the ferry Lerche in Molde?",
        "passages": FERRY,
        "answer": None,
        "accept": [],
        "translated": True,
    },
    {
        "id": "de-3",
        "language": "de",
        "task": "claim",
        "claim": "Der Zoll der Brücke beträgt vier Kronen.",
        "passages": TOLL,
        "verdict": "supported",
    },
    {
        "id": "fr-1",
        "language": "fr",
        "task": "claim",
        "claim": "Le péage est de neuf couronnes.",
        "passages": [{"text": "Le péage du pont est de quatre couronnes."}],
        "verdict": "contradicted",
    },
]


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Put rows of our own into the place of the file."""
    folder = tmp_path / "own"
    folder.mkdir()
    lines = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    (folder / "languages.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.setattr(own, "FOLDER", folder)


@pytest.mark.usefixtures("rows")
def test_questions_are_asked_claims_are_verified_and_nothing_is_refused(lab: Lab) -> None:
    study = Languages()
    cases = study.cases(Settings(Path()))
    assert [case.key for case in cases] == ["de/de-1", "de/de-2", "de/de-3", "fr/fr-1"]
    asked, translated, claim, foreign = [study.run(case, lab) for case in cases]
    assert asked["task"] == "question"
    assert "does not read" not in (asked["reason"] or "")
    assert (translated["translated"], translated["found"], translated["right"]) == (True, True, True)
    assert (claim["verdict"], claim["right"]) == ("insufficient", False)
    assert (foreign["verdict"], foreign["right"]) == ("contradicted", True)


def row(task: str, verdict: str, *, right: bool, translated: bool = False) -> Row:
    about = {"language": "de", "task": task, "translated": translated, "found": True, "calls": 3}
    return {**about, "verdict": verdict, "right": right}


def report(**changes: object) -> RunReport:
    """Return the report of two questions, one of them wrong and supported, and of 30 claims."""
    some = [
        row("question", "supported", right=True),
        row("question", "supported", right=False),
        row("question", "insufficient", right=False, translated=True),
        *[row("claim", "supported", right=True)] * 30,
    ]
    fields = {
        "version": "1",
        "experiment": "languages",
        "title": "",
        "paper": "ours",
        "shown_as": "",
        "models": {"model": "embedded:large", "verdict": "embedded:large"},
        "settings": {"seed": 1},
        "data": (),
        "cases": len(some),
        "errors": (),
        "notes": (),
        "report": Languages().report(some, Settings(Path())),
    }
    return RunReport(**{**fields, **changes})  # type: ignore[arg-type]


def test_the_levels_are_those_of_the_report_without_translated_questions(tmp_path: Path) -> None:
    level = {"rows": 2, "right": 0.5, "wrong_and_supported": 0.5}
    tasks = {"question": Level(**level), "claim": Level(rows=30, right=1.0, wrong_and_supported=0.0)}
    assert levels_of(report()) == {"embedded:large": {"de": tasks}}


def test_levels_are_written_beside_those_of_other_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, kept = tmp_path / "languages.json", tmp_path / "kept.json"
    file.write_text('{"embedded": {"fr": {}}}', encoding="utf-8")
    published = {"name": "kept", "command": "", "date": "", "machine": "", "fingerprints": {}}
    kept.write_text(json.dumps({**published, "run": report().model_dump(mode="json")}), encoding="utf-8")
    written = write_levels([kept], file)
    assert sorted(written) == ["embedded", "embedded:large"]
    assert LEVELS.validate_json(file.read_bytes()) == written


@pytest.mark.parametrize(
    "changes",
    [
        {"experiment": "own"},
        {"models": {"model": "openai:tern"}},
        {"models": {"model": "embedded:large", "verdict": "embedded"}},
        {"settings": {"limit": 3}},
        {"notes": ("The run is not finished: 3 of 9 cases.",)},
    ],
)
def test_levels_of_other_studies_models_and_parts_of_a_run_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        levels_of(report(**changes))
