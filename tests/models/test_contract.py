from __future__ import annotations

import pytest
from pydantic import ValidationError

from probative import BatchError, CapabilityError, InputError, ModelError, Request, Usage
from probative.models.encoder import checked_texts
from probative.testing import ScriptedModel


def test_results_come_back_in_order_with_their_usage() -> None:
    model = ScriptedModel(generate=lambda request: request.messages[-1].content.upper())
    results = model.generate(["a b", "c"])
    assert [result.text for result in results] == ["A B", "C"]
    assert results[0].usage == Usage(calls=1, prompt_tokens=2, completion_tokens=2)


def test_requests_and_results_are_frozen_and_refuse_unknown_fields() -> None:
    request = Request.user("hello")
    with pytest.raises(ValidationError):
        request.max_tokens = 5  # type: ignore[misc]
    with pytest.raises(InputError, match="max_token"):
        Request.user("hello", max_token=5)


def test_results_round_trip_through_plain_dictionaries() -> None:
    model = ScriptedModel(generate=["x"], choose=lambda prompt, options: [1] * len(options))
    completion = model.generate(["q"])[0]
    assert type(completion).from_dict(completion.to_dict()) == completion
    choice = model.choose(["q"], ["yes", "no"])[0]
    assert type(choice).from_dict(choice.to_dict()) == choice


def test_asking_for_what_a_model_lacks_names_who_has_it() -> None:
    with pytest.raises(CapabilityError, match="cannot score") as caught:
        ScriptedModel(generate=["x"]).score([("a", "b")])
    assert "embedded" in caught.value.hint
    assert "vLLM" in caught.value.hint


def test_a_failed_request_leaves_the_others_results() -> None:
    model = ScriptedModel(generate=["fine", ModelError("broken", hint="mend it"), "fine too"])
    with pytest.raises(BatchError, match="1 of 3 requests failed") as caught:
        model.generate(["a", "b", "c"])
    assert [result.text if result else None for result in caught.value.results] == ["fine", None, "fine too"]
    assert list(caught.value.errors) == [1]
    assert "mend it" in str(caught.value)


def test_the_only_request_raises_its_own_error() -> None:
    with pytest.raises(ModelError, match="broken"):
        ScriptedModel(generate=[ModelError("broken")]).generate(["a"])


def test_an_empty_batch_is_an_empty_list() -> None:
    model = ScriptedModel(generate=[], score=lambda p, c: 0.0, choose=lambda p, o: [1, 1])
    assert model.generate([]) == []
    assert model.score([]) == []
    assert model.choose([], ["a", "b"]) == []


@pytest.mark.parametrize("bad", ["one string", [3], [("a",)], [("a", "")]])
def test_what_is_no_pair_is_refused(bad: object) -> None:
    with pytest.raises(InputError):
        ScriptedModel(score=lambda p, c: 0.0).score(bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [["yes"], ["yes", "yes "], ["yes", " "], [["a", "b"], ["c", "d"]]])
def test_options_that_cannot_be_chosen_among_are_refused(options: list[str]) -> None:
    with pytest.raises(InputError):
        ScriptedModel(choose=lambda p, o: [1, 1]).choose(["q"], options)


def test_each_prompt_can_have_its_own_options() -> None:
    model = ScriptedModel(choose=lambda prompt, options: [option == prompt for option in options])
    chosen = model.choose(["b", "c"], [["a", "b"], ["c", "d"]])
    assert [choice.best for choice in chosen] == ["b", "c"]


def test_a_backend_that_loses_a_request_is_found_out() -> None:
    class Forgetful(ScriptedModel):
        def _generate(self, requests):  # type: ignore[no-untyped-def]
            yield from list(super()._generate(requests))[:-1]

    with pytest.raises(BatchError, match="1 of 2"):
        Forgetful(generate=["a", "b"]).generate(["1", "2"])


def test_progress_is_told_after_each_result() -> None:
    told: list[tuple[int, int]] = []
    ScriptedModel(generate=["a", "b"]).generate(["1", "2"], progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]


def test_text_that_has_no_utf8_form_is_refused_before_any_model_sees_it() -> None:
    model = ScriptedModel(generate=["x"], score=lambda p, c: 0.0, choose=lambda p, o: [1, 1])
    half = "half a pair \ud800"
    for ask in (
        lambda: model.generate([half]),
        lambda: model.score([(half, "b")]),
        lambda: model.score([("a", half)]),
        lambda: model.choose(["q"], ["a", half]),
    ):
        with pytest.raises(InputError, match=r"UTF-8|unicode"):
            ask()
    assert model.asked == []


@pytest.mark.parametrize("texts", ["one string", [3], ["half \ud800"]])
def test_what_is_no_list_of_texts_cannot_be_encoded(texts: object) -> None:
    with pytest.raises(InputError):
        checked_texts(texts)  # type: ignore[arg-type]


def test_alternatives_need_a_model_that_gives_them_and_no_temperature() -> None:
    several = Request.user("Who sailed?", alternatives=3)
    with pytest.raises(CapabilityError, match="cannot give alternatives"):
        ScriptedModel(generate="Ole").generate([several])
    with pytest.raises(InputError, match="temperature must be 0"):
        Request.user("Who sailed?", alternatives=3, temperature=1.0)
    model = ScriptedModel(generate="Eve", alternatives=lambda _: {"Ole": 0.7, "Ada": 0.2, "Jon": 0.1})
    (reply,) = model.generate([several.model_copy(update={"alternatives": 2})])
    assert (reply.text, [other.text for other in reply.alternatives]) == ("Ole", ["Ole", "Ada"])
    assert model.generate(["Who sailed?"])[0].alternatives == ()
