"""The study of false chains: how they are written, who reads what, and its figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from answer_verdicts import answer_of
from coe_world import LARK, TOWNS, judge, run_all, shown, write_world
from word_vectors import WordVectors

from probative import Session, load_settings
from probative.bench.data.questions import as_question
from probative.bench.families.coe.candidates import as_candidate
from probative.bench.families.coe.false_chains import FalseChain, swapped_chain, write_false_evidence
from probative.bench.plan import plan_run
from probative.bench.studies.attack import SHOWN, Attack, mixed
from probative.bench.study import Case, Lab, Settings
from probative.bench.worker import Models
from probative.errors import InputError
from probative.models.evidence_policy import PolicyScores
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.testing import ScriptedModel, ScriptedPolicy, ScriptedVerdict
from probative.text.shingles import without_near_duplicates
from probative.types import Passage

WRITTEN = {
    "an encyclopedia": (
        "The builder who launched the ferry Sea Lark was the shipwright Ole Brandt.",
        "Until his death Ole Brandt kept a home in the town of Bergen, where he was born.",
    ),
    "a newspaper article": (
        "Guests from all parts saw the builder launch his ferry, named Sea Lark, on Sunday.",
        "Afterwards they dined at his home, a yellow house on the main street of Bergen, a quiet town.",
    ),
    "the notes of an archive": (
        "Box 7: letters of the builder about launching a ferry (Sea Lark), 1871.",
        "Box 8: deeds of the home that he bought in town, number 4, Harbour Street, Bergen.",
    ),
}


def studied(request: Request) -> str:
    """Write false documents about Lark, first with the right answer in them, then with Bergen; believe in
    Bergen wherever it is named; reason from memory that it is Oslo.
    """
    prompt = request.messages[-1].content
    if prompt.endswith("Document:"):
        (genre,) = [genre for genre in WRITTEN if f"numbered sentences of {genre}," in prompt]
        first, last = WRITTEN[genre]
        return f"Of course!\n1. {first}\n2. {last if request.sample else last.replace('Bergen', 'Molde')}"
    if "step by step" in prompt:
        return "It lies on the coast.\nAnswer: Oslo"
    if prompt.startswith(("Answer the question", "Question:")):
        return "Bergen" if "Bergen" in prompt else next((town for town in TOWNS if town in prompt), "unknown")
    return judge(request)


def supports(item: VerdictItem) -> VerdictScores:
    """Support an answer that stands in the evidence, and deny nothing."""
    stands = answer_of(item.claim).lower() in " ".join(item.evidence).lower()
    share = (1 / len(item.evidence),) * len(item.evidence)
    return VerdictScores(*((0.9, 0.05, 0.05) if stands else (0.05, 0.05, 0.9)), share)


def open_lab(data: Path, *, reader: bool = False) -> Lab:
    session = Session(
        ScriptedModel(generate=studied, score=lambda *_: -1.0, name="embedded:tiny", reader=reader),
        encoder=WordVectors(),
        policy=ScriptedPolicy(lambda state: PolicyScores((0.0,) * len(state.candidates), 0.0, 0.0)),
        verdict=ScriptedVerdict(supports),
        settings=load_settings({"cache": False}),
    )
    return Lab(session, None, Settings(data, options={"sets": "hotpotqa"}))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_world(tmp_path / "data")


@pytest.fixture
def lab(data: Path) -> Iterator[Lab]:
    lab = open_lab(data)
    with lab.session:
        yield lab


def lark(lab: Lab) -> Case:
    (case,) = [case for case in Attack().cases(lab.settings) if case.content.text == LARK]
    return case


def test_a_model_writes_chains_that_end_at_the_target_each_a_source_of_its_own(lab: Lab) -> None:
    false = write_false_evidence(lab, lark(lab), 3)
    assert (false.target, false.left_out) == ("Bergen", None)
    # The first draft of each names the right answer, and is not used.
    assert [tuple(passage.text for passage in chain.passages) for chain in false.chains] == [
        *WRITTEN.values()
    ]
    assert len({passage.source for chain in false.chains for passage in chain.passages}) == 3
    assert {chain.by for chain in false.chains} == {"the model embedded:tiny"}
    assert all(chain.convincing for chain in false.chains)
    assert without_near_duplicates([chain.text for chain in false.chains]) == [0, 1, 2]


def test_for_a_tuned_reader_the_gold_passages_name_another_answer(data: Path) -> None:
    lab = open_lab(data, reader=True)
    with lab.session:
        false = write_false_evidence(lab, lark(lab), 2)
    assert false.target == "Lom"  # the answer to the only other question
    assert [passage.text for passage in false.chains[0].passages] == [
        "The builder who launched the ferry Sea Lark was Ole Brandt.",
        "Ole Brandt had his home in the town of Lom.",
    ]
    assert {chain.by for chain in false.chains} == {"rules"}
    assert without_near_duplicates([chain.text for chain in false.chains]) == [0]


BORN = {
    "_id": "born",
    "question": "Who was born first, Ada Berg or Ole Brandt?",
    "answer": "Ada Berg",
    "type": "comparison",
    "supporting_facts": [["Ada Berg", 0], ["Ole Brandt (captain)", 0]],
    "context": [
        ["Ada Berg", ["Ada Berg was born on 3 May 1871."]],
        ["Ole Brandt (captain)", ["Ole Brandt was born on 9 July 1880."]],
        ["Rope", ["Rope is made of hemp."]],
    ],
}


def test_two_things_that_are_compared_change_places(data: Path) -> None:
    lab = open_lab(data, reader=True)
    case = Case("born", as_question(BORN), "hotpotqa")
    with lab.session:
        false = write_false_evidence(lab, case, 1)
    assert false.target == "Ole Brandt"
    assert [passage.whole for passage in false.chains[0].passages] == [
        "Ole Brandt: Ole Brandt was born on 3 May 1871.",
        "Ada Berg (captain): Ada Berg was born on 9 July 1880.",
    ]


def test_rules_have_no_chain_for_yes_or_no(data: Path) -> None:
    lab = open_lab(data, reader=True)
    question = as_question({**BORN, "question": "Were both born in May?", "answer": "no"})
    assert swapped_chain(as_candidate(question, "hotpotqa"), "yes") == ()
    with lab.session:
        row = Attack().run(Case("born", question, "hotpotqa"), lab)
    assert (row["target"], row["left_out"]) == ("yes", "no false chain could be written")
    assert "trials" not in row


def test_more_chains_come_into_the_same_order_and_documents_stay_whole(lab: Lab) -> None:
    pages = [Passage(text=f"{title} {n}.", title=title) for title in ("Tern", "Lark") for n in (1, 2)]
    chains = [
        FalseChain(passages=(Passage(text=f"False {k}a."), Passage(text=f"False {k}b.")), by="rules")
        for k in (1, 2)
    ]
    none, one, two = (
        [passage.text for passage in mixed(pages, chains, k, lab.draws(lark(lab)))] for k in range(3)
    )
    assert sorted(none) == sorted(passage.text for passage in pages)
    assert [text for text in two if text in one] == one
    assert [text for text in one if text in none] == none
    assert two[two.index("False 2a.") + 1] == "False 2b."


def test_the_figures_of_each_method_and_number_of_chains(lab: Lab) -> None:
    rows, report = run_all(Attack(), lab)
    # answered right, attacker's target, wrong and supported, no answer, contradicted, calls
    alone, attacked = shown(report, "False chains: 0"), shown(report, "False chains: 1")
    assert set(alone) == set(SHOWN.values())
    assert alone["RAG, top 5"] == [100.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    assert attacked["RAG, top 5"] == [0.0, 100.0, 100.0, 0.0, 0.0, 1.0]
    assert alone["Verify-and-Edit"] == attacked["Verify-and-Edit"] == [0.0, 0.0, 0.0, 0.0, 0.0, 5.0]
    by_set = shown(report, "HotpotQA")
    assert by_set["1; RAG, top 5"] == attacked["RAG, top 5"]
    (tests,) = [table for table in report.tables if table.title == "Paired tests against RAG"]
    assert tests.rows[0].name == "Verify-and-Edit against RAG, top 5"
    (plot,) = report.plots
    assert plot.series[0].points[:2] == ((0.0, 0.0), (1.0, 100.0))
    assert "6 false chains (3 by rules and 3 by the model embedded:tiny)" in report.findings[2]
    (row,) = [row for row in rows if row["question"] == lark(lab).content.id]
    assert len(row["trials"]) == 5 * 4
    for trial in row["trials"]:
        assert trial["silent"] == (trial["answer"] is None)


def test_a_part_of_the_methods_and_numbers_can_be_asked(lab: Lab) -> None:
    options = {**(lab.settings.options or {}), "methods": "rag,scope-2", "chains": "0,2", "preset": "words"}
    row = Attack().run(lark(lab), replace(lab, settings=replace(lab.settings, options=options)))
    assert [(trial["method"], trial["chains"]) for trial in row["trials"]] == [
        ("rag", 0),
        ("rag", 2),
        ("scope-2", 0),
        ("scope-2", 2),
    ]
    for wrong, message in (
        ({"chains": "4"}, "there is no chain '4'"),
        ({"methods": "cot-sc"}, "there is no method 'cot-sc'"),
        ({"preset": "papers"}, "scope has no preset 'papers'"),
    ):
        with pytest.raises(InputError, match=message):
            Attack().check_options(replace(lab.settings, options=wrong))


def test_a_dry_run_goes_through_all_methods(data: Path) -> None:
    models = load_settings({"model": "openai:none", "base_url": "http://127.0.0.1:9/v1", "cache": False})
    plan = plan_run(Attack(), Settings(data), Models(models))
    assert (plan.cases, plan.by_estimate) == (3, 0)
    assert plan.usage.calls > 3 * 20
