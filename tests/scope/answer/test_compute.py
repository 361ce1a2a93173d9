"""Plans that are run over passages: each kind of plan, values worked out by hand, and hostile passages.

The reader here knows nothing: it copies the value that a test lets it find for a question.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from runs import make_run

from probative import Passage
from probative.engine.runner import run_searches
from probative.models.types import Request
from probative.scope.answer.compute import ComputedAnswer, compute_answer
from probative.testing import ScriptedModel
from probative.text import english
from probative.text.plan import Plan


def reader(says: Mapping[str, str]) -> ScriptedModel:
    """Return a reader that gives the reply of the first question that has the words of a key."""

    def reply(request: Request) -> str:
        question = request.messages[-1].content.splitlines()[0]
        return next((value for key, value in says.items() if key in question), "unknown")

    return ScriptedModel(generate=reply, reader=True)


def computed(
    question: str | Plan, passages: Sequence[str | Passage], says: Mapping[str, str]
) -> ComputedAnswer:
    """Return what the plan of a question gives (by default the one made by rules)."""
    plan = english.decompose(question) if isinstance(question, str) else question
    assert plan is not None
    run = make_run(
        question if isinstance(question, str) else "Which boat?", passages, reader(says), answering="read"
    )
    ((_, finished),) = run_searches([compute_answer(run, plan)], run.tools)
    assert finished.error is None
    assert finished.result is not None
    return finished.result


PEAKS = ["Skarn Fell has a summit at 1,912 metres.", "Mount Ode is 5,700 feet high."]
LIVES = [
    "Ada Berg was born on 5 May 1900 and died on 3 June 1980.",
    "Ole Lund was born in 1911 and died in 1942.",
]
BORN_AND_DIED = {
    "Ada Berg born": "1900",
    "Ada Berg die": "3 June 1980",
    "Ole Lund born": "1911",
    "Ole Lund die": "1942",
}


@pytest.mark.parametrize(
    ("question", "passages", "says", "answer", "reason"),
    [
        (
            "Which peak is higher, Skarn Fell or Mount Ode?",
            PEAKS,
            {"Skarn": "1,912", "Ode": "5,700 feet"},
            "Skarn Fell",
            "1,912 metres > 5,700 feet",
        ),
        (
            "Who was born first, Ada Berg or Ole Lund?",
            LIVES,
            BORN_AND_DIED,
            "Ada Berg",
            "5 May 1900 < 1911",
        ),
        (
            "How old was Ole Lund when he died?",
            LIVES[1:],
            BORN_AND_DIED,
            "30 or 31 years",
            "from 1911 to 1942",
        ),
        (
            "How many metres higher is Skarn Fell than Mount Ode?",
            ["Skarn Fell is 1,912 metres high.", "Mount Ode is 1,740 metres high."],
            {"Skarn": "1,912 metres", "Ode": "1,740 metres"},
            "172 m",
            "1,912 metres − 1,740 metres = 172 m",
        ),
        (
            "How many seats do the Salt Theatre and the Dune Hall have in total?",
            ["The Salt Theatre has 300 seats.", "The Dune Hall has 1,200 seats."],
            {"Salt": "300", "Dune": "1,200"},
            "1,500",
            "300 + 1,200 = 1,500",
        ),
        (
            "Were the Lark and the Heron built in the same year?",
            ["The Lark was built on 3 May 1926.", "The Heron was built in 1926."],
            {"Lark": "3 May 1926", "Heron": "1926"},
            "yes",
            "3 May 1926 = 1926",
        ),
        (
            "Are Ada Berg and Ole Lund from different countries?",
            ["Ada Berg is a Norwegian sailor.", "Ole Lund comes from Norway."],
            {"Ada Berg": "Norwegian", "Ole Lund": "Norway"},
            "no",
            "Norwegian = Norway",
        ),
    ],
)
def test_each_kind_of_plan_gives_the_answer_worked_out_by_hand(
    question: str, passages: list[str], says: dict[str, str], answer: str, reason: str
) -> None:
    result = computed(question, passages, says)
    assert (result.answer, result.reason) == (answer, reason)
    assert set(result.citations) == set(range(len(passages)))
    assert all(value.sentence in passages for value in result.values)


def test_a_plan_of_a_model_counts_and_shares() -> None:
    plan = Plan.read(
        """[{"do": "count", "ask": "Which of the boats are red?", "of": "boats"},
        {"do": "look_up", "ask": "How many boats are in the harbour?", "of": "boats"},
        {"do": "share", "steps": [1, 2], "unit": "percent"}]"""
    )
    passages = ["The boats Idun and Saga are red.", "There are eight boats in the harbour."]
    result = computed(plan, passages, {"red": "Idun; Saga", "How many": "eight"})
    assert result.answer == "25 %"


@pytest.mark.parametrize(
    ("do", "says", "answer", "citations"),
    [
        ("latest", {"Lark": "May 1901", "Heron": "1899"}, "May 1901", (0, 1)),
        ("latest", {"Lark": "May 1901", "Heron": "soon after"}, None, (0,)),
        ("average", {"Lark": "300 seats", "Heron": "250"}, "275", (0, 1)),
        ("average", {"Lark": "300 seats", "Heron": "280"}, None, (0,)),  # 280 stands nowhere
    ],
)
def test_a_plan_of_a_model_takes_the_latest_or_an_average_of_what_sentences_state(
    do: str, says: dict[str, str], answer: str | None, citations: tuple[int, ...]
) -> None:
    steps = [{"do": "look_up", "ask": f"What has the {name}?", "of": name} for name in ("Lark", "Heron")]
    plan = Plan.read(json.dumps([*steps, {"do": do, "steps": [1, 2]}]))
    passages = [
        "The Lark was mended in May 1901 and has 300 seats.",
        "The Heron was mended in 1899, and again soon after; it has 250 seats.",
    ]
    result = computed(plan, passages, says)
    assert (result.answer, result.citations) == (answer, citations)
    # What the verdict model is asked about: a value with its question and its passage.
    assert all(value.question and value.sentence for value in result.values if value.value is not None)


@pytest.mark.parametrize(
    ("question", "passages", "says", "missing"),
    [
        ("Which peak is higher, Skarn Fell or Mount Ode?", PEAKS, {"Skarn": "1,912"}, "height: Mount Ode"),
        # The reader's value stands in no sentence.
        (
            "Which peak is higher, Skarn Fell or Mount Ode?",
            PEAKS,
            {"Skarn": "1,912", "Ode": "1,950 metres"},
            "height: Mount Ode",
        ),
        # No number.
        (
            "Which peak is higher, Skarn Fell or Mount Ode?",
            [PEAKS[0], "Mount Ode is high."],
            {"Skarn": "1,912", "Ode": "high"},
            "height: Mount Ode",
        ),
        # The height of another peak is not that of Mount Ode.
        (
            "Which peak is higher, Skarn Fell or Mount Ode?",
            [PEAKS[0]],
            {"Skarn": "1,912", "Ode": "1,912"},
            "height: Mount Ode",
        ),
    ],
)
def test_a_value_that_no_sentence_gives_is_named(
    question: str, passages: list[str], says: dict[str, str], missing: str
) -> None:
    result = computed(question, passages, says)
    assert (result.answer, result.missing) == (None, (missing,))
    assert missing in result.reason


@pytest.mark.parametrize(
    ("question", "passages", "says"),
    [
        # Only a bound, and an interval that holds the other value.
        (
            "Which hall has more seats, the Salt or the Dune?",
            ["The Salt has about 300 seats.", "The Dune has 305 seats."],
            {"Salt": "about 300 seats", "Dune": "305 seats"},
        ),
        (
            "Which cost more, the Lark or the Heron?",
            ["The Lark cost 5 euros.", "The Heron cost 4 dollars."],
            {"Lark": "5 euros", "Heron": "4 dollars"},
        ),
        (
            "Who was born first, Ada Berg or Ole Lund?",
            ["Ada Berg was born in 1900.", "Ole Lund was born on 5 May 1900."],
            {"Ada": "1900", "Ole": "5 May 1900"},
        ),
        (
            "How old was Ada Berg when she died?",
            ["Ada Berg was born in 1900 and died in 1860."],
            {"born": "1900", "die": "1860"},
        ),
        (
            "Are Ada Berg and Ole Lund of the same nationality?",
            ["Ada Berg is an English poet.", "Ole Lund is a British poet."],
            {"Ada": "English", "Ole": "British"},
        ),
    ],
)
def test_values_that_do_not_decide_give_no_answer(
    question: str, passages: list[str], says: dict[str, str]
) -> None:
    result = computed(question, passages, says)
    assert (result.answer, result.missing) == (None, ())
    assert result.reason


def test_independent_look_ups_are_one_round() -> None:
    model = reader({"Skarn": "1,912", "Ode": "5,700 feet"})
    question = "Which peak is higher, Skarn Fell or Mount Ode?"
    run, plan = make_run(question, PEAKS, model, answering="read"), english.decompose(question)
    assert plan is not None
    running = compute_answer(run, plan)
    first = running.send(None)
    assert (first.verb, len(first.items)) == ("generate", 2)
    running.close()
