"""The analyzer of English: the rules of this folder behind the protocol of `probative.text.analyzer`."""

from __future__ import annotations

from probative.text.analyzer import TextAnalyzer
from probative.text.english import (
    addressed,
    answer_forms,
    answer_kinds,
    checkable,
    claim_forms,
    claim_values,
    clauses,
    comparison,
    compound,
    countries,
    dates,
    decompose,
    degrees,
    entities,
    events,
    governed,
    graph_kinds,
    graph_questions,
    grounds,
    hops,
    measures,
    missing_years,
    negation,
    operands,
    quantities,
    question_parts,
    questions,
    rates,
    relations,
    replies,
    roles,
    segments,
    spans,
    stand_alone,
    subjects,
    trends,
    word_lists,
)


class EnglishAnalyzer:
    """Every rule about English. Each function is documented where it is defined."""

    language = "en"

    parse_question = staticmethod(questions.parse_question)
    asks_yes_or_no = staticmethod(questions.asks_yes_or_no)
    claim_form = staticmethod(claim_forms.claim_form)
    unchecked_reason = staticmethod(checkable.unchecked_reason)
    claim_parts = staticmethod(compound.claim_parts)
    subject_phrase = staticmethod(stand_alone.subject_phrase)
    stand_alone = staticmethod(stand_alone.stand_alone)
    claimed_comparison = staticmethod(claim_values.claimed_comparison)
    claimed_date_limit = staticmethod(claim_values.claimed_date_limit)
    claimed_date = staticmethod(claim_values.claimed_date)
    claimed_ratio = staticmethod(claim_values.claimed_ratio)
    claimed_decade = staticmethod(claim_values.claimed_decade)
    claimed_trend = staticmethod(trends.claimed_trend)
    told_direction = staticmethod(trends.told_direction)
    same_verb = staticmethod(claim_values.same_verb)
    tells_verdict = staticmethod(addressed.tells_verdict)
    segments_of = staticmethod(segments.segments_of)
    is_change = staticmethod(segments.is_change)
    compared_pair = staticmethod(comparison.compared_pair)
    asks_which = staticmethod(comparison.asks_which)
    offered_pair = staticmethod(comparison.offered_pair)

    names_and_numbers = staticmethod(spans.names_and_numbers)
    contains_answer = staticmethod(spans.contains_answer)
    answer_candidates = staticmethod(spans.answer_candidates)
    values_in = staticmethod(spans.values_in)
    normal_form = staticmethod(answer_forms.normal_form)
    answer_parts = staticmethod(answer_forms.answer_parts)
    fits_kind = staticmethod(answer_kinds.fits_kind)
    places_in = staticmethod(spans.places_in)
    may_contain_date = staticmethod(spans.may_contain_date)

    is_negated = staticmethod(negation.is_negated)
    is_denied = staticmethod(negation.is_denied)

    subject = staticmethod(subjects.subject)
    subject_name = staticmethod(subjects.subject_name)
    starts_with_name = staticmethod(subjects.starts_with_name)

    event_date = staticmethod(events.event_date)
    countries_of = staticmethod(countries.countries_of)
    same_country = staticmethod(countries.same_country)
    defining_year = staticmethod(events.defining_year)
    is_doubtful_date = staticmethod(events.is_doubtful_date)
    countries_in = staticmethod(countries.countries_in)
    origins_of = staticmethod(countries.origins_of)
    people_with_role = staticmethod(roles.people_with_role)
    had_role = staticmethod(roles.had_role)

    decompose = staticmethod(decompose.decompose)
    topics_of = staticmethod(clauses.topics_of)
    describes = staticmethod(clauses.describes)
    asked_kinds = staticmethod(clauses.asked_kinds)
    begins_with_pronoun = staticmethod(clauses.begins_with_pronoun)
    begins_with_possessive = staticmethod(clauses.begins_with_possessive)
    governed_dates = staticmethod(governed.governed_dates)
    event_strength = staticmethod(governed.event_strength)
    measures_of = staticmethod(measures.measures_of)
    names_amount = staticmethod(measures.names_amount)
    is_label = staticmethod(measures.is_label)
    asks_share = staticmethod(measures.asks_share)
    question_parts = staticmethod(question_parts.question_parts)
    asks_difference = staticmethod(grounds.asks_difference)
    says_nothing = staticmethod(grounds.says_nothing)
    asks_total = staticmethod(grounds.asks_total)
    states_rate = staticmethod(grounds.states_rate)
    is_dateline = staticmethod(grounds.is_dateline)
    other_of_its_kind = staticmethod(grounds.other_of_its_kind)
    states_limit = staticmethod(measures.states_limit)
    change_at = staticmethod(rates.change_at)
    measures_other = staticmethod(degrees.measures_other)
    says_more = staticmethod(operands.says_more)
    named_titles = staticmethod(operands.named_titles)
    quantities_in = staticmethod(quantities.quantities_in)
    dates_in = staticmethod(dates.dates_of)
    is_whole_amount = staticmethod(quantities.is_whole_amount)
    with_years = staticmethod(missing_years.with_years)
    plain_eras = staticmethod(dates.plain_eras)
    stems_of = staticmethod(word_lists.stems_of)

    find_entities = staticmethod(entities.find_entities)
    find_names = staticmethod(entities.find_names)
    find_relations = staticmethod(entities.find_relations)

    match_relation = staticmethod(relations.match_relation)
    role_of = staticmethod(relations.role_of)
    find_hops = staticmethod(hops.find_hops)
    plan_hops = staticmethod(hops.plan_hops)
    role_in = staticmethod(hops.role_in)
    asked_nouns = staticmethod(graph_kinds.asked_nouns)
    place_kind = staticmethod(graph_kinds.place_kind)
    implied_kinds = staticmethod(graph_kinds.implied_kinds)
    is_containment = staticmethod(graph_kinds.is_containment)
    is_country = staticmethod(countries.is_country)
    is_nationality = staticmethod(countries.is_nationality)
    asks_relation = staticmethod(relations.asks_relation)
    number_forms = staticmethod(relations.number_forms)
    is_passive = staticmethod(relations.is_passive)
    passes_on = staticmethod(relations.passes_on)
    widens = staticmethod(relations.widens)
    is_kind = staticmethod(relations.is_kind)
    asks_count = staticmethod(graph_questions.asks_count)
    asks_if_false = staticmethod(graph_questions.asks_if_false)
    as_statement = staticmethod(graph_questions.as_statement)
    answered = staticmethod(graph_questions.answered)
    is_proper_name = staticmethod(graph_questions.is_proper_name)
    is_possessive = staticmethod(graph_questions.is_possessive)
    is_symmetric = staticmethod(graph_questions.is_symmetric)
    has_one_head = staticmethod(graph_questions.has_one_head)
    names_literally = staticmethod(graph_questions.names_literally)

    read_answer = staticmethod(replies.read_answer)
    read_yes_or_no = staticmethod(replies.read_yes_or_no)
    read_polarity = staticmethod(replies.read_polarity)
    read_relation = staticmethod(replies.read_relation)
    without_lead = staticmethod(replies.without_lead)


ENGLISH: TextAnalyzer = EnglishAnalyzer()
