"""The rules about English, as plain functions: `english.is_negated(text)`.

Each is documented where it is defined. They are asked for texts in other languages too: there they find
little, and the methods fall back on words in common.
"""

from __future__ import annotations

# ruff: noqa: I001  # some modules fill two lines
from probative.text.english.addressed import is_instruction_to_judge
from probative.text.english.answers import answer_parts, normal_form, read_answer, read_yes_or_no
from probative.text.english.clauses import needs_sentence_before
from probative.text.english.compound import claim_parts
from probative.text.english.countries import countries_in, is_country, is_nationality, same_country
from probative.text.english.dates import (
    date_spans,
    dates_in,
    with_years,
)
from probative.text.english.decompose import decompose
from probative.text.english.negation import is_negated
from probative.text.english.operands import offered_pair
from probative.text.english.quantities import quantities_in
from probative.text.english.questions import asks_yes_or_no, parse_question
from probative.text.english.rates import counts_rate
from probative.text.english.spans import answer_candidates
from probative.text.english.spans import subject, subject_name
from probative.text.english.spans import values_in
from probative.text.english.stand_alone import stand_alone
from probative.text.english.validity import asks_lasting, replacing_words, valid_from
from probative.text.word_lists import stems_of

LANGUAGE = "en"
