"""The third step: which passages make the chain, and whether they are enough.

The evidence policy takes passage after passage, until it says that they are enough. A reader that cites reads
the passages at once: it writes its most probable replies, each an answer with the numbers of the lines behind
it. The passages of the best reply's lines are the chain; how surely they are enough is how surely there is an
answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import (
    PolicyChain,
    Search,
    choose_chain_by_policy,
    generate_or_empty,
    probabilities,
    weigh,
)
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.evidence_policy import PolicyState
from probative.models.task_prompts import TRAINED_TOKENS, ask_answer, passage_lines, read_reply
from probative.models.types import Alternative, Completion
from probative.scope.answer.read import ALTERNATIVES, is_unknown
from probative.scope.cover.links import Links, linked_cover, with_bridges
from probative.scope.cover.set_cover import exact_cover, paper_cover
from probative.scope.finding import Candidate, Chain, LearnedChain
from probative.scope.question import Judgements
from probative.scope.run import Run
from probative.text.prompts import headed, passage_header
from probative.text.sentences import sentences_of
from probative.text.words import best_first, bm25, nearest, words
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


# Tokens of a reply: those of an answer and of the numbers of its lines.
REPLY_TOKENS = 48
# The share of the longest prompt of the training that the passages may take.
SHARE = 0.8
# A passage that only less probable replies cite belongs to the chain if they have this probability together.
ALSO_CITED = 0.1


def cited_chain(run: Run) -> Search[LearnedChain]:
    """Return the passages that the reader cites; without an answer, those that the evidence policy takes."""
    run.excerpts.clear()
    rows = rows_to_read(run)
    if len(rows) < len(run.pool.judged):
        run.note(
            f"{len(rows)} of {len(run.pool.judged)} passages were read, those that share most words with the "
            "question"
        )
    indexes = [run.pool.judged[row] for row in rows]
    passages = run.pool.at(indexes)
    request = ask_answer(run.question.text, passages)
    request = request.model_copy(
        update={"alternatives": ALTERNATIVES, "max_tokens": REPLY_TOKENS, "stop": ()}
    )
    (reply,) = yield from generate_or_empty([request], step="evidence")
    shares: dict[int, float] = {}
    candidates: tuple[Candidate, ...] = ()
    completeness = 0.0
    if not isinstance(reply, EmptyError):
        of_line = [row for row, passage in zip(rows, passages, strict=True) for _ in passage_lines(passage)]
        shares = cited_shares(_replies(reply), of_line)
        candidates = tuple(
            Candidate(read_reply(other.text)[0], math.exp(other.log_probability)) for other in _replies(reply)
        )
        completeness = 1.0 - min(1.0, sum(chance for text, chance in candidates if is_unknown(text)))
    if not shares:
        chain = yield from learned_chain(run)
        return replace(chain, completeness=min(chain.completeness, completeness))
    texts = tuple(headed(run.pool.passages[run.pool.judged[row]]) for row in shares)
    return LearnedChain(tuple(shares), tuple(shares.values()), completeness, texts, candidates)


def rows_to_read(run: Run) -> list[int]:
    """Return the passages that share most with the question and fit into one prompt, in their order."""
    passages = run.pool.candidates()
    left = SHARE * TRAINED_TOKENS
    chosen: list[int] = []
    for row in best_first(bm25(run.question.words, [words(passage.whole) for passage in passages])):
        left -= run.tools.model.count_tokens(f"{passage_header(passages[row])}\n{passages[row].text}")
        if chosen and left < 0:
            break
        chosen.append(row)
    return sorted(chosen)


def cited_shares(replies: Sequence[Alternative], of_line: Sequence[int]) -> dict[int, float]:
    """Return the rows of the passages that the best reply cites, each with the probability of all replies
    that cite it; nothing if the best reply is no answer.

    >>> replies = [Alternative(text="Oslo [1 3]", log_probability=-0.7), Alternative(text="Oslo [3]",
    ...     log_probability=-1.6)]
    >>> {row: round(share, 1) for row, share in cited_shares(replies, [4, 4, 7]).items()}
    {4: 0.5, 7: 0.7}
    """
    if not replies or is_unknown(replies[0].text):
        return {}
    cited = [
        {of_line[line] for line in read_reply(other.text)[1] if line < len(of_line)} for other in replies
    ]
    chances = [math.exp(other.log_probability) for other in replies]
    shares = {
        row: min(1.0, sum(chance for rows, chance in zip(cited, chances, strict=True) if row in rows))
        for row in sorted(set().union(*cited))
    }
    return {row: share for row, share in shares.items() if row in cited[0] or share >= ALSO_CITED}


def _replies(reply: Completion) -> Sequence[Alternative]:
    return reply.alternatives or (Alternative(text=reply.text, log_probability=0.0),)


def cover(run: Run, judgements: Judgements) -> Search[Chain]:
    """Choose the chain by the cover that the options name.

    With `linked`, the judgements include what follows from the links, and a passage that carries nothing is
    left out.
    """
    if run.options.cover in ("learned", "read"):
        model = run.tools.model
        cites = run.options.cover == "read" and model.reader and Capability.ALTERNATIVES in model.capabilities
        if run.options.cover == "read" and not cites:
            run.note(f"{model.name} cites no lines; the evidence policy chose the chain")
        learned = yield from cited_chain(run) if cites else learned_chain(run)
        return extended_chain(run, judgements, learned)
    if run.options.cover == "linked":
        rows = linked_cover(run, judgements)
        bridged = with_bridges(run, judgements, rows)
        rows = [row for row in rows if bridged.carried[row]] or rows[:1]
        return Chain(tuple(rows), bridged, judgements)
    if run.options.cover == "exact":
        rows = exact_cover(judgements.carried, [len(passage.text) for passage in run.pool.candidates()])
    else:
        rows = paper_cover(judgements.carried, judgements.listed)
    return Chain(tuple(rows), judgements, judgements)


def extended_chain(run: Run, judged: Judgements, learned: LearnedChain) -> Chain:
    """Return a chain of the policy with what follows from its links."""
    bridged = with_bridges(run, judged, learned.rows)
    return Chain(learned.rows, bridged, judged, learned, run.options.min_completeness)
