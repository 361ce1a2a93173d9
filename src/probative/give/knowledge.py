"""Knowledge as a prompt holds it: which triples come first, in which shape, and how much of it fits."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, generate
from probative.give.options import Shape
from probative.models.contract import LanguageModel
from probative.models.types import Completion, Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

SUMMARY_TOKENS = 160
# Of the window, this share is for the three sets together; the rest for examples, question and answer.
SHARE = 0.6


def nearest_first(triples: Sequence[Triple], entities: Sequence[str]) -> list[Triple]:
    """Triples that join two of the question's own entities first, then those that name one.

    >>> fern = Triple(head="fern", relation="near", tail="bog")
    >>> moss = Triple(head="moss", relation="in", tail="bog")
    >>> [str(triple) for triple in nearest_first([fern, moss], ["Moss"])]
    ['(moss, in, bog)', '(fern, near, bog)']
    """
    asked = {name.casefold() for name in entities}

    def others(triple: Triple) -> int:
        return (triple.head.casefold() not in asked) + (triple.tail.casefold() not in asked)

    return sorted(triples, key=others)


def written(triples: Sequence[Triple], shape: Shape) -> str:
    """A set of knowledge as the model reads it: triples, or sentences.

    >>> ferry = [Triple(head="ferry", relation="is a", tail="boat")]
    >>> written(ferry, "triples"), written(ferry, "text")
    ('(ferry, is a, boat)', 'ferry is a boat.')
    """
    if shape == "text":
        return " ".join(f"{fenced(triple.sentence)}." for triple in triples)
    return ", ".join(fenced(str(triple)) for triple in triples)


def that_fits(
    sets: Sequence[Sequence[Triple]],
    taken: int,
    shape: Shape,
    model: LanguageModel,
    notes: list[str],
    names: Sequence[str] = (),
) -> list[list[Triple]]:
    """The sets cut from their ends, the largest first, until they fit beside `taken` tokens into the model's
    window; a note says how many triples were left out.
    """
    kept = [list(triples) for triples in sets]
    if model.window is None:
        return kept
    room = min(int(model.window * SHARE), model.window - taken)
    sizes = [[model.count_tokens(written([triple], shape)) + 1 for triple in triples] for triples in kept]
    used = [sum(one) for one in sizes]
    dropped = 0
    while sum(used) > room and any(kept):
        at = max(range(len(kept)), key=lambda place: used[place])
        kept[at].pop()
        used[at] -= sizes[at].pop()
        dropped += 1
    if dropped:
        left = ", ".join(
            f"{len(whole) - len(part)}{f' {name}' if name else ''}"
            for name, whole, part in zip(names or [""] * len(sets), sets, kept, strict=True)
            if len(part) < len(whole)
        )
        notes.append(f"triples that did not fit into the model's window: {left}")
    return kept


def summarised(question: str, sets: Sequence[Sequence[Triple]], shape: Shape) -> Search[list[str]]:
    """Each set summed up by the model, all in one batch; an empty set stays empty."""
    prompt = read_prompt("probative.give", "summarise")
    places = [place for place, triples in enumerate(sets) if triples]
    requests = [
        Request.user(
            fill(prompt, question=fenced(question), facts=written(sets[place], shape)),
            max_tokens=SUMMARY_TOKENS,
        )
        for place in places
    ]
    replies: list[Completion] = (yield from generate(requests, step="summary")) if requests else []
    texts = [""] * len(sets)
    for place, reply in zip(places, replies, strict=True):
        texts[place] = fenced(reply.text)
    return texts
