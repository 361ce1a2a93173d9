"""The reader extracts; the specialists in `check`, in batches, in RAG and dry."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from specialists import BOTH, QUESTION, TEXTS, FakePolicy, asked, reads, requests

from probative import Encoder, InputError, Passage, ask, ask_all, check
from probative.errors import EmptyError
from probative.models.types import Selection
from probative.scope.finding import Chain, LearnedChain
from probative.scope.options import PRESETS, default_preset
from probative.scope.question import Features, Judgements
from probative.testing import ScriptedModel

pytestmark = pytest.mark.model

FEATURES = "intent: town\nnodes: ship ; Ada Berg ; Narvik\nrelations: ship | commanded by | Ada Berg"


def test_the_reader_finds_the_features_in_one_call(policy: FakePolicy, encoder: Encoder) -> None:
    model = reads(lambda one: FEATURES if one.messages[0].content == "features" else "Molde")
    answer = asked(model, encoder, extractor="reader")
    assert answer.features is not None
    assert answer.features.intent == "town"
    assert [(node.text, node.inferred) for node in answer.features.nodes][:3] == [
        ("ship", False),
        ("Ada Berg", False),
        ("Narvik", True),
    ]
    assert [one.sentence for one in answer.features.relations] == ["ship commanded by Ada Berg"]
    assert requests(model)[0].messages[1].content == f"Question: {QUESTION}"


@pytest.mark.parametrize("reply", ["Bananas!", "nodes: a ; b", EmptyError("nothing")])
def test_features_that_cannot_be_read_are_found_by_rules(
    reply: Any, policy: FakePolicy, encoder: Encoder
) -> None:
    model = reads(lambda one: reply if one.messages[0].content == "features" else "Molde")
    answer = asked(model, encoder, extractor="reader")
    by_rules = asked(reads(), encoder)
    assert answer.features == by_rules.features
    assert any("could not be read" in note for note in answer.notes)


def test_a_model_that_is_no_reader_extracts_and_judges_as_any(encoder: Encoder) -> None:
    model = ScriptedModel(
        generate="Molde [1]",
        choose=lambda prompt, options: [1.0, 0.0] if "built" in prompt else [0.0, 1.0],
    )
    answer = asked(model, encoder, extractor="reader", judge="each", cover="exact", answering="written")
    assert "scripted is not the tuned reader; the features were found by rules" in answer.notes
    chosen = [one for one in model.asked if isinstance(one, Selection)]
    assert chosen
    assert all(len(one.request.messages) == 1 for one in chosen)


@pytest.mark.slow
def test_check_says_what_the_policy_says(use: Callable[[FakePolicy], FakePolicy], encoder: Encoder) -> None:
    use(FakePolicy(*BOTH))
    done = check(QUESTION, TEXTS, encoder=encoder, preset="embedded")
    assert done.complete
    assert done.completeness is not None
    assert done.completeness > 0.9
    use(FakePolicy("commanded", "was launched"))
    lacking = check(QUESTION, TEXTS, encoder=encoder, preset="embedded")
    assert not lacking.complete
    assert check(QUESTION, TEXTS, encoder=encoder, preset="words").completeness is None


def test_many_questions_side_by_side(policy: FakePolicy, encoder: Encoder) -> None:
    cases: list[Any] = [{"question": QUESTION, "passages": TEXTS}] * 3 + [
        {"question": QUESTION, "passages": []}
    ]
    done = dict(ask_all(cases, model=reads(), encoder=encoder, preset="embedded"))
    assert [done[number].answer for number in range(3)] == ["Molde"] * 3  # type: ignore[union-attr]
    assert isinstance(done[3], InputError)


def test_rag_is_read_by_the_reader_unless_said_otherwise(encoder: Encoder) -> None:
    model = reads("Molde", unknown=0.25)
    answer = ask(QUESTION, TEXTS, model=model, encoder=encoder, method="rag")
    assert (answer.answer, answer.answerable) == ("Molde", 0.75)
    assert requests(model)[0].messages[0].content == "answer"
    written = reads("Molde [1]")
    ask(QUESTION, TEXTS, model=written, encoder=encoder, method="rag", answering="written")
    assert len(requests(written)[0].messages) == 1
    silent = ask(QUESTION, TEXTS, model=reads("unknown"), encoder=encoder, method="rag")
    assert (silent.answer, silent.verdict) == (None, "insufficient")
    with pytest.raises(InputError, match="rag has no"):
        ask(QUESTION, TEXTS, model=model, encoder=encoder, method="rag", answering="read", max_passages=2)
    with pytest.raises(InputError, match="closed-book has no option"):
        ask(QUESTION, TEXTS, model=model, encoder=encoder, method="closed-book", answering="read")
    with pytest.raises(InputError, match="answering"):
        ask(QUESTION, TEXTS, model=model, encoder=encoder, method="rag", answering="sung")


def test_presets_are_chosen_by_what_a_model_is() -> None:
    assert set(PRESETS) == {"paper", "calls", "words", "embedded", "large"}
    assert default_preset("openai:x", reader=False) == "calls"
    assert default_preset("embedded:plain", reader=False) == "words"
    assert default_preset("embedded", reader=True) == "embedded"
    assert default_preset("embedded:large", reader=True) == "large"


def test_a_passage_is_what_it_was(policy: FakePolicy, encoder: Encoder) -> None:
    texts = [Passage(text=text, id=str(number)) for number, text in enumerate(TEXTS)]
    answer = asked(reads(), encoder, texts)
    assert [passage.id for passage in answer.chain] == ["1", "3"]


def test_check_is_not_complete_where_the_reader_finds_no_answer(policy: FakePolicy, encoder: Encoder) -> None:
    done = check(QUESTION, TEXTS, model=reads(unknown=0.1), encoder=encoder, preset="embedded")
    assert done.complete
    assert done.answerable == pytest.approx(0.9)
    silent = reads("unknown", unknown=0.999)
    lacking = check(QUESTION, TEXTS, model=silent, encoder=encoder, preset="embedded")
    assert not lacking.complete
    assert lacking.answerable == pytest.approx(0.001)
    assert any("finds no answer" in note for note in lacking.notes)


def test_check_names_what_contradicts(policy: FakePolicy, encoder: Encoder) -> None:
    texts = [*TEXTS, "The Sea Lark was built in Bergen by two brothers."]
    checked = check(QUESTION, texts, model=reads(), encoder=encoder, preset="embedded")
    assert any("[4] says Molde, [6] says Bergen" in note for note in checked.notes)


def test_without_a_chain_nothing_is_complete() -> None:
    judged = Judgements(Features(intent="what"), [])
    assert not Chain((), judged, judged, LearnedChain((), (), 0.99)).is_complete()
