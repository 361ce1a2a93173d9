"""The chain of the evidence policy: passage after passage, until it says that they are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from probative.engine.policy_chain import PolicyChain, choose_chain_by_policy, probabilities
from probative.engine.search import Search, weigh
from probative.models.evidence_policy import PolicyState
from probative.scope.cover.links import Links
from probative.scope.finding import LearnedChain
from probative.scope.run import Run
from probative.text.prompts import headed
from probative.text.sentences import sentences_of
from probative.text.words import nearest
from probative.types import Passage

# The policy reads 112 tokens of a text: a passage with more words is shown to it sentence by sentence.
MAX_WORDS = 80
# The reader reads the sentences of a long passage that the policy chose, with this many around each: it is
# surer of a right answer there than in the whole passage.
NEIGHBOURS = 2


def learned_chain(run: Run) -> Search[LearnedChain]:
    """Return the chain of the policy: from `min_passages` to `max_passages` passages."""
    pieces = pieces_of(run.pool.candidates())
    rows = nearest(run.question.words, [piece.whole for _, piece in pieces], run.options.candidates)
    if len(rows) < len(pieces):
        run.note(f"{len(rows)} of {len(pieces)} sentences were weighed, those nearest to the question")
    pieces = [pieces[index] for index in rows]
    chain: PolicyChain = yield from choose_chain_by_policy(
        run.question.text,
        [headed(piece) for _, piece in pieces],
        max_texts=run.options.max_passages,
        min_texts=run.options.min_passages,
        related=Links([piece for _, piece in pieces]).linked,
    )
    first: dict[int, float] = {}
    for index, probability in zip(chain.indexes, chain.probabilities, strict=True):
        first.setdefault(pieces[index][0], probability)
    texts = tuple(headed(pieces[index][1]) for index in chain.indexes)
    set_excerpts(run, [pieces[index] for index in chain.indexes])
    return LearnedChain(tuple(first), tuple(first.values()), chain.complete, texts)


def lengthen(run: Run, chain: LearnedChain) -> Search[LearnedChain | None]:
    """Return the chain with the linked passage that the policy prefers; None if no other is linked."""
    pieces = pieces_of(run.pool.candidates())
    taken = [index for index, (row, _) in enumerate(pieces) if row in chain.rows]
    linked = Links([piece for _, piece in pieces]).linked(taken)
    near = [index for index in linked if pieces[index][0] not in chain.rows]
    if not near:
        return None
    state = PolicyState(run.question.text, chain.texts, tuple(headed(pieces[index][1]) for index in near))
    scores = yield from weigh([state], step="evidence")
    shares, _, _ = probabilities(scores[0])
    best = max(range(len(near)), key=lambda candidate: (shares[candidate], -candidate))
    row, piece = pieces[near[best]]
    set_excerpts(run, [(row, piece)])
    return replace(
        chain,
        rows=(*chain.rows, row),
        probabilities=(*chain.probabilities, shares[best]),
        texts=(*chain.texts, headed(piece)),
    )


def set_excerpts(run: Run, taken: Sequence[tuple[int, Passage]]) -> None:
    """Let the reader read, of each long passage, the sentences that were taken and their neighbours.

    `taken` are the rows of the passages, each with the sentence that the policy took.
    """
    for row in dict.fromkeys(row for row, _ in taken):
        index = run.pool.judged[row]
        passage = run.pool.passages[index]
        chosen = {piece.text for row_of_piece, piece in taken if row_of_piece == row}
        texts = sentences_of(passage)
        centres = [number for number, text in enumerate(texts) if text in chosen]
        near = [
            text
            for number, text in enumerate(texts)
            if any(abs(number - centre) <= NEIGHBOURS for centre in centres)
        ]
        if near and len(near) < len(texts):
            run.excerpts[index] = passage.model_copy(update={"text": " ".join(near)})
        else:
            run.excerpts.pop(index, None)


def pieces_of(passages: Sequence[Passage]) -> list[tuple[int, Passage]]:
    """Return each passage with its row, or its sentences with their title if it is long."""
    return [(row, piece) for row, passage in enumerate(passages) for piece in _sentences(passage)]


def _sentences(passage: Passage) -> list[Passage]:
    if len(passage.text.split()) <= MAX_WORDS:
        return [passage]
    sentences = [text for text in sentences_of(passage) if text.strip()]
    return [passage.model_copy(update={"text": text}) for text in sentences] or [passage]
