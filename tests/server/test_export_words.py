"""What stands in a downloaded page: drawings, stages, and times in words."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest
from server_app import scripted_session, serving
from starlette.testclient import TestClient

from probative import Answer, Corpus, Session, Settings
from probative.give.reasoning import Reasoning
from probative.give.result import Answers, EntityGroup, Knowledge, Member
from probative.server.runs.run import Run
from probative.server.state.catalog import Catalog
from probative.server.state.export import readable_time, written
from probative.testing import ScriptedModel
from probative.types import Triple
from probative.verify.verification import Verification
from probative.views.verification_page import page

QUESTION = "Does willow bark ease a headache?"
FINISHED = "2026-05-03T08:07:09.123+00:00"


def reasoning() -> Reasoning:
    return Reasoning(
        question=QUESTION,
        form="yes-no",
        answer="yes",
        verdict="extrapolated",
        strength=0.58,
        groups=(EntityGroup(members=(Member(name="willow bark"), Member(name="aspen bark", cosine=0.8))),),
        knowledge=Knowledge(
            expert=(Triple(head="willow bark", relation="eases", tail="pain"),),
            affirmative=(Triple(head="aspen bark", relation="eases", tail="pain"),),
        ),
        answers=Answers(a="maybe", ac="maybe", ace="yes"),
    )


def exported() -> str:
    run = Run(
        id="run-12345", verb="reason", title=QUESTION, state="done", created=FINISHED, finished=FINISHED
    )
    return written("html", run, reasoning())


def test_an_answer_over_a_graph_has_its_drawing_and_its_stages() -> None:
    told = exported()
    assert told.count("<svg ") == 1
    assert told.count('class="line expert"') == 1
    assert told.count('class="line affirmative"') == 1
    assert "The answer in three stages" in told
    for stage in ("Extrapolated knowledge", "Plus counterfactual knowledge", "Plus what the graph states"):
        assert stage in told
    assert "≈ Extrapolated" in told
    assert "Expert" not in told


def test_the_question_is_written_once() -> None:
    shown = exported().partition("<body>")[2].partition("About this run")[0]
    without_names = shown.replace(f"<title>{QUESTION}</title>", "")
    assert without_names.count(QUESTION) == 1
    assert "Answer: yes" not in shown


def test_a_page_says_when_and_with_which_model_in_words() -> None:
    told = exported()
    assert "3 May 2026, 08:07 UTC" in told
    assert FINISHED not in told
    assert "none was needed" in told


def test_a_report_names_its_text_and_how_it_was_made(tmp_path: Path) -> None:
    body = {"text": "The Heron was built in Molde.", "passages": ["The Heron was built in Molde."]}
    with serving(tmp_path) as client:
        reply = client.post("/api/verify", json=body)
        assert reply.status_code == 200, reply.text
        identity = reply.headers["probative-run"]
        told = client.get(f"/api/runs/{identity}/export.html").text
        finished = client.get(f"/api/runs/{identity}").json()["finished"]
    assert "<title>Verification of “The Heron was built in Molde.”</title>" in told
    footer = told.partition("<footer>")[2]
    assert footer.startswith("Probative ")
    assert readable_time(finished) in footer


BUILT = "The Grey Heron was built in Molde."


def reading_session() -> Session:
    reader = ScriptedModel(
        generate="Molde", alternatives=lambda _: {"Molde": 0.93, "unknown": 0.04}, reader=True
    )
    return scripted_session(model=reader)


def asked(client: TestClient, source: dict[str, object]) -> tuple[Answer, str]:
    """Return an answer, and what its page shows of it."""
    reply = client.post("/api/ask", json={"question": "Where was the Grey Heron built?", **source})
    assert reply.status_code == 200, reply.text
    told = client.get(f"/api/runs/{reply.headers['probative-run']}/export.html").text
    shown = told.partition("<body>")[2].partition("About this run")[0]
    return Answer.model_validate(reply.json()), re.sub("<[^>]+>", "", shown)


@pytest.mark.model
def test_an_answer_from_a_corpus_says_where_its_sentence_stands(tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    (folder / "ships").mkdir(parents=True)
    (folder / "ships" / "heron.md").write_text(f"# Heron\n\nIt rained. {BUILT}\n")
    with (
        Corpus.open(folder, vectors=False, settings=Settings(cache=False)) as corpus,
        Catalog({"ships": corpus}) as catalog,
        serving(tmp_path / "data", session=reading_session(), catalog=catalog) as client,
    ):
        answer, shown = asked(client, {"corpus": "ships"})
    places = {sentence.text: sentence.citation for sentence in answer.cited}
    assert places[BUILT] == "ships/heron.md#char=20,54"
    assert f"{BUILT}ships/heron.md#char=20,54" in shown


@pytest.mark.model
def test_an_answer_from_an_upload_names_its_file(tmp_path: Path) -> None:
    with serving(tmp_path, session=reading_session()) as client:
        added = client.post("/api/uploads", params={"name": "heron <b>.md"}, content=BUILT.encode())
        assert added.status_code in (200, 201), added.text
        answer, shown = asked(client, {"uploads": [added.json()["id"]]})
    assert answer.cited[0].citation is None
    place = answer.chain[0].citation
    assert place is not None
    assert place.startswith("heron")
    assert f"{BUILT}{escape(place)}" in shown


def test_the_title_of_a_long_text_ends_with_a_whole_word() -> None:
    told = page(
        Verification(text="The Heron was built in Molde, and it has sailed to Aukra and back since 1962.")
    )
    assert (
        "<title>Verification of “The Heron was built in Molde, and it has sailed to Aukra …”</title>" in told
    )
