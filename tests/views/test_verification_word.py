"""A verification as a Word document, read back with python-docx."""

from __future__ import annotations

from importlib import util
from io import BytesIO
from typing import Any

import docx
import pytest

from probative import MissingExtraError
from probative.types import Verdict
from probative.verdict.judgement import Probabilities
from probative.verify.claims import UncheckedText
from probative.verify.verification import CheckedClaim, CitationCheck, EvidenceSentence, Verification
from probative.views.verification_word import word_document

TEXT = "# The mill\n\nIt **burnt** in 1890 [1]. It\nwas old.\n\n- The wheel is of oak.\n- Who knows?\x1b\n"
SHARES = Probabilities(supported=0.2, contradicted=0.5, insufficient=0.3)


def claim(words: str, verdict: Verdict, **values: Any) -> CheckedClaim:
    start = TEXT.index(words)
    given = {"text": words, "claim": words, "verdict": verdict, "probabilities": SHARES, **values}
    return CheckedClaim.model_validate({"start": start, "end": start + len(words), **given})


def verification(*claims: CheckedClaim, **values: Any) -> Verification:
    return Verification(text=TEXT, name="report.md", claims=claims, **values)


def read(result: Verification) -> Any:
    return docx.Document(BytesIO(word_document(result, made="Probative 1.0")))


def commented(document: Any) -> dict[str, str]:
    """Return the text that each comment is about."""
    texts: dict[str, str] = {}
    for comment in document.comments:
        inside = False
        words = ""
        for element in document.element.body.iter():
            kind = element.tag.rpartition("}")[2]
            marks = kind in ("commentRangeStart", "commentRangeEnd")
            if marks and element.get(element.tag.replace(kind, "id")) == str(comment.comment_id):
                inside = kind == "commentRangeStart"
            elif inside and kind == "t":
                words += element.text
        texts[words] = comment.text
    return texts


def test_each_claim_has_a_comment_with_its_evidence() -> None:
    evidence = EvidenceSentence(
        text="It fell in 1894.",
        source="log.txt",
        deciding=True,
        stance="contradicts",
        citation="log.txt#char=1,9",
    )
    cited = CitationCheck(marker="[1]", start=30, end=33, note="not among the sources")
    given = verification(
        claim("It **burnt** in 1890", Verdict.CONTRADICTED, evidence=(evidence,), citations=(cited,)),
        claim("It\nwas old.", Verdict.INSUFFICIENT, claim="The mill was old."),
        claim("The wheel is of oak.", Verdict.SUPPORTED),
    )
    texts = commented(read(given))
    assert list(texts) == ["It burnt in 1890", "It was old.", "The wheel is of oak."]
    first, second, third = texts.values()
    assert first.startswith("✗ Contradicted (50%)")
    assert 'contradicts (log.txt#char=1,9): "It fell in 1894."' in first
    assert "cited [1]: not among the sources" in first
    assert "read as: The mill was old." in second
    assert "read as" not in third


def test_headings_and_lists_stay_and_claims_differ_without_colours() -> None:
    given = verification(
        claim("It **burnt** in 1890", Verdict.CONTRADICTED),
        claim("The wheel is of oak.", Verdict.SUPPORTED),
        unchecked=(UncheckedText(text="Who knows?", start=70, end=80, reason="a question"),),
    )
    document = read(given)
    styles = {paragraph.text: paragraph.style.name for paragraph in document.paragraphs}
    assert styles["The mill"] == "Heading 1"
    assert styles["The wheel is of oak."] == "List Bullet"
    assert styles["Who knows?"] == "List Bullet"
    assert "Who knows? (a question)" in styles
    assert any("Probative 1.0" in text for text in styles)
    assert "2 claims: ✓ 1 Supported, ✗ 1 Contradicted, ? 0 Insufficient evidence" in styles
    lines = {
        run.text: run.font.underline
        for part in document.paragraphs
        for run in part.runs
        if run.font.underline
    }
    assert len({lines["burnt"], lines["The wheel is of oak."]}) == 2
    assert [run.text for part in document.paragraphs for run in part.runs if run.bold] == ["burnt"]


def test_a_claim_inside_another_one_has_its_comment_there() -> None:
    outer, inner = claim("The wheel is of oak.", Verdict.SUPPORTED), claim("oak", Verdict.INSUFFICIENT)
    document = read(verification(outer, inner))
    assert [comment.initials for comment in document.comments] == ["1", "2"]
    assert list(commented(document)) == ["The wheel is of oak."]


def test_a_claim_without_words_in_the_text_is_not_lost() -> None:
    lost = claim("\n\n", Verdict.SUPPORTED, claim="It rained.")
    assert list(commented(read(verification(lost)))) == ["It rained."]


def test_without_python_docx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("probative.views.verification_word.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="docx"):
        word_document(verification())
    assert util.find_spec("docx") is not None
