"""The chain of a reader that cites: it reads the passages at once, and the chain is what its answer rests on.

The reader writes its most probable replies, each an answer with the numbers of the lines behind it. The
passages of the best reply's lines are the chain; how surely they are enough is how surely there is an answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.models.reader_prompts import TRAINED_TOKENS, ask_answer
from probative.models.task_prompts import passage_lines, read_reply
from probative.models.types import Alternative, Completion
from probative.scope.answer.candidates import ALTERNATIVES, is_unknown
from probative.scope.cover.learned import learned_chain
from probative.scope.finding import Candidate, LearnedChain
from probative.scope.run import Run
from probative.text.prompts import headed, passage_header
from probative.text.words import best_first, bm25, words

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
    if not isinstance(reply, EmptyError) and reply.finish_reason != "dry-run":
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
