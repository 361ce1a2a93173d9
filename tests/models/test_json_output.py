"""Reading objects out of model output: tolerant of dress, never inventing."""

from __future__ import annotations

import contextlib
import json
import random
import string
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from probative import BatchError, EmptyError, OutputError, Request, generate_objects
from probative.models.json_output import UnreadableError, read_object
from probative.models.structured import describe, example
from probative.testing import ScriptedModel
from probative.trace import Trace, step


class Relation(BaseModel):
    head: str = Field(min_length=1)
    tail: str = Field(min_length=1)


class Features(BaseModel):
    intent: str
    nodes: list[str]
    relations: list[Relation] = []
    sure: bool | None = None


GOOD = {
    "intent": "a date",
    "nodes": ["mill", "river"],
    "relations": [{"head": "mill", "tail": "river"}],
    "sure": True,
}
TEXT = json.dumps(GOOD)


@pytest.mark.parametrize(
    "output",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"Sure! Here it is:\n\n{TEXT}\n\nHope that helps {{:",
        f"<think>Is it {{'intent': 'x'}}? No.</think>{TEXT}",
        TEXT.replace("]}", "],}").replace("}]", "},]"),
        str(GOOD),
        TEXT.replace('"intent"', "intent"),
        f'The form is {{"intent": 1}} so:\n{TEXT}',
        TEXT.replace(", ", ",\n\t"),
        f"[see note] {TEXT}",
    ],
)
def test_an_object_is_read_however_it_is_dressed(output: str) -> None:
    assert read_object(output, Features).model_dump() == GOOD


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("", "no JSON object"),
        ("I cannot answer that.", "no JSON object"),
        (TEXT[:-1], "cut off"),
        (TEXT[:40], "cut off"),
        ('{"intent": "a date", "nodes": ["mill", "ri', "cut off"),
        ("<think>" + TEXT, "only thinks"),
        ("{}", "none of its fields"),
        ('{"intent": "x"}', "nodes"),
        ('{"intent": , "nodes": []}', "missing"),
        ('[{"intent": "x", "nodes": []}]', "object"),
        ('{"intent": "x", "nodes": ["a"], "relations": [{"head": "", "tail": "b"}]}', "relations.0.head"),
    ],
)
def test_what_is_not_whole_is_refused_with_the_reason(output: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        read_object(output, Features)


class City(BaseModel):
    city: str = "nowhere"


@pytest.mark.parametrize(
    "output",
    [
        'Draft: {"city": "Rome"}\nFinal: {"city": "Par',
        '[{"city": "Rome"}, {"city": "Par',
        'maybe {"city": "Rome"} no wait </think> I do not know',
        'Hm. <think>{"city": "Rome"}',
        'Sorry, I cannot. {"error": "no data"}',
        "The set {} is empty.",
    ],
)
def test_a_draft_a_part_or_another_object_is_not_taken_for_the_answer(output: str) -> None:
    with pytest.raises(UnreadableError):
        read_object(output, City)


def test_a_bracket_in_a_single_quoted_string_is_text() -> None:
    assert read_object("{'city': 'a}b', }", City).city == "a}b"
    assert read_object("""{'city': "L'Aquila"}""", City).city == "L'Aquila"


class Number(BaseModel):
    n: float | str


@pytest.mark.parametrize(
    "output", ["{'n': 'L'Aquila'}", "{'n': 'a\\\\'}", "{'n': −5}", "{'n': <5}", "{'n': 5%}"]
)
def test_a_repair_that_would_change_a_value_is_refused(output: str) -> None:
    with pytest.raises(UnreadableError):
        read_object(output, Number)


def test_a_strict_schema_takes_json_as_json() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        day: date
        pair: tuple[int, int]

    assert read_object('{"day": "2020-01-31", "pair": [1, 2]}', Strict).pair == (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("output", ["[a " * 990 + "x" * 97_000, "{: " * 900 + "y" * 97_000])
def test_an_output_of_brackets_is_refused_before_it_stalls_us(output: str) -> None:
    with pytest.raises(UnreadableError):
        read_object(output, City)


def test_every_truncation_of_an_object_is_refused() -> None:
    for length in range(len(TEXT)):
        with pytest.raises(UnreadableError):
            read_object(TEXT[:length], Features)


@pytest.mark.slow
def test_ten_thousand_mutated_outputs_give_a_valid_object_or_a_refusal() -> None:
    """No crash, no invalid object, and nothing in an object that the text did not say."""
    draw = random.Random(20)
    pieces = [
        *"{}[]\",:'\\`\n ",
        "null",
        "true",
        "```json",
        "<think>",
        "</think>",
        "é",
        "\x00",
        "//",
        "\ud83d",
    ]
    read = 0
    for _ in range(10_000):
        characters = list(draw.choice([TEXT, f"```json\n{TEXT}\n```", f"Well: {TEXT} and so on.", str(GOOD)]))
        for _ in range(draw.randint(1, 6)):
            place = draw.randrange(len(characters) + 1)
            action = draw.random()
            if action < 0.4:
                characters[place:place] = draw.choice(pieces)
            elif action < 0.7:
                del characters[place : place + draw.randint(1, 5)]
            elif action < 0.8:
                characters = characters[:place]
            elif action < 0.9:
                characters += characters[:place]
            else:
                characters[place:place] = draw.choices(string.printable, k=3)
        output = "".join(characters)
        try:
            found = read_object(output, Features)
        except UnreadableError:
            continue
        read += 1
        assert Features.model_validate(found.model_dump()) == found
        spoken = {c for c in output if c.isalnum()}
        assert {c for c in found.intent + "".join(found.nodes) if c.isalnum()} <= spoken | set("nul")
    assert 500 < read < 9_500  # the mutations are neither all harmless nor all fatal


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200))
def test_any_text_at_all_is_an_object_or_a_refusal(output: str) -> None:
    with contextlib.suppress(UnreadableError):
        assert isinstance(read_object(output, Features), Features)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=300, deadline=None)
