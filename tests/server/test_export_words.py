"""What stands in a downloaded page: drawings, stages, and times in words."""

from __future__ import annotations

from pathlib import Path

from server_app import serving

from probative.give.reasoning import Reasoning
from probative.give.result import Answers, EntityGroup, Knowledge, Member
from probative.server.export import export_page, readable_time
from probative.server.runs.run import Run
from probative.types import Triple
from probative.verify.reports.page import page
from probative.verify.verification import Verification

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
    return export_page(run, reasoning())


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


def test_the_title_of_a_long_text_ends_with_a_whole_word() -> None:
    told = page(
        Verification(text="The Heron was built in Molde, and it has sailed to Aukra and back since 1962.")
    )
    assert (
        "<title>Verification of “The Heron was built in Molde, and it has sailed to Aukra …”</title>" in told
    )
