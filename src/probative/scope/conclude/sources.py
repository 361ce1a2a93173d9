"""How many sources must lie: each source is read alone, and the answers are counted.

A false passage can then change one vote, and not how the others are read (isolate, then aggregate: Xiang et
al., 2024, "Certifiably Robust RAG against Retrieval Corruption"). A source is a document, or a passage of
which no document is known. It votes for the answer or for what the reader finds in it, whichever the verdict
model supports more, if that stands there. Of near duplicates with the same vote, one counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from probative.engine.search import Search, side_by_side
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.checks import AnswerCheck, first_failed
from probative.scope.conclude.certainty import judge_statement
from probative.scope.finding import Contradiction, Finding
from probative.scope.question import read_question
from probative.scope.result import Robustness
from probative.scope.run import Run
from probative.scope.sentences import PassageSentence, passage_sentences, rows_with, same_answer
from probative.text.labels import counted, passage_label
from probative.text.shingles import without_near_duplicates
from probative.text.words import best_first, bm25, words
from probative.types import Verdict

# The most sources that are read: those of the chain, then those that share most words with the question. Of
# each, as many words are read as fit the tuned reader's prompt.
MAX_SOURCES = 12
MAX_WORDS = 320


class Vote(NamedTuple):
    """The answer that a source states, the sentence that states it, and all that was read of the source."""

    answer: str
    sentence: PassageSentence
    text: str


@dataclass(frozen=True)
class Tally:
    """The independent votes for an answer, and those for the other answer that has most.

    `bridge` are the passages that every source was read with.
    """

    own: Sequence[Vote]
    rival: Sequence[Vote]
    bridge: Sequence[int] = ()

    def robustness(self, min_sources: int) -> Robustness:
        """Return the counts of the vote; whoever owns a bridge needs no other source."""
        needed = sources_needed(len(self.own), len(self.rival), min_sources)
        return Robustness(sources=len(self.own), needed=min(needed, 1) if self.bridge else needed)

    @property
    def is_disputed(self) -> bool:
        """Whether another answer has as many independent sources."""
        return 0 < len(self.own) <= len(self.rival)


def sources_needed(own: int, rival: int, min_sources: int = 1) -> int:
    """Return how many sources an attacker must own to have another answer given.

    The answer has `own` votes, the other one `rival`. It must get more votes than the answer, and at least
    `min_sources`. To add a source gives it one vote; to take over a source of the answer also takes one away,
    so that (own − rival) // 2 + 1 are enough. A tie is not counted as a change: the vote is then disputed,
    no answer is given, and both sides are shown. Owning half of the sources is thus enough for silence.

    >>> sources_needed(1, 0), sources_needed(3, 0), sources_needed(3, 2), sources_needed(2, 0, min_sources=3)
    (1, 2, 1, 3)
    """
    return max(0, (own - rival) // 2 + 1, min_sources - rival)


def count_sources(run: Run, finding: Finding) -> Search[Finding]:
    """Return the finding with the vote of the sources, if the options ask for it.

    With `min_sources` from 2 on, an answer with fewer votes is not supported, and one with no more votes than
    another answer is contradicted. The vote never makes an answer supported that another check refuses.
    """
    if not run.options.robustness and run.options.min_sources == 1:
        return finding
    if finding.answer.text is None and (finding.reading is None or finding.reading.declined):
        return finding
    chain, bridge = finding.indexes, _bridge(finding)
    tallies = yield from side_by_side(
        _tally(_asking(run, question), answer, chain, bridge) for question, answer in _asked(run, finding)
    )
    if finding.answer.text is None or not tallies:
        return finding  # a computation from the question alone
    least = min(tallies, key=lambda tally: (not tally.is_disputed, len(tally.own)))
    counts = [tally.robustness(run.options.min_sources) for tally in tallies]
    sources, needed = min(count.sources for count in counts), min(count.needed for count in counts)
    if least.bridge:
        labels = "".join(passage_label(run.pool.origins[index]) for index in least.bridge)
        run.note(f"no source alone states the answer: each was read with {labels}, which leads to it")
    finding = replace(finding, robustness=Robustness(sources=sources, needed=needed))
    return finding if run.options.min_sources == 1 else _checked(run, finding, least)


def _checked(run: Run, finding: Finding, tally: Tally) -> Finding:
    """Return the finding with the check of the votes, and both sides of a disputed vote."""
    own, rival = len(tally.own), len(tally.rival)
    passed = own >= run.options.min_sources and not tally.is_disputed
    text = f"{counted(own, 'independent source')} {'states' if own == 1 else 'state'} the answer"
    if tally.is_disputed:
        text += f", and {rival} {'states' if rival == 1 else 'state'} {tally.rival[0].answer}"
    elif not passed:
        text += f", and {run.options.min_sources} are needed"
    finding = replace(
        finding, checks=(*finding.checks, AnswerCheck(name="sources", passed=passed, text=text))
    )
    if tally.is_disputed:
        (says, first, _), (instead, other, _) = tally.own[0], tally.rival[0]
        conflict = Contradiction(first.index, other.index, says, instead, first.text, other.text)
        pair = {first.index, other.index}
        others = (entry for entry in finding.contradictions if {entry.index, entry.other} != pair)
        finding = replace(finding, contradictions=(*others, conflict), verdict=Verdict.CONTRADICTED)
    elif first_failed(finding.checks) is not None and finding.verdict is Verdict.SUPPORTED:
        # It passed every other check, and most of such answers are right.
        finding = replace(finding, verdict=Verdict.INSUFFICIENT, complete=False, probable=True)
    return finding


def _asked(run: Run, finding: Finding) -> Iterator[tuple[str, str | None]]:
    """Yield what is put to the vote: the question with its answer or, of a computation, each value."""
    if not finding.computed or finding.computation is None:
        yield run.question.text, finding.answer.text
        return
    for value in finding.computation.values:
        if value.index is not None and value.question is not None:
            yield value.question, value.value


def _asking(run: Run, question: str) -> Run:
    """Return a run for a question to the same passages, whose notes are not those of the answer."""
    parsed = run.question if question == run.question.text else read_question(question)
    options = run.options.model_copy(update={"answer_anyway": False})
    return replace(run, question=parsed, options=options, notes=[])


def _bridge(finding: Finding) -> tuple[int, ...]:
    """Return the passages of the chain that do not hold the answer."""
    holding = finding.answer.citations
    return () if finding.computed else tuple(index for index in finding.indexes if index not in holding)


def _tally(run: Run, answer: str | None, chain: Sequence[int], bridge: Sequence[int]) -> Search[Tally]:
    """Return the vote of all sources, each alone. If none states an answer that follows from several, each is
    read with the passages that lead to it.
    """
    sources = sources_of(run, chain)
    votes = yield from _votes(run, sources, answer)
    alone = count_votes(votes, answer or "")
    if alone.own or answer is None or not bridge:
        return alone
    leading = {_source(run, index) for index in bridge}
    others = [source for source in sources if _source(run, source[0]) not in leading]
    votes = yield from _votes(run, others, answer, bridge)
    return replace(count_votes(votes, answer), bridge=bridge)


def sources_of(run: Run, chain: Sequence[int]) -> list[list[int]]:
    """Return the passages to read of each source, those of the chain first."""
    judged = list(dict.fromkeys((*chain, *run.pool.judged)))
    scores = bm25(run.question.words, [words(passage.whole) for passage in run.pool.at(judged)])
    best = [judged[row] for row in best_first(scores) if scores[row] > 0.0]
    passages_of: dict[str | int, list[int]] = {}
    for index in dict.fromkeys((*chain, *best)):
        passages_of.setdefault(_source(run, index), []).append(index)
    return [_up_to_max_words(run, passages) for passages in list(passages_of.values())[:MAX_SOURCES]]


def _source(run: Run, index: int) -> str | int:
    """Return what a passage is from: its source, its title, or the passage that it is a part of."""
    passage = run.pool.passages[index]
    return passage.source or passage.title or run.pool.origins[index]


def _up_to_max_words(run: Run, passages: Sequence[int]) -> list[int]:
    chosen: list[int] = []
    length = 0
    for index in passages:
        length += len(run.pool.passages[index].whole.split())
        if chosen and length > MAX_WORDS:
            break
        chosen.append(index)
    return sorted(chosen)


def _votes(
    run: Run, sources: Sequence[Sequence[int]], answer: str | None, bridge: Sequence[int] = ()
) -> Search[list[Vote]]:
    """Return the votes of the sources that state an answer: a batch of readings, then one of judgements."""
    readings = yield from side_by_side(make_answer(run, Evidence((*bridge, *source))) for source in sources)
    votes = yield from side_by_side(
        _vote(run, source, [answer, reading.answer.text], bridge)
        for source, reading in zip(sources, readings, strict=True)
    )
    return [vote for vote in votes if vote is not None]


def _vote(
    run: Run, source: Sequence[int], answers: Sequence[str | None], bridge: Sequence[int]
) -> Search[Vote | None]:
    """Return the answer that the verdict model supports most by a source, if it supports one."""
    sentences = passage_sentences(run, source)
    texts: list[str] = []
    for answer in answers:
        if answer is not None and not any(same_answer(answer, text) for text in texts):
            texts += [answer] if answer.lower() in ("yes", "no") or rows_with(run, answer, sentences) else []
    evidence = [*passage_sentences(run, bridge), *sentences]
    question = run.question.text
    judgements = yield from side_by_side(judge_statement(run, question, text, evidence) for text in texts)
    judged = [(text, entry) for text, entry in zip(texts, judgements, strict=True) if entry is not None]
    text, best = max(judged, key=lambda pair: pair[1].probabilities.supported, default=("", None))
    if best is None or best.verdict is not Verdict.SUPPORTED:
        return None
    rows = [row - len(evidence) + len(sentences) for row in best.deciding]
    stating = next((row for row in (*rows_with(run, text, sentences), *rows) if row >= 0), 0)
    return Vote(text, sentences[stating], " ".join(passage.text for passage in run.pool.at(source)))


def count_votes(votes: Sequence[Vote], answer: str) -> Tally:
    """Return the independent votes for an answer, and those for the other answer that has most."""
    groups: list[list[Vote]] = [[]]
    for vote in votes:
        others = (group for group in groups[1:] if same_answer(vote.answer, group[0].answer))
        group = groups[0] if same_answer(vote.answer, answer) else next(others, None)
        if group is None:
            groups.append([vote])
        else:
            group.append(vote)
    own, *rivals = map(_independent, groups)
    return Tally(own, max(rivals, key=len, default=[]))


def _independent(votes: Sequence[Vote]) -> list[Vote]:
    return [votes[row] for row in without_near_duplicates([vote.text for vote in votes])]
