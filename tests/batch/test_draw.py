"""Questions drawn, asked and labelled: the whole path to a guarantee, with scripted models."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from calibrated import ALPHA, ARGUMENTS, SHIPS, TOWNS, corpus, label, questions, session

from probative import Answer, Corpus, InputError, SearchFilters, Session, index_folder
from probative.batch.draw import DrawnQuestions, draw_questions
from probative.calibration.labels import Calibration, calibrate
from probative.testing import ScriptedModel

QUESTION = "In which town was the Tern built?"


@pytest.fixture
def ships(tmp_path: Path) -> Iterator[Corpus]:
    with corpus(tmp_path) as opened:
        yield opened


def draw(
    ships: Corpus, folder: Path, n: int = 12, seed: int = 0, opened: Session | None = None
) -> DrawnQuestions:
    with opened or session() as asking:
        return draw_questions(
            asking,
            ships,
            folder / "labels.jsonl",
            questions=questions(folder),
            n=n,
            draw_seed=seed,
            **ARGUMENTS,
        )


def rows(folder: Path) -> list[dict[str, object]]:
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def guaranteed(ships: Corpus, folder: Path, wrong: int = 0) -> Calibration:
    draw(ships, folder)
    label(folder / "labels.jsonl", wrong=wrong)
    return calibrate(ships, folder / "labels.jsonl", alpha=ALPHA)


def ask(ships: Corpus, **options: object) -> Answer:
    with session() as asking:
        answer: Answer = asking.ask(QUESTION, corpus=ships, **{**ARGUMENTS, **options})
    return answer


def test_a_draw_asks_each_question_once_and_waits_for_labels(ships: Corpus, tmp_path: Path) -> None:
    drawn = draw(ships, tmp_path, n=5)
    assert (drawn.drawn, drawn.pool, drawn.counting, drawn.labelled) == (5, 12, 5, 0)
    assert len({row["question"] for row in rows(tmp_path)}) == 5
    first = rows(tmp_path)[0]
    ship = next(name for name in SHIPS if name in str(first["question"]))
    town = TOWNS[SHIPS.index(ship)]
    assert (first["answer"], first["counts"], first["right"]) == (town, True, None)
    text = f"The {ship} was built in {town} by two brothers."
    assert {"text": text, "citation": f"{ship}.txt#char=0,{len(text)}"} in first["cited"]


def test_the_seed_decides_the_draw_and_a_larger_one_goes_on(ships: Corpus, tmp_path: Path) -> None:
    draw(ships, tmp_path, n=4)
    label(tmp_path / "labels.jsonl", wrong=1)
    before = rows(tmp_path)
    model = ScriptedModel(generate="never asked again", fingerprint="scripted:ships")
    again = draw(ships, tmp_path, n=4, opened=session(model=model))
    assert (again.labelled, rows(tmp_path)) == (4, before)
    assert model.asked == [], "the finished answers are kept"
    larger = draw(ships, tmp_path, n=9)
    assert (larger.drawn, larger.labelled) == (9, 4)
    assert rows(tmp_path)[:4] == before


def test_labels_of_another_draw_are_never_lost(ships: Corpus, tmp_path: Path) -> None:
    draw(ships, tmp_path, n=4, seed=0)
    label(tmp_path / "labels.jsonl")
    before = (tmp_path / "labels.jsonl").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="4 labels of another draw"):
        draw(ships, tmp_path, n=4, seed=1)
    assert (tmp_path / "labels.jsonl").read_text(encoding="utf-8") == before


def test_labels_give_a_limit_that_later_answers_use(ships: Corpus, tmp_path: Path) -> None:
    assert ask(ships).guarantee is None
    result = guaranteed(ships, tmp_path)
    assert (result.kind, result.labelled, result.wrong, result.needed) == ("guarantee", 12, 0, 9)
    answer = ask(ships)
    assert answer.guarantee == result.guarantee
    assert answer.to_dict()["guarantee"] == {"alpha": 0.3, "delta": 0.05, "n": 12, "kind": "given"}
    assert answer.checks[-1].needed == (result.limit or None)


def test_an_answer_below_the_guaranteed_limit_is_not_supported(ships: Corpus, tmp_path: Path) -> None:
    guaranteed(ships, tmp_path)
    kept = ships.path / "guarantee.json"
    record = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps({**record, "limit": 0.99}), encoding="utf-8")
    answer = ask(ships)
    assert (answer.verdict.value, answer.checks[-1].needed) == ("insufficient", 0.99)


def test_the_guarantee_lapses_when_the_documents_change(ships: Corpus, tmp_path: Path) -> None:
    guaranteed(ships, tmp_path)
    (tmp_path / "ships" / "Auk.txt").write_text("The Auk was built in Bodo.\n", encoding="utf-8")
    index_folder(tmp_path / "ships", tmp_path / "index", vectors=False)
    with Corpus.open(tmp_path / "index", vectors=False) as changed:
        answer = ask(changed)
        assert answer.guarantee is None
        assert "the guarantee of this corpus does not hold here: the documents have changed" in answer.notes
        with pytest.raises(InputError, match="drawn over other documents"):
            calibrate(changed, tmp_path / "labels.jsonl", alpha=ALPHA)


def test_the_guarantee_lapses_with_another_model(ships: Corpus, tmp_path: Path) -> None:
    guaranteed(ships, tmp_path)
    with session("scripted:another") as asking:
        answer = asking.ask(QUESTION, corpus=ships, **ARGUMENTS)
    assert answer.guarantee is None
    assert answer.notes[-1].endswith("the model is another one")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"max_passages": 2}, "other options (max_passages)"),
        ({"min_certainty": 0.4}, "min_certainty was given"),
        ({"passages": ["The Tern was built in Larvik."]}, "the documents alone"),
    ],
)
def test_the_guarantee_is_not_about_other_options(
    ships: Corpus, tmp_path: Path, options: dict[str, object], why: str
) -> None:
    guaranteed(ships, tmp_path)
    answer = ask(ships, **options)
    assert answer.guarantee is None
    assert why in answer.notes[-1]


def test_the_guarantee_is_about_searches_of_all_documents(ships: Corpus, tmp_path: Path) -> None:
    guaranteed(ships, tmp_path)
    filters = SearchFilters.of(sources=("T*",))
    with Corpus.open(tmp_path / "index", vectors=False, filters=filters) as filtered:
        answer = ask(filtered)
    assert (answer.answer, answer.guarantee) == ("Larvik", None)
    assert answer.notes[-1].endswith("searches of the whole corpus")


def test_too_many_errors_keep_no_guarantee_and_end_an_earlier_one(ships: Corpus, tmp_path: Path) -> None:
    guaranteed(ships, tmp_path)
    result = guaranteed(ships, tmp_path, wrong=6)
    assert (result.kind, result.guarantee, result.wrong) == ("none", None, 6)
    assert result.reason is not None
    assert result.reason.startswith("wrong among the 12 surest answers: 6")
    assert ask(ships).guarantee is None


def test_a_model_that_cannot_write_makes_no_questions(ships: Corpus, tmp_path: Path) -> None:
    small = ScriptedModel(generate="Molde", name="embedded")
    with session(model=small) as asking, pytest.raises(InputError, match="embedded cannot write them"):
        draw_questions(asking, ships, tmp_path / "labels.jsonl", n=3)


def test_a_model_that_writes_makes_questions_of_passages(ships: Corpus, tmp_path: Path) -> None:
    def reply(request: object) -> str:
        prompt = request.messages[-1].content  # type: ignore[attr-defined]
        ship = next(ship for ship in SHIPS if ship in prompt)
        return f"In which town was the {ship} built?\nIt was built …"

    writer = ScriptedModel(generate=reply, fingerprint="scripted:ships")
    with session(model=writer) as asking:
        drawn = draw_questions(asking, ships, tmp_path / "labels.jsonl", n=4, **ARGUMENTS)
    assert drawn.drawn == 4
    assert {row["question"] for row in rows(tmp_path)} <= {
        f"In which town was the {ship} built?" for ship in SHIPS
    }
    header = json.loads((tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["draw"]["kind"] == "made"
