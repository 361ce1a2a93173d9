"""Triples told apart by a model, by what a graph teaches, and by both, on tiny graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from knowing import Given

from probative import InputError, Session, load_settings
from probative.bench.families.hidden_triples import combined
from probative.bench.report import Cell, Table
from probative.bench.run import run_experiment
from probative.bench.studies.veracity import Veracity
from probative.bench.study import Lab, Settings
from probative.bench.worker import Models
from probative.testing import ScriptedModel

TRUE = {
    ("lark", "sails to", "molde"),
    ("heron", "carries", "salt"),
    ("gull", "eats", "herring"),
    ("pier", "stands in", "oslo"),
}
# Eight ships sail to the four ports of their coast and carry its four goods: 2 coasts x 8 x (4 + 4) triples.
SHIPS, OTHERS, COASTS = 8, 4, ("north", "south")


def values(table: Table, row: int) -> list[float | str | None]:
    return [cell.value if isinstance(cell, Cell) else cell for cell in table.rows[row].cells]


def coastal() -> set[tuple[str, str, str]]:
    return {
        (f"{coast} ship {ship}", relation, f"{coast} {kind} {number}")
        for coast in COASTS
        for ship in range(SHIPS)
        for relation, kind in (("sails to", "port"), ("carries", "good"))
        for number in range(OTHERS)
    }


def coastal_encoder() -> Given:
    """Return vectors that say the coast and the kind of each name, and a little of its number."""
    vectors = {}
    for at, coast in enumerate(COASTS):
        for kind, count in (("ship", SHIPS), ("port", OTHERS), ("good", OTHERS)):
            for number in range(count):
                place = 3 * at + ("ship", "port", "good").index(kind)
                vector = [0.0] * (6 + SHIPS)
                vector[place], vector[6 + number] = 1.0, 0.2
                vectors[f"{coast} {kind} {number}"] = vector
    return Given(vectors)


def write_graphs(folder: Path, triples: set[tuple[str, str, str]]) -> Path:
    (folder / "umls").mkdir(parents=True)
    (folder / "conceptnet100k").mkdir()
    lines = ["\t".join(triple) for triple in sorted(triples)]
    (folder / "umls/train.tsv").write_text("\n".join(lines[:3]) + "\n")
    (folder / "umls/test.tsv").write_text("\n".join(lines[3:]) + "\n")
    for name, columns in (("entity2text", (0, 2)), ("relation2text", (1,))):
        names = sorted({triple[at] for triple in triples for at in columns})
        (folder / f"umls/{name}.txt").write_text("".join(f"{own}\t{own}\n" for own in names))
    swapped = [f"{relation}\t{head}\t{tail}" for head, relation, tail in sorted(triples)]
    (folder / "conceptnet100k/train.txt").write_text("\n".join(swapped) + "\n")
    return folder


def test_a_model_is_asked_and_scores(tmp_path: Path) -> None:
    def score(prompt: str, continuation: str) -> float:
        if prompt == "Fact:":
            return -8.0
        known = any(f"{head} {relation}" in prompt and tail in continuation for head, relation, tail in TRUE)
        return 0.0 if known else -10.0

    def choose(prompt: str, options: tuple[str, ...]) -> list[float]:
        return [0.6 if option == "yes" else 0.2 for option in options]

    data = write_graphs(tmp_path / "data", TRUE)
    model = ScriptedModel(score=score, choose=choose, fingerprint="fixed")
    settings = Settings(data, options={"kinds": "known"})
    models = Models(load_settings({"cache": False}), model=model)
    (table,) = run_experiment(Veracity(), settings, tmp_path / "run", models).report.tables
    assert [row.name for row in table.rows] == [
        "umls, relation", "umls, tail", "conceptnet, relation", "conceptnet, tail",
    ]  # fmt: skip
    for row in range(4):
        # Asked, every triple gets the same reply. Scored, a true one has 8 nats and a false one -2.
        assert values(table, row)[:6] == [0.5, 100.0, 1.0, 100.0, 100.0, 0.0]
        assert table.rows[row].cells[0].n == 8  # type: ignore[union-attr]


def test_what_the_graph_teaches_is_compared_with_the_model(tmp_path: Path) -> None:
    true = coastal()

    def score(prompt: str, continuation: str) -> float:
        """Expect a tail of the same coast and the kind of the relation, whatever is before it."""
        if prompt == "Fact:":
            return -8.0
        known = any(f"{head} {relation}" in prompt and tail in continuation for head, relation, tail in true)
        return 0.0 if known else -10.0

    data = write_graphs(tmp_path / "data", true)
    settings = Settings(data, limit=4, options={"kinds": "learned,hidden"})
    experiment = Veracity()
    model = ScriptedModel(score=score, choose=lambda prompt, options: [1.0] * len(options))
    with Session(model, encoder=coastal_encoder()) as session:
        lab = Lab(session, None, settings)
        cases = experiment.cases(settings)
        rows = [{"key": case.key, **experiment.run(case, lab)} for case in cases]
    learned, both = experiment.report(rows, settings).tables
    assert [row.name for row in learned.rows[:3]] == [
        "umls, triples, relation", "umls, triples, tail", "umls, triples, same relation",
    ]  # fmt: skip
    # A tenth of 128 triples is hidden.
    assert values(learned, 0)[0] == "12"
    # A ship neither sails to goods nor carries ports: that is plain in the vectors.
    assert values(learned, 0)[1] == pytest.approx(1.0, abs=0.05)
    # The model knows every triple, so both together are right wherever the learned score is not.
    for row in range(len(both.rows)):
        assert values(both, row)[0] == 1.0
        assert values(both, row)[2] == 1.0
    assert len(cases) == 4 + 2 * 2 * 3 * 4 * 2
    assert sum(case.key.startswith("learned/") for case in cases) == 4


def test_the_weight_of_the_model_is_fitted_on_the_other_half() -> None:
    # In each half the learned score is right for the first pair and the model for the second.
    found = combined(([1, 0, 1, 0], [0, 1, 0, 1]), ([0, 2, 0, 2], [0, 0, 0, 0]))
    # In a half, true 1 and 0 against false 0 and 1: one is right, one is wrong, two are ties.
    assert found.learned == 0.5
    # With the weight 0.6 the true ones have 1 and 1.2, the false ones 0 and 1: three pairs are right, one is
    # a tie. From a weight of 0.6 on that does not change, and below it is worse.
    assert found.both == 0.875
    assert found.weights == (0.6, 0.6)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="there is no kind 'magic'"):
        Veracity().cases(Settings(Path(), options={"kinds": "magic"}))
