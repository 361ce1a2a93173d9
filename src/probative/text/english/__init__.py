"""The rules about English, as plain functions: `english.is_negated(text)`.

Each is documented where it is defined. They are asked for texts in other languages too: there they find
little, and the methods fall back on words in common.
"""

from __future__ import annotations

# ruff: noqa: I001  # some modules fill two lines
from probative.text.english.addressed import is_instruction_to_judge
from probative.text.english.answers import answer_parts, normal_form
from probative.text.english.clauses import needs_sentence_before
from probative.text.english.compound import claim_parts
from probative.text.english.countries import countries_in, is_country, is_nationality, same_country
from probative.text.english.dates import (
    date_spans,
    dates_in,
    with_years,
)
from probative.text.english.decompose import decompose
from probative.text.english.entities import find_entities, find_names, find_relations
from probative.text.english.graph_questions import answered, as_statement, asked_nouns, asks_count
from probative.text.english.graph_questions import asks_if_false, has_one_head, implied_kinds, is_containment
from probative.text.english.graph_questions import is_possessive, is_proper_name, is_symmetric
from probative.text.english.graph_questions import names_literally, place_kind
from probative.text.english.hops import find_hops, plan_hops, role_in
from probative.text.english.negation import is_negated
from probative.text.english.operands import offered_pair
from probative.text.english.quantities import quantities_in
from probative.text.english.questions import asks_yes_or_no, parse_question
from probative.text.english.rates import counts_rate
from probative.text.english.relations import asks_relation, is_kind, is_passive, match_relation, number_forms
from probative.text.english.relations import passes_on, role_of, widens
from probative.text.english.replies import read_answer, read_polarity, read_relation, read_yes_or_no
from probative.text.english.replies import without_lead
from probative.text.english.spans import answer_candidates
from probative.text.english.spans import subject, subject_name
from probative.text.english.spans import values_in
from probative.text.english.stand_alone import stand_alone
from probative.text.english.validity import asks_lasting, replacing_words, valid_from
from probative.text.word_lists import stems_of

LANGUAGE = "en"
