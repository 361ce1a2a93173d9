"""Which of two was first, by the dates of the passages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from runs import make_run

from probative import Passage, ask, check
from probative.engine.runner import run_searches
from probative.models.encoder import Encoder
from probative.scope.compute.compute import compute_answer
from probative.scope.compute.evidence import ComputedAnswer
from probative.testing import ScriptedModel


def computed(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> ComputedAnswer | None:
    """Return what is computed with a reader that never finds anything."""
    model = ScriptedModel(generate="unknown", reader=True)
    run = make_run(question, passages, model)
    ((_, finished),) = run_searches([compute_answer(run, chain)], run.tools)
    assert finished.error is None
    return finished.result


def compare(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> ComputedAnswer | None:
    result = computed(question, chain, passages)
    return None if result is None or result.answer is None else result


def undated(question: str, chain: Sequence[int], passages: Sequence[Passage]) -> tuple[str, ...]:
    result = computed(question, chain, passages)
    return () if result is None else result.missing


SHIPS = [
    Passage(title="Lark (ketch)", text="The Lark is a 1911 ketch built by Ada Berg."),
    Passage(title="Heron", text="Heron is a yawl of 1931, built by Ole Lund."),
    Passage(title="Ole Lund", text="Ole Lund (3 June 1870 – 4 May 1940) was a shipwright."),
    Passage(title="Ada Berg", text="Ada Berg( 13 May 188018 January 1959) was a shipwright."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which ship has the builder who was born first, Lark or Heron?", "Heron"),
        ("Which ship has the builder who died later, Lark or Heron?", "Lark"),
        ("Which ship was built earlier, Lark or Heron?", "Lark"),
        ("Who is younger, Ada Berg or Ole Lund?", "Ada Berg"),
    ],
)
def test_dates_decide(question: str, answer: str) -> None:
    found = compare(question, [0, 1, 2, 3], SHIPS)
    assert found is not None
    assert found.answer == answer


@pytest.mark.parametrize(
    "question",
    [
        "Who built the Lark first?",  # nothing to compare with
        "Was the first or the last ship built earlier, Lark or Heron?",  # both directions
        "Which is longer, Lark or Heron?",  # not a matter of dates
        "Who was born first, Ada Berg or Kari Moe?",  # one of them is not there
    ],
)
def test_what_the_dates_do_not_tell_is_left_to_the_model(question: str) -> None:
    assert compare(question, [0, 1, 2, 3], SHIPS) is None


def test_countries_decide() -> None:
    texts = [
        Passage(title="Lark", text="Lark is a Danish film directed by Ada Berg."),
        Passage(title="Heron", text="Heron is a Danish film directed by Ole Lund."),
        Passage(title="Ole Lund", text="Ole Lund is a Norwegian director."),
        Passage(title="Ada Berg", text="Ada Berg is a director from Denmark."),
    ]
    places = [0, 1, 2, 3]
    assert compare("Are Lark and Heron from the same country?", places, texts).answer == "yes"
    question = "Do the directors of Lark and Heron have the same nationality?"
    found = compare(question, places, texts)
    assert found.answer == "no"
    assert [value.index for value in found.values] == [3, 2]
    assert set(found.citations) == {0, 1, 2, 3}  # the films lead to the directors
    assert compare(question, places[:3], texts) is None  # nothing about Ada Berg


def test_equal_years_decide_nothing() -> None:
    texts = [Passage(title="Lark", text="A 1911 ketch."), Passage(title="Heron", text="A 1911 yawl.")]
    assert compare("Which was built first, Lark or Heron?", [0, 1], texts) is None


@pytest.mark.model
def test_the_passages_that_decide_are_cited_and_no_model_is_asked(encoder: Encoder) -> None:
    model = ScriptedModel(generate=[])
    question = "Who was born first, Ada Berg or Ole Lund?"
    answer = ask(
        question, passages=SHIPS[2:], model=model, preset="words", encoder=encoder, answer_anyway=True
    )
    assert answer.answer == "Ole Lund"
    assert any("computed without the model" in note for note in answer.notes)
    assert model.asked == []


BERG_1901 = "Anna Berg (born 1901) is a painter."
DAHL_1899 = "Carl Dahl (born 1899) is a poet."


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("Who was born first, Eva Falk, Anna Berg or Carl Dahl?", [BERG_1901, DAHL_1899]),
        ("Who was not born first, Anna Berg or Carl Dahl?", [BERG_1901, DAHL_1899]),
        ("Who was born in a town first mentioned in 1200, Anna Berg or Carl Dahl?", [BERG_1901, DAHL_1899]),
        ("Who was born first, Anna Berg or Carl Dahl?", ["Anna Berg was not born in 1880.", DAHL_1899]),
        ("Who was born first, Anna Berg or Carl Dahl?", ["Anna Berg's father was born in 1850.", DAHL_1899]),
        (
            "Who was born first, Anna Berg or Carl Dahl?",
            ["Anna Berg married Ole Moe (1850 – 1920).", DAHL_1899],
        ),
        (
            "Who was born first, Anna Berg or Carl Dahl?",
            ["Anna Berg (reigned 1850 – 1870) was a queen.", DAHL_1899],
        ),
        ("Who was born first, Anna Berg or Carl Dahl?", ["Anna Berg was born before 1901.", DAHL_1899]),
        ("Who was born first, Anna Berg or Carl Dahl?", ["Anna Berg was born in 1901 or 1895.", DAHL_1899]),
        (
            "Are Anna Berg and Carl Dahl of the same nationality?",
            ["Anna Berg is a South American poet.", "Carl Dahl is an American poet."],
        ),
        (
            "Are Anna Berg and Carl Dahl of the same nationality?",
            ["Anna Berg is a painter who loved Norwegian fjords.", "Carl Dahl is a Norwegian poet."],
        ),
    ],
)
def test_doubtful_dates_and_countries_decide_nothing(question: str, texts: list[str]) -> None:
    passages = [Passage(text=text) for text in texts]
    assert compare(question, [0, 1], passages) is None


def test_of_a_film_only_the_part_that_is_asked_about_counts() -> None:
    texts = [
        Passage(title="Red Sea", text="Red Sea is a film starring Eva Falk."),
        Passage(title="Blue Hill", text="Blue Hill is a film directed by Ole Lund."),
        Passage(title="Eva Falk", text="Eva Falk (born 1850) is an actress."),
        Passage(title="Ole Lund", text="Ole Lund (born 1870) is a director."),
    ]
    question = "Which film has the director who was born first, Red Sea or Blue Hill?"
    assert compare(question, [0, 1, 2, 3], texts) is None


def test_namesakes_decide_nothing() -> None:
    texts = [
        Passage(title="Peter Holm (painter)", text="Peter Holm (born 1900) is a painter."),
        Passage(title="Peter Holm (footballer)", text="Peter Holm (born 1960) is a footballer."),
        Passage(title="Lars Vik", text="Lars Vik (born 1930) is a poet."),
    ]
    assert compare("Who was born first, Peter Holm or Lars Vik?", [0, 1, 2], texts) is None


LIVES = [
    Passage(title="Ada Berg", text="Ada Berg (5 May 1900 – 3 June 1980) was a sailor."),
    Passage(title="Ole Lund", text="Ole Lund, born in 1911, was a painter. He died in 1942."),
    Passage(title="Quintus Aper", text="Quintus Aper (106–43 BC) was a consul."),
    Passage(title="Gaia Prisca", text="Gaia Prisca (23 September 63 B.C. – 19 August AD 14) was a poet."),
    Passage(title="Rhea", text="Rhea is a film directed by Ada Berg."),
    Passage(title="Titan", text="Titan is a film directed by Ole Lund."),
]


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("Who lived longer, Ole Lund or Ada Berg?", "Ada Berg", {0, 1}),
        ("Who lived shorter, Ole Lund or Ada Berg?", "Ole Lund", {0, 1}),
        ("Who lived longer, Quintus Aper or Gaia Prisca?", "Gaia Prisca", {2, 3}),
        ("Which film has the director who lived longer, Rhea or Titan (film)?", "Rhea", {0, 1, 4, 5}),
        ("Who was born first, Gaia Prisca or Quintus Aper?", "Quintus Aper", {2, 3}),
        ("Who died later, Quintus Aper or Gaia Prisca?", "Gaia Prisca", {2, 3}),
        ("Who was born later, Quintus Aper or Ada Berg?", "Ada Berg", {0, 2}),
    ],
)
def test_lives_and_years_before_christ_decide(question: str, answer: str, cited: set[int]) -> None:
    found = compare(question, range(len(LIVES)), LIVES)
    assert found is not None
    assert (found.answer, set(found.citations)) == (answer, cited)


def test_a_temple_of_200_bc_is_older_than_a_mill_of_1200() -> None:
    texts = [
        Passage(title="Mill", text="The Mill was built in 1200 and restored in 1850."),
        Passage(title="Temple", text="The Temple was built in 1300 BC and found in 1101."),
    ]
    found = compare("Which was built first, Mill or Temple?", [0, 1], texts)
    assert found is not None
    assert (found.answer, found.reason) == ("Temple", "1300 BC is before 1200")


BERG_LIFE = "Anna Berg (1900 – 1980) was a painter."
DAHL_LIFE = "Carl Dahl (1930 – 1960) was a poet."


@pytest.mark.parametrize(
    ("question", "berg", "dahl"),
    [
        ("Who lived longer in Oslo, Anna Berg or Carl Dahl?", BERG_LIFE, DAHL_LIFE),
        ("Who lived longer, Anna Berg or Carl Dahl, after the war?", BERG_LIFE, DAHL_LIFE),
        ("Who did not live longer, Anna Berg or Carl Dahl?", BERG_LIFE, DAHL_LIFE),
        ("Who lived longer, Eva Falk, Anna Berg or Carl Dahl?", BERG_LIFE, DAHL_LIFE),
        ("Who was older when they died, Anna Berg or Carl Dahl?", BERG_LIFE, DAHL_LIFE),
        ("Who lived longer, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl (born 1930) is a poet."),
        ("Who lived longer, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl (1930 – 1910) was a poet."),
        ("Who lived longer, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl (1930 – 2011) was a poet."),
        ("Who lived longer, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl (1730 – 1960) was a poet."),
        ("Who lived longer, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl was a mayor (1930 – 1936)."),
        (
            "Who lived longer, Anna Berg or Carl Dahl?",
            BERG_LIFE,
            "Carl Dahl was born in 1930. His father died in 1960.",
        ),
        ("Who lived longer, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl (c. 90 BC – 44 BC) was a poet."),
        ("Who was born first, Anna Berg or Carl Dahl?", BERG_LIFE, "Carl Dahl (90/89 BC – 44 BC) ruled."),
    ],
)
def test_doubtful_lives_decide_nothing(question: str, berg: str, dahl: str) -> None:
    passages = [Passage(title="Anna Berg", text=berg), Passage(title="Carl Dahl", text=dahl)]
    assert compare(question, [0, 1], passages) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are Ada Berg and Ole Lund of the same nationality?", "no"),
        ("Are Ada Berg and Ole Lund from different countries?", "yes"),
        ("Do Ada Berg and Ole Lund have different nationalities?", "yes"),
        ("Are Ada Berg and Ole Lund not from different countries?", None),
    ],
)
def test_different_is_the_opposite_of_same(question: str, answer: str | None) -> None:
    people = [
        Passage(title="Ada Berg", text="Ada Berg is a Norwegian sailor."),
        Passage(title="Ole Lund", text="Ole Lund is a Swedish painter."),
    ]
    found = compare(question, [0, 1], people)
    assert (found.answer if found is not None else None) == answer


@pytest.mark.model
def test_two_cannot_be_compared_where_one_has_no_date(encoder: Encoder) -> None:
    texts = [
        Passage(title="Ada Berg", text="Ada Berg died in 1959 in Molde."),
        Passage(title="Ole Lund", text="Ole Lund of Moss was a shipwright, like his father."),
    ]
    question = "Who died first, Ada Berg or Ole Lund?"
    assert undated(question, [0, 1], texts) == ("date of death: Ole Lund",)
    heights = undated("Who was the taller one, Ada Berg or Ole Lund?", [0, 1], texts)
    assert heights == ("height: Ada Berg", "height: Ole Lund")
    for text in ("Ole Lund was buried in the winter of 1940.", "Ole Lund left 31,000 crowns and 12 boats."):
        other = [texts[0], texts[1].model_copy(update={"text": text})]
        assert undated(question, [0, 1], other) == ("date of death: Ole Lund",)
    model = ScriptedModel(generate="Ada Berg", choose=lambda prompt, options: [1.0] * len(options))
    answer = ask(question, texts, model=model, encoder=encoder, preset="words", compare=True)
    assert answer.answer is None
    assert answer.verdict == "insufficient"
    assert "date of death: Ole Lund" in answer.missing
    checked = check(question, texts, model=model, encoder=encoder, preset="words", compare=True)
    assert not checked.complete
    assert "date of death: Ole Lund" in checked.missing


RIVERS = [
    Passage(title="Molnik", text="Molnik is a town of 12,400 people on the river Sava."),
    Passage(title="Dravec", text="Dravec is a larger town, known for its glass works."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which town lies on the Sava, Molnik or Dravec?", "Molnik"),
        ("Which town lies on the Sava, Dravec or Molnik?", "Molnik"),
        ("Which is the town of 12,400 people, Dravec or Molnik?", "Molnik"),
        ("Which town is nearer to the Sava, Molnik or Dravec?", None),  # a name, but a matter of degree
        ("Which town does not lie on the Sava, Molnik or Dravec?", None),
        ("Which town lies on the Drava, Molnik or Dravec?", None),  # of neither is that said
        ("Which town makes glass, Molnik or Dravec?", None),  # no name: the model reads
        ("Do Molnik or Dravec lie on the Sava?", None),
    ],
)
def test_what_the_chain_names_of_one_and_not_of_the_other_tells_which(
    question: str, answer: str | None
) -> None:
    found = compare(question, [0, 1], RIVERS)
    assert (found.answer if found is not None else None) == answer
    assert found is None or found.citations == (0,)


def test_a_name_that_is_denied_or_said_of_both_tells_nothing() -> None:
    question = "Which town lies on the Sava, Molnik or Dravec?"
    denied = RIVERS[0].model_copy(update={"text": "Molnik does not lie on the Sava."})
    assert compare(question, [0, 1], [denied, RIVERS[1]]) is None
    both = RIVERS[1].model_copy(update={"text": "Dravec lies on the Sava, too."})
    assert compare(question, [0, 1], [RIVERS[0], both]) is None
    assert compare(question, [0], RIVERS) is None
