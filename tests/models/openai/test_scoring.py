"""Scoring, choosing and encoding over HTTP."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pytest
from servers import model_at

import probative
from probative import (
    BatchError,
    Capability,
    CapabilityError,
    InputError,
    OutputError,
    ReplyError,
    ServerError,
    load_encoder,
)
from probative.models.openai.connection import Connection
from probative.models.openai.model import OpenAIModel
from probative.testing import Faults, LoopbackServer
from probative.testing.server import embedding, pieces, token_log_probabilities


@pytest.mark.parametrize("dialect", ["echo", "prompt_logprobs", "sglang"])
@pytest.mark.parametrize(
    ("prompt", "continuation"),
    [
        ("The mill stood by the river", " for years."),
        ("The mill stood by the ", "river for years."),
        ("A " * 40 + "mill", " stood."),
    ],
)
def test_each_way_of_scoring_reads_the_same_numbers(dialect: Any, prompt: str, continuation: str) -> None:
    tokens = pieces(prompt + continuation)
    values = token_log_probabilities(tokens)
    # By hand: the tokens whose end lies beyond the cut.
    ends = np.cumsum([len(token) for token in tokens])
    expected = [value for value, end in zip(values, ends, strict=True) if end > len(prompt)]
    with LoopbackServer(scoring=dialect) as server, model_at(server) as model:
        (score,) = model.score([(prompt, continuation)])
    assert score.token_log_probabilities == tuple(expected)
    assert score.log_probability == pytest.approx(sum(v for v in expected if v is not None))


@pytest.mark.parametrize("dialect", ["pretend", "none"])
def test_a_server_that_quietly_cannot_score_gets_a_clear_error_not_zeros(dialect: Any) -> None:
    with LoopbackServer(scoring=dialect) as server, model_at(server) as model:
        assert Capability.SCORE in model.capabilities
        with pytest.raises(CapabilityError, match="no log-probabilities of the prompt") as caught:
            model.score([("a b c", " d")])
        assert "vLLM" in caught.value.hint
        assert Capability.SCORE not in model.capabilities
        asked = len(server.bodies)
        with pytest.raises(CapabilityError):
            model.score([("a b c", " d")])
        assert len(server.bodies) == asked  # it is not probed again


@pytest.mark.parametrize("capability", [Capability.SCORE, Capability.CHOOSE])
def test_trying_out_a_verb_asks_the_server_whether_it_has_it(capability: Capability) -> None:
    with LoopbackServer() as server, model_at(server) as model:
        model.try_out(capability)
        assert server.bodies
        model.try_out(Capability.GENERATE)
    with LoopbackServer(scoring="none", logprobs=False) as server, model_at(server) as model:
        with pytest.raises(CapabilityError, match=f"cannot {capability}"):
            model.try_out(capability)
        assert capability not in model.capabilities


def test_a_probe_that_meets_a_broken_server_says_nothing_about_scoring() -> None:
    with LoopbackServer(faults=Faults(failure=1.0)) as server, model_at(server, retries=0) as model:
        with pytest.raises(ServerError, match="something broke"):
            model.score([("a", " b")])
        assert Capability.SCORE in model.capabilities


def test_choose_reads_the_first_tokens_log_probabilities() -> None:
    with LoopbackServer(answer=lambda asked: "Yes indeed") as server, model_at(server) as model:
        (choice,) = model.choose(["Is it?"], ["yes", "no"])
        assert server.bodies[0]["max_tokens"] == 1
    assert choice.probabilities == (1.0, 0.0)
    assert choice.coverage == pytest.approx(0.8)


def test_options_that_begin_alike_are_chosen_by_letter() -> None:
    with LoopbackServer(answer=lambda asked: "B") as server, model_at(server) as model:
        (choice,) = model.choose(["Which?"], ["a red house", "a red roof"])
        assert "B. a red roof" in server.bodies[0]["messages"][-1]["content"]
    assert choice.best == "a red roof"


def test_a_model_that_says_none_of_the_options_is_an_error() -> None:
    with LoopbackServer(answer=lambda asked: "Well") as server, model_at(server) as model:
        with pytest.raises(OutputError, match="none of the options") as caught:
            model.choose(["Is it?"], ["yes", "no"])
    assert "'Well'" in caught.value.raw


def test_a_server_without_log_probabilities_cannot_choose() -> None:
    with LoopbackServer(logprobs=False) as server, model_at(server) as model:
        with pytest.raises(CapabilityError, match="cannot choose"):
            model.choose(["Is it?"], ["yes", "no"])


def test_remote_vectors_come_in_the_order_of_the_texts_with_length_one() -> None:
    texts = [f"text {i}" for i in range(150)]
    with LoopbackServer() as server:
        encoder = load_encoder("openai:embed", base_url=server.base_url)
        vectors = encoder.encode(texts)
        assert (encoder.dimensions, encoder.usage.calls) == (16, 3)
        encoder.close()
    expected = np.array([embedding(text) for text in texts], dtype=np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_an_empty_text_has_no_remote_vector() -> None:
    with pytest.raises(InputError, match="empty text"):
        load_encoder("openai:embed", base_url="http://127.0.0.1:9/v1").encode(["a", " "])


def test_long_words_do_not_hide_the_start_of_the_continuation() -> None:
    prompt = "internationalization of administrative organizations nevertheless notwithstanding " * 5
    with LoopbackServer(scoring="sglang") as server, model_at(server) as model:
        (score,) = model.score([(prompt, " requires extraordinary responsibility")])
        asked = [body["logprob_start_len"] for body in server.bodies if "logprob_start_len" in body]
        assert asked[-1] == 0 < asked[-2]
    assert len(score.token_log_probabilities) == 3


MARK = "\ufffd"


@pytest.mark.parametrize(
    ("prompt", "rest", "tokens", "expected"),
    [
        # A space merged into the first byte of a character, as byte-level tokenizers do.
        ("I saw", " 🦜", [("I", None), (" saw", -1), (f" {MARK}", -2), (MARK, -3), (MARK, -4)], [-2, -3, -4]),
        # Unfinished pieces without any text, the character on the last of them.
        ("I ", "🦜", [("I", None), (" ", -1), ("", -5), ("", -6), ("🦜", -7)], [-5, -6, -7]),
        # A run over the cut is shared out among its characters.
        ("I 🦜", "🦊", [("I", None), (" ", -1), (MARK, -10), (MARK, -11), (MARK, -2), (MARK, -3)], [-2, -3]),
        # The same character twice, once whole and once in pieces.
        ("x ", "谢谢", [("x", None), (" ", -1), ("谢", -2), (MARK, -3), (MARK, -4)], [-2, -3, -4]),
        ("I", " am", [("I", None), (" am", -1)], [-1]),
    ],
)
def test_tokens_without_text_of_their_own_are_counted_where_they_belong(
    prompt: str, rest: str, tokens: list[tuple[str, float | None]], expected: list[float]
) -> None:
    from probative.models.openai.scoring import Token, continuation

    pair = probative.Pair(prompt=prompt, continuation=rest)
    assert continuation([Token(*token) for token in tokens], pair) == expected


@pytest.mark.slow
def test_scores_are_paced_by_their_tokens() -> None:
    with LoopbackServer() as server, model_at(server, tokens_per_minute=6000) as model:
        model.score([("warm", " up")])
        started = time.perf_counter()
        model.score([("word " * 40, f" number {i}") for i in range(4)])
        assert time.perf_counter() - started > 1.0  # 4 × about 50 tokens at 100 a second, the first at once


class Forgetful(LoopbackServer):
    """Leaves the log-probabilities out of its replies with these numbers, counted from 0."""

    def __init__(self, *numbers: int, **options: Any) -> None:
        super().__init__(answer=lambda asked: "yes", **options)
        self._numbers = set(numbers)
        self._count = itertools.count()

    def _route(self, path: str, body: dict[str, Any], *, empty: bool) -> Any:
        if next(self._count) in self._numbers:
            body = {name: value for name, value in body.items() if "logprobs" not in name}
        return super()._route(path, body, empty=empty)


def test_a_reply_without_log_probabilities_says_nothing_about_the_server() -> None:
    with Forgetful(0, 1, 4) as server, model_at(server) as model:
        (choice,) = model.choose(["Is it?"], ["yes", "no"])
        assert (choice.best, choice.usage.calls) == ("yes", 3)  # with the two that were of no use
        assert Capability.CHOOSE in model.capabilities
        assert model.limits == ()
        assert [choice.best for choice in model.choose(["a", "b", "c"], ["yes", "no"])] == ["yes"] * 3


def test_some_replies_with_log_probabilities_show_that_the_server_has_them() -> None:
    class Half(LoopbackServer):
        def _route(self, path: str, body: dict[str, Any], *, empty: bool) -> Any:
            if "odd" in str(body["messages"]):
                body = {name: value for name, value in body.items() if "logprobs" not in name}
            return super()._route(path, body, empty=empty)

    with Half(answer=lambda asked: "yes") as server, model_at(server) as model:
        with pytest.raises(BatchError) as caught:
            model.choose(["odd 1", "even", "odd 2", "odd 3"], ["yes", "no"])
        assert {type(error) for error in caught.value.errors.values()} == {ReplyError}
        assert Capability.CHOOSE in model.capabilities
        assert model.choose(["even"], ["yes", "no"])[0].best == "yes"


def test_a_missing_capability_is_believed_for_a_while_and_noted() -> None:
    now = 0.0
    with Forgetful(0, 1, 2) as server, OpenAIModel("m", Connection(base_url=server.base_url)) as model:
        model._no_choose._clock = lambda: now
        with pytest.raises(CapabilityError, match="cannot choose") as caught:
            model.choose(["Is it?"], ["yes", "no"])
        assert caught.value.usage is not None
        assert caught.value.usage.calls == 3
        assert Capability.CHOOSE not in model.capabilities
        assert "tried again after 10 minutes" in model.limits[0]
        now = 600.0
        assert Capability.CHOOSE in model.capabilities
        assert model.limits == ()
        assert model.choose(["Is it?"], ["yes", "no"])[0].best == "yes"


def test_a_lasting_lack_is_found_in_one_round_of_many_requests() -> None:
    with LoopbackServer(logprobs=False) as server, model_at(server) as model:
        with pytest.raises(BatchError):
            model.choose([f"Is it {number}?" for number in range(9)], ["yes", "no"])
        assert server.seen["/v1/chat/completions"] == 9
        assert Capability.CHOOSE not in model.capabilities


@pytest.mark.model
def test_a_run_goes_on_in_words_and_notes_that_the_server_cannot_choose() -> None:
    with LoopbackServer(logprobs=False, answer=lambda asked: "yes") as server, model_at(server) as model:
        edges = [("moss", "likes", "shade"), ("shade", "cools", "stone")]
        options = {"preset": "paper", "extractor": "rules", "entities": 0, "examples": 0}
        first, second = (
            probative.reason("Does moss cool a stone?", edges, model=model, **options) for _ in range(2)
        )
    for result in (first, second):
        assert result.answer == "yes"
        assert any("cannot choose: its server" in note for note in result.notes)
