"""The report on bundles of our own, with scripted models: what is kept, skipped and counted."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from verifying import overlap

from probative import Session
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict
from training.large import __main__ as large
from training.large import documents
from training.large.arrays import Arrays, Encoded
from training.large.look_ups import look_up_rows, run_plans
from training.large.report import MEASURES, cited_chains, evidence_of, passages_in, rows_of, run_report

ORME, VELL = "The kiln at Orme burns 12 sacks of salt a day.", "The kiln at Vell burns 9 sacks of salt a day."
HOPES = "The owners hope to light a third kiln."
PLAN = [
    {"do": "look_up", "ask": "How many sacks does Orme burn?", "of": "Orme", "value": "12"},
    {"do": "look_up", "ask": "How many sacks does Vell burn?", "of": "Vell", "value": "9"},
    {"do": "difference", "steps": [1, 2]},
]
SACKS = {"Orme": "12 sacks [1]", "Vell": "9 sacks [2]"}


def bundle(name: str) -> dict[str, Any]:
    """Return a bundle of two short documents."""
    orme, vell = {"doc": "a", "text": ORME}, {"doc": "b", "text": VELL}
    more = {"q": "How many more sacks does Orme burn than Vell?", "kind": "compute"}
    return {
        "bundle": name,
        "documents": [
            {"id": "a", "title": "Orme log", "date": "2024-05-03", "text": ORME},
            {"id": "b", "title": "Vell log", "date": None, "text": f"{VELL}\n\n{HOPES}"},
        ],
        "claims": [
            {"claim": "Orme burns 12 sacks.", "kind": "true_literal", "label": "supported",
             "sentences": [orme]},
            {"claim": "There are three kilns.", "kind": "not_hedged", "label": "insufficient",
             "sentences": []},
        ],
        "questions": [
            {**more, "answer": "3", "accept": ["3", "3 sacks"], "sentences": [orme, vell], "plan": PLAN},
            {"q": "When was the third kiln lit?", "kind": "hedged", "answer": None, "accept": [],
             "sentences": []},
        ],
    }  # fmt: skip


class LinesModel(ScriptedModel):
    """A scripted model that is asked in the form of the large one."""

    reader_form = "lines"


def reply(request: Request) -> str:
    """Find the features, take the first passage for the chain, answer from it, and write plans."""
    system, asked = request.messages[0].content, request.messages[-1].content
    if system == "plan":
        swapped = [PLAN[1], PLAN[0], PLAN[2]]
        return json.dumps([{key: step[key] for key in step if key != "value"} for step in swapped])
    if system == "answer":
        return next((SACKS[name] for name in SACKS if f"does {name} burn" in asked), "unknown")
    if "taken apart" in system:
        return json.dumps({"intent": "a number", "nodes": ["Orme"], "relations": []})
    if "numbered features" in system:
        texts = asked.split("Texts:")[-1].count("\n[")
        carried = [
            {"text": number, "carries": [1, 2] if number == 1 else []} for number in range(1, texts + 1)
        ]
        return json.dumps({"texts": carried})
    return "12 sacks [1]" if "How many" in asked else "unknown"


def judge(item: VerdictItem) -> VerdictScores:
    return VerdictScores(0.9, 0.04, 0.06, (1.0,) * len(item.evidence))


@pytest.fixture
def verdict() -> ScriptedVerdict:
    return ScriptedVerdict(judge)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdict: ScriptedVerdict) -> Iterator[Session]:
    """A session of scripted models, and three bundles in the part `tune`."""
    monkeypatch.setattr(documents, "FOLDER", tmp_path)
    lines = [json.dumps(bundle(f"u00-0{number}")) for number in range(3)]
    (tmp_path / "tune.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    with Session(LinesModel(generate=reply), verdict=verdict, policy=ScriptedPolicy(overlap)) as session:
        yield session


def test_passages_have_the_title_date_and_sentences_of_their_document() -> None:
    first, second = passages_in(bundle("u00-00"))
    assert (first.title, first.date, second.title) == ("Orme log", "2024-05-03", "Vell log")
    assert second.own_sentences() == (VELL, HOPES)


def test_evidence_is_below_its_title_and_the_date_if_there_is_one() -> None:
    heads = [text.split("\n")[0] for text in evidence_of(bundle("u00-00"))]
    assert heads == ["# Orme log (2024-05-03)", "# Vell log"]


def test_judge_reads_all_documents_with_title_and_date(
    session: Session, verdict: ScriptedVerdict, tmp_path: Path
) -> None:
    run_report(session, "tune", ["judge"], tmp_path / "out", "0/1", 2)
    read = " ".join(verdict.asked[0].evidence)
    assert all(text in read for text in ("Orme log", "2024-05-03", ORME, "Vell log", VELL, HOPES))
    right, wrong = rows_of(tmp_path / "out", "judge")
    assert (right["key"], right["label"], right["verdict"]) == ("u00-00 0", "supported", "supported")
    assert (wrong["label"], wrong["verdict"], wrong["kind"]) == ("insufficient", "supported", "not_hedged")
    assert right["probabilities"]["supported"] > 0.5
    assert right["calls"] > 0


def test_verify_reads_the_passages_and_names_what_decides(session: Session, tmp_path: Path) -> None:
    run_report(session, "tune", ["verify"], tmp_path / "out", "0/1", 2)
    right, wrong = rows_of(tmp_path / "out", "verify")
    assert (right["verdict"], right["parts"][0]["claim"]) == ("supported", "Orme burns 12 sacks.")
    assert wrong["verdict"] == "supported" != wrong["label"]
    assert (right["needed_decide"], wrong["needed_decide"]) == (True, None)


def test_ask_keeps_the_chain_and_which_needed_sentences_it_lacks(session: Session, tmp_path: Path) -> None:
    run_report(session, "tune", ["ask"], tmp_path / "out", "0/1", 2)
    more, hedged = rows_of(tmp_path / "out", "ask")
    assert len(more["chain"]) == 1
    assert ORME in more["chain"][0]
    assert more["needed"] == [ORME, VELL]
    assert more["needed_in_chain"] is False
    assert more["exact"] is False
    assert (more["level"], more["eligible"]) == ("not_found", False)  # it asks for a computation
    assert more["signals"]["entailed"] > 0.5
    assert (hedged["answer"], hedged["needed_in_chain"]) == (None, None)


def test_plans_are_run_with_what_the_model_looks_up(session: Session, tmp_path: Path) -> None:
    run_report(session, "tune", ["plan"], tmp_path / "out", "0/1", 1)
    (row,) = rows_of(tmp_path / "out", "plan")
    assert (row["exact"], row["same_shape"]) == (False, True)
    assert row["values"] == ["9 sacks", "12 sacks", row["answer"]]
    assert (row["right"], row["written_right"], row["calls"]) == (True, True, 3)


def test_a_run_goes_on_where_it_stopped_and_shards_share_the_bundles(
    session: Session, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    run_report(session, "tune", ["judge"], out, "0/2", 3)
    before = (out / "judge-0.jsonl").read_text()
    run_report(session, "tune", ["judge"], out, "0/2", None)
    run_report(session, "tune", ["judge"], out, "1/2", None)
    texts = [file.read_text() for file in sorted(out.iterdir())]
    assert texts[0].startswith(before)
    keys = [[json.loads(line)["key"] for line in text.splitlines()] for text in texts]
    assert keys == [["u00-00 0", "u00-00 1", "u00-02 0", "u00-02 1"], ["u00-01 0", "u00-01 1"]]


def test_the_figures_of_all_shards_are_printed(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    for shard in ("0/2", "1/2"):
        run_report(session, "tune", list(MEASURES), out, shard, None)
    large.commands().run(["report", "--out", str(out)])
    table = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    lines = {(len(cells), cells[0].strip("| *")): cells[1:] for cells in table}
    assert lines[6, "all"][:3] == ["6", "3 of 6, 50 (19–81)", "3 of 6, 50 (19–81)"]
    assert lines[6, "not_hedged"][1:3] == ["0 of 3, 0 (0–56)", "3 of 3, 100 (44–100)"]
    assert lines[11, "answerable"][:2] == ["3", "0 of 3, 0 (0–56)"]
    assert lines[11, "unanswerable"][1:4] == ["", "", "3 of 3, 100 (44–100)"]
    assert lines[8, "compute"][1:5] == ["0 of 3, 0 (0–56)", *["3 of 3, 100 (44–100)"] * 3]


def test_cited_lines_lead_to_their_passages(tmp_path: Path, session: Session) -> None:
    def measured(text: str) -> list[bool]:
        names = [name for name in ("u00-00", "u00-01", "u00-02") for _ in range(2)]
        facts = [{"task": "answer", "source": "tune_questions", "bundle": name} for name in names]
        arrays = Arrays.of([Encoded([1], [0], fact) for fact in facts], {})
        replies = np.array([text, "unknown", "3 [1]", "unknown", "unknown", "unknown"])
        np.savez(tmp_path / "kept.npz", asked=np.arange(6), replies=replies)
        return [row["needed"] for row in cited_chains("tune", arrays, tmp_path / "kept.npz")]

    assert measured("3 [1 2]") == [True, False, False]
    assert measured("3 [2 9]") == [False, False, False]


def test_plans_are_run_by_kept_replies_and_a_session_answers_what_nobody_asked_before(
    session: Session, tmp_path: Path
) -> None:
    """The kept answer about Orme is used; a question that names the result of another step is asked."""
    asks = ["How many sacks does Orme burn?", "How many sacks does #1 burn?"]
    written = json.dumps(
        [
            {"do": "given", "value": "Vell"},
            {"do": "look_up", "ask": asks[0], "of": "Orme"},
            {"do": "look_up", "ask": asks[1], "of": "Vell"},
            {"do": "difference", "steps": [2, 3]},
        ]
    )
    facts = [{"task": "plan", "source": "tune_plan"}] * 3
    arrays = Arrays.of([Encoded([1], [0], fact) for fact in facts], {})
    replies = np.array([written, "no plan", written])
    np.savez(tmp_path / "kept.npz", asked=np.arange(3), replies=replies)
    rows = list(look_up_rows("tune", arrays, tmp_path / "kept.npz"))
    assert [row.asked for row in rows if row.facts["bundle"] == "u00-00"] == [
        asks[0],
        "How many sacks does Vell burn?",
    ]
    assert all(len(row.lines) == 3 for row in rows)
    looked_up = Arrays.of([Encoded([1], [0], row.facts) for row in rows], {})
    kept = ["15 sacks [1]" if "Orme" in row.asked else "9 sacks [2]" for row in rows]
    np.savez(tmp_path / "answers.npz", asked=np.arange(len(rows)), replies=np.array(kept))
    first, second, _ = run_plans(
        session, "tune", arrays, tmp_path / "kept.npz", looked_up, tmp_path / "answers.npz"
    )
    assert (first["written_answer"], first["answer"], first["calls"]) == ("6", "6", 0)
    assert (second["right"], second["plan"], second["calls"]) == (False, "no plan", 0)
    files = (tmp_path / "kept.npz", looked_up, tmp_path / "answers.npz")
    np.savez(tmp_path / "answers.npz", asked=np.arange(1), replies=np.array(kept[:1]))
    with pytest.raises(ValueError, match=f"has 1 answers to {len(rows)} questions"):
        next(run_plans(session, "tune", arrays, *files))
    del kept[1]
    looked_up = Arrays.of([Encoded([1], [0], row.facts) for row in (rows[0], *rows[2:])], {})
    np.savez(tmp_path / "answers.npz", asked=np.arange(len(kept)), replies=np.array(kept))
    (first, *_) = run_plans(
        session, "tune", arrays, tmp_path / "kept.npz", looked_up, tmp_path / "answers.npz"
    )
    assert (first["written_answer"], first["calls"]) == ("6", 1)
