"""`reason` from end to end: the answer's forms, every switch, and many questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from knowing import Given
from mill import EDGES, QUESTION, VECTORS, prompts, reasoned, told

from probative import (
    Encoder,
    Graph,
    InputError,
    ProbativeError,
    Reasoning,
    Session,
    reason,
    reason_all,
)
from probative.batch.verb_files import verb_file
from probative.give.answer import examples_for
from probative.give.query import make_query
from probative.models.embedded.language import EmbeddedModel
from probative.testing import ScriptedModel


def test_a_choice_is_read_by_its_letter_and_by_its_words() -> None:
    by = told(answers=["B", "A) corn", "It is hen."])
    found = reasoned(by, "What does a mill grind?", ["corn", "hen"])
    assert (found.form, found.choices) == ("choice", ("corn", "hen"))
    assert (found.answers.a, found.answers.ac, found.answers.ace) == ("hen", "corn", "hen")
    assert "A) corn\nB) hen" in prompts(by)[-1]


def test_free_text_is_given_as_it_was_written() -> None:
    found = reasoned(told(answers=["the wind"] * 3), "What drives a mill?")
    assert (found.form, found.answer) == ("text", "the wind")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Is moss green?", "yes-no"),
        ("Bracing in gales: does it save the mast?", "yes-no"),
        ("Which wind drives the mill?", "text"),
        ("In which year was the mill built?", "text"),
        ("Name the wind that drives the mill.", "text"),
        ("If it rains, will the mill stop?", "yes-no"),
        ("True or false: moss is green.", "yes-no"),
        ("柳树皮能缓解头痛吗？", "yes-no"),
        ("During which year, if any, did it sink?", "text"),
        ("Can you tell me who painted it?", "text"),
    ],
)
def test_the_form_is_told_from_the_question(question: str, form: str) -> None:
    assert make_query(question).form == form


def test_a_reply_that_cannot_be_read_is_no_answer_and_a_note_quotes_it() -> None:
    found = reasoned(told(answers=["Hard to tell.", "yes", "Who knows?"]))
    assert (found.answers.a, found.answers.ac, found.answer) == (None, "yes", None)
    assert any("'Who knows?'" in note for note in found.notes)


def test_inner_connections_only_ask_nothing_between_groups() -> None:
    by = told(related={("sail", "rope"): "is held by"})
    found = reasoned(by, connections="inner", entities=1)
    assert found.knowledge.counterfactual == ()
    assert found.knowledge.expert == ()
    assert found.path is None
    assert not any("Is the statement true?" in prompt for prompt in prompts(by))


def test_inter_connections_only_relate_nothing_within_groups() -> None:
    by = told()
    reasoned(by, connections="inter", entities=1, open_relations=False)
    assert not any(prompt.endswith("Phrase:") for prompt in prompts(by))


def test_without_the_intermediate_group_no_path_is_looked_for_and_nothing_is_encoded() -> None:
    encoder = Given(VECTORS)
    found = reason(
        QUESTION, EDGES, model=told(), encoder=encoder, preset="paper", entities=0, intermediate=False
    )
    assert [group.name for group in found.groups] == ["sail", "mill"]
    assert encoder.encoded == []


def test_knowledge_as_text_and_summed_up() -> None:
    by = told(true={"sail help mill"})
    reasoned(by, shape="text")
    assert "sail catches wind. wind drives mill." in prompts(by)[-1]
    by = told(true={"sail help mill"})
    reasoned(by, summarise=True)
    assert sum(prompt.startswith("Sum up") for prompt in prompts(by)) == 3
    assert "What an expert knowledge graph says: In short, it holds." in prompts(by)[-1]


@pytest.mark.parametrize("count", [0, 1, 10])
def test_so_many_examples_are_in_the_prompt_as_were_asked_for(count: int) -> None:
    by = told()
    reasoned(by, examples=count)
    assert prompts(by)[-1].count("\nAnswer:") == count + 1


def test_an_example_that_asks_the_same_is_never_shown() -> None:
    ours = examples_for(make_query("Is moss green?"), 10)
    same = make_query(ours[0].question)
    assert ours[0] not in examples_for(same, 10)
    assert len(examples_for(same, 9)) == 9


def test_the_users_own_examples_take_the_place_of_ours() -> None:
    by = told()
    own = [{"question": "Do ducks swim?", "answer": "yes", "knowledge": []}]
    reasoned(by, examples=1, worked=own)
    assert "Do ducks swim?" in prompts(by)[-1]
    fewer = reasoned(told(), examples=2, worked=own)
    assert "worked examples of this form: 1, not 2" in fewer.notes
    other = told(answers=["corn"] * 3)
    reasoned(other, "Which?", ["corn", "hen"], examples=1, worked=own)  # of another form: ours are shown
    assert prompts(other)[-1].count("\nAnswer:") == 2
    with pytest.raises(InputError, match="example 1 cannot be used"):
        reasoned(told(), examples=1, worked=[{"question": "?"}])


def test_every_form_has_ten_examples_and_none_answers_outside_its_choices() -> None:
    for question, choices in (("Is it so?", None), ("Which?", ["a", "b"]), ("What is it?", None)):
        examples = examples_for(make_query(question, choices), 10)
        assert len(examples) == 10
        assert all(not one.choices or one.answer in one.choices for one in examples)
        assert all(one.knowledge for one in examples)


def test_scored_veracity_reads_what_the_model_expects_and_writes_nothing() -> None:
    # log P(mill | sail help) - log P(mill) = 7: it holds; the way back has -1: it does not.
    def score(prompt: str, continuation: str) -> float:
        expected = {("Fact: sail help", " mill."): -3.0, ("Fact: mill help", " sail."): -11.0}
        return expected.get((prompt, continuation), -10.0)

    # Blank, the prompt makes it say yes; the question and what it knows make "no" likelier than that.
    def choose(prompt: str, options: tuple[str, ...]) -> list[float]:
        return [8, 1, 1] if "Question: …" in prompt else [6, 3, 1]

    by = ScriptedModel(score=score, choose=choose, name="embedded")
    found = reasoned(by, preset="small", facts=False, veracity="scored", entities=0, intermediate=False)
    assert [str(triple) for triple in found.knowledge.affirmative] == ["(sail, help, mill)"]
    assert [str(triple) for triple in found.knowledge.counterfactual] == ["(mill, not help, sail)"]
    assert found.answer == "no"
    assert found.usage.completion_tokens == 0


def test_the_small_preset_takes_the_choice_that_the_question_makes_it_expect_most() -> None:
    # Anyway it expects "corn" (-2) more than "hen" (-9); the question raises corn by 1 and hen by 5.
    def score(prompt: str, continuation: str) -> float:
        after = {" corn": -1.0, " hen": -4.0}
        alone = {" corn": -2.0, " hen": -9.0}
        return (after if "Question:" in prompt else alone).get(continuation, -10.0)

    by = ScriptedModel(score=score, name="embedded")
    found = reasoned(by, "What does the farmer feed?", ["corn", "hen"], preset="small", intermediate=False)
    assert found.answer == "hen"


@pytest.mark.slow
def test_the_same_by_the_embedded_model(embedded: EmbeddedModel, encoder: Encoder) -> None:
    found = reason(QUESTION, EDGES, model=embedded, encoder=encoder, preset="small", entities=0)
    assert found.answer in ("yes", "no", "maybe")
    assert [group.name for group in found.groups][:2] == ["sail", "mill"]
    assert found.path is not None
    assert found.path.first.tail == "wind"
    assert Reasoning.from_dict(found.to_dict()) == found


def test_one_bad_question_does_not_stop_the_others() -> None:
    cases = [{"question": QUESTION}, {"question": ""}, {"what": 1}, {"question": "What drives a mill?"}]
    by = told(answers=["yes"] * 12)
    found = dict(
        reason_all(
            cases, Graph.from_triples(EDGES), model=by, encoder=Given(VECTORS), preset="paper", entities=0
        )
    )
    assert isinstance(found[0], Reasoning)
    assert isinstance(found[3], Reasoning)
    assert isinstance(found[1], ProbativeError)
    assert isinstance(found[2], ProbativeError)


@pytest.mark.slow
def test_a_file_of_questions_is_answered_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [{"id": "a", "question": QUESTION}, {"id": "b", "question": "Which?", "choices": ["corn", "hen"]}]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    asked: dict[str, Any] = {
        "graph": EDGES,
        "session": Session(),
        "intermediate": False,
        "entities": 0,
    }
    first = verb_file("reason", source, target, limit=1, **asked)
    assert (first.done, first.failed) == (1, 0)
    second = verb_file("reason", source, target, **asked)
    assert (second.done, second.failed, second.lines) == (2, 0, 2)
    assert second.weights["model"].startswith("ctranslate2-int8")
    assert "policy" not in second.weights
    out = {row["id"]: row for row in map(json.loads, target.read_text(encoding="utf-8").splitlines())}
    assert set(out["a"]) >= {"answer", "answers", "knowledge", "usage"}
    assert set(out["a"]["answers"]) == {"a", "ac", "ace"}
    assert set(out["a"]["knowledge"]) == {"affirmative", "counterfactual", "expert"}
    assert out["b"]["answer"] in ("corn", "hen")
    with pytest.raises(InputError, match="other settings"):
        verb_file("reason", source, target, **{**asked, "graph": EDGES[:3]})
