"""Compound claims that share one verb, taken apart by the language model that gives the verdicts.

Each part is checked by itself, so it must say nothing that the claim does not, and together they must say all
of it: a reply with other words, or without some, changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from probative.engine.methods import Tools
from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.types import Request
from probative.text import english
from probative.text.prompts import fill, read_prompt
from probative.text.words import words
from probative.verify.claims import TextClaim

# A claim without one of these is not asked about, which saves its call.
_JOINT = re.compile(r"[,;]|\b(?:and|but|while|und|et|y)\b")
MAX_PARTS = 6
TOKENS = 160
_WORD = re.compile(r"\w+")


def split_claims(claims: Sequence[TextClaim], text: str, tools: Tools) -> Search[list[TextClaim]]:
    """Return claims with each that the model finds compound as several; `text` is where they stand.

    Our own readers are not asked: splitting is none of the tasks that they were taught
    (`probative.models.task_prompts`).
    """
    if not tools.verdict_by_model:
        return [*claims]
    judge = tools.judge
    if judge.reader or Capability.GENERATE not in judge.capabilities:
        return [*claims]
    joint = [row for row, claim in enumerate(claims) if _JOINT.search(claim.statement)]
    prompt = read_prompt("probative.verify", "split")
    replies = yield from generate_or_empty(
        [Request.user(fill(prompt, claim=claims[row].statement), max_tokens=TOKENS) for row in joint],
        step="split",
        by="judge",
    )
    split = [[claim] for claim in claims]
    for row, reply in zip(joint, replies, strict=True):
        if not isinstance(reply, EmptyError):
            split[row] = placed(claims[row], parts_in(reply.text, claims[row].statement), text) or split[row]
    return [part for parts in split for part in parts]


def parts_in(reply: str, claim: str) -> list[str]:
    r"""Return the parts of a claim in a reply, which has one on a line; none if they are not all of it, or
    more. A claim that denies something stays whole: a part could lose that.

    >>> parts_in("The mill burnt.\nThe pier burnt.", "The mill and the pier burnt.")
    ['The mill burnt.', 'The pier burnt.']
    >>> parts_in("The mill burnt.\nThe pier sank.", "The mill and the pier burnt.")
    []
    """
    parts = [line.strip() for line in reply.splitlines() if line.strip()]
    said = [set(words(part)) for part in parts]
    repeated = any(one <= other for row, one in enumerate(said) for other in said[:row])
    known = set(_tokens(claim)).issuperset(word for part in parts for word in _tokens(part))
    whole = set(words(claim)) == {word for part in said for word in part}
    compound = 1 < len(parts) <= MAX_PARTS and known and whole and not repeated
    return parts if compound and not english.is_negated(claim) else []


def placed(claim: TextClaim, parts: Sequence[str], text: str) -> list[TextClaim]:
    """Return the parts of a claim with their places in the text: each from its first words that no part
    before it has to its last; none if they stand in another order.
    """
    tokens = [*_WORD.finditer(text, claim.start, claim.end)]
    written = [token.group().lower() for token in tokens]
    said = [_tokens(part) for part in parts]
    begins = [0] if parts else []
    for row in range(1, len(parts)):
        before = {word for part in said[:row] for word in part}
        begins.append(_begin(written, said[row], before, begins[-1] + 1))
    found = []
    for statement, own, begin, after in zip(parts, said, begins, [*begins[1:], len(tokens)], strict=True):
        last = next((index for index in range(after - 1, begin, -1) if written[index] in own), begin)
        if begin >= after:
            return []
        start, end = tokens[begin].start(), tokens[last].end()
        words_there = " ".join(text[start:end].split())
        found.append(replace(claim, text=words_there, start=start, end=end, statement=statement))
    return found


def _begin(written: Sequence[str], own: Sequence[str], before: set[str], least: int) -> int:
    """Return where the words of a part begin that no earlier part has, with those that stand before them in
    both; behind the end if there are none.
    """
    index = next(
        (row for row in range(least, len(written)) if written[row] in own and written[row] not in before),
        len(written),
    )
    if index == len(written):
        return index
    position = own.index(written[index])
    while index > least and position and written[index - 1] == own[position - 1]:
        index, position = index - 1, position - 1
    return index


def _tokens(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
