"""What the methods need to know about a language: one protocol, with one implementation per language.

`probative.text.english` implements it for English. A method asks an analyzer and contains no rule about a
language itself, so that another language can be added beside English.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from probative.text.analysis import (
    Change,
    ClaimForm,
    EqualNames,
    GovernedDate,
    Hop,
    HopStep,
    ImpliedKind,
    ParsedQuestion,
    PlaceKind,
    Polarity,
    QuantitySpan,
    RelationMatch,
    Role,
    Values,
)
from probative.text.claims import ClaimPart, DateLimit, Ratio, Trend
from probative.text.dates import Date
from probative.text.decomposition import Attribute, Decomposition, Event
from probative.text.quantities import Dimension
from probative.text.topics import Topic
from probative.types import Passage


class TextAnalyzer(Protocol):
    """The rules of one language."""

    @property
    def language(self) -> str:
        """The ISO 639-1 code of the language."""

    def parse_question(self, text: str) -> ParsedQuestion:
        """Return the intent, kind of answer, nodes, relations and computation of a question."""

    def asks_yes_or_no(self, question: str) -> bool:
        """Return whether a question asks for yes or no."""

    def claim_form(self, text: str) -> ClaimForm:
        """Return whether a text is a statement, a question, an instruction or a fragment."""

    def unchecked_reason(self, text: str) -> str | None:
        """Return why a sentence claims nothing that could be checked; None if it does."""

    def claim_parts(self, sentence: str) -> list[ClaimPart]:
        """Return the parts of a sentence that claim something by themselves; one if it claims one thing."""

    def stand_alone(self, sentence: str, before: Sequence[str]) -> str:
        """Return a sentence whose first pronoun is replaced by what the sentences before it name."""

    def claimed_comparison(self, claim: str) -> Decomposition | None:
        """Return what a claim compares with a limit or with another thing; None for every other claim."""

    def claimed_date_limit(self, claim: str) -> DateLimit | None:
        """Return the date that a claim puts something before or after."""

    def claimed_date(self, claim: str) -> Date | None:
        """Return the only date of a claim, if it says that something happened then."""

    def claimed_ratio(self, claim: str) -> Ratio | None:
        """Return the ratio of two counts in a claim."""

    def claimed_decade(self, claim: str) -> int | None:
        """Return the first year of the decade of a life that a claim names."""

    def claimed_trend(self, claim: str) -> Trend | None:
        """Return what a claim says to rise, fall or stay; None for every other claim."""

    def told_direction(self, sentence: str, trend: Trend) -> int | None:
        """Return whether a sentence says that the thing of a trend rises (1), falls (-1) or stays (0)."""

    def same_verb(self, verb: str, text: str) -> bool:
        """Return whether a text contains a verb, in another form or as another word for "hold"."""

    def tells_verdict(self, sentence: str, claim: str) -> bool:
        """Return whether a sentence tells the reader which verdict to give on a claim, and nothing else."""

    def segments_of(self, sentence: str) -> list[str]:
        """Return the parts of a sentence that each say something of a thing of their own."""

    def is_change(self, text: str) -> bool:
        """Return whether a text says by how much an amount changes, and not how large it is."""

    def compared_pair(self, question: ParsedQuestion, titles: Sequence[str]) -> tuple[str, str] | None:
        """Return the two things that a question compares, by the titles that it names or by its own names."""

    def offered_pair(self, question: ParsedQuestion, titles: Sequence[str]) -> tuple[str, str] | None:
        """Return the two options that a question offers at its end ("A or B?")."""

    def asks_which(self, question: str) -> bool:
        """Return whether a question asks which of two is meant, and not for a degree or an order."""

    def names_and_numbers(self, text: str) -> list[str]:
        """Return the capitalised words and the numbers of a text."""

    def contains_answer(self, text: str, question: ParsedQuestion) -> bool:
        """Return whether a text contains something of the kind that the question asks for."""

    def answer_candidates(self, texts: Sequence[str], question: ParsedQuestion) -> list[str]:
        """Return the spans of the texts that could answer the question, each once."""

    def normal_form(self, text: str) -> tuple[str, ...]:
        """Return the words of a text in one form, whatever its case, articles, plurals, numbers and dates."""

    def answer_parts(self, answer: str) -> list[str]:
        """Return the things that an answer lists."""

    def fits_kind(self, answer: str, question: ParsedQuestion) -> bool | None:
        """Return whether an answer is of the kind that the question asks for; None if the kind is open."""

    def values_in(self, text: str) -> Values:
        """Return the dates, numbers and names of a sentence."""

    def is_negated(self, text: str) -> bool:
        """Return whether a text contains a negation."""

    def is_denied(self, text: str) -> bool:
        """Return whether a text denies something or calls it false."""

    def subject(self, passage: Passage) -> str:
        """Return the content words of the name that a passage is about, or an empty string."""

    def subject_name(self, passage: Passage) -> str:
        """Return the name that a passage is about as it is written, or an empty string."""

    def starts_with_name(self, text: str, name: str) -> bool:
        """Return whether a text begins with a name."""

    def event_date(self, text: str, event: Event) -> Date | None:
        """Return the date of an event in the life of what a text is about."""

    def places_in(self, text: str) -> list[str]:
        """Return the names of places in a text, by the prepositions before them."""

    def may_contain_date(self, text: str) -> bool:
        """Return whether a text contains a number that could be a year, or a century."""

    def countries_of(self, text: str) -> frozenset[str]:
        """Return the countries by which a text says what its subject is."""

    def same_country(self, first: frozenset[str], second: frozenset[str]) -> bool | None:
        """Return whether two sets of countries are the same one country; None if that cannot be said."""

    def had_role(self, name: str, role: str, text: str) -> bool:
        """Return whether a text says that `name` had a role (director, builder and so on)."""

    def decompose(self, question: str) -> Decomposition | None:
        """Return the parts of a question that asks for a comparison, a count or arithmetic; None for every
        other question.
        """

    def named_titles(self, question: str, titles: Sequence[str]) -> list[str]:
        """Return the titles that a question names, without brackets, in its order."""

    def says_more(self, question: str, options: Sequence[str]) -> bool:
        """Return whether a question says more behind the options that it ends with."""

    def quantities_in(self, text: str) -> list[QuantitySpan]:
        """Return the quantities of a text in their order."""

    def topics_of(self, text: str, name: str, kinds: frozenset[str] = frozenset()) -> tuple[Topic, ...]:
        """Return the clauses of a sentence with what they are about, seen from a name."""

    def describes(self, text: str, name: str) -> frozenset[str]:
        """Return the nouns by which a sentence says what a name is."""

    def asked_kinds(self, question: str) -> frozenset[str]:
        """Return the nouns by which a question calls what it asks for."""

    def begins_with_pronoun(self, text: str) -> bool:
        """Return whether a sentence calls its subject by a pronoun."""

    def begins_with_possessive(self, text: str) -> bool:
        """Return whether a sentence begins with a part of what was named before."""

    def governed_dates(self, text: str) -> list[GovernedDate]:
        """Return the dates of a sentence, each with the verb that says what happened then."""

    def event_strength(self, verb: str, asked: str) -> int:
        """Return how well a verb fits the asked event: 0 if it is another one, 3 if it is the same."""

    def measures_of(self, text: str, dimension: Dimension, position: int | None = None) -> frozenset[str]:
        """Return what an amount of a dimension may measure in a text."""

    def names_amount(self, before: str) -> str:
        """Return the words that name the amount behind a text ("a population of"); "" if none do."""

    def is_label(self, text: str, start: int) -> bool:
        """Return whether the number at a position belongs to a name ("Flat 7")."""

    def asks_share(self, question: str) -> bool:
        """Return whether a question asks for a percentage."""

    def question_parts(self, question: str) -> tuple[str, ...]:
        """Return the questions that a question consists of; `ANSWER` in one stands for the answer before."""
        ...

    def asks_difference(self, question: str) -> bool:
        """Return whether a question asks how much two values differ."""

    def asks_total(self, question: str) -> bool:
        """Return whether a question asks for the whole of an amount, or for its limit."""

    def states_rate(self, text: str) -> bool:
        """Return whether a sentence gives an amount for each day, person or other unit."""

    def is_dateline(self, text: str) -> bool:
        """Return whether a text only says where and when something was written."""

    def says_nothing(self, answer: str) -> bool:
        """Return whether an answer has only words that say nothing by themselves."""

    def other_of_its_kind(
        self, question: str, cited: Sequence[str], others: Sequence[str]
    ) -> tuple[str, str] | None:
        """Return what a question asks about and another thing of its kind that the cited sentences name."""

    def states_limit(self, text: str) -> bool:
        """Return whether a text says how much is allowed."""

    def change_at(self, text: str, start: int, end: int) -> Change | None:
        """Return how the amount at these characters changes the amount before it."""

    def measures_other(self, following: str, attribute: Attribute) -> bool:
        """Return whether the words behind a quantity say that it measures something else."""

    def subject_phrase(self, sentence: str) -> str:
        """Return what stands before the verb of a sentence; empty if no verb is found."""

    def is_whole_amount(self, text: str, start: int, end: int) -> bool:
        """Return whether the words of a quantity are all that states it: not so in "two and a half hours"."""

    def with_years(self, text: str, date: Date) -> str:
        """Return a sentence whose days and months without a year have one: that nearest to a date."""

    def dates_in(self, text: str) -> list[Date]:
        """Return the dates of a text in their order, each as exact as the text gives it."""

    def plain_eras(self, text: str) -> str:
        """Return a text whose eras have no full stops, which would end sentences ("B.C.")."""

    def defining_year(self, text: str) -> Date | None:
        """Return the year in what a text says its subject is ("a 1919 film")."""

    def is_doubtful_date(self, text: str) -> bool:
        """Return whether the dates of a sentence are uncertain, denied, or those of a relative."""

    def stems_of(self, text: str) -> frozenset[str]:
        """Return the stems of all words of a text."""

    def countries_in(self, text: str) -> frozenset[str]:
        """Return the countries that a text names, also by the adjective for their people."""

    def origins_of(self, text: str) -> frozenset[str]:
        """Return the countries that a text says its subject is of; several if it is of all of them."""

    def people_with_role(self, text: str, role: str) -> list[str]:
        """Return the names that a text lists for a role."""

    def find_entities(
        self, text: str, is_entity: Callable[[str], bool], relations: Mapping[tuple[str, ...], str]
    ) -> list[str]:
        """Return the entities of a text, those with the most words first. `is_entity` says whether a graph
        has an entity of a name; `relations` are the graph's relations by the stems of their words.
        """

    def find_names(
        self, text: str, is_entity: Callable[[str], bool], relations: Mapping[tuple[str, ...], str]
    ) -> list[str]:
        """Return the names of a graph that a text contains; see `find_entities` for the arguments."""

    def find_relations(self, text: str, relations: Mapping[tuple[str, ...], str]) -> list[str]:
        """Return the relations of a text, by the graph's name where `relations` has it."""

    def match_relation(
        self, question: str, names: Sequence[str], relation: str, equal: EqualNames = ()
    ) -> RelationMatch | None:
        """Return whether a relation is the one that a question about the entities `names` asks for, or its
        denial; None if it is another. `equal` are groups of relations that the user declared equal.
        """

    def role_of(self, question: str, name: str) -> Role | None:
        """Return whether an entity acts or is acted on in a question; None if the question does not say."""

    def find_hops(
        self, question: str, names: Sequence[str], relations: Iterable[str], equal: EqualNames = ()
    ) -> list[Hop]:
        """Return the words of a question that name relations of a graph; `names` are its entities."""

    def plan_hops(self, question: str, name: str, hops: Sequence[Hop]) -> list[HopStep]:
        """Return the hops in the order in which they lead from an entity to the answer."""

    def role_in(self, relation: str, step: HopStep) -> Role | None:
        """Return whether what a hop starts from acts in a relation; None if it may do either."""

    def asked_nouns(self, question: str) -> tuple[str, ...]:
        """Return the nouns that may say what kind of thing a question asks for, "person" for "who"."""

    def place_kind(self, noun: str) -> PlaceKind | None:
        """Return which kind of place a noun names."""

    def implied_kinds(self, relation: str) -> tuple[ImpliedKind | None, ImpliedKind | None]:
        """Return what a relation shows its head and its tail to be; None for what it does not show."""

    def is_containment(self, relation: str) -> bool:
        """Return whether the tail of a relation is a place around its head ("lies in")."""

    def is_country(self, name: str) -> bool:
        """Return whether a name is that of a country."""

    def is_nationality(self, name: str) -> bool:
        """Return whether a name is the adjective for the people of a country."""

    def asks_relation(self, question: str) -> bool:
        """Return whether a question asks how two things are related."""

    def number_forms(self, name: str) -> list[str]:
        """Return a name, then its forms in the other grammatical number."""

    def is_passive(self, relation: str) -> bool:
        """Return whether the tail of a relation acts on its head ("was built by")."""

    def passes_on(self, relation: str) -> bool:
        """Return whether what holds for the tail of a relation holds for its head too ("contains")."""

    def widens(self, relation: str) -> bool:
        """Return whether the tail of a relation includes its head: a place, a kind or a whole."""

    def is_kind(self, relation: str) -> bool:
        """Return whether a relation only says what its head is ("is a kind of")."""

    def asks_count(self, question: str) -> bool:
        """Return whether a question asks for a number of things."""

    def asks_if_false(self, question: str) -> bool:
        """Return whether a question asks if a statement is false."""

    def as_statement(self, question: str, name: str) -> str:
        """Return a yes-or-no question whose first entity is `name` as a statement."""

    def answered(self, question: str, answer: str) -> str:
        """Return an open question with its answer as a statement if it asks for its subject."""

    def is_proper_name(self, question: str, name: str) -> bool:
        """Return whether an entity of a question is the name of one person, place or thing."""

    def is_possessive(self, question: str, name: str) -> bool:
        """Return whether a question asks for something of an entity by its possessive."""

    def is_symmetric(self, relation: str) -> bool:
        """Return whether a relation holds in both directions ("borders")."""

    def has_one_head(self, relation: str) -> bool:
        """Return whether a tail has a relation from one head only, never in reverse ("is the capital of")."""

    def names_literally(self, question: str, relation: str) -> bool:
        """Return whether a question contains every word of a relation, prepositions too."""

    def read_answer(self, reply: str) -> str | None:
        """Return the answer in a model's reply without its frame; None if it says that it does not know."""

    def read_yes_or_no(self, reply: str) -> bool | None:
        """Return whether a reply to a yes-or-no question says yes; None if it says neither."""

    def read_polarity(self, reply: str) -> Polarity | None:
        """Return the yes, no or maybe that a longer reply concludes with; None if there is none."""

    def read_relation(self, reply: str, head: str, tail: str) -> str | None:
        """Return the phrase for how two things are related; None if the reply says that they are not."""

    def without_lead(self, reply: str) -> str:
        """Return a reply without the words that only announce the answer."""


def analyzer_for(language: str | None = None) -> TextAnalyzer:
    """Return the analyzer of a language.

    English is the only one so far, and stands in for every other language: its rules then find little, and
    the methods fall back on words in common.

    >>> analyzer_for("en").language, analyzer_for("fr").language
    ('en', 'en')
    """
    from probative.text.english.analyzer import ENGLISH

    return ENGLISH
