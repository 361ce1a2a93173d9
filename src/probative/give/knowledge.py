"""Knowledge in a prompt: the order of the triples, their format, and how many fit."""

from __future__ import annotations

from collections.abc import Sequence

from probative.engine.search import Search, generate
from probative.give.options import AnswerOptions, Shape
from probative.give.run import Run
from probative.models.types import Completion, Request
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Triple

SUMMARY_TOKENS = 160
# The share of the window for knowledge; the rest is for examples, question and answer.
SHARE = 0.6


def question_first(triples: Sequence[Triple], entities: Sequence[str]) -> list[Triple]:
    """Sort the triples: first those between two entities of the question, then those with one of them.

    >>> fern = Triple(head="fern", relation="near", tail="bog")
    >>> moss = Triple(head="moss", relation="in", tail="bog")
    >>> [str(triple) for triple in question_first([fern, moss], ["Moss"])]
    ['(moss, in, bog)', '(fern, near, bog)']
    """
    names = {name.casefold() for name in entities}

    def other_entities(triple: Triple) -> int:
        return (triple.head.casefold() not in names) + (triple.tail.casefold() not in names)

    return sorted(triples, key=other_entities)


def format_triples(triples: Sequence[Triple], shape: Shape) -> str:
    """Return triples as the model reads them: as triples or as sentences.

    >>> ferry = [Triple(head="ferry", relation="is a", tail="boat")]
    >>> format_triples(ferry, "triples"), format_triples(ferry, "text")
    ('(ferry, is a, boat)', 'ferry is a boat.')
    """
    if shape == "text":
        return " ".join(f"{fenced(triple.sentence)}." for triple in triples)
    return ", ".join(fenced(str(triple)) for triple in triples)


def fit_window(
    run: Run[AnswerOptions],
    sets: Sequence[Sequence[Triple]],
    prompt_tokens: int,
    shape: Shape,
    names: Sequence[str] = (),
) -> list[list[Triple]]:
    """Cut the sets at their ends, the largest first, until they and `prompt_tokens` fit into the model's
    window. A note says how many triples were left out, with the `names` of the sets.
    """
    model = run.tools.model
    fitting = [list(triples) for triples in sets]
    if model.window is None:
        return fitting
    room = min(int(model.window * SHARE), model.window - prompt_tokens)
    sizes = [
        [model.count_tokens(format_triples([triple], shape)) + 1 for triple in triples] for triples in fitting
    ]
    used = [sum(tokens) for tokens in sizes]
    while sum(used) > room and any(fitting):
        largest = max(range(len(fitting)), key=used.__getitem__)
        fitting[largest].pop()
        used[largest] -= sizes[largest].pop()
    if sum(map(len, fitting)) < sum(map(len, sets)):
        left_out = ", ".join(
            f"{len(whole) - len(part)}{f' {name}' if name else ''}"
            for name, whole, part in zip(names or [""] * len(sets), sets, fitting, strict=True)
            if len(part) < len(whole)
        )
        run.note(f"triples that did not fit into the model's window: {left_out}")
    return fitting


def summarise(question: str, sets: Sequence[Sequence[Triple]], shape: Shape) -> Search[list[str]]:
    """Let the model summarise each set; an empty set gives an empty text."""
    prompt = read_prompt("probative.give", "summarise")
    filled = [index for index, triples in enumerate(sets) if triples]
    requests = [
        Request.user(
            fill(prompt, question=fenced(question), facts=format_triples(sets[index], shape)),
            max_tokens=SUMMARY_TOKENS,
        )
        for index in filled
    ]
    replies: list[Completion] = (yield from generate(requests, step="summary")) if requests else []
    texts = [""] * len(sets)
    for index, reply in zip(filled, replies, strict=True):
        texts[index] = fenced(reply.text)
    return texts
