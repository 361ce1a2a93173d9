"""Invented documents: every question is answered by what is shown, and every twin is not."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from probative.bench.data.splits import plain_words
from probative.models.task_prompts import UNKNOWN
from probative.types import Passage
from training.reader.example import Example
from training.reader.genres.cases import Case, Subject
from training.reader.genres.entity import invent_entity, sibling, state
from training.reader.genres.examples import genre_examples
from training.reader.genres.kind import Kind, kinds
from training.reader.genres.passages import as_chunks, as_document
from training.reader.genres.values import fill, order, word_lists
from training.reader.rows import Row, Triple
from training.reader.twins import twin_examples
from training.splits import reader_part


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return list(genre_examples(seed=7, n=4000))


def texts_of(example: Example) -> str:
    """Return the passages of an example, without the question."""
    return "\n".join(passage.whole for passage in example.passages)


def cases(kind: Kind, n: int) -> list[Case]:
    made = [Subject(kind, random.Random(f"{kind.name} {number}")).case() for number in range(n)]
    return [case for case in made if case is not None]


def test_there_are_at_least_twelve_genres() -> None:
    assert len({genre for kind in kinds().values() for genre in kind.texts("genre")}) >= 12


def test_four_of_ten_examples_are_unanswerable(examples: list[Example]) -> None:
    unknown = sum(example.target == UNKNOWN for example in examples) / len(examples)
    assert 0.36 < unknown < 0.44


def test_answers_stand_in_the_text(examples: list[Example]) -> None:
    spans = [one for one in examples if one.target not in (UNKNOWN, "yes", "no")]
    inside = [plain_words(one.target) in plain_words(f"{one.question} {texts_of(one)}") for one in spans]
    assert len(spans) > 1000
    assert all(inside)


def test_yes_and_no_are_about_as_frequent(examples: list[Example]) -> None:
    said = Counter(one.target for one in examples if one.target in ("yes", "no"))
    assert 0.7 < said["yes"] / said["no"] < 1.4


def test_the_same_seed_gives_the_same_examples(examples: list[Example]) -> None:
    assert list(genre_examples(seed=7, n=4000)) == examples
    assert list(genre_examples(seed=8, n=400)) != examples[:400]


def test_no_template_is_left_open(examples: list[Example]) -> None:
    for example in examples:
        text = f"{example.question}\n{texts_of(example)}"
        assert not re.search(r"[{}]|\.\.$|\.\. ", text), text


def test_parts_share_no_question_about_the_same_entity(examples: list[Example]) -> None:
    parts: dict[str, set[str]] = {}
    for example in examples:
        if "," not in example.question:  # a comparison also names somebody else
            parts.setdefault(example.question, set()).add(example.part)
    named = {question for question, found in parts.items() if len(found) > 1}
    # Questions that name their entity shortly ("the lease") are the same for many texts.
    full = {question for question in named if re.search(r"[A-Z0-9]", question[1:])}
    assert len(full) <= len(parts) / 100
    assert {example.part for example in examples} == {"train", "validation", "test"}


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_near_miss_is_no_question_of_any_attribute(kind: str) -> None:
    asked = {text for item in kinds()[kind].attributes for sort in ("ask", "yn") for text in item.texts(sort)}
    missed = {text for item in kinds()[kind].attributes for text in item.texts("near")}
    assert missed
    assert not asked & (missed | set(kinds()[kind].texts("absent")))


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_every_attribute_can_be_said_and_asked(kind: str) -> None:
    rng = random.Random(kind)
    entity = invent_entity(kind, rng)
    for attribute in kinds()[kind].attributes:
        fact = state(entity, attribute, rng)
        said = fact.say(rng, short=False)
        assert said.endswith(".")
        assert entity.bare.lower() in said.lower(), said
        assert plain_words(fact.shown) in plain_words(said)
        assert fact.ask(rng).endswith("?")


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_sibling_has_nearly_the_same_name(kind: str) -> None:
    rng = random.Random(kind)
    entity = invent_entity(kind, rng)
    other = sibling(entity, rng)
    assert other.bare != entity.bare
    assert other.template == entity.template


def test_a_compared_entity_has_the_greater_value() -> None:
    found = [case for kind in kinds().values() for case in cases(kind, 300) if case.type == "comparison"]
    assert len(found) > 100
    for case in found:
        values = {fact.entity.bare: order(fact.shown) for fact in case.gold}
        template = next(
            sort
            for sort in ("more", "less")
            for text in case.gold[0].attribute.texts(sort)
            if case.question.startswith(text.split("{a}")[0])
        )
        best = (max if template == "more" else min)(values, key=lambda name: values[name] or ("", 0.0))
        assert case.answer == best


def test_a_two_hop_question_names_neither_the_middle_nor_the_end() -> None:
    found = [case for kind in kinds().values() for case in cases(kind, 150) if case.type == "two-hop"]
    assert len(found) > 100
    for case in found:
        link, end = case.gold
        assert link.target is end.entity
        assert end.entity.bare not in case.question
        assert all(
            fact.attribute is not link.attribute or fact.entity is not link.entity for fact in case.others
        )


def test_a_swapped_question_names_what_no_fact_is_about() -> None:
    for kind in kinds().values():
        for case in cases(kind, 60):
            if case.swapped and case.absent is not None and case.type in ("span", "two-hop"):
                names = {fact.entity.bare for fact in (*case.gold, *case.others)}
                assert case.absent.bare not in names
                assert case.absent.bare in case.swapped


def test_chunks_have_at_most_three_sentences_and_name_their_entity() -> None:
    subject = Subject(kinds()["product"], random.Random(3))
    for passage in as_chunks(subject.facts, random.Random(4)):
        assert (
            1 <= len(re.findall(r"[.?!](?: |$)", passage.text.replace("a.m.", "").replace("p.m.", ""))) <= 3
        )
    (document,) = as_document(subject.facts, random.Random(5), size=20)
    assert all(plain_words(fact.shown) in plain_words(document.text) for fact in subject.facts)


def test_a_slot_with_a_two_differs_from_its_first() -> None:
    for number in range(200):
        first, second = fill("{colour} {colour2}", {}, random.Random(number)).rsplit(" ", 1)
        assert first != second
    assert all(len(words) >= 5 for words in word_lists().values() if words[0] != "Mount")


def film_row(number: int, part_of: str = "") -> Row:
    film, director = f"Heron {number}", f"Ada Berg {number}"
    sentences = (
        Passage(text=f"{film} is a film directed by {director}.", title=film),
        Passage(text=f"{director} was born in Town{number}.", title=director),
    )
    question = f"Where was the director of film {film} born?{part_of}"
    triples = (Triple(film, "director", director, 0), Triple(director, "place of birth", f"Town{number}", 1))
    part = reader_part(question)
    return Row(
        question,
        f"Town{number}",
        sentences,
        (0, 1),
        "2wikimultihopqa",
        part,
        "compositional",
        False,
        False,
        triples,
    )


def test_the_twin_of_a_chain_lacks_its_answer_and_shows_a_look_alike() -> None:
    rows = [film_row(number) for number in range(200)]
    twins = list(twin_examples(rows, seed=1))
    assert len(twins) > 100
    replaced = swapped = 0
    for twin in twins:
        assert twin.target == UNKNOWN
        number = int(re.findall(r"film Heron (\d+)", twin.question)[0])
        shown = texts_of(twin)
        assert f"born in Town{number}." not in shown
        if f"Heron {number} is a film" in shown:
            replaced += 1
            assert "was born in Town" in shown
        else:
            swapped += 1
    assert replaced > swapped > 10


def test_the_twin_of_a_page_question_has_the_nearest_distractors() -> None:
    sentences = (
        Passage(text="The Lark was built by Bo Dahl.", title="Lark"),
        Passage(text="Bo Dahl was born in Molde.", title="Bo Dahl"),
        Passage(text="The builder of the Tern was born in Bergen.", title="Tern"),
        Passage(text="Tar is black.", title="Tar"),
    )
    rows = [
        Row(f"Where was the builder of the Lark born? {n}", "Molde", sentences, (0, 1), "hotpotqa", "train")
        for n in range(20)
    ]
    twins = list(twin_examples(rows, seed=1))
    assert twins
    assert all("Bergen" in texts_of(twin) and "Molde" not in texts_of(twin) for twin in twins)
