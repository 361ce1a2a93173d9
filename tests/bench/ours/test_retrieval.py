"""The experiment on retrieval, on invented pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from data_sets import multihop_row, write_json
from word_vectors import WordVectors

from probative import Session, load_settings
from probative.bench.data import questions
from probative.bench.data.pages import OpenCollection, read_pages
from probative.bench.data.splits import MULTIHOP_REPORTED
from probative.bench.families import open_pages as families
from probative.bench.report import Cell
from probative.bench.studies.open_pages import Retrieval
from probative.bench.study import Lab, Settings
from probative.errors import InputError
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.testing import ScriptedModel, ScriptedPolicy
from probative.types import Passage

QUESTION = "Who was the wife of the director of the film Salt Wind?"
FILM = {
    "_id": "film",
    "question": QUESTION,
    "answer": "Ada Berg",
    "type": "compositional",
    "supporting_facts": [["Salt Wind", 0], ["Ole Brandt", 0]],
    "context": [
        ["Salt Wind", ["Salt Wind was made by Ole Brandt."]],
        ["Ole Brandt", ["Ole Brandt married Ada Berg."]],
        *([f"Film {letter}", [f"The wife of a film director, film {letter}."]] for letter in "ABCDEFGHIJKL"),
    ],
}
GOLD = ("Salt Wind", "Ole Brandt")


def weigh(state: PolicyState) -> PolicyScores:
    """Prefer the gold pages, the film first."""
    scores = tuple(9.0 if text.startswith(GOLD) else 0.0 for text in state.candidates)
    return PolicyScores(scores, -9.0, -9.0)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # The filler is there for its pages; as in our dev sample, only the last rows are asked.
    monkeypatch.setattr(questions, "is_kept_sample", lambda rows: True)
    filler = [multihop_row("hotpot", number) for number in range(MULTIHOP_REPORTED.start)]
    write_json(tmp_path / "hotpotqa/hotpot_dev_distractor_sample.json", [*filler, FILM])
    return tmp_path


@pytest.fixture
def lab(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    vectors = WordVectors()
    monkeypatch.setattr(families, "static_encoder", lambda settings, fetch: vectors)
    monkeypatch.setattr(families, "_ENCODERS", {})
    settings = load_settings({"cache": False})
    with Session(ScriptedModel(generate="-"), policy=ScriptedPolicy(weigh), settings=settings) as session:
        yield Lab(session, None, Settings(data, options={"sets": "hotpotqa"}))


def test_several_rounds_find_the_page_that_the_question_does_not_name(lab: Lab) -> None:
    experiment = Retrieval()
    rows = [experiment.run(case, lab) for case in experiment.cases(lab.settings)]
    by_method = {row["method"]: row for row in rows}
    assert set(by_method) == {"words", "hybrid", "rounds"}
    # Of the two gold pages, the question names only the film: 12 others share more words with it.
    assert by_method["words"]["all"] == [0.0, 0.0, 0.0]
    assert by_method["rounds"]["all"] == [1.0, 1.0, 1.0]
    assert by_method["words"]["calls"] == by_method["words"]["tokens"] == 0
    assert by_method["rounds"]["queries"] > 1
    assert by_method["rounds"]["tokens"] > 0

    report = experiment.report(rows, lab.settings)
    (table, tests) = report.tables
    shown = {row.name: row.cells[1] for row in table.rows}
    assert [cell.value for cell in shown.values() if isinstance(cell, Cell)] == [0.0, 0.0, 100.0]
    assert [row.name for row in tests.rows] == ["rounds against hybrid", "rounds against words"]


def test_bounds_of_the_rounds_are_options(lab: Lab) -> None:
    options = {"sets": "hotpotqa", "methods": "rounds-words", "rounds": 0}
    lab = Lab(lab.session, None, Settings(lab.settings.data, options=options))
    experiment = Retrieval()
    (row,) = (experiment.run(case, lab) for case in experiment.cases(lab.settings))
    assert row["method"] == "rounds-words"
    assert row["calls"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": -1}, "an option of the rounds is wrong"),
        ({"hops": 2}, "no option 'hops'"),
        ({"methods": "dense"}, "there is no method 'dense'"),
    ],
)
def test_wrong_options_are_refused(lab: Lab, options: dict[str, object], message: str) -> None:
    settings = Settings(lab.settings.data, options={"sets": "hotpotqa", **options})
    with pytest.raises(InputError, match=message):
        Retrieval().cases(settings)


def test_pages_of_all_questions_are_one_collection(data: Path) -> None:
    pages = read_pages(data, "hotpotqa")
    titles = [page.title for page in pages]
    assert len(titles) == len(set(titles))
    assert {"Salt Wind", "hotpot boat 0", "hotpot boat 199", "Rope"} <= set(titles)


def test_vectors_count_beside_words() -> None:
    pages = [Passage(text="Rope is hemp.", title="Rope"), Passage(text="Herons eat fish.", title="Heron")]
    collection = OpenCollection(pages, WordVectors())
    assert [page.title for page in collection.hybrid("fish", 2)] == ["Heron", "Rope"]
    assert [page.title for page in collection.by_words("hemp", 1)] == ["Rope"]
