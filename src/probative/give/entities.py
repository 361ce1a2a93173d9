"""Entities and relations of an English question by rules, for models that cannot be trusted to name them.

Runs of content words are entities; relating verbs and phrases are relations. The names of the graph that is
asked decide where both are possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from probative.text.words import COMMON, any_of, distinct, word_set, words

Relations = Mapping[tuple[str, ...], str]
"""A graph's relations by the stems of their words."""

_TOKEN = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*|[,;:()?!]")
_STOP = COMMON | word_set("graphs.entity_stop_words")
# Stems of verbs (and nouns of action) that relate two things in a question.
_ENDING = r"(?:e|es|ed|s|ing|d|ies|y|or|ors)?"
_VERB = re.compile(rf"(?i)(?:{any_of('graphs.relating_verbs')}){_ENDING}")
_PHRASE = re.compile(
    rf"(?i)\b((?:{any_of('graphs.relating_adjectives')})\s+(?:for|in|with|to|of|by|against|from|as))\b"
)
_ARTICLES = word_set("articles")
_DO = word_set("do")
_PARTICIPLE = re.compile(r"[a-z]{3,}ed")
# Longer names are not looked for in a question.
MAX_NAME_WORDS = 6


def find_entities(text: str, is_entity: Callable[[str], bool], relations: Relations) -> list[str]:
    """Return the entities of a text, those with the most words first.

    >>> find_entities("Does the harbour wall influence storm damage?", lambda name: False, {})
    ['harbour wall', 'storm damage']
    >>> find_entities("Who sculpted the vase?", lambda name: False, {})
    ['vase']
    """
    names = [name for run in _runs(text, relations) for name in _cut_by_names(run, is_entity)]
    return sorted(distinct(names), key=lambda name: -len(name.split()))


def find_names(text: str, is_entity: Callable[[str], bool], relations: Relations) -> list[str]:
    """Return the names of a graph that a text contains, longest first at each place. A single word that can
    be a relation is no name.

    >>> known = {"willow bark", "pain", "ease"}
    >>> find_names("Does willow bark ease pain?", lambda name: name in known, {("eas",): "eases"})
    ['willow bark', 'pain']
    """
    relating = {word for name in relations for word in name}
    tokens = [token for token in _TOKEN.findall(text) if token[0].isalnum()]
    names: list[str] = []
    start = 0
    while start < len(tokens):
        for length in range(min(MAX_NAME_WORDS, len(tokens) - start), 0, -1):
            words_in_name = tokens[start : start + length]
            if length == 1 and (
                tokens[start].lower() in _STOP
                or _VERB.fullmatch(tokens[start])
                or not relating.isdisjoint(words(tokens[start]))
            ):
                continue
            if is_entity(" ".join(words_in_name)):
                names.append(" ".join(words_in_name))
                start += length - 1
                break
        start += 1
    return distinct(names)


def find_relations(text: str, relations: Relations) -> list[str]:
    """Return the relations of a text: phrases such as "effective for", and its relating verbs, by the graph's
    name for them where it has one.

    >>> find_relations("Is melatonin effective for insomnia?", {})
    ['effective for']
    >>> find_relations("Does tea ease a cough?", {("eas",): "eases"})
    ['eases']
    """
    phrases = [" ".join(phrase.lower().split()) for phrase in _PHRASE.findall(text)]
    inside = {word for phrase in phrases for word in phrase.split()}
    verbs = [
        relations.get(tuple(words(token)), token.lower())
        for token in _TOKEN.findall(text)
        if _relates(token, relations) and token.lower() not in inside
    ]
    return distinct([*phrases, *verbs])


def _relates(token: str, relations: Relations) -> bool:
    """Return whether a word is a relation of the graph, or a common relating verb."""
    return tuple(words(token)) in relations or bool(_VERB.fullmatch(token))


def _runs(text: str, relations: Relations) -> list[list[str]]:
    """Return the runs of words that are neither common, nor relating verbs, nor punctuation."""
    runs: list[list[str]] = [[]]
    tokens = _TOKEN.findall(text)
    for number, token in enumerate(tokens):
        common = token.lower() in _STOP or not token[0].isalnum()
        if common or _relates(token, relations) or _is_verb(tokens, number):
            runs.append([])
        else:
            runs[-1].append(token)
    return [run for run in runs if run]


def _is_verb(tokens: Sequence[str], number: int) -> bool:
    """Return whether a word is the verb of its question: after "who", or between the named subject of "did"
    and an article or a name, or a participle after its subject.
    """
    token = tokens[number]
    if not token.islower() or number == 0:
        return False
    before, after = tokens[number - 1], tokens[number + 1] if number + 1 < len(tokens) else "?"
    if before.lower() == "who":
        return True
    ends_subject = after.lower() in _ARTICLES or after[:1].isupper()
    if before[:1].isupper() and number > 1 and tokens[0].lower() in _DO and ends_subject:
        return True
    return bool(_PARTICIPLE.fullmatch(token)) and before[:1].isupper() and not after[:1].isalnum()


def _cut_by_names(run: Sequence[str], is_entity: Callable[[str], bool]) -> list[str]:
    """Return the longest names of the graph within a run of words, and the words around them."""
    for length in range(len(run), 0, -1):
        for start in range(len(run) - length + 1):
            name = " ".join(run[start : start + length])
            if is_entity(name) and (length > 1 or len(run) == 1):
                before, after = run[:start], run[start + length :]
                return [
                    *(_cut_by_names(before, is_entity) if before else []),
                    name,
                    *(_cut_by_names(after, is_entity) if after else []),
                ]
    return [" ".join(run)]
