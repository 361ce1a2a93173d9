"""The rules about English, as plain functions: `english.is_negated(text)`.

Each is documented where it is defined. They are asked for texts in other languages too: there they find
little, and the methods fall back on words in common.
"""

from probative.text.english.addressed import is_instruction_to_judge
from probative.text.english.answers import (
    answer_candidates,
    answer_parts,
    normal_form,
    read_answer,
    read_yes_or_no,
    subject,
    subject_name,
    values_in,
)
from probative.text.english.claims import claim_parts, stand_alone
from probative.text.english.countries import countries_in, is_country, is_nationality, same_country
from probative.text.english.decompose import decompose
from probative.text.english.follow_ups import points_back
from probative.text.english.quantities import counts_rate, quantities_in
from probative.text.english.questions import asks_lasting, parse_question
from probative.text.english.statements import (
    date_spans,
    dates_in,
    is_negated,
    needs_sentence_before,
    replacing_words,
    valid_from,
    with_years,
)

LANGUAGE = "en"
