"""The whole of scope: features, judgement, cover, answer; with follow-up for what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from probative.errors import InputError
from probative.evidence import Passage, Verdict
from probative.models.together import Search, Tools
from probative.plain import clean
from probative.scope.answering import Given, pick_answer, write_answer
from probative.scope.bridges import with_bridges
from probative.scope.conflicts import Clash, Cut, find_conflicts
from probative.scope.cover import exact_cover, paper_cover
from probative.scope.extract import find_features
from probative.scope.features import Features
from probative.scope.judge_model import judge_each, judge_passages, judge_together
from probative.scope.judge_words import judge_by_words
from probative.scope.judgement import Judgements, Strengths
from probative.scope.linked import linked_cover
from probative.scope.options import ScopeOptions
from probative.scope.prepared import as_passages, checked_question, likely, usable
from probative.scope.rules import answer_kind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Retriever = Callable[[str, int], Sequence[Any]]
"""Given a query and a number, at most so many passages."""

_MODEL_JUDGES = {"each": judge_each, "passage": judge_passages, "together": judge_together}


@dataclass
class Found:
    """What scope found: everything that a result is made of. Places are those of `passages`."""

    passages: list[Passage]
    features: Features | None = None
    judgements: dict[int, tuple[str, ...]] = field(default_factory=dict)
    strengths: dict[int, dict[str, float]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    chain: list[int] = field(default_factory=list)
    clashes: list[Clash] = field(default_factory=list)
    verdict: Verdict = Verdict.INSUFFICIENT
    answer: Given = field(default_factory=lambda: Given(None, ()))
    notes: list[str] = field(default_factory=list)


def check_knowledge(
    question: str, passages: Sequence[Passage], options: ScopeOptions, tools: Tools
) -> Search[Found]:
    """Whether passages together are a chain of evidence, and what is missing."""
    notes: list[str] = []
    question = checked_question(question)
    pool = _Pool(passages)
    pool.places = usable(pool.passages, notes)
    features = yield from find_features(question, options, notes)
    judgements = yield from _judged(question, features, pool, options, tools, None, notes)
    features, judgements, _ = _concluded(question, features, judgements, pool, options)
    missing = _missing(judgements, range(len(pool.places)))
    return _found(pool, features, judgements, missing, notes)


def find_answer(
    question: str,
    passages: Sequence[Passage],
    options: ScopeOptions,
    tools: Tools,
    cut: Cut,
    *,
    retriever: Retriever | None = None,
    vectors: NDArray[np.float32] | None = None,
) -> Search[Found]:
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
        pool.add(retriever(question, options.found))
    kept = usable(pool.passages, notes)
    chosen = likely(question, [pool.passages[place] for place in kept], options.candidates, notes)
    pool.places = [kept[place] for place in chosen]
    features = yield from find_features(question, options, notes)
    judgements = yield from _judged(question, features, pool, options, tools, vectors, notes)
    for _ in range(options.rounds):
        if retriever is None:
            break
        _, concluded, _ = _concluded(question, features, judgements, pool, options)
        missing = _missing(concluded, range(len(pool.places)))
        if not missing:
            break
        if not _followed(question, judgements, missing, pool, retriever, options):
            notes.append("looked up what is missing, and found nothing new")
            break
        vectors = None  # the new passages have none
        judgements = yield from _judged(
            question, features, pool, options, tools, vectors, notes, before=judgements
        )
    features, judgements, cover = _concluded(question, features, judgements, pool, options)
    found = _found(pool, features, judgements, _missing(judgements, cover), notes)
    found.chain = [pool.places[place] for place in cover]
    if options.conflicts:
        found.clashes = find_conflicts(found.chain, pool.passages, cut)
    kind = answer_kind(question)
    if any(
        clash.matters(question, kind) and _speaks_of_a_node(found.judgements.get(clash.place, ()))
        for clash in found.clashes
    ):
        found.verdict = Verdict.CONTRADICTED
    elif not found.missing and found.chain:
        found.verdict = Verdict.SUPPORTED
    if found.chain and (found.verdict is Verdict.SUPPORTED or options.answer_anyway):
        if options.answering == "written" or kind == "any":
            found.answer = yield from write_answer(question, found.chain, pool.passages, notes)
        else:
            between = [node.text for node in features.nodes if node.inferred]
            found.answer = yield from pick_answer(question, found.chain, pool.passages, notes, between)
        if found.answer.text is None and found.verdict is Verdict.SUPPORTED:
            found.verdict = Verdict.INSUFFICIENT
            notes.append("the chain seems complete, and the model finds no answer in it")
    return found


class _Pool:
    """The passages, as they came and as they are added; `places` are those that are judged."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = [_cleaned(passage) for passage in passages]
        self.places: list[int] = []

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
    texts = [pool.passages[place] for place in pool.places]
    if options.judge == "words":
        import numpy as np

        given = None if vectors is None else np.asarray(vectors, dtype=np.float32)[pool.places]
        return (yield from judge_by_words(question, features, texts, options.threshold, given))
    listed = features.listed()
    known: Strengths = [] if before is None else before.strengths
    judge = _MODEL_JUDGES[options.judge]
    more = yield from judge(listed, texts[len(known) :], tools, notes)
    return Judgements(listed, [*known, *more], options.threshold)


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
    number = len(pool.passages) + options.found
    found = [retriever(f"{feature.text} ({question})", number) for feature in wanted]
    return sum(pool.add(more, options.found) for more in found) > 0


def _concluded(
    question: str, features: Features, judgements: Judgements, pool: _Pool, options: ScopeOptions
) -> tuple[Features, Judgements, list[int]]:
    """The passages chosen; where they are linked, also what the links let conclude, and without those that
    carry nothing even so.
    """
    texts = [pool.passages[place] for place in pool.places]
    cover = _cover(question, judgements, texts, options)
    if options.cover != "linked":
        return features, judgements, cover
    features, judgements = with_bridges(question, features, judgements, texts, cover)
    carried = judgements.carried()
    return features, judgements, [place for place in cover if carried[place]] or cover[:1]


def _cover(
    question: str, judgements: Judgements, texts: Sequence[Passage], options: ScopeOptions
) -> list[int]:
    carried = judgements.carried()
    if options.cover == "linked":
        return linked_cover(question, judgements, texts, options.most)
    if options.cover == "exact":
        return exact_cover(carried, [len(passage.text) for passage in texts])
    return paper_cover(carried, judgements.features)


def _missing(judgements: Judgements, places: Sequence[int]) -> tuple[str, ...]:
    """The features that none of these passages carries."""
    carried = judgements.carried()
    held = frozenset().union(*(carried[place] for place in places))
    return tuple(feature.name for number, feature in enumerate(judgements.features) if number not in held)


def _found(
    pool: _Pool, features: Features, judgements: Judgements, missing: tuple[str, ...], notes: list[str]
) -> Found:
    names = [feature.name for feature in judgements.features]
    return Found(
        passages=pool.passages,
        features=features,
        judgements={place: judgements.names(at) for at, place in enumerate(pool.places)},
        strengths={
            place: dict(zip(names, map(float, judgements.strengths[at]), strict=True))
            for at, place in enumerate(pool.places)
        },
        missing=missing,
        notes=notes,
    )
