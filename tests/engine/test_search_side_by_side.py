"""Searches inside a search: one ask for each verb and round."""

from __future__ import annotations

from contextlib import suppress

import pytest

from probative.engine.search import Search, generate, score, side_by_side
from probative.errors import InputError
from probative.session.session import Session
from probative.testing import ScriptedModel


def twice(word: str) -> Search[str]:
    (first,) = yield from generate([f"{word}1"], step="ask")  # type: ignore[list-item]
    (second,) = yield from generate([f"{word}2"], step="ask")  # type: ignore[list-item]
    return first.text + second.text


def strength(text: str) -> Search[float]:
    (scored,) = yield from score([(text, " yes")], step="strength")
    return scored.log_probability


def at_once() -> Search[str]:
    return "nothing asked"
    yield from generate([], step="never")


def test_results_come_in_order_whatever_was_asked() -> None:
    model = ScriptedModel(generate="x", score=lambda prompt, text: -1.0)
    with Session(model) as session:
        results = session.run_search(side_by_side([twice("a"), at_once(), twice("b")]))
        assert results == ["xx", "nothing asked", "xx"]
        assert session.run_search(side_by_side([strength("a"), strength("b")])) == [-1.0, -1.0]


def test_a_round_is_one_ask_and_only_so_many_are_active() -> None:
    done: list[int] = []
    search = side_by_side([twice("a"), twice("b"), twice("c")], max_active=2, finished=done.append)
    asked = [next(search).items]
    reply = type("Reply", (), {"text": "x"})()
    with suppress(StopIteration):
        while True:
            asked.append(search.send([reply] * len(asked[-1])).items)
    assert asked == [["a1", "b1"], ["a2", "b2"], ["c1"], ["c2"]]
    assert done == [1, 2, 3]


def test_at_least_one_must_be_active() -> None:
    with pytest.raises(InputError):
        next(side_by_side([twice("a")], max_active=0))
