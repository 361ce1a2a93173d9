"""What several threads ask of a model at one time is one call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from probative import ModelError, Request
from probative.models.gathering import Gathering
from probative.models.hf.model import HFModel
from probative.models.wrappers import wrapped
from probative.testing import ScriptedModel


class Gate(ScriptedModel):
    """A model whose first call waits until `opened` is set; `sizes` has the items of each call."""

    def __init__(self, reply: Callable[[Request], str]) -> None:
        super().__init__(generate=reply)
        self.entered, self.opened, self.sizes = threading.Event(), threading.Event(), list[int]()

    def _generate(self, requests: Any) -> Any:
        self.sizes.append(len(requests))
        if len(self.sizes) == 1:
            self.entered.set()
            assert self.opened.wait(60)
        return super()._generate(requests)


def asked_at_once(model: Gate, groups: list[list[Request]], layer: Gathering) -> list[Future[list[Any]]]:
    """Ask the first group, and the others while it is answered."""
    gathered = wrapped(model, layer)
    first, *others = groups
    with ThreadPoolExecutor(len(groups)) as threads:
        futures = [threads.submit(gathered.generate, first)]
        assert model.entered.wait(60)
        futures += [threads.submit(gathered.generate, group) for group in others]
        while len(layer._waiting) < len(others):
            threading.Event().wait(0.001)
        model.opened.set()
    return futures


def requests(*words: str) -> list[Request]:
    return [Request.user(word) for word in words]


def last_word(request: Request) -> str:
    return request.messages[-1].content


def test_what_waits_is_answered_together_and_each_thread_gets_its_own() -> None:
    model = Gate(last_word)
    groups = [requests("a"), requests("b", "c"), requests("d"), requests("e", "f", "g")]
    futures = asked_at_once(model, groups, Gathering())
    replies = [[completion.text for completion in future.result()] for future in futures]
    assert replies == [["a"], ["b", "c"], ["d"], ["e", "f", "g"]]
    assert model.sizes == [1, 6]


def test_a_fault_is_of_the_thread_that_asked() -> None:
    def reply(request: Request) -> str:
        if last_word(request) == "bad":
            raise RuntimeError("no such chat")
        return last_word(request)

    model = Gate(reply)
    first, second, bad = asked_at_once(
        model, [requests("a"), requests("b"), requests("c", "bad")], Gathering()
    )
    assert [future.result()[0].text for future in (first, second)] == ["a", "b"]
    with pytest.raises((RuntimeError, ModelError), match="no such chat"):
        bad.result()


def test_verbs_do_not_mix() -> None:
    model = wrapped(ScriptedModel(generate=last_word, score=lambda prompt, text: -1.0), Gathering())
    with ThreadPoolExecutor(4) as threads:
        written = [threads.submit(model.generate, requests(word)) for word in "ab"]
        scored = [threads.submit(model.score, [("prompt", word)]) for word in "ab"]
    assert [future.result()[0].text for future in written] == ["a", "b"]
    assert [future.result()[0].log_probability for future in scored] == [-1.0, -1.0]


@pytest.mark.model
def test_replies_and_draws_of_a_real_model_are_those_of_single_threads(tiny_gguf: Path) -> None:
    bare = HFModel(str(tiny_gguf), device="cpu", dtype="float32")
    model = wrapped(bare, Gathering())
    groups = [
        [
            Request.user(f"{text} {number}", max_tokens=6, temperature=heat, seed=1, sample=number)
            for number in range(3)
            for heat in (0.0, 0.7)
        ]
        for text in ("Name a boat", "Name a fruit and say, at some length, why it is the best of all", "Hm")
    ]
    with ThreadPoolExecutor(len(groups)) as threads:
        together = list(threads.map(model.generate, groups))
    alone = [bare.generate(group) for group in groups]
    assert [[each.text for each in group] for group in together] == [
        [each.text for each in group] for group in alone
    ]
