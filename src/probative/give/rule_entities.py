"""Entities and relations of a question by rules, for a model that cannot be trusted to name them.

Runs of words that count are entities; verbs of relation and what stands between two entities are relations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from probative.give.query import Query
from probative.graph.graph import Graph
from probative.text.words import COMMON, words

_TOKEN = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*|[,;:()?!]")


def _words(name: str) -> list[str]:
    """One of the lists of words beside this file."""
    return (files("probative.give") / "wordlists" / f"{name}.txt").read_text(encoding="utf-8").split()


_STOP = COMMON | frozenset(_words("common"))
# Stems of verbs (and nouns of action) that relate two things in a question.
_RELATING = _words("relating")
_ENDING = r"(?:e|es|ed|s|ing|d|ies|y|or|ors)?"
_VERB = re.compile(rf"(?:{'|'.join(_RELATING)}){_ENDING}", re.IGNORECASE)
_RELATING_PHRASE = re.compile(
    r"\b((?:effective|useful|necessary|beneficial|responsible|associated|related|linked|involved|used|known|"
    r"good|bad|safe|indicated|approved|located|found|made|caused)\s+(?:for|in|with|to|of|by|against|from|as))\b",
    re.IGNORECASE,
)


class Vocabulary(NamedTuple):
    """What a graph's names tell of a question's words: whether it has an entity of this name, and its
    relations by the stems of their words.
    """

    has: Callable[[str], bool]
    relations: Mapping[tuple[str, ...], str]

    def spelled(self, relation: str) -> str:
        """A relation in the graph's own case, where it has it."""
        own = self.relations.get(tuple(words(relation)), relation)
        return own if own.casefold() == relation.casefold() else relation

    @classmethod
    def of(cls, graph: Graph) -> Vocabulary:
        """The vocabulary of a graph."""
        return cls(
            lambda name: graph.find(name) is not None,
            {tuple(words(name)): name for name in graph.relations if words(name)},
        )


def rule_entities(query: Query, vocabulary: Vocabulary) -> list[str]:
    """The entities of a question, those of most words first, and its choices, those that the graph has first.
    Two of the question's own come before the choices.

    >>> from probative.give.query import make_query
    >>> nothing = Vocabulary(lambda name: False, {})
    >>> rule_entities(make_query("Does the harbour wall influence storm damage?"), nothing)
    ['harbour wall', 'storm damage']
    """
    found = [name for run in _runs(query.text, vocabulary) for name in _cut_by_names(run, vocabulary.has)]
    own = sorted(_distinct(found), key=lambda name: -len(name.split()))
    offered = sorted(query.choices, key=lambda name: not vocabulary.has(name))
    return _distinct([*own[:2], *offered, *own[2:]])


def rule_relations(question: str, vocabulary: Vocabulary) -> list[str]:
    """The relations of a question: phrases such as "effective for", and its relating verbs, by the graph's
    name for them where it has one.

    >>> graph = Vocabulary(lambda name: False, {("eas",): "eases"})
    >>> rule_relations("Is melatonin effective for insomnia?", graph)
    ['effective for']
    >>> rule_relations("Does tea ease a cough?", graph)
    ['eases']
    """
    phrases = [" ".join(phrase.lower().split()) for phrase in _RELATING_PHRASE.findall(question)]
    inside = {word for phrase in phrases for word in phrase.split()}
    verbs = [
        vocabulary.relations.get(tuple(words(token)), token.lower())
        for token in _TOKEN.findall(question)
        if _relates(token, vocabulary) and token.lower() not in inside
    ]
    return _distinct([*phrases, *verbs])


def _relates(token: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is a relation: of the graph, or one of the common verbs."""
    return tuple(words(token)) in vocabulary.relations or bool(_VERB.fullmatch(token))


def _runs(text: str, vocabulary: Vocabulary) -> list[list[str]]:
    """Runs of words that are neither common, nor verbs of relation, nor punctuation."""
    runs: list[list[str]] = [[]]
    for token in _TOKEN.findall(text):
        if token.lower() in _STOP or _relates(token, vocabulary) or not token[0].isalnum():
            runs.append([])
        else:
            runs[-1].append(token)
    return [run for run in runs if run]


def _cut_by_names(run: Sequence[str], known: Callable[[str], bool]) -> list[str]:
    """The longest names of the graph within a run, and what is left around them; a run that holds no name
    stays whole.
    """
    for length in range(len(run), 0, -1):
        for start in range(len(run) - length + 1):
            name = " ".join(run[start : start + length])
            if known(name) and (length > 1 or len(run) == 1 or length == len(run)):
                before, after = run[:start], run[start + length :]
                return [
                    *(_cut_by_names(before, known) if before else []),
                    name,
                    *(_cut_by_names(after, known) if after else []),
                ]
    return [" ".join(run)]


def _distinct(names: Sequence[str]) -> list[str]:
    """Each name once, whatever its case; single letters and bare numbers are no entities."""
    first: dict[str, str] = {}
    for name in names:
        if len(name) > 1 and not name.isdigit():
            first.setdefault(name.casefold(), name)
    return list(first.values())
