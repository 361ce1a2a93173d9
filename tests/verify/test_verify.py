"""verify: claims, evidence, verdicts, both sides, citations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from verifying import by_words, overlap, ruled_by_words

import probative
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedPolicy, ScriptedVerdict, assert_supported
from probative.types import Passage, Verdict

PASSAGES = [
    Passage(
        text="The mill burnt down in 1890. Herons eat fish. The wheel is made of oak.",
        source="chronicle.txt",
        title="Chronicle of Aske",
        start=100,
        end=171,
    ),
    Passage(text="The mill did not burn down in 1890. It stood until 1920.", source="letters/ole.txt"),
    Passage(text="Tickets cost three crowns.", source="fares.csv"),
]


@pytest.fixture
def session() -> Iterator[probative.Session]:
    with probative.Session(policy=ScriptedPolicy(overlap), verdict=ruled_by_words()) as opened:
        yield opened


def test_each_claim_has_its_verdict_and_the_place_of_what_decides(session: probative.Session) -> None:
    text = "Tickets cost three crowns. The wheel is made of oak. The tower is green."
    verification = session.verify(text, PASSAGES)
    verdicts = [claim.verdict for claim in verification.claims]
    assert verdicts == [Verdict.SUPPORTED, Verdict.SUPPORTED, Verdict.INSUFFICIENT]
    (deciding,) = verification.claims[1].deciding
    assert (deciding.source, deciding.start, deciding.end) == ("chronicle.txt", 146, 171)
    assert (deciding.stance, deciding.citation) == ("supports", "chronicle.txt#char=146,171")
    assert PASSAGES[0].text[146 - 100 : 171 - 100] == deciding.text == "The wheel is made of oak."
    assert verification.counts[Verdict.SUPPORTED] == 2
    assert (verification.policy, verification.verdict_model) == ("scripted", "ruled")
    assert verification.usage.calls > 0


def test_the_best_sentence_alone_counts_if_all_together_do_not_decide() -> None:
    """The verdict model is confused by more than one sentence, and sure of one."""

    def confused(item: VerdictItem) -> VerdictScores:
        return by_words(item) if len(item.evidence) == 1 else VerdictScores(0.4, 0.1, 0.5, None)

    with probative.Session(policy=ScriptedPolicy(overlap), verdict=ScriptedVerdict(confused)) as session:
        stated, invented = session.verify("The wheel is made of oak. The tower is green.", PASSAGES).claims
    assert (stated.verdict, [sentence.text for sentence in stated.deciding]) == (
        Verdict.SUPPORTED,
        ["The wheel is made of oak."],
    )
    assert invented.verdict is Verdict.INSUFFICIENT


DESIGNED, BORN = "The mill was designed by Ada Berg.", "Ada Berg was born in Molde."


@pytest.mark.parametrize(
    ("sources", "verdict"),
    [
        ({"mill.txt": DESIGNED, "people.txt": BORN}, Verdict.SUPPORTED),
        ({"mill.txt": DESIGNED}, Verdict.INSUFFICIENT),
        ({"people.txt": BORN}, Verdict.INSUFFICIENT),
        ({"mill.txt": DESIGNED, "people.txt": "Ole Lund was born in Molde."}, Verdict.INSUFFICIENT),
    ],
)
def test_a_claim_that_needs_two_documents_gets_both_and_neither_half_supports_it(
    sources: dict[str, str], verdict: Verdict
) -> None:
    """The verdict model supports the claim only where it reads both sentences at once."""

    def joined(item: VerdictItem) -> VerdictScores:
        halves = [float(half in text) for text in item.evidence for half in (DESIGNED, BORN) if half in text]
        if len(halves) == 2:
            return VerdictScores(0.9, 0.05, 0.05, (0.5, 0.5))
        return VerdictScores(0.4, 0.05, 0.55, None)

    passages = [Passage(text=text, source=source) for source, text in sources.items()]
    with probative.Session(policy=ScriptedPolicy(overlap), verdict=ScriptedVerdict(joined)) as session:
        (claim,) = session.verify("The mill's designer was born in Molde.", passages).claims
    assert claim.verdict is verdict
    deciding = {sentence.source for sentence in claim.deciding}
    assert deciding == (set(sources) if verdict is Verdict.SUPPORTED else set())


def test_a_model_that_knows_no_headers_reads_titles_and_dates_before_the_sentences() -> None:
    verdict = ruled_by_words()
    passage = {"text": "The wheel is made of oak.", "title": "Mill", "date": "2024-05-01"}
    with probative.Session(policy=ScriptedPolicy(overlap), verdict=verdict) as session:
        session.verify("The wheel is made of oak.", [passage])
    assert verdict.asked[0].evidence == ("Mill (2024-05-01): The wheel is made of oak.",)


def test_both_sides_of_sources_that_disagree_are_shown(session: probative.Session) -> None:
    (claim,) = session.verify("The mill burnt down in 1890.", PASSAGES).claims
    assert claim.conflict
    sides = {sentence.stance: sentence.source for sentence in claim.deciding}
    assert sides == {"supports": "chronicle.txt", "contradicts": "letters/ole.txt"}


def test_citations_are_held_against_what_they_cite(session: probative.Session) -> None:
    text = (
        "Tickets cost three crowns [1]. The wheel is made of oak [2]. Herons eat fish [3]. "
        "Herons eat fish [4].\n\n"
        "## Sources\n\n[1] fares.csv\n[2] Letters of Ole (letters/ole.txt)\n[3] A lost book\n"
    )
    claims = session.verify(text, PASSAGES).claims
    citations = [claim.citations[0] for claim in claims]
    assert [citation.source for citation in citations] == ["fares.csv", "letters/ole.txt", None, None]
    assert citations[0].verdict is Verdict.SUPPORTED
    assert citations[1].verdict is not Verdict.SUPPORTED
    assert claims[1].verdict is Verdict.SUPPORTED  # another source says it
    assert [citation.note for citation in citations[2:]] == [
        "not among the sources",
        "the text does not say what this stands for",
    ]


def test_any_retriever_serves_and_is_asked_for_each_claim(session: probative.Session) -> None:
    asked: list[tuple[str, int]] = []

    def retriever(query: str, n: int) -> list[Passage]:
        asked.append((query, n))
        return PASSAGES[2:] if "crowns" in query else []

    claims = session.verify("Tickets cost three crowns. The tower is green.", retriever, per_claim=5).claims
    assert asked == [("Tickets cost three crowns.", 5), ("The tower is green.", 5)]
    assert [claim.verdict for claim in claims] == [Verdict.SUPPORTED, Verdict.INSUFFICIENT]
    assert not claims[1].judged
    assert claims[1].notes == ("no passage was found for this claim",)


def test_a_second_run_reads_nothing_again() -> None:
    policy, verdict = ScriptedPolicy(overlap), ruled_by_words()
    policy.fingerprint = "overlap"  # type: ignore[attr-defined]
    with probative.Session(policy=policy, verdict=verdict) as session:
        first = session.verify("Tickets cost three crowns.", PASSAGES)
        read = len(verdict.asked)
        again = session.verify("Tickets cost three crowns. The wheel is made of oak.", PASSAGES)
    assert read > 0
    assert again.claims[0].verdict is first.claims[0].verdict
    assert all("oak" in item.claim for item in verdict.asked[read:])
    assert again.usage.cached >= first.usage.calls - 1


@pytest.mark.parametrize("method", ["bm25", "rouge"])
def test_evidence_may_be_chosen_by_a_method_of_prove(session: probative.Session, method: str) -> None:
    verification = session.verify("The wheel is made of oak.", PASSAGES, method=method)
    assert verification.method == method
    assert verification.policy is None
    assert verification.claims[0].deciding[0].text == "The wheel is made of oak."


def test_progress_counts_claims(session: probative.Session) -> None:
    seen: list[tuple[int, int]] = []
    session.verify(
        "Tickets cost three crowns. Herons eat fish.",
        PASSAGES,
        claim_progress=lambda done, claims: seen.append((done, claims)),
    )
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize("max_active", [1, 8])
def test_each_claim_is_told_when_it_is_checked(session: probative.Session, max_active: int) -> None:
    seen: dict[int, probative.CheckedClaim] = {}
    counts: list[tuple[int, int]] = []

    def claim_done(index: int, claim: probative.CheckedClaim, claims: int) -> None:
        seen[index] = claim
        counts.append((len(seen), claims))

    verification = session.verify(
        "Tickets cost three crowns. Herons eat fish. The tower is green.",
        PASSAGES,
        claim_done=claim_done,
        max_active=max_active,
    )
    assert [seen[index] for index in range(3)] == list(verification.claims)
    assert counts == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("text", "passages"), [("", PASSAGES), ("It rained.", 3), (7, PASSAGES), ("\ud800", PASSAGES)]
)
def test_bad_input_is_refused(session: probative.Session, text: str, passages: object) -> None:
    with pytest.raises(probative.InputError):
        session.verify(text, passages)


def test_wrong_options_and_methods_are_named(session: probative.Session) -> None:
    with pytest.raises(probative.InputError, match="sentences"):
        session.verify("It rained.", PASSAGES, sentences=0)
    with pytest.raises(probative.InputError, match="no method called 'guess'"):
        session.verify("It rained.", PASSAGES, method="guess")


def test_a_text_without_claims_says_so(session: probative.Session) -> None:
    verification = session.verify("Who knows?", PASSAGES)
    assert verification.claims == ()
    assert verification.notes == ("the text has no claim that could be checked",)


def test_many_texts_run_side_by_side_and_fail_alone(session: probative.Session) -> None:
    cases = [
        {"text": "Tickets cost three crowns.", "passages": PASSAGES},
        {"text": "  ", "passages": PASSAGES},
        probative.VerifyCase(text="Herons eat fish.", passages=PASSAGES, name="b.md"),
    ]
    results = dict(session.verify_all(cases))
    assert isinstance(results[1], probative.InputError)
    assert isinstance(results[2], probative.Verification)
    assert results[2].name == "b.md"


def test_verify_can_be_awaited(session: probative.Session) -> None:
    verification = asyncio.run(session.verify_async("Herons eat fish.", PASSAGES))
    assert verification.claims[0].verdict is Verdict.SUPPORTED


def test_a_verification_survives_its_json(session: probative.Session) -> None:
    verification = session.verify("The mill burnt down in 1890 [1].", PASSAGES)
    plain = verification.model_copy(update={"trace": None})
    assert probative.Verification.model_validate_json(plain.to_json()) == plain


def test_assert_supported_names_what_fails(session: probative.Session) -> None:
    assert assert_supported("Herons eat fish.", PASSAGES, session=session).claims
    with pytest.raises(AssertionError, match="1 of 2 claims failed\ninsufficient: The tower"):
        assert_supported("Herons eat fish. The tower is green.", PASSAGES, session=session)
    assert_supported("The tower is green.", PASSAGES, fail_on=["contradicted"], session=session)
    assert_supported("The tower is green.", PASSAGES, fail_on="contradicted", session=session)
    with pytest.raises(probative.InputError, match="'wrong', which is no verdict") as caught:
        assert_supported("The tower is green.", PASSAGES, fail_on="wrong", session=session)
    assert "supported, insufficient, contradicted" in caught.value.hint
    with pytest.raises(AssertionError, match=r"citation \[7\] does not hold"):
        assert_supported("Herons eat fish [7].", PASSAGES, citations=True, session=session)


def test_a_folder_of_documents_is_a_source_and_citations_name_its_files(
    session: probative.Session, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "fares.txt").write_text("It rained. Tickets cost three crowns.", encoding="utf-8")
    (tmp_path / "mill.md").write_text("# Mill\n\nThe wheel is made of oak.", encoding="utf-8")
    text = "Tickets cost three crowns ([fares](../notes/fares.txt)). The wheel is made of oak."
    fares, wheel = session.verify(text, tmp_path).claims
    assert [claim.verdict for claim in (fares, wheel)] == [Verdict.SUPPORTED, Verdict.SUPPORTED]
    assert fares.citations[0].source == "notes/fares.txt"
    assert fares.citations[0].verdict is Verdict.SUPPORTED
    assert fares.deciding[0].citation == "notes/fares.txt#char=11,37"
    with probative.Corpus.open(tmp_path) as corpus:
        place = probative.Citation.parse(wheel.deciding[0].citation or "")
        assert corpus.document(place.source).quote(place.start, place.end) == "The wheel is made of oak."
