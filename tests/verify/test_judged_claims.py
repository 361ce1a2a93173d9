"""Claims that were judged before are not judged again, as long as nothing that decides them changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import write
from verifying import PASSAGES, by_overlap, by_words, ruled_by_words

import probative
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedVerdict
from probative.verify.claims import claims_of
from probative.verify.judged_claims import MAX_KEPT, JudgedClaims
from probative.verify.verification import Verification

TEXT = "The mill burnt down in 1890. Tickets cost three crowns."


def without_cost(verification: Verification) -> Verification:
    return verification.model_copy(update={"usage": probative.Usage(), "trace": None})


def test_only_claims_that_changed_are_judged_again(session: probative.Session) -> None:
    judged = JudgedClaims()
    session.verify(TEXT, PASSAGES, judged=judged)
    assert judged.judged == 2
    changed = f"# Aske\n\nHerons eat fish. {TEXT.replace('three', '*four*')}"
    again = session.verify(changed, PASSAGES, judged=judged)
    assert judged.judged == 5, "under a heading, every claim is another one"
    moved = changed.replace("Herons eat fish. ", "\n\nHerons eat fish. It is cold. ")
    again = session.verify(moved, PASSAGES, judged=judged)
    assert judged.judged == 6
    assert without_cost(again) == without_cost(session.verify(moved, PASSAGES))


def test_a_claim_that_moved_has_its_new_place_and_that_of_its_citations(session: probative.Session) -> None:
    text = "The wheel is made of oak [1]. It turns.\n\n## Sources\n\n[1] chronicle.txt\n"
    judged = JudgedClaims()
    first = session.verify(text, PASSAGES, judged=judged)
    assert first.claims[0].citations[0].source == "chronicle.txt"
    moved = f"Herons eat fish.\n\n{text}"
    again = session.verify(moved, PASSAGES, judged=judged)
    assert judged.judged == 3
    claim = again.claims[1]
    assert moved[claim.start : claim.end] == claim.text
    (citation,) = claim.citations
    assert moved[citation.start : citation.end] == citation.marker == "[1]"
    assert without_cost(again) == without_cost(session.verify(moved, PASSAGES))


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (TEXT, {"sentences": 2}),
        (TEXT, {"method": "bm25"}),
        (TEXT, {"passages": PASSAGES[:1]}),
        (f"# Fares\n\n{TEXT}", {}),
        (TEXT.replace(". Tickets", " [1]. Tickets") + "\n\n## Sources\n\n[1] fares.csv", {}),
    ],
    ids=["options", "method", "passages", "heading", "citation"],
)
def test_what_decides_a_claim_makes_it_another_one(
    session: probative.Session, text: str, more: dict[str, object]
) -> None:
    judged = JudgedClaims()
    session.verify(TEXT, PASSAGES, judged=judged)
    before = judged.judged
    given = {"passages": PASSAGES, **more}
    again = session.verify(text, judged=judged, **given)  # type: ignore[arg-type]
    assert judged.judged > before
    assert without_cost(again) == without_cost(session.verify(text, **given))  # type: ignore[arg-type]


def test_a_corpus_that_changed_is_asked_again(tmp_path: Path) -> None:
    folder = write(tmp_path / "documents", {"fares.md": "Tickets cost three crowns."})
    settings = probative.load_settings({"home": str(tmp_path / "home")})
    judged = JudgedClaims()
    text = "Tickets cost three crowns."

    def verdict() -> str:
        with probative.Corpus.open(folder, vectors=False, settings=settings) as corpus:
            (claim,) = session.verify(text, corpus, judged=judged).claims
            return claim.verdict.value

    with probative.Session(policy=by_overlap(), verdict=ruled_by_words(), settings=settings) as session:
        assert [verdict(), verdict(), judged.judged] == ["supported", "supported", 1]
        write(folder, {"fares.md": "Tickets do not cost three crowns any more."})
        assert [verdict(), judged.judged] == ["contradicted", 2]


def test_claims_that_could_not_be_judged_are_not_kept() -> None:
    broken = True

    def fails(item: VerdictItem) -> VerdictScores:
        if broken:
            raise probative.ModelError("the model is gone")
        return by_words(item)

    judged = JudgedClaims()
    with probative.Session(policy=by_overlap(), verdict=ScriptedVerdict(fails)) as session:
        with pytest.raises(probative.ModelError):
            session.verify("Herons eat fish.", PASSAGES, judged=judged)
        assert judged.judged == 0
        broken = False
        (claim,) = session.verify("Herons eat fish.", PASSAGES, judged=judged).claims
    assert claim.judged


def test_a_retriever_has_no_version_to_keep_claims_by(session: probative.Session) -> None:
    with pytest.raises(probative.InputError):
        session.verify(TEXT, lambda query, n: PASSAGES, judged=JudgedClaims())


def test_no_more_claims_are_kept_than_fit(session: probative.Session) -> None:
    judged = JudgedClaims()
    (checked,) = session.verify("Herons eat fish.", PASSAGES).claims
    (claim,) = claims_of("Herons eat fish.").claims
    for number in range(MAX_KEPT + 1):
        judged.keep(claim, str(number), checked)
    assert judged.find(claim, "0") is None
    assert judged.find(claim, str(MAX_KEPT)) == checked
