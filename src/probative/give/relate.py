"""A short phrase for how two entities are related, from the model's own knowledge.

Used within a group (section 3.3: (e, y) → LLM → (e, r, y)) and between groups for open relations
(section 3.4.3).
"""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.give.numbered import by_number, in_batches, listed
from probative.models.types import Request
from probative.text.analyzer import analyzer_for
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

# A phrase of eight words, and some room for a model that first repeats the names.
PHRASE_TOKENS = 24

Entities = tuple[str, str]


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
        pair: None if isinstance(reply, EmptyError) else analyzer_for().read_relation(reply.text, *pair)
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
                phrases.setdefault(pair, analyzer_for().read_relation(text, *pair))
            if reply.finish_reason == "dry-run":
                phrases.update(dict.fromkeys(chunk))
        waiting = [pair for pair in pairs if pair not in phrases]
        if not waiting:
            break
    return phrases
