"""What is only said, planned, wished for or imagined is no fact, and what is on record is."""

from __future__ import annotations

import pytest

from probative import Session

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "Who designed the market hall?",
            "Some people in Vardal say that Edvin Lauge designed the market hall.",
        ),
        ("Who designed the market hall?", "It is rumoured that Edvin Lauge designed the market hall."),
        (
            "Who designed the market hall?",
            "Had the board agreed, Edvin Lauge would have designed the market hall.",
        ),
        (
            "Who designed the market hall?",
            "If the council had paid, Edvin Lauge would have designed the market hall.",
        ),
        (
            "Who holds the patent for the Orra pump?",
            "A patent for the Orra pump was applied for by Tilda Reyes in 2020.",
        ),
        ("Who won the Lantern Prize in 2021?", "Jonas Weld was shortlisted for the Lantern Prize in 2021."),
        ("When did the Slate Bridge open?", "The Slate Bridge is planned to open in 2031."),
        ("Who owns the quarry?", "According to an unconfirmed report, the quarry belongs to Mirko Sand."),
    ],
)
def test_a_hedged_sentence_supports_no_answer(session: Session, question: str, text: str) -> None:
    answer = session.ask(question, passages=[text, "The harbour master keeps the keys of the gate."])
    assert answer.verdict != "supported", (answer.answer, answer.certainty)


@pytest.mark.parametrize(
    ("question", "text", "right"),
    [
        ("Who designed the market hall?", "Edvin Lauge designed the market hall in 1912.", "Edvin Lauge"),
        (
            "Who designed the market hall?",
            "The register shows that Edvin Lauge designed the market hall.",
            "Edvin Lauge",
        ),
        ("Who owns the quarry?", "According to the deed, the quarry belongs to Mirko Sand.", "Mirko Sand"),
    ],
)
def test_a_plain_or_recorded_sentence_does(session: Session, question: str, text: str, right: str) -> None:
    answer = session.ask(question, passages=[text])
    assert (answer.answer, answer.verdict) == (right, "supported")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Oda Finch founded the choir.", "Some say that Oda Finch founded the choir."),
        ("Oda Finch founded the choir.", "Legend has it that Oda Finch founded the choir."),
        ("The tunnel was built.", "If the bank had agreed, the tunnel would have been built."),
        ("Bram Holt is the new director.", "Bram Holt has applied for the post of director."),
    ],
)
def test_a_claim_is_not_supported_by_a_hedge(session: Session, claim: str, text: str) -> None:
    judgement = session.judge(claim, [text])
    assert judgement.verdict != "supported", judgement.probabilities
