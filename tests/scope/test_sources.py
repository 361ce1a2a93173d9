"""Each source is read alone: the vote, how many must lie to change it, and what `min_sources` asks for."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from answer_verdicts import answer_of
from runs import make_run
from specialists import TEXTS, FakePolicy, asked, reads, requests

from probative import Answer, Encoder, Request, Session, ask, check
from probative.models.contract import Outcomes
from probative.models.types import Completion
from probative.models.verdict import VerdictItem, VerdictScores
from probative.scope.conclude.sources import Vote, count_votes, sources_needed, sources_of
from probative.scope.sentences import PassageSentence
from probative.testing import ScriptedModel, ScriptedVerdict

Use = Callable[[FakePolicy], FakePolicy]
UseVerdict = Callable[[ScriptedVerdict], ScriptedVerdict]
ASKED = "When was the ferry Lark built?"
REGISTER = "The ferry Lark was built in 1842 at the yard of the brothers Vik."
LETTER = "Uncle wrote that the Lark, his ferry, left the stocks when it was built in 1842."
LIE = "Old papers prove that the ferry Lark was built in 1824, as every pilot knows."
OTHER_LIE = "A plate on the bridge of the Lark gives 1824 as the year in which the ferry was built."


def fewest_moves(own: int, rival: int, min_sources: int) -> int:
    """Try all moves of an attacker: to add a source that lies, or to let a source of the answer lie."""
    waiting, seen = deque([(0, own, rival)]), {(own, rival)}
    while True:
        moves, own, rival = waiting.popleft()
        if rival > own and rival >= min_sources:
            return moves
        for state in ((own, rival + 1), *([(own - 1, rival + 1)] if own else [])):
            if state not in seen:
                seen.add(state)
                waiting.append((moves + 1, *state))


@pytest.mark.parametrize("min_sources", [1, 2, 3, 5])
def test_needed_is_the_fewest_moves_of_an_attacker(min_sources: int) -> None:
    for own in range(9):
        for rival in range(9):
            assert sources_needed(own, rival, min_sources) == fewest_moves(own, rival, min_sources)


def test_fewer_sources_than_are_asked_for_never_change_an_undisputed_answer() -> None:
    assert all(sources_needed(own, 0, least) >= least for least in (1, 2, 3) for own in range(least, 9))


def vote(answer: str, text: str) -> Vote:
    return Vote(answer, PassageSentence(0, None, text, 0, len(text)), text)


def test_votes_are_counted_by_answer_and_near_duplicates_once() -> None:
    votes = [
        vote("1842", REGISTER),
        vote("1824", LIE),
        vote("in 1842", LETTER),
        vote("1842", f"Copy: {REGISTER}"),
        vote("1824", OTHER_LIE),
        vote("1850", "The Lark is of 1850."),
        vote("1824", LIE.upper()),
    ]
    tally = count_votes(votes, "1842")
    assert [entry.text for entry in tally.own] == [REGISTER, LETTER]
    assert [entry.text for entry in tally.rival] == [LIE, OTHER_LIE]
    assert tally.is_disputed
    assert tally.robustness(1).to_dict() == {"sources": 2, "needed": 1}
    assert not count_votes(votes[:3], "1842").is_disputed
    nothing = count_votes([], "1842")
    assert (nothing.own, nothing.rival, nothing.is_disputed) == ([], [], False)


def test_a_document_is_one_source_and_those_of_the_chain_come_first() -> None:
    run = make_run(
        ASKED,
        [
            {"text": "The Lark was built of oak.", "source": "ships.pdf"},
            {"text": "Gulls nest here.", "source": "birds.pdf"},
            {"text": "The ferry Lark was built in 1842.", "title": "Lark"},
            {"text": "A ferry needs a year to be built.", "source": "ships.pdf"},
            {"text": "It carried salt.", "title": "Lark"},
        ],
    )
    assert sources_of(run, [4]) == [[2, 4], [0, 3]]


def year(request: Request) -> str:
    """Read the first year in what is shown; a reader that sees none says so."""
    found = re.search(r"\b1[89]\d\d\b", request.messages[-1].content)
    return found.group() if found else "unknown"


def built(encoder: Encoder, texts: Sequence[Any], **options: Any) -> Answer:
    return ask(ASKED, texts, model=reads(year), encoder=encoder, preset="embedded", **options)


@pytest.fixture
def one(use: Use) -> FakePolicy:
    """Takes one passage that says when something was built."""
    return use(FakePolicy("built in"))


def check_of(answer: Answer) -> tuple[bool, str]:
    (found,) = (entry for entry in answer.checks if entry.name == "sources")
    return found.passed, found.text


class Batches(ScriptedModel):
    """Keeps the number of requests of each batch."""

    def __init__(self, **script: Any) -> None:
        super().__init__(**script)
        self.sizes: list[int] = []

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        self.sizes.append(len(requests))
        return super()._generate(requests)


@pytest.mark.model
@pytest.mark.usefixtures("one")
class TestAsk:
    """The whole way, with scripted models."""

    def test_nothing_is_counted_unless_it_is_asked_for(self, encoder: Encoder) -> None:
        answer = built(encoder, [REGISTER, LETTER])
        assert (answer.answer, answer.robustness) == ("1842", None)
        assert '"robustness": null' in answer.to_json() or '"robustness":null' in answer.to_json()
        assert all(entry.name != "sources" for entry in answer.checks)

    def test_robustness_counts_and_changes_no_verdict(self, encoder: Encoder) -> None:
        answer = built(encoder, [REGISTER], robustness=True)
        assert (answer.answer, answer.verdict) == ("1842", "supported")
        assert answer.to_dict()["robustness"] == {"sources": 1, "needed": 1}
        assert Answer.model_validate_json(answer.to_json()) == answer

    def test_two_sources_that_agree_support(self, encoder: Encoder) -> None:
        answer = built(encoder, [REGISTER, LETTER, "Gulls nest on the ferry."], min_sources=2)
        assert (answer.answer, answer.verdict) == ("1842", "supported")
        assert answer.to_dict()["robustness"] == {"sources": 2, "needed": 2}
        assert check_of(answer) == (True, "2 independent sources state the answer")

    @pytest.mark.parametrize(
        "second",
        [
            "Gulls nest on the ferry that was built.",
            f"As the register says: {REGISTER}",
            {"text": LETTER, "source": "port"},
        ],
    )
    def test_one_source_is_not_enough(self, second: Any, encoder: Encoder) -> None:
        answer = built(encoder, [{"text": REGISTER, "source": "port"}, second], min_sources=2)
        assert (answer.answer, answer.candidate, answer.verdict) == (None, "1842", "insufficient")
        assert answer.reason == "1 independent source states the answer, and 2 are needed"
        assert answer.robustness is not None
        assert (answer.robustness.sources, answer.complete) == (1, False)

    @pytest.mark.parametrize(("lies", "needed"), [([LIE], 1), ([LIE, OTHER_LIE], 0)])
    def test_a_disputed_vote_shows_both_sides(self, lies: list[str], needed: int, encoder: Encoder) -> None:
        answer = built(encoder, [REGISTER, *lies], min_sources=2, conflicts=False)
        assert (answer.answer, answer.candidate, answer.verdict) == (None, "1842", "contradicted")
        (conflict,) = answer.conflicts
        assert (conflict.says, conflict.instead, conflict.blocking) == ("1842", "1824", True)
        assert (conflict.text, conflict.other_text) == (REGISTER, lies[-1])
        assert answer.to_dict()["robustness"] == {"sources": 1, "needed": needed}
        passed, text = check_of(answer)
        assert not passed
        assert "1 independent source states the answer, and" in text
        assert text.endswith("1824")

    def test_a_minority_changes_nothing(self, encoder: Encoder) -> None:
        answer = built(encoder, [REGISTER, LETTER, LIE], min_sources=2, conflicts=False)
        assert (answer.answer, answer.verdict) == ("1842", "supported")
        assert answer.to_dict()["robustness"] == {"sources": 2, "needed": 1}

    def test_no_lie_is_supported_by_fewer_sources_than_are_asked_for(self, encoder: Encoder) -> None:
        for texts in ([LIE], [LIE, REGISTER], [LIE, LIE, f"{LIE} Truly."], [LIE, "The Lark is a ferry."]):
            answer = built(encoder, texts, min_sources=2, conflicts=False)
            assert answer.verdict != "supported"

    def test_a_source_counts_only_if_the_verdict_model_agrees(
        self, encoder: Encoder, use_verdict: UseVerdict
    ) -> None:
        def judge(item: VerdictItem) -> VerdictScores:
            supported = 0.1 if item.evidence == (LETTER,) else 0.9
            return VerdictScores(
                supported, 0.05, 0.95 - supported, (1 / len(item.evidence),) * len(item.evidence)
            )

        use_verdict(ScriptedVerdict(judge, name="fake:verdict"))
        answer = built(encoder, [REGISTER, LETTER], min_sources=2)
        assert check_of(answer) == (False, "1 independent source states the answer, and 2 are needed")

    def test_the_sources_are_read_in_one_batch_and_counted(self, encoder: Encoder) -> None:
        texts = [REGISTER, LETTER, "The ferry smelt of tar."]
        model = Batches(generate=year, choose=lambda *_: [0.1, 0.9], name="embedded", reader=True)
        with Session(model=model, encoder=encoder) as session:
            plain = session.ask(ASKED, texts, preset="embedded")
            counted = session.ask(ASKED, texts, preset="embedded", min_sources=2)
        assert counted.usage.calls > plain.usage.calls
        assert max(model.sizes) == len(texts)
        shown = [request.messages[-1].content for request in requests(model)[-len(texts) :]]
        alone = [[text for text in texts if text in content] for content in shown]
        assert sorted(alone) == sorted([text] for text in texts)

    def test_a_dry_run_counts_the_readings(self, encoder: Encoder) -> None:
        with Session(model="embedded", dry_run=True) as session:
            plain = session.ask(ASKED, [REGISTER, LETTER], preset="embedded").usage.calls
            counted = session.ask(ASKED, [REGISTER, LETTER], preset="embedded", min_sources=2).usage.calls
        assert counted >= plain + 2

    def test_knowledge_is_checked_for_it_too(self, encoder: Encoder) -> None:
        options: dict[str, Any] = {"model": reads(year), "encoder": encoder, "preset": "embedded"}
        assert check(ASKED, [REGISTER, LETTER], min_sources=2, **options).complete
        alone = check(ASKED, [REGISTER], min_sources=2, **options)
        assert (alone.complete, alone.reason) == (
            False,
            "1 independent source states the answer, and 2 are needed",
        )


@pytest.mark.model
def test_a_model_that_writes_is_asked_about_each_source(encoder: Encoder) -> None:
    model = ScriptedModel(generate=year, name="openai:fake")
    options: dict[str, Any] = {"preset": "words", "answering": "written", "encoder": encoder}
    answer = ask(ASKED, [REGISTER, LETTER], model=model, min_sources=2, **options)
    assert answer.to_dict()["robustness"] == {"sources": 2, "needed": 2}
    prompts = [request.messages[-1].content for request in requests(model)]
    assert [sum(text in prompt for text in (REGISTER, LETTER)) for prompt in prompts][-2:] == [1, 1]


def both_hops(item: VerdictItem) -> VerdictScores:
    """Support a town only where the ship is named, too."""
    told = " ".join(item.evidence)
    supported = 0.9 if "commanded" in told and answer_of(item.claim) in told else 0.1
    return VerdictScores(supported, 0.05, 0.95 - supported, (1 / len(item.evidence),) * len(item.evidence))


@pytest.mark.model
@pytest.mark.parametrize(
    ("more", "verdict", "sources"),
    [([], "insufficient", 1), (["Two brothers in Molde built the Sea Lark for Ole Vik."], "supported", 2)],
)
def test_of_several_hops_the_last_one_needs_the_sources(
    more: list[str],
    verdict: str,
    sources: int,
    policy: FakePolicy,
    use_verdict: UseVerdict,
    encoder: Encoder,
) -> None:
    use_verdict(ScriptedVerdict(both_hops, name="fake:verdict"))
    model = reads(lambda request: "Molde" if "Molde" in request.messages[-1].content else "unknown")
    texts = [*TEXTS[:4], *more]
    answer = asked(model, encoder, texts, min_sources=2, min_certainty=0.0)
    assert (answer.answer or answer.candidate, answer.verdict) == ("Molde", verdict)
    # Whoever owns the passage that leads to the ship needs no other source.
    assert answer.to_dict()["robustness"] == {"sources": sources, "needed": 1}
    assert "no source alone states the answer: each was read with [2], which leads to it" in answer.notes


PEAKS = ["Skarn Fell has a summit at 1,912 metres.", "Mount Ode is 1,740 metres high."]


@pytest.mark.model
def test_each_value_of_a_computation_needs_the_sources(encoder: Encoder) -> None:
    def metres(request: Request) -> str:
        prompt = request.messages[-1].content
        return "1,912 metres" if "How high is Skarn Fell?" in prompt else "1,740 metres"

    def compared(texts: Sequence[str]) -> Answer:
        question = "Which peak is higher, Skarn Fell or Mount Ode?"
        model = ScriptedModel(generate=metres, name="openai:fake")
        options: dict[str, Any] = {"preset": "words", "answering": "written", "encoder": encoder}
        return ask(question, texts, model=model, min_sources=2, **options)

    alone = compared(PEAKS)
    assert (alone.candidate, alone.verdict) == ("Skarn Fell", "insufficient")
    assert alone.robustness is not None
    assert alone.robustness.sources == 1
    fell = "Maps give 1,912 metres for Skarn Fell, which is why it is climbed."
    assert compared([*PEAKS, fell]).verdict == "insufficient"
    ode = "The guide was proud: 1,740 metres, so high is Mount Ode."
    assert compared([*PEAKS, fell, ode]).verdict == "supported"


@pytest.mark.model
def test_two_parts_are_as_robust_as_the_weaker_one(use: Use, encoder: Encoder) -> None:
    use(FakePolicy("Lark"))
    texts = [
        "Ole Vik built the Lark.",
        "The Lark was a work of Ole Vik, who built ships.",
        "The Lark is of 1842.",
    ]

    def reply(request: Request) -> str:
        content = request.messages[-1].content
        return (
            year(request) if "when" in content.lower() else "Ole Vik" if "Ole Vik" in content else "unknown"
        )

    question = "Who built the Lark, and when was it built?"
    answer = ask(question, texts, model=reads(reply), encoder=encoder, preset="embedded", robustness=True)
    assert answer.robustness is not None
    assert answer.robustness.sources == 1
