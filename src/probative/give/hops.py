"""The relations that an English question names, in the order in which they lead from an entity to the answer.

"Where did the founder of Finch study?" leads from Finch by "founder" to a person, and by "study" to the
answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from probative.give.relation_words import EqualNames, Role, content_stems, is_kind, phrases, same_root
from probative.text.words import COMMON, word_set

_WORD = re.compile(r"[^\W_]+")
_BE = word_set("be") | {"be", "been", "being"}
_AUXILIARY = word_set("auxiliaries") | {"being"}
_RELATIVE = word_set("graphs.relative_words")
# "the wife of the engineer Rolf": at most this many words stand between "of" and a name.
_OF = re.compile(r"(?i)\s+of(?:\s+[^\W_]+){0,3}\s+")
_OWNS = re.compile(r"(?i)(?:['’]s|(?<=s)['’])\s+(?:[a-z]+\s+)?")
_NOUN_OF = re.compile(r"\b(?:the|an?)\s+(?:[a-z]+\s+)?([a-z]+)\s+of\s+(?:the\s+)?$")
_OWNED = re.compile(r"(?:['’]s|(?<=s)['’])\s+([a-z]+)(?:\s+([a-z]+))?")
_BEFORE_CLAUSE = re.compile(
    r"\b([a-z]+)\s+(?:(?:in|at|on)\s+)?(?:where|that|which|who)\s+(?:[^\W_]+\s+){0,2}$"
)
_ASKED_NOUN = re.compile(r"(?i)\b(?:which|what|how many)\s+$")
_LIGHT = re.compile(r"(?i)(?:used?|helps?|helped|known|said|found|thought|believed|able)")
_SUBJECT_OF_BE = re.compile(r"(?i)\b(?:is|are|was|were)\s+(?:(?:the|an?)\s+)?$")
_DO = re.compile(r"(?i)\b(?:do|does|did)\b")
_WHO = re.compile(r"(?i)\W*who\s+([a-z]+)\b")
_LAST = re.compile(r"\b([a-z]+)(?:\s+(?:in|at|on|for|to|with|from|by|of|about))?\W*$")
_ADVERBS = word_set("graphs.adverbs")
# Nouns that say what somebody is to another, besides those made from a verb ("founder").
_ROLES = word_set("graphs.roles")
_THINGS = word_set("graphs.things")


class Hop(NamedTuple):
    """Words of a question that name a relation, and the graph's relations that they name; none if the graph
    has no such relation.

    `role` says which part the entity plays that the hop starts from, where the words tell it: in "the
    employer of Ole", Ole is the one who is employed.
    `is_asked`: the words only say what the answer is ("Which inventor …?").
    """

    text: str
    start: int
    end: int
    relations: frozenset[str]
    is_noun: bool = False
    role: Role | None = None
    is_asked: bool = False


class HopStep(NamedTuple):
    """A hop on the way from an entity to the answer: the role of what it starts from, whether its verb is
    passive, and the noun for what it leads to ("the town where …").
    """

    hop: Hop
    role: Role | None
    is_passive: bool = False
    noun: str = ""

    @property
    def is_noun(self) -> bool:
        """Whether the hop is a noun."""
        return self.hop.is_noun


def find_hops(
    question: str, names: Sequence[str], relations: Iterable[str], equal: EqualNames = ()
) -> list[Hop]:
    """Return the words of a question that name relations of a graph, in its order. A hop without relations
    is a noun of an entity ("the brother of Finch") that the graph has no relation for.

    >>> hops = find_hops("Where did the employer of Ole study?", ["Ole"], ["employs", "studied at"])
    >>> [hop.text for hop in hops]
    ['employer', 'study']
    """
    tokens = _tokens(question, names)
    asked = [content_stems(token[0]) for token in tokens]
    named: dict[tuple[int, ...], set[str]] = {}
    for relation in relations:
        for phrase in phrases(relation, equal):
            stems = content_stems(phrase)
            numbers = _matching(stems, asked) if stems and not is_kind(phrase) else ()
            if numbers:
                named.setdefault(numbers, set()).add(relation)
                break
    hops = [_hop(question, tokens, numbers, relations) for numbers, relations in _merged(named)]
    hops = _without_light(question, hops)
    return sorted([*hops, *_unknown_words(question, names, hops)], key=lambda hop: hop.start)


def plan_hops(question: str, name: str, hops: Sequence[Hop]) -> list[HopStep]:
    """Return the hops in the order in which they lead from an entity to the answer, each with the role of
    what it starts from.

    >>> question = "Who was born in the town where Kestrel is based?"
    >>> hops = find_hops(question, ["Kestrel"], ["was born in", "is based in"])
    >>> steps = plan_hops(question, "Kestrel", hops)
    >>> [(step.hop.text, step.role, step.noun) for step in steps]
    [('based', 'agent', 'town'), ('born', 'patient', '')]
    """
    start = question.lower().find(name.lower())
    if start < 0:
        return []
    end = start + len(name)
    left = list(hops)
    steps = []
    while left:
        hop = min(left, key=lambda item: _rank(question, item, start, end))
        left.remove(hop)
        steps.append(_step(question, hop, start, end))
        start, end = min(start, hop.start), max(end, hop.end)
        if left:
            noun = _BEFORE_CLAUSE.search(question[:start])  # "the town where …"
            steps[-1] = steps[-1]._replace(noun=noun[1] if noun else "")
    return steps


def role_in(relation: str, step: HopStep) -> Role | None:
    """Return whether what a hop starts from acts in a relation of the graph; None if it may do either.

    >>> ole = plan_hops("Who is the employer of Ole?", "Ole", find_hops(
    ...     "Who is the employer of Ole?", ["Ole"], ["employs"]))
    >>> role_in("employs", ole[0])
    'patient'
    """
    words = _WORD.findall(relation.lower())
    if step.is_noun and step.role is None:
        # (Ada, is the mother of, Ole), but (Ole, has mother, Ada).
        return "patient" if words[-1:] == ["of"] else "agent" if words[:1] == ["has"] else None
    is_state = words[0] in _BE or words[-1] in ("in", "at", "on", "near", "of", "to", "by")
    return "patient" if step.is_passive and not is_state else step.role


def _tokens(question: str, names: Sequence[str]) -> list[re.Match[str]]:
    """Return the words of a question outside the names in it."""
    masked = question
    for name in sorted(names, key=len, reverse=True):
        pattern = re.compile(rf"(?i)\b{re.escape(name)}(?:s|es)?\b")
        masked = pattern.sub(lambda match: " " * len(match[0]), masked)
    return list(_WORD.finditer(masked))


def _matching(stems: frozenset[str], asked: Sequence[frozenset[str]]) -> tuple[int, ...]:
    """Return the numbers of the words that name a relation; none unless all of its stems are named."""
    numbers: set[int] = set()
    for stem in stems:
        fitting = {
            number for number, word in enumerate(asked) if any(same_root(stem, other) for other in word)
        }
        if not fitting:
            return ()
        numbers |= fitting
    return tuple(sorted(numbers))


def _merged(table: Mapping[tuple[int, ...], set[str]]) -> list[tuple[set[int], set[str]]]:
    """Return the sets of words with their relations; sets that share a word become one."""
    merged: list[tuple[set[int], set[str]]] = []
    for numbers, relations in table.items():
        words, names = set(numbers), set(relations)
        for other in [item for item in merged if not item[0].isdisjoint(words)]:
            merged.remove(other)
            words, names = words | other[0], names | other[1]
        merged.append((words, names))
    return merged


def _hop(question: str, tokens: Sequence[re.Match[str]], numbers: set[int], relations: set[str]) -> Hop:
    first, last = tokens[min(numbers)], tokens[max(numbers)]
    word = re.sub(r"s$", "", last[0].lower())
    made = not any(word in _WORD.findall(relation.lower()) for relation in relations)
    role: Role | None = None
    if made and word.endswith(("er", "or")):
        role = "patient"
    elif made and word.endswith("ee"):
        role = "agent"
    before, after = question[: first.start()], question[last.end() :]
    is_noun = role is not None or bool(
        re.match(r"\s+of\b", after)
        and re.search(r"\b(?:the|an?|which|what)\s+(?:[a-z]+\s+)?$", before, re.IGNORECASE)
    )
    is_noun = is_noun or bool(re.search(r"(?:['’]s|s['’])\s+(?:[a-z]+\s+)?$", before))
    is_kind_asked = role is not None and bool(_ASKED_NOUN.search(before))
    return Hop(
        question[first.start() : last.end()],
        first.start(),
        last.end(),
        frozenset(relations),
        is_noun,
        role,
        is_kind_asked,
    )


def _without_light(question: str, hops: Sequence[Hop]) -> list[Hop]:
    """Return the hops without verbs that only introduce another one ("used to ease"), and without nouns that
    name what is asked for ("Which remedy contains …?").
    """
    heavy = []
    for hop in hops:
        following = re.match(r"\s+(?:(?:to|for|in|with)\s+)?([^\W_]+)", question[hop.end :])
        start = hop.end + following.start(1) if following else -1
        leads = any(other.start == start for other in hops)
        is_kind_noun = (
            _ASKED_NOUN.search(question[: hop.start])
            and not hop.is_asked
            and following is not None
            and (leads or following[1].lower() in _AUXILIARY)
        )
        if not is_kind_noun and not (_LIGHT.fullmatch(hop.text) and leads):
            heavy.append(hop)
    return heavy


def _unknown_words(question: str, names: Sequence[str], hops: Sequence[Hop]) -> list[Hop]:
    """Return the nouns of entities and the verbs of open questions for which the graph has no relation."""
    named = {word for hop in hops for word in _WORD.findall(hop.text.lower())}
    named |= {word for name in names for word in _WORD.findall(name.lower())}
    unknown = []
    for name in names:
        at = question.lower().find(name.lower())
        noun = _NOUN_OF.search(question[:at]) if at >= 0 else None
        if noun and _is_role(noun[1]):
            unknown.append(noun[1])
        owned = _OWNED.match(question, at + len(re.sub(r"['’]s$", "", name))) if at >= 0 else None
        if owned and named.isdisjoint(word for word in owned.groups() if word) and _is_role(owned[1]):
            unknown.append(owned[1])
    who, last = _WHO.match(question), _LAST.search(question)
    if who and who[1] not in COMMON:
        unknown.append(who[1])
    if last and _DO.search(question) and re.match(r"\W*(?:\w+ )?(?:wh|how)", question, re.IGNORECASE):
        unknown.append(last[1])
    missing = dict.fromkeys(word for word in unknown if word not in named | _ADVERBS)
    return [Hop(word, question.find(word), question.find(word) + len(word), frozenset()) for word in missing]


def _is_role(word: str) -> bool:
    return word in _ROLES or (word.endswith(("er", "or", "ist", "ee")) and word not in _THINGS)


def _rank(question: str, hop: Hop, start: int, end: int) -> tuple[int, int, bool]:
    """Return how near a hop is to what was reached: a noun of it, then the verb of its clause, then words."""
    comes_after = hop.start >= end
    gap = question[end : hop.start] if comes_after else question[hop.end : start]
    in_clause = not _RELATIVE.isdisjoint(_WORD.findall(gap.lower()))
    if hop.is_noun and not in_clause and (_OWNS if comes_after else _OF).fullmatch(gap):
        return 0, len(gap), comes_after
    before = _WORD.findall(question[: hop.start].lower())
    if not comes_after and len(before) > 1 and before[-1] in _RELATIVE:
        return 1, len(gap), comes_after
    return 2, len(_WORD.findall(gap)), comes_after


def _step(question: str, hop: Hop, start: int, end: int) -> HopStep:
    """Return a hop with the role of what it starts from, which is the text from `start` to `end`."""
    if hop.is_noun:
        return HopStep(hop, hop.role)
    if hop.start >= end:
        gap = _WORD.findall(question[end : hop.start].lower())
        passive = gap[-1] in _BE if gap else bool(_SUBJECT_OF_BE.search(question[:start]))
        return HopStep(hop, "agent", is_passive=passive)
    gap = _WORD.findall(question[hop.end : start].lower())
    if gap and gap[0] in _RELATIVE:
        is_passive = not _BE.isdisjoint(_WORD.findall(question[: hop.start].lower()))
        return HopStep(hop, "agent", is_passive=is_passive)
    return HopStep(hop, "agent" if "by" in gap else "patient")
