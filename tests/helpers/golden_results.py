"""The parts of a result that the golden file records, and the comparison of two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import probative


def round_float(value: float | None, digits: int) -> float | None:
    return None if value is None else round(float(value), digits) + 0.0


def usage_counts(usage: probative.Usage) -> dict[str, int]:
    return {
        "calls": usage.calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "scored_tokens": usage.scored_tokens,
    }


def of_answer(answer: probative.Answer) -> dict[str, Any]:
    return {
        "answer": answer.answer,
        "verdict": str(answer.verdict.value),
        "chain": [passage.index for passage in answer.chain],
        "ids": [passage.id for passage in answer.chain],
        "carries": [list(passage.carries) for passage in answer.chain],
        "probabilities": [round_float(passage.probability, 4) for passage in answer.chain],
        "citations": list(answer.citations),
        "missing": list(answer.missing),
        "conflicts": [
            [conflict.index, conflict.other, conflict.says, conflict.instead] for conflict in answer.conflicts
        ],
        "completeness": round_float(answer.completeness, 4),
        "answerable": round_float(answer.answerable, 4),
        "notes": len(answer.notes),
        "usage": usage_counts(answer.usage),
    }


def of_check(check: probative.Check) -> dict[str, Any]:
    return {
        "complete": check.complete,
        "completeness": round_float(check.completeness, 4),
        "answerable": round_float(check.answerable, 4),
        "missing": list(check.missing),
        "judgements": [
            {
                "index": judgement.index,
                "carries": list(judgement.carries),
                "strengths": {name: round_float(value, 3) for name, value in judgement.strengths.items()},
            }
            for judgement in check.judgements
        ],
        "notes": len(check.notes),
        "usage": usage_counts(check.usage),
    }


def of_proof(proof: probative.Proof) -> dict[str, Any]:
    return {
        "evidence": [sentence.index for sentence in proof.evidence],
        "spans": [[sentence.start, sentence.end] for sentence in proof.evidence],
        "scores": [round_float(sentence.score, 3) for sentence in proof.evidence],
        "gains": [round_float(sentence.gain, 3) for sentence in proof.evidence],
        "probabilities": [round_float(sentence.probability, 3) for sentence in proof.evidence],
        "without": round_float(proof.without_evidence, 3),
        "curve": [round_float(value, 3) for value in proof.curve],
        "stops": [[round_float(stop.complete, 3), round_float(stop.nothing, 3)] for stop in proof.stops],
        "searched": None if proof.searched is None else list(proof.searched),
        "verdict": None if proof.verdict is None else str(proof.verdict.value),
        "notes": len(proof.notes),
        "usage": usage_counts(proof.usage),
    }


def triple_texts(triples: Sequence[probative.Triple]) -> list[str]:
    return [f"({triple.head}, {triple.relation}, {triple.tail})" for triple in triples]


def of_reasoning(reasoning: probative.Reasoning) -> dict[str, Any]:
    path = reasoning.path
    return {
        "answer": reasoning.answer,
        "answers": [reasoning.answers.a, reasoning.answers.ac, reasoning.answers.ace],
        "affirmative": triple_texts(reasoning.knowledge.affirmative),
        "counterfactual": triple_texts(reasoning.knowledge.counterfactual),
        "expert": triple_texts(reasoning.knowledge.expert),
        "groups": [
            {
                "name": group.members[0].name,
                "members": [member.name for member in group.members],
                "cosines": [round_float(member.cosine, 3) for member in group.members],
                "between": group.intermediate,
            }
            for group in reasoning.groups
        ],
        "path": None if path is None else triple_texts([path.first, path.second]),
        "maybe": reasoning.maybe,
        "notes": len(reasoning.notes),
        "usage": usage_counts(reasoning.usage),
    }


def of_judgement(judgement: probative.Judgement) -> dict[str, Any]:
    chances = judgement.probabilities
    return {
        "verdict": str(judgement.verdict.value),
        "probabilities": [round_float(value, 3) for value in chances.to_dict().values()] if chances else None,
        "deciding": list(judgement.deciding),
        "opposing": list(judgement.opposing),
        "notes": len(judgement.notes),
    }


def of_verification(verification: probative.Verification) -> dict[str, Any]:
    return {
        "claims": [
            {
                "claim": claim.claim,
                "span": [claim.start, claim.end],
                "verdict": str(claim.verdict.value),
                "evidence": [[piece.text, piece.deciding] for piece in claim.evidence],
            }
            for claim in verification.claims
        ],
        "unchecked": len(verification.unchecked),
        "notes": len(verification.notes),
    }


RECORDED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "ask": of_answer,
    "check": of_check,
    "prove": of_proof,
    "reason": of_reasoning,
    "judge": of_judgement,
    "verify": of_verification,
}


def differences(expected: Any, actual: Any, tolerance: float, path: str = "") -> Iterator[str]:
    """Yield where two recorded results differ; floats may differ by the tolerance."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in dict.fromkeys((*expected, *actual)):
            yield from differences(expected.get(name), actual.get(name), tolerance, f"{path}.{name}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, (left, right) in enumerate(zip(expected, actual, strict=True)):
            yield from differences(left, right, tolerance, f"{path}[{index}]")
    elif isinstance(expected, float) and isinstance(actual, int | float) and not isinstance(actual, bool):
        if abs(expected - actual) > tolerance + 1e-9:
            yield f"{path.lstrip('.')}: {expected} became {actual}"
    elif expected != actual:
        yield f"{path.lstrip('.')}: {expected!r} became {actual!r}"
