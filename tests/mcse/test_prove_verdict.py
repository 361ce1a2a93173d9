"""The verdict of `prove`: on the chosen evidence, by the caller's numbers, and shown with both sides."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from verdicts import ruled

from probative import Proof, Session, Verdict
from probative.testing import ScriptedVerdict
from probative.views import terminal as view

TEXT = [
    "Herons eat fish.",
    "The mill of Ada burnt down.",
    "The river is wide.",
    "The mill of Ada did not burn down, says Ole.",
]


def prove(claim: str, model: ScriptedVerdict, **options: object) -> Proof:
    with Session(verdict=model) as session:
        return session.prove(claim, TEXT, **{"k": 2, "method": "bm25", **options})  # type: ignore[arg-type]


def test_the_evidence_is_read_in_the_order_of_the_text_and_decides_by_the_callers_index() -> None:
    model = ruled()
    proof = prove("The mill of Ada did burn down, says Ole.", model)
    assert proof.indexes == (3, 1)
    (item,) = model.asked
    assert item.evidence == (TEXT[1], TEXT[3])
    assert (proof.verdict, proof.deciding, proof.deciding_text) == (Verdict.CONTRADICTED, 3, TEXT[3])
    assert proof.probabilities is not None
    assert proof.probabilities.contradicted == pytest.approx(0.8)
    assert (proof.verdict_model, proof.verdict_usage and proof.verdict_usage.calls) == ("ruled", 1)
    assert proof.usage.calls == 1


def test_nothing_decides_where_the_evidence_is_insufficient() -> None:
    proof = prove("Herons are large.", ruled(), k=1)
    assert (proof.verdict, proof.deciding) == (Verdict.INSUFFICIENT, None)


@pytest.mark.parametrize("method", ["bm25", "rouge"])
def test_the_verdict_can_be_left_out(method: str) -> None:
    model = ruled()
    proof = prove("Herons are large.", model, verdict=False, method=method)
    assert (proof.verdict, proof.probabilities, proof.deciding) == (None, None, None)
    assert proof.verdict_model is None
    assert model.asked == []
    assert prove("Herons are large.", model, method=method).verdict is Verdict.INSUFFICIENT


def test_both_sides_of_a_contradiction_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Console(width=100, record=True, file=io.StringIO())
    monkeypatch.setattr(view, "console", lambda: terminal)
    proof = prove("The mill of Ada did burn down, says Ole.", ruled())
    view.show_result(proof, text=TEXT)
    text = terminal.export_text()
    assert "verdict: contradicted (80%), by [1]" in text
    assert "claim:    The mill of Ada did burn down, says Ole." in text
    assert f"evidence: {TEXT[3]}" in text
    page = proof._repr_html_() or ""
    assert page.count("The mill of Ada did not burn down, says Ole.") == 2
    assert "✗ Contradicted" in page
