"""The published figures: read by type, complete, and consistent with each other where arithmetic says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import ValidationError

from probative.bench.families.coe.study import MODELS, published_model
from probative.bench.published import COE, GIVE, MCSE, Figure, read_published
from probative.bench.study import Settings
from probative.types import Value


def test_a_dash_is_a_figure_that_the_paper_does_not_have() -> None:
    class Line(Value):
        figures: tuple[Figure, Figure]

    assert Line.model_validate({"figures": [61.5, "-"]}).figures == (61.5, None)
    with pytest.raises(ValidationError):
        Line.model_validate({"figures": [61.5, "none"]})


def test_a_table_that_no_field_names_is_refused() -> None:
    class OnlyTableFour(Value):
        chain_of_thought: dict[str, tuple[float, float]]

    with pytest.raises(ValidationError, match="Extra inputs"):
        read_published("mcse", OnlyTableFour)


def precision_recall_f1() -> Iterator[tuple[str, float, float, float]]:
    for table in (MCSE.top3, MCSE.top5):
        for name, methods in table.items():
            yield from ((f"{name}, {method}", *figures) for method, figures in methods.items())
    for method, both in MCSE.multirc.items():
        yield from ((f"MultiRC, {method}", *figures) for figures in both)


@pytest.mark.parametrize("row", list(precision_recall_f1()), ids=lambda row: str(row[0]))
def test_f1_of_mcse_is_the_harmonic_mean_of_precision_and_recall(
    row: tuple[str, float, float, float],
) -> None:
    _, precision, recall, f1 = row
    # 0.21 is the paper's own: ROUGE on PubMedQA, top 5.
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.21)


def test_each_model_of_chain_of_evidence_has_every_table_and_context() -> None:
    for table in (COE.effectiveness, COE.faithfulness, COE.robustness):
        assert tuple(table) == MODELS
        assert {tuple(contexts) for sets in table.values() for contexts in sets.values()} == {
            ("CoE", "SenP", "WordP")
        }
    assert {tuple(models) for models in COE.usability.values()} == {MODELS}


def test_without_other_text_robustness_is_effectiveness() -> None:
    # Both studies ask with the same contexts when nothing is added.
    for model in MODELS:
        for name, contexts in COE.effectiveness[model].items():
            for context, figures in contexts.items():
                assert COE.robustness[model][name][context][0] == figures[0]


def test_the_options_of_give_that_are_shown_twice_have_the_same_figure() -> None:
    # Triples and the small encoder are both the paper's default, asked the same 50 questions of each set.
    assert GIVE.shapes["GIVE a+c+e, triples"] == GIVE.encoders["GIVE a+c+e, all-MiniLM-L6-v2"]


def test_the_default_model_has_figures() -> None:
    assert COE.effectiveness[published_model(Settings(Path()))]["hotpotqa"]["CoE"][0] == 91.9
