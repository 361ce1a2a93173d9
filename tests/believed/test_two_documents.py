"""A claim that rests on two documents gets both, and neither half alone supports it."""

from __future__ import annotations

import pytest

from probative import Passage, Session
from probative.types import Verdict

pytestmark = pytest.mark.slow

FERRY = Passage(text="The ferry Aud sails from the north pier of Aske.", source="ferry.txt")
PIER = Passage(text="The north pier of Aske is closed in January for repairs.", source="pier.txt")
CHAIR = Passage(text="Ines Hald has been the chair of the harbour board since 2019.", source="board.txt")
VET = Passage(text="Ines Hald works as a vet in Coll.", source="vets.txt")


@pytest.mark.parametrize(
    ("claim", "halves"),
    [
        ("The ferry Aud sails from a pier that is closed in January.", (FERRY, PIER)),
        ("The chair of the harbour board works as a vet in Coll.", (CHAIR, VET)),
    ],
)
def test_two_documents_together_support_a_claim(
    session: Session, claim: str, halves: tuple[Passage, Passage]
) -> None:
    (both,) = session.verify(claim, halves).claims
    assert both.verdict is Verdict.SUPPORTED
    deciding = {(sentence.source, sentence.stance) for sentence in both.deciding}
    assert deciding == {(half.source, "supports") for half in halves}
    for half in halves:
        (alone,) = session.verify(claim, [half]).claims
        assert alone.verdict is not Verdict.SUPPORTED
