"""The whole of scope: features, judgement, cover, answer; with follow-up for what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.scope.answer.compute import compare, undated
from probative.scope.answer.read import Reading, find_answer_in, read_chain
from probative.scope.answer.write import ParsedAnswer
from probative.scope.conflicts import Contradiction, Cut, find_conflicts
from probative.scope.cover.choose_chain import ChosenChain, choose_chain, missing_of
from probative.scope.cover.learned import lengthen
from probative.scope.extract import find_features
from probative.scope.features import Features
from probative.scope.inputs import as_passages, checked_question, deduplicate, prefilter
from probative.scope.judge.judgements import Judgements, Strengths
from probative.scope.judge.model import judge_each, judge_passages, judge_reader, judge_together
from probative.scope.judge.words import judge_by_words
from probative.scope.options import ScopeOptions
from probative.text.cleaning import clean
from probative.text.english.questions import answer_kind
from probative.types import Passage, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Retriever = Callable[[str, int], Sequence[Any]]
"""ParsedAnswer a query and a number, at most so many passages."""

_MODEL_JUDGES = {
    "each": judge_each,
    "passage": judge_passages,
    "together": judge_together,
    "reader": judge_reader,
}


@dataclass
class ScopeResult:
    """What scope found: everything that a result is made of. Places are those of `passages`."""

    passages: list[Passage]
    features: Features | None = None
    judgements: dict[int, tuple[str, ...]] = field(default_factory=dict)
    strengths: dict[int, dict[str, float]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    complete: bool = False
    completeness: float | None = None
    chain: list[int] = field(default_factory=list)
    probabilities: dict[int, float] = field(default_factory=dict)
    clashes: list[Contradiction] = field(default_factory=list)
    verdict: Verdict = Verdict.INSUFFICIENT
    answer: ParsedAnswer = field(default_factory=lambda: ParsedAnswer(None, ()))
    answerable: float | None = None
    notes: list[str] = field(default_factory=list)


def check_knowledge(
    question: str, passages: Sequence[Passage], options: ScopeOptions, tools: Tools, cut: Cut
) -> Search[ScopeResult]:
    """Whether passages together are a chain of evidence, and what is missing. Where the policy finds it
    complete and the tuned reader is there, it must find an answer too.
    """
    notes: list[str] = []
    question = checked_question(question)
    pool = _Pool(passages)
    pool.places = deduplicate(pool.passages, notes)
    features = yield from find_features(question, options, tools, notes)
    judgements = yield from _judged(question, features, pool, options, tools, None, notes)
    concluded = yield from choose_chain(question, features, judgements, pool.judged(), options, cut, notes)
    found = _found(pool, concluded, range(len(pool.places)), notes)
    chain = [pool.places[place] for place in concluded.cover]
    if options.conflicts:
        found.clashes = find_conflicts(chain, pool.passages, cut)
        for clash in _that_matter(found, question):
            said = f"[{clash.place + 1}] says {clash.says}, [{clash.other + 1}] says {clash.instead}"
            notes.append(f"the passages contradict one another: {said}")
    found.chain = chain
    compared = options.compare and compare(question, chain, pool.passages) is not None
    if options.compare and not compared and _lacks_a_date(question, found, notes):
        return found
    if found.complete and concluded.learned is not None and not compared and _reads(options, tools):
        read = yield from _read_on(question, found, pool, concluded, options, tools, cut, notes)
        found.answerable = read.answerable
        if read.given.text is None:
            found.complete = False
            notes.append("the chain seems complete, and the reader finds no answer in it")
    return found


def find_answer(
    question: str,
    passages: Sequence[Passage],
    options: ScopeOptions,
    tools: Tools,
    cut: Cut,
    *,
    retriever: Retriever | None = None,
    vectors: NDArray[np.float32] | None = None,
) -> Search[ScopeResult]:
    """The smallest chain that carries the question, and the answer from it.

    With a retriever, features that nothing carries are looked up and judged, for a number of rounds.
    """
    notes: list[str] = []
    question = checked_question(question)
    pool = _Pool(passages)
    if retriever is not None and not callable(retriever):
        raise InputError("a retriever is a function of a query and a number")
    if vectors is not None and len(vectors) != len(pool.passages):
        raise InputError(f"{len(vectors)} vectors came with {len(pool.passages)} passages")
    if retriever is not None and not pool.passages:
        pool.add(retriever(question, options.per_query))
    kept = deduplicate(pool.passages, notes)
    chosen = prefilter(question, [pool.passages[place] for place in kept], options.candidates, notes)
    pool.places = [kept[place] for place in chosen]
    features = yield from find_features(question, options, tools, notes)
    judgements = yield from _judged(question, features, pool, options, tools, vectors, notes)
    concluded = yield from choose_chain(question, features, judgements, pool.judged(), options, cut, notes)
    for _ in range(options.rounds if retriever is not None else 0):
        missing = concluded.wanting(range(len(pool.places)))
        if not missing:
            break
        assert retriever is not None
        if not _followed(question, judgements, missing, pool, retriever, options):
            notes.append("looked up what is missing, and found nothing new")
            break
        vectors = None  # the new passages have none
        judgements = yield from _judged(
            question, features, pool, options, tools, vectors, notes, before=judgements
        )
        concluded = yield from choose_chain(
            question, features, judgements, pool.judged(), options, cut, notes
        )
    found = _found(pool, concluded, concluded.cover, notes)
    found.chain = [pool.places[place] for place in concluded.cover]
    if options.conflicts:
        found.clashes = find_conflicts(found.chain, pool.passages, cut)
    if _that_matter(found, question):
        found.verdict = Verdict.CONTRADICTED
    elif found.complete and found.chain:
        found.verdict = Verdict.SUPPORTED
    if found.chain and (found.verdict is Verdict.SUPPORTED or options.answer_anyway):
        between = [node.text for node in concluded.features.nodes if node.inferred]
        compared = compare(question, found.chain, pool.passages) if options.compare else None
        if compared is not None:
            notes.append(f"told without the model: {compared.reason}")
            found.answer = ParsedAnswer(compared.answer, compared.citations)
            return found
        if options.compare and _lacks_a_date(question, found, notes):
            found.verdict = Verdict.INSUFFICIENT
            if not options.answer_anyway:
                return found
        before = None
        if options.extend_if_unanswered and concluded.learned is not None and _reads(options, tools):
            before = yield from _read_on(question, found, pool, concluded, options, tools, cut, notes)
            if _that_matter(found, question):
                found.verdict = Verdict.CONTRADICTED
                if not options.answer_anyway:
                    return found
        read = yield from find_answer_in(
            question,
            found.chain,
            pool.passages,
            options.answering,
            tools,
            notes,
            between,
            anyway=options.answer_anyway,
            complete=None if missing_of(concluded.judgements, concluded.cover) else found.completeness,
            before=before,
        )
        found.answer, found.answerable = read.given, read.answerable
        if (read.given.text is None or read.forced) and found.verdict is Verdict.SUPPORTED:
            found.verdict = Verdict.INSUFFICIENT
            notes.append("the chain seems complete, and the model finds no answer in it")
    return found


def _lacks_a_date(question: str, found: ScopeResult, notes: list[str]) -> bool:
    """Whether the chain has no date of one of the two that are compared; then that is what is missing."""
    lacking = undated(question, found.chain, found.passages)
    if lacking is None:
        return False
    notes.append(f"the chain gives no date for {lacking}: the two cannot be compared")
    found.complete, found.missing = False, (*found.missing, f"date: {lacking}")
    return True


def _reads(options: ScopeOptions, tools: Tools) -> bool:
    return options.answering == "read" and tools.model.reader


def _read_on(
    question: str,
    found: ScopeResult,
    pool: _Pool,
    concluded: ChosenChain,
    options: ScopeOptions,
    tools: Tools,
    cut: Cut,
    notes: list[str],
) -> Search[Reading]:
    """Read the chain; where the reader finds no answer in it, a longer one, as far as there is one. What was
    found stays as it was where none of them holds an answer.
    """
    read = yield from read_chain(question, found.chain, pool.passages, tools, notes)
    longer, texts = concluded.learned if options.extend_if_unanswered else None, pool.judged()
    while read.declined and longer is not None and len(longer.cover) < options.max_passages:
        longer = yield from lengthen(question, texts, longer, cut)
        if longer is None:
            break
        chain = [pool.places[place] for place in longer.cover]
        more = yield from read_chain(question, chain, pool.passages, tools, notes)
        if more.given.text is not None:
            notes.append("the reader found no answer in a shorter chain")
            grown = _found(pool, concluded.along(question, texts, longer), longer.cover, [])
            found.features, found.judgements, found.strengths = (
                grown.features,
                grown.judgements,
                grown.strengths,
            )
            found.missing, found.probabilities, found.chain = grown.missing, grown.probabilities, chain
            if options.conflicts:
                found.clashes = find_conflicts(chain, pool.passages, cut)
            return more
    return read


class _Pool:
    """The passages, as they came and as they are added; `places` are those that are judged."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = [_cleaned(passage) for passage in passages]
        self.places: list[int] = []

    def judged(self) -> list[Passage]:
        """The passages that are judged."""
        return [self.passages[place] for place in self.places]

    def add(self, more: Sequence[Any], most: int | None = None) -> int:
        """Add passages that are not there yet, at most so many; gives how many."""
        known = {passage.text.lower() for passage in self.passages}
        added = 0
        for passage in as_passages(list(more or [])):
            if added == most:
                break
            one = _cleaned(passage)
            if one.text and one.text.lower() not in known:
                known.add(one.text.lower())
                self.places.append(len(self.passages))
                self.passages.append(one)
                added += 1
        return added


