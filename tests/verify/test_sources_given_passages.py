"""Passages that a caller gives as dictionaries, and strings that are no passages."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

import probative
from probative.types import Verdict

TEXT = "Tickets cost three crowns."


@pytest.mark.parametrize(
    "told",
    [
        {"date": "2024-03-05", "page": 3},
        {"metadata": {"date": "2024-03-05", "page": 3}},
        {"date": datetime.date(2024, 3, 5), "page": 3},
        {"date": "2024-03-05T10:00:00Z", "page": 3, "metadata": {"date": "1999"}},
    ],
)
def test_dates_and_pages_are_taken(session: probative.Session, told: dict[str, Any]) -> None:
    verification = session.verify(TEXT, [{"text": TEXT, "source": "fares.txt", **told}])
    (sentence,) = verification.claims[0].evidence
    assert (sentence.date, sentence.page) == ("2024-03-05", 3)
    assert verification.notes == ()


def test_the_latest_date_decides(session: probative.Session) -> None:
    says = {"text": TEXT, "source": "new.txt", "date": "2024"}
    denies = {"text": "Tickets do not cost three crowns.", "source": "old.txt", "date": "1999"}
    (claim,) = session.verify(TEXT, [says, denies]).claims
    assert (claim.verdict, claim.conflict) == (Verdict.SUPPORTED, True)
    (claim,) = session.verify(TEXT, [{**says, "date": "1998"}, denies]).claims
    assert claim.verdict is Verdict.CONTRADICTED


def test_what_is_not_used_is_noted(session: probative.Session) -> None:
    verification = session.verify(TEXT, [{"text": TEXT, "score": 0.5, "date": "soon"}])
    assert verification.notes == ("not used of the passages: date (not YYYY-MM-DD), score",)
    assert verification.claims[0].evidence[0].date is None


def test_the_name_of_a_folder_or_file_is_no_text(session: probative.Session, tmp_path: Path) -> None:
    with pytest.raises(probative.InputError, match="the name of a folder"):
        session.verify(TEXT, str(tmp_path))
    file = tmp_path / "fares.txt"
    file.write_text(TEXT, encoding="utf-8")
    with pytest.raises(probative.InputError, match="the name of a file"):
        session.verify(TEXT, str(file))
    assert session.verify(TEXT, TEXT).claims[0].verdict is Verdict.SUPPORTED
    assert session.verify(TEXT, TEXT * 500).claims[0].verdict is Verdict.SUPPORTED


def test_a_corpus_is_a_kind_of_passages(session: probative.Session) -> None:
    with pytest.raises(probative.InputError, match="corpus as its passages") as raised:
        session.verify(TEXT, corpus="documents")
    assert "Path('documents')" in str(raised.value)
