from __future__ import annotations

from pathlib import Path

import pytest
from graph_questions import KEPT, SLOWS, answering_model, prompt_kind

from probative.bench.families.graph_questions import graph_part
from probative.bench.studies.give import GiveCommonsense
from probative.bench.study import Settings
from probative.errors import InputError
from probative.models.types import Request

from .conftest import Study, published, values

# Gold: barrel, tar.
ANSWERS = {
    KEPT: {"direct": "cloud", "cot": "barrel", "rag": "barrel", "tog": "cloud"},
    SLOWS: {"direct": "tar", "cot": "tar", "rag": "boat", "tog": "boat"},
}
ANSWERS[KEPT] |= {"a": "cloud", "ac": "cloud", "ace": "barrel"}
ANSWERS[SLOWS] |= {"a": "boat", "ac": "tar", "ace": "tar"}


def test_the_table_by_the_part_of_the_graph_is_the_one_worked_out_by_hand(study: Study) -> None:
    model = answering_model(ANSWERS)
    accuracies, sizes, tests = study(GiveCommonsense(), model).tables
    assert accuracies.columns == ("10%", "50%", "100%")
    assert values(accuracies) == {
        "random answer": [50.0] * 3,
        "always the commonest": [50.0] * 3,
        "I/O prompt": [50.0] * 3,
        "CoT": [100.0] * 3,
        "RAG": [50.0] * 3,
        "ToG": [0.0] * 3,
        "GIVE a": [0.0] * 3,
        "GIVE a+c": [50.0] * 3,
        "GIVE a+c+e": [100.0] * 3,
    }
    assert published(accuracies, "RAG") == [70.4, 70.6, 71.3]
    assert values(sizes) == {"10%": [2.0, 1.0], "50%": [2.0, 5.0], "100%": [2.0, 10.0]}
    assert published(sizes, "10%") == [223_863, 208_510]
    assert values(tests)["GIVE a+c+e against ToG"] == [100.0, None] * 3
    prompts = [request.messages[-1].content for request in model.asked if isinstance(request, Request)]
    # The graph does not matter to the I/O prompt: each of the two questions is asked once, not three times.
    assert sum(prompt.endswith("Answer:") and prompt_kind(prompt) == "direct" for prompt in prompts) == 2


def test_a_larger_part_of_a_graph_contains_the_smaller_one(data: Path) -> None:
    def relations(percent: int, seed: int = 1) -> set[str]:
        graph = graph_part(Settings(data, seed=seed), "conceptnet", percent)
        return {graph.relations[number] for number in range(graph.relation_count)}

    assert relations(10) < relations(50) < relations(100)
    assert relations(50) == relations(50)
    assert len({frozenset(relations(50, seed)) for seed in range(5)}) > 1


@pytest.mark.parametrize("percent", [0, 101])
def test_a_part_must_be_a_percentage(data: Path, percent: int) -> None:
    with pytest.raises(InputError, match=f"between 1 and 100 percent, got {percent}"):
        graph_part(Settings(data), "conceptnet", percent)
