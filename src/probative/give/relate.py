"""A short phrase for how two entities are related, from the model's own knowledge.

Used within a group (section 3.3: (e, y) → LLM → (e, r, y)) and between groups for open relations
(section 3.4.3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.give.numbered import by_number, in_batches, listed
from probative.models.types import Request
from probative.text.cleaning import clean
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

MOST_WORDS = 8
# A phrase of eight words, and some room for a model that first repeats the names.
PHRASE_TOKENS = 24

Entities = tuple[str, str]

_NONE = re.compile(
    r"(?:there is |has |have )?(?:none|no|not|n/?a|unknown|unrelated|null)\b.{0,40}", re.IGNORECASE
)
# A sentence about the task instead of a phrase.
_ABOUT = re.compile(
    r"\b(?:the|these) two\b|\bboth\b.*\bare\b|\b(?:not|are|is) related\b|\beach other\b", re.IGNORECASE
)


def relate(pairs: Sequence[Entities], batch: int, step: str, notes: list[str]) -> Search[list[Triple]]:
    """A triple for each pair of entities that the model names a relation for, in the pairs' order; a note
    says for how many it named none.
    """
    distinct = list(dict.fromkeys(pairs))
    if not distinct:
        return []
    phrases: dict[Entities, str | None]
    if batch == 1:
        phrases = yield from _one_by_one(distinct, step)
    else:
        phrases = yield from _in_batches(distinct, batch, step)
    found = [
        Triple(head=pair[0], relation=phrase, tail=pair[1])
        for pair in distinct
        if (phrase := phrases.get(pair))
    ]
    if len(found) < len(distinct):
        notes.append(
            f"{step}: the model named no relation for {len(distinct) - len(found)} of {len(distinct)} pairs"
        )
    return found


def _one_by_one(pairs: Sequence[Entities], step: str) -> Search[dict[Entities, str | None]]:
    prompt = read_prompt("probative.give", "relate")
    requests = [
        Request.user(
            fill(prompt, head=fenced(head), tail=fenced(tail)), max_tokens=PHRASE_TOKENS, stop=("\n",)
        )
        for head, tail in pairs
    ]
    replies = yield from generate_or_empty(requests, step=step)
    return {
        pair: None if isinstance(reply, EmptyError) else phrase_of(reply.text, pair)
        for pair, reply in zip(pairs, replies, strict=True)
    }


def _in_batches(pairs: Sequence[Entities], batch: int, step: str) -> Search[dict[Entities, str | None]]:
    """Numbered pairs, a phrase for each number; those left out are asked for once more."""
    prompt = read_prompt("probative.give", "relate_many")
    phrases: dict[Entities, str | None] = {}
    waiting = list(pairs)
    for again in (False, True):
        chunks = in_batches(waiting, batch)
        requests = [
            Request.user(
                fill(prompt, pairs=listed([f"{fenced(head)} | {fenced(tail)}" for head, tail in chunk])),
                max_tokens=PHRASE_TOKENS * len(chunk),
            )
            for chunk in chunks
        ]
        name = f"{step}: again" if again else step
        replies = yield from generate_or_empty(requests, step=name)
        for chunk, reply in zip(chunks, replies, strict=True):
            if isinstance(reply, EmptyError):
                continue
            for number, text in by_number(reply.text, len(chunk)).items():
                pair = chunk[number - 1]
                phrases.setdefault(pair, phrase_of(text, pair))
            if reply.finish_reason == "dry-run":
                phrases.update(dict.fromkeys(chunk))
        waiting = [pair for pair in pairs if pair not in phrases]
        if not waiting:
            break
    return phrases


def phrase_of(text: str, pair: Entities) -> str | None:
    """The relation in what a model wrote: without quotation marks and the entities' own names; None where it
    says that there is none, or rambles.

    >>> phrase_of('"is a kind of".', ("moss", "plant")), phrase_of("Moss grows on stone.", ("moss", "stone"))
    ('is a kind of', 'grows on')
    >>> phrase_of("None", ("moss", "tax")), phrase_of("(moss, needs, water)", ("moss", "water"))
    (None, 'needs')
    """
    line = next((line for line in text.splitlines() if line.strip()), "")
    plain = clean(re.sub(r"^(?:answer|relation(?:ship)?)\s*:\s*", "", line.strip(), flags=re.IGNORECASE))
    plain = plain.strip(" \t\"'“”‘’`*_()[].,;:")
    plain = re.sub(rf"^(?:an?|the)?\s*{re.escape(pair[0])}\b[\s,|]*", "", plain, flags=re.IGNORECASE)
    plain = re.sub(rf"[\s,|]*\b(?:an?|the)?\s*{re.escape(pair[1])}$", "", plain, flags=re.IGNORECASE)
    plain = plain.strip(" \"'“”,;:|")
    said = plain.split()
    if not said or len(said) > MOST_WORDS or _NONE.fullmatch(plain) or _ABOUT.search(plain):
        return None
    return " ".join(said)
