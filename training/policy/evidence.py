"""One example of the policy: a query, sentences, and which of them carry the query."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from training.splits import PolicyPart, policy_part


@dataclass(frozen=True)
class Evidence:
    """A query, the sentences of its text, and the indexes of those that carry it (none where nothing does).

    `part` says what the example is for: `train`, or `choose` (to choose settings and the best state).
    `answer` is the question's, where there is one: the query can be asked with it (as a claim) and without.
    `also` are sentences of other gold sets, which carry the query as well: they count neither as right nor
    as wrong.
    """

    id: str
    query: str
    sentences: tuple[str, ...]
    gold: frozenset[int]
    source: str
    part: PolicyPart
    answer: str | None = None
    also: frozenset[int] = frozenset()


def make_evidence(
    identifier: str,
    query: str,
    sentences: Sequence[str],
    gold: Collection[int],
    source: str,
    *,
    answer: str | None = None,
    key: str | None = None,
    also: Collection[int] = (),
) -> Evidence:
    """Return an example with its white space normalised; `key` (by default the query) decides its part."""
    texts = tuple(" ".join(sentence.split()) for sentence in sentences)
    return Evidence(
        identifier,
        " ".join(query.split()),
        texts,
        frozenset(gold),
        source,
        policy_part(key or query),
        answer,
        frozenset(also),
    )


def from_pages(
    row: dict[str, Any], facts: Sequence[Sequence[Any]], source: str, *, titled: bool = True
) -> list[Evidence]:
    """Return the example of a question with pages of sentences, or nothing if no gold sentence exists.

    `facts` are the gold sentences as (title, number). With `titled`, each sentence has its page's title
    before it.
    """
    indexes: dict[tuple[str, int], int] = {}
    texts: list[str] = []
    for title, sentences in row["context"]:
        for number, sentence in enumerate(sentences):
            if sentence.strip():
                indexes[title, number] = len(texts)
                texts.append(f"{title}: {sentence.strip()}" if titled else sentence.strip())
    gold = {indexes[title, number] for title, number in facts if (title, number) in indexes}
    if not gold:
        return []
    # A claim belongs to the part of the question that it was made of ("asked").
    key = row.get("asked")
    return [make_evidence(row["_id"], row["question"], texts, gold, source, answer=row["answer"], key=key)]