def _cleaned(passage: Passage) -> Passage:
    text = clean(passage.text)
    title = clean(passage.title) if passage.title is not None else None
    if text == passage.text and title == passage.title:
        return passage
    return passage.model_copy(update={"text": text, "title": title or None})


def _judged(
    question: str,
    features: Features,
    pool: _Pool,
    options: ScopeOptions,
    tools: Tools,
    vectors: NDArray[np.float32] | None,
    notes: list[str],
    before: Judgements | None = None,
) -> Search[Judgements]:
    """The judgements of the pool's passages; those that a language model made before are kept."""
    texts = pool.judged()
    if options.judge == "words":
        import numpy as np

        given = None if vectors is None else np.asarray(vectors, dtype=np.float32)[pool.places]
        return (yield from judge_by_words(question, features, texts, options.threshold, given))
    listed = features.listed()
    known: Strengths = [] if before is None else before.strengths
    judge = _MODEL_JUDGES[options.judge]
    more = yield from judge(listed, texts[len(known) :], tools, notes)
    return Judgements(listed, [*known, *more], options.threshold)


def _that_matter(found: ScopeResult, question: str) -> list[Contradiction]:
    """The contradictions that may touch the answer, of passages that speak of what is asked about."""
    kind = answer_kind(question)
    return [
        clash
        for clash in found.clashes
        if clash.matters(question, kind) and _speaks_of_a_node(found.judgements.get(clash.place, ()))
    ]


