"""A plan that only asks several things: each is answered by itself, and all answers are the answer.

A part is a question of its own, with a chain, checks and a certainty, and may need a plan of its own.

The verdict is supported only if every part is; otherwise the result names the part that is missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from probative.engine.search import Search
from probative.scope.features import Features
from probative.scope.inputs import Inputs
from probative.scope.result import ChainPassage, Level, ScopeResult
from probative.types import Verdict

Item = TypeVar("Item")
JOINED = "; "
"""Stands between the answers of the parts."""


def answer_parts(
    parts: Sequence[str], inputs: Inputs, find: Callable[[Inputs], Search[ScopeResult]]
) -> Search[ScopeResult]:
    """Answer each part over the same passages, a part that needs the answer before it with that answer."""
    results: list[ScopeResult] = []
    asked: list[str] = []
    for part in parts:
        before = results[-1] if results else None
        if before is not None and len(before.passages) != len(inputs.passages):
            inputs = replace(inputs, passages=before.passages, vectors=None)
        name = "" if before is None else before.answer or before.candidate or "it"
        asked.append(part.replace("#1", name))
        results.append((yield from find(replace(inputs, question=asked[-1]))))
    return joined_parts(asked, results)


def joined_parts(parts: Sequence[str], results: Sequence[ScopeResult]) -> ScopeResult:
    """Return the results of the parts as one; the checks are those of the part that is least sure, and the
    level is that of the part that can be trusted least.
    """
    by_part = zip(parts, results, strict=True)
    open_parts = [(part, result) for part, result in by_part if result.verdict is not Verdict.SUPPORTED]
    disputed = any(result.verdict is Verdict.CONTRADICTED for result in results)
    unsupported = Verdict.CONTRADICTED if disputed else Verdict.INSUFFICIENT
    answers = [result.answer for result in results if result.answer is not None]
    whole = JOINED.join(answers) if len(answers) == len(results) else None
    candidates = [
        result.answer or result.candidate for result in results if result.level is not Level.NOT_FOUND
    ]
    certainties = [result.certainty for result in results if result.certainty is not None]
    doubtful = min(results, key=lambda result: (result.verdict is Verdict.SUPPORTED, result.certainty or 0.0))
    return replace(
        results[-1],
        verdict=unsupported if open_parts else Verdict.SUPPORTED,
        complete=not open_parts or (disputed and all(result.complete for result in results)),
        answer=whole,
        candidate=None if whole is not None else JOINED.join(filter(None, candidates)) or None,
        reason=JOINED.join(f"{part}: {result.reason}" for part, result in open_parts) or None,
        probable=all(result.level in (Level.SUPPORTED, Level.PROBABLE) for result in results),
        certainty=math.prod(certainties) if len(certainties) == len(results) else None,
        missing=tuple(f"part: {part}" for part, _ in open_parts),
        checks=doubtful.checks,
        signals=None,
        completeness=None,
        answerable=None,
        features=_features([result.features for result in results if result.features is not None]),
        citations=_once(index for result in results for index in result.citations),
        chain=_by_index(entry for result in results for entry in result.chain),
        cited=_once(entry for result in results for entry in result.cited),
        leading=_once(entry for result in results for entry in result.leading),
        conflicts=_once(entry for result in results for entry in result.conflicts),
        computation=next((result.computation for result in results if result.computation is not None), None),
        robustness=min(
            (result.robustness for result in results if result.robustness is not None),
            key=lambda counts: (counts.needed, counts.sources),
            default=None,
        ),
        notes=_once(note for result in results for note in result.notes),
    )


def _once(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(items))


def _by_index(chain: Iterable[ChainPassage]) -> tuple[ChainPassage, ...]:
    """Return each passage once, with the features that it carries for any part."""
    passages: dict[int, ChainPassage] = {}
    for entry in chain:
        before = passages.get(entry.index, entry)
        carries = _once((*before.carries, *entry.carries))
        passages[entry.index] = before.model_copy(update={"carries": carries})
    return tuple(passages.values())


def _features(parts: Sequence[Features]) -> Features | None:
    if not parts:
        return None
    return Features(
        intent=" and ".join(_once(part.intent for part in parts)),
        nodes=_once(node for part in parts for node in part.nodes),
        relations=_once(relation for part in parts for relation in part.relations),
    )
