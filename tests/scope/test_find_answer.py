"""An answer that a later statement replaced is read again, from the statement in force."""

from __future__ import annotations

from collections.abc import Callable

from specialists import FakePolicy

from probative import ask
from probative.models.types import Request
from probative.models.verdict import VerdictItem, VerdictScores
from probative.scope.finding import Chain, Contradiction, Finding, ParsedAnswer
from probative.scope.pipeline.find_answer import SCOPE, with_passage_in_force
from probative.scope.question import Features, Judgements
from probative.testing import ScriptedModel, ScriptedVerdict
from tests.helpers.letter_encoder import LetterEncoder
from tests.helpers.runs import make_run

PRICES = ("2 euros", "3 euros", "4 euros")
LAST = "From 1 May 2025 a day ticket costs 4 euros."
OLD, NEW = "A day ticket costs 2 euros.", "From 1 May 2024 a day ticket costs 3 euros."


def first_price(request: Request) -> str:
    """Read the first price of the prompt."""
    prompt = request.messages[-1].content
    return min(PRICES, key=lambda price: prompt.find(price) % len(prompt))


def test_the_passage_in_force_takes_the_place_of_the_one_that_it_replaces() -> None:
    run = make_run("How much does a day ticket cost?", [OLD, NEW])
    judgements = Judgements(Features(intent="price"), [[0.0], [0.0]])
    chain = Chain((0,), judgements, judgements)
    answer = ParsedAnswer("2 euros", (0,))
    finding = Finding(chain, (0,), complete=True, missing=(), answer=answer)
    entry = Contradiction(0, 1, "2 euros", "3 euros", OLD, NEW, in_force=1, reason="from 1 May 2024")
    later = with_passage_in_force(run, finding, entry)
    assert (later.indexes, later.chain.rows, later.answer.text) == ((1,), (1,), None)


def by_price(item: VerdictItem) -> VerdictScores:
    """Support a claim whose price the evidence has, and deny every other."""
    evidence = " ".join(item.evidence)
    shared = any(price in item.claim and price in evidence for price in PRICES)
    scores = (0.95, 0.0, 0.05) if shared else (0.0, 0.95, 0.05)
    return VerdictScores(*scores, (1.0 / len(item.evidence),) * len(item.evidence))


def test_a_replaced_answer_is_read_again_and_both_statements_are_shown(
    use: Callable[[FakePolicy], FakePolicy], use_verdict: Callable[[ScriptedVerdict], ScriptedVerdict]
) -> None:
    use(FakePolicy(OLD))
    use_verdict(ScriptedVerdict(by_price))
    model = ScriptedModel(generate=first_price, choose=lambda _, options: [1.0] * len(options), reader=True)
    answer = ask(
        "How much does a day ticket cost?",
        passages=[OLD, NEW],
        model=model,
        encoder=LetterEncoder(),
        preset="embedded",
    )
    assert SCOPE.takes_retriever
    assert (answer.answer, answer.verdict) == ("3 euros", "supported")
    (conflict,) = answer.conflicts
    assert (conflict.kind, conflict.in_force, conflict.blocking) == ("replaced", 1, False)
    assert "May 2024" in (conflict.reason or "")


def test_of_three_versions_the_last_is_given_in_any_order(
    use: Callable[[FakePolicy], FakePolicy], use_verdict: Callable[[ScriptedVerdict], ScriptedVerdict]
) -> None:
    use(FakePolicy(OLD))
    use_verdict(ScriptedVerdict(by_price))
    model = ScriptedModel(generate=first_price, choose=lambda _, options: [1.0] * len(options), reader=True)
    for texts in ([OLD, NEW, LAST], [LAST, NEW, OLD]):
        answer = ask(
            "How much does a day ticket cost?",
            passages=texts,
            model=model,
            encoder=LetterEncoder(),
            preset="embedded",
        )
        assert (answer.answer, answer.level) == ("4 euros", "supported")