def _speaks_of_a_node(carries: Sequence[str]) -> bool:
    return any(name.startswith("node: ") for name in carries)


def _followed(
    question: str,
    judgements: Judgements,
    missing: Sequence[str],
    pool: _Pool,
    retriever: Retriever,
    options: ScopeOptions,
) -> bool:
    """Look up each missing feature; whether anything new came. A retriever that found the passages finds them
    again, so it is asked for as many more.
    """
    wanted = [feature for feature in judgements.features if feature.name in missing]
    number = len(pool.passages) + options.per_query
    found = [retriever(f"{feature.text} ({question})", number) for feature in wanted]
    return sum(pool.add(more, options.per_query) for more in found) > 0


def _found(pool: _Pool, concluded: ChosenChain, places: Sequence[int], notes: list[str]) -> ScopeResult:
    judgements, learned = concluded.judgements, concluded.learned
    names = [feature.name for feature in judgements.features]
    complete = concluded.complete(places)
    missing = missing_of(judgements, places)
    if learned is not None and complete and missing:
        notes.append(f"enough by the policy; the words of the passages do not show {'; '.join(missing)}")
        missing = ()
    if learned is not None and not complete and not missing:
        notes.append("something is missing by the policy, though the words of the question are all there")
    return ScopeResult(
        passages=pool.passages,
        features=concluded.features,
        judgements={place: judgements.names(at) for at, place in enumerate(pool.places)},
        strengths={
            place: dict(zip(names, map(float, judgements.strengths[at]), strict=True))
            for at, place in enumerate(pool.places)
        },
        missing=missing,
        complete=complete,
        completeness=None if learned is None else learned.complete,
        probabilities={}
        if learned is None
        else {
            pool.places[place]: probability
            for place, probability in zip(learned.cover, learned.probabilities, strict=True)
        },
        notes=notes,
    )
