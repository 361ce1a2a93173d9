"""A short phrase for the relation of two entities, from the model's own knowledge.

    (e, y) → LLM → (e, r, y)

Used within a group (section 3.3, equation 5), and between groups for open relations (section 3.4.3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.give.extract import step_examples
from probative.give.numbered import in_batches, numbered_list, numbered_replies
from probative.give.options import GiveOptions
from probative.give.run import Run
from probative.models.types import Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.words import clean
from probative.types import Triple

# A phrase of eight words, with room for a model that repeats the names first.
PHRASE_TOKENS = 24
# A longer reply is no phrase for a relation.
MAX_RELATION_WORDS = 8
# A reply that says that two things are not related.
_NO_RELATION = re.compile(
    r"(?i)(?:there is |has |have )?(?:none|no|not|n/?a|unknown|unrelated|null)\b.{0,40}"
)
# A sentence about the task instead of a phrase.
_ABOUT_BOTH = re.compile(
    r"(?i)\b(?:the|these) two\b|\bboth\b.*\bare\b|\b(?:not|are|is) related\b|\beach other\b"
)

EntityPair = tuple[str, str]


def relate(run: Run[GiveOptions], pairs: Sequence[EntityPair], step: str) -> Search[list[Triple]]:
    """Return a triple for each pair of entities for which the model names a relation; a note says for how
    many it named none.
    """
    distinct = list(dict.fromkeys(pairs))
    if not distinct:
        return []
    phrases: dict[EntityPair, str | None]
    if run.options.batch == 1:
        phrases = yield from _relate_each(run, distinct, step)
    else:
        phrases = yield from _relate_in_batches(distinct, run.options.batch, step)
    triples = [
        Triple(head=pair[0], relation=phrase, tail=pair[1])
        for pair in distinct
        if (phrase := phrases.get(pair))
    ]
    if missing := len(distinct) - len(triples):
        run.note(f"{step}: the model named no relation for {missing} of {len(distinct)} pairs")
    return triples


def _relate_each(
    run: Run[GiveOptions], pairs: Sequence[EntityPair], step: str
) -> Search[dict[EntityPair, str | None]]:
    prompt = read_prompt("probative.give", "relate")
    examples = step_examples("relate", run.options.step_examples)
    requests = [
        Request.user(
            fill(prompt, head=fenced(head), tail=fenced(tail), examples=examples),
            max_tokens=PHRASE_TOKENS,
            stop=("\n",),
        )
        for head, tail in pairs
    ]
    replies = yield from generate_or_empty(requests, step=step)
    return {
        pair: None if isinstance(reply, EmptyError) else read_relation(reply.text, *pair)
        for pair, reply in zip(pairs, replies, strict=True)
    }


def _relate_in_batches(
    pairs: Sequence[EntityPair], batch: int, step: str
) -> Search[dict[EntityPair, str | None]]:
    """Relate `batch` numbered pairs in a call; those without a phrase are sent once more."""
    prompt = read_prompt("probative.give", "relate_many")
    phrases: dict[EntityPair, str | None] = {}
    open_pairs = list(pairs)
    for retry in (False, True):
        chunks = in_batches(open_pairs, batch)
        requests = [
            Request.user(
                fill(
                    prompt, pairs=numbered_list([f"{fenced(head)} | {fenced(tail)}" for head, tail in chunk])
                ),
                max_tokens=PHRASE_TOKENS * len(chunk),
            )
            for chunk in chunks
        ]
        step_name = f"{step}: again" if retry else step
        replies = yield from generate_or_empty(requests, step=step_name)
        for chunk, reply in zip(chunks, replies, strict=True):
            if isinstance(reply, EmptyError):
                continue
            for number, text in numbered_replies(reply.text, len(chunk)).items():
                pair = chunk[number - 1]
                phrases.setdefault(pair, read_relation(text, *pair))
        open_pairs = [pair for pair in pairs if pair not in phrases]
        if not open_pairs:
            break
    return phrases


def read_relation(reply: str, head: str, tail: str) -> str | None:
    """Return the phrase for how two things are related, without quotation marks and their own names; None if
    the reply says that they are not, or is no phrase.

    >>> read_relation('"is a kind of".', "moss", "plant"), read_relation("Moss needs rain.", "moss", "rain")
    ('is a kind of', 'needs')
    >>> read_relation("None", "moss", "tax"), read_relation("(moss, needs, water)", "moss", "water")
    (None, 'needs')
    """
    line = next((line for line in reply.splitlines() if line.strip()), "")
    text = clean(re.sub(r"^(?:answer|relation(?:ship)?)\s*:\s*", "", line.strip(), flags=re.IGNORECASE))
    text = text.strip(" \t\"'“”‘’`*_()[].,;:")
    text = re.sub(rf"^(?:an?|the)?\s*{re.escape(head)}\b[\s,|]*", "", text, flags=re.IGNORECASE)
    text = re.sub(rf"[\s,|]*\b(?:an?|the)?\s*{re.escape(tail)}$", "", text, flags=re.IGNORECASE)
    text = text.strip(" \"'“”,;:|")
    words = text.split()
    if not words or len(words) > MAX_RELATION_WORDS:
        return None
    return None if _NO_RELATION.fullmatch(text) or _ABOUT_BOTH.search(text) else " ".join(words)
