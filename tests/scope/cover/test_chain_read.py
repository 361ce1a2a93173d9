"""The chain of a reader that cites lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from probative import Answer, Passage, Session
from probative.models.evidence_policy import PolicyScores
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictLimits, VerdictScores
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict
from tests.helpers.letter_encoder import LetterEncoder

PASSAGES = [
    Passage(text="Herons eat fish. They nest in reeds.", title="Herons"),
    Passage(text="The Lark is a ferry. She was designed by Marta Lind.", title="Lark"),
    Passage(text="Marta Lind was an engineer. She was born in Molde.", title="Marta Lind"),
]
QUESTION = "Where was the designer of the Lark born?"


class CitingModel(ScriptedModel):
    """Reads numbered lines, and cites what it is told to."""

    def __init__(self, replies: Mapping[str, float]) -> None:
        def alternatives(request: Request) -> Mapping[str, float]:
            """Cite in the first reading, which has no stop; answer only in the second."""
            if not request.stop:
                return replies
            return {text.partition(" [")[0]: share for text, share in replies.items()}

        super().__init__(
            generate="unknown",
            alternatives=alternatives,
            choose=lambda prompt, options: [1.0] * len(options),
            reader=True,
        )


class HeaderVerdict(ScriptedVerdict):
    """A verdict model that reads headers."""

    limits = VerdictLimits(tokens=500, pieces=50, headers=True)


def ask(model: ScriptedModel, passages: Sequence[Passage] = PASSAGES) -> tuple[Answer, HeaderVerdict]:
    verdict = HeaderVerdict(
        lambda item: VerdictScores(0.9, 0.05, 0.05, (1 / len(item.evidence),) * len(item.evidence))
    )
    policy = ScriptedPolicy(lambda state: PolicyScores(tuple(0.0 for _ in state.candidates), 5.0, -9.0))
    with Session(model, encoder=LetterEncoder(), policy=policy, verdict=verdict) as session:
        return session.ask(QUESTION, passages, preset="large"), verdict


def first_prompt(model: ScriptedModel) -> str:
    request = model.asked[1]  # the first one asks for a plan
    assert isinstance(request, Request)
    return request.messages[-1].content


def test_the_chain_is_what_the_best_reply_cites() -> None:
    model = CitingModel({"Molde [4 6]": 0.6, "Molde [6]": 0.2, "Oslo [1]": 0.05})
    answer, _ = ask(model)
    assert [passage.index for passage in answer.chain] == [1, 2]
    assert "# Lark\n3. The Lark is a ferry.\n4. She was designed" in first_prompt(model)
    assert (answer.answer or answer.candidate) == "Molde"


def test_lines_that_are_not_there_are_ignored() -> None:
    answer, _ = ask(CitingModel({"Molde [6 99]": 0.9}))
    assert [passage.index for passage in answer.chain] == [2]


def test_without_an_answer_the_policy_chooses_and_the_chain_is_not_enough() -> None:
    answer, _ = ask(CitingModel({"unknown": 0.9, "Molde [6]": 0.05}))
    assert answer.verdict.value == "insufficient"
    assert answer.completeness is not None
    assert answer.completeness <= 0.1 + 1e-9


def test_the_verdict_is_read_below_headers() -> None:
    _, verdict = ask(CitingModel({"Molde [4 6]": 0.9}))
    whole = verdict.asked[0]
    assert isinstance(whole, VerdictItem)
    assert set(whole.headers) == {"Lark", "Marta Lind"}
    assert not any(text.startswith("Lark:") for text in whole.evidence)


def test_passages_that_do_not_fit_are_left_out_by_relevance() -> None:
    long = [Passage(text=f"Number {number}. " + "Fish swim in water. " * 100) for number in range(6)]
    model = CitingModel({"Molde [1]": 0.9})
    answer, _ = ask(model, [*long, PASSAGES[2]])
    assert "born in Molde" in first_prompt(model)
    assert "Number 5" not in first_prompt(model)
    assert any("of 7 passages were read" in note for note in answer.notes)


@pytest.mark.parametrize("reader", [True, False])
def test_a_model_that_does_not_cite_leaves_the_choice_to_the_policy(reader: bool) -> None:
    answer, _ = ask(ScriptedModel(generate="Molde", reader=reader))
    assert any("cites no lines" in note for note in answer.notes)