@given(json_values, st.text(alphabet=string.ascii_letters + " .\n", max_size=30))
def test_json_amid_prose_is_read_exactly(value: object, prose: str) -> None:
    class Anything(BaseModel):
        value: object

    found = read_object(f"{prose}{json.dumps({'value': value})}{prose}", Anything)
    assert found.value == value


@pytest.mark.slow
def test_a_very_deep_or_very_long_text_is_refused_not_fatal() -> None:
    for output in (
        "[" * 100_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        "x" * 2_000_000,
        "{" * 3000 + "}" * 3000,
    ):
        with pytest.raises(UnreadableError):
            read_object(output, Features)


def test_a_schema_becomes_a_skeleton_and_an_example_that_fits_it() -> None:
    schema = Features.model_json_schema()
    assert describe(schema).startswith(
        '{"intent": <string>, "nodes": [<string>, ...], "relations": [{"head": <string>'
    )
    Features.model_validate_json(example(schema))


# -- one repair, then an error --------------------------------------------------------------------


def test_a_bad_output_is_sent_back_once_with_the_reason() -> None:
    model = ScriptedModel(generate=["no idea", TEXT])
    (parsed,) = generate_objects(model, ["Take the question apart."], Features)
    assert parsed.repaired
    assert parsed.usage.calls == 2
    repair = model.asked[1]
    assert isinstance(repair, Request)
    assert [message.role for message in repair.messages] == ["user", "assistant", "user"]
    assert "no JSON object" in repair.messages[-1].content


def test_what_stays_unreadable_is_an_error_with_everything_in_it() -> None:
    model = ScriptedModel(generate=["no idea", "still no idea"])
    with Trace("run"), step("extract"), pytest.raises(OutputError) as caught:
        generate_objects(model, ["Take it apart."], Features)
    error = caught.value
    assert (error.raw, error.model, error.finish_reason) == ("still no idea", "scripted", "stop")
    assert error.step == "extract"
    assert "still no idea" in str(error)


def test_only_the_unreadable_ones_of_a_batch_are_repaired_together() -> None:
    model = ScriptedModel(generate=[TEXT, "bad", TEXT, "bad too", TEXT, "worse"])
    with pytest.raises(BatchError) as caught:
        generate_objects(model, ["1", "2", "3", "4"], Features)
    assert [result is not None for result in caught.value.results] == [True, True, True, False]
    assert isinstance(caught.value.errors[3], OutputError)
    assert len(model.asked) == 6


def test_a_request_that_failed_is_not_repaired_and_not_lost() -> None:
    model = ScriptedModel(generate=[TEXT, EmptyError("nothing")])
    with pytest.raises(BatchError) as caught:
        generate_objects(model, ["1", "2"], Features)
    assert isinstance(caught.value.errors[1], EmptyError)
    assert len(model.asked) == 2
