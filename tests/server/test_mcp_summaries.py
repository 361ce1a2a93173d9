"""The short texts of tools: how an answer's level and what leads to it are put."""

from __future__ import annotations

import pytest
from openai_server import ANSWERS, BUILT, COMMANDED, CONTRADICTED, INSUFFICIENT, PROBABLE, SUPPORTED

from probative.scope.result import Level
from probative.server.mcp.evidence import evidence_of
from probative.server.mcp.summaries import summary


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (SUPPORTED, "Answer: Molde", "Verdict: supported"),
        (PROBABLE, "Probable answer, not confirmed, 62% certain: Molde", "Verdict: insufficient, probable"),
        (CONTRADICTED, "No answer.", "Verdict: contradicted, disputed"),
        (INSUFFICIENT, "No answer.", "Verdict: insufficient, not found"),
    ],
)
def test_an_answer_is_put_by_its_level(question: str, first: str, second: str) -> None:
    assert summary(ANSWERS[question]).splitlines()[:2] == [first, second]
    assert summary(evidence_of(ANSWERS[question])).splitlines()[0] == second


@pytest.mark.parametrize(
    ("question", "first"), [(INSUFFICIENT, "Not supported: 40"), (PROBABLE, "Probable answer, not confirmed")]
)
def test_an_answer_that_was_forced_is_never_put_as_a_supported_one(question: str, first: str) -> None:
    forced = ANSWERS[question].model_copy(update={"answer": "40"})
    assert summary(forced).startswith(first)


def test_what_leads_to_the_evidence_stands_below_it() -> None:
    lines = summary(ANSWERS[PROBABLE]).splitlines()
    evidence, leads = lines.index("Evidence, quoted from the sources:"), lines.index("What leads there:")
    assert lines[evidence + 1] == f'- "{BUILT}" [ferries.md#char=11,40]'
    assert lines[leads + 1] == f'- "{COMMANDED}" [crew.md#char=8,37]'
    assert "What leads there:" not in summary(ANSWERS[SUPPORTED])


def test_a_list_of_evidence_tells_which_pieces_lead_to_the_deciding_ones() -> None:
    found = evidence_of(ANSWERS[PROBABLE])
    assert found.level is Level.PROBABLE
    assert [(piece.deciding, piece.leads) for piece in found.evidence] == [(True, False), (False, True)]
    assert f'- leads to the answer: "{COMMANDED}"' in summary(found)
