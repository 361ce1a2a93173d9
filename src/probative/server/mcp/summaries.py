"""The short text beside each structured result, for hosts that show their model only text.

Texts of documents are quoted as JSON strings on one line, so that a reader sees where each begins and ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from probative.give.reasoning import Reasoning, describe_verdict
from probative.mcse.result import Proof
from probative.scope.result import Answer, ChainPassage, CitedSentence, Level
from probative.server.mcp.evidence import EvidenceList, EvidencePiece, overall
from probative.text.labels import with_reader
from probative.text.words import clean
from probative.verify.verification import CheckedClaim, EvidenceSentence, Verification

# Pieces of evidence, claims and triples that a summary shows; the structured result has all of them.
MAX_SHOWN = 12


def quoted(text: str) -> str:
    r"""Return a text of a document as one quoted line.

    >>> print(quoted('It said "go".\nThen it left.'))
    "It said \"go\". Then it left."
    """
    return json.dumps(clean(text), ensure_ascii=False)


@singledispatch
def summary(result: Any) -> str:
    """Return the summary of a result. Register a function for a type that has more to say than its JSON."""
    words: str = result.model_copy(update={"trace": None}).to_json()
    return words


@summary.register
def _answer_text(answer: Answer) -> str:
    """Return the answer or why there is none, the verdict with its level, the cited sentences, and those
    that lead to them.
    """
    lines = [_first_line(answer), f"Verdict: {answer.level.beside(answer.verdict)}"]
    if answer.reason:
        lines.append(f"Reason: {clean(answer.reason)}")
    lines += _missing(answer.missing)
    chain = [f"- {quoted(piece.text)}{_cited(_place(piece))}" for piece in answer.chain]
    lines += _listed("Evidence, quoted from the sources:", _sentences(answer.cited) or chain)
    lines += _listed("What leads there:", _sentences(answer.leading))
    for conflict in answer.conflicts:
        sides = [
            f"{quoted(conflict.text)}{_cited(conflict.citation)}",
            f"{quoted(conflict.other_text)}{_cited(conflict.other_citation)}",
        ]
        if conflict.in_force is None:
            lines.append(f"Conflict: {sides[0]} against {sides[1]}")
        else:
            later, earlier = sides if conflict.in_force == conflict.index else reversed(sides)
            lines.append(f"Replaced: {later} is in force ({conflict.reason}) instead of {earlier}")
    return "\n".join(lines)


def _first_line(answer: Answer) -> str:
    """Return the answer or a probable candidate; one that is not supported is never shown as confirmed."""
    text = answer.answer
    if text is None and answer.level is Level.PROBABLE:
        text = answer.candidate
    if text is None:
        return "No answer."
    if answer.level is Level.SUPPORTED:
        return f"Answer: {clean(text)}"
    if answer.level is not Level.PROBABLE:
        return f"Not supported: {clean(text)}"
    certainty = "" if answer.certainty is None else f", {answer.certainty:.0%} certain"
    return f"Probable answer, not confirmed{certainty}: {clean(text)}"


def _sentences(sentences: Iterable[CitedSentence]) -> list[str]:
    return [f"- {quoted(sentence.text)}{_cited(sentence.citation)}" for sentence in sentences]


@summary.register
def _evidence_text(result: EvidenceList) -> str:
    """Return the verdict and the pieces of evidence."""
    pieces = [f"- {_role(piece)}{quoted(piece.text)}{_cited(_place(piece))}" for piece in result.evidence]
    verdict = result.verdict.value if result.level is None else result.level.beside(result.verdict)
    lines = [f"Verdict: {verdict}", *_missing(result.missing)]
    lines += _listed("Evidence, quoted from the sources:", pieces)
    return "\n".join(lines if pieces else [*lines, "No evidence was found."])


@summary.register
def _verification_text(verification: Verification) -> str:
    """Return how many claims have each verdict, and each claim with its deciding sentences."""
    counts = ", ".join(f"{number} {verdict.value}" for verdict, number in verification.counts.items())
    number = len(verification.claims)
    lines = [f"{number} claim{'' if number == 1 else 's'}: {counts}"]
    claims = sorted(verification.claims, key=lambda claim: claim.verdict.value == "supported")
    for claim in claims[:MAX_SHOWN]:
        lines += _claim(claim)
    if len(claims) > MAX_SHOWN:
        lines.append(f"… and {len(claims) - MAX_SHOWN} more claims")
    if verification.unchecked:
        lines.append(f"{len(verification.unchecked)} sentences claim nothing and were not checked.")
    return "\n".join(lines)


def claim_text(verification: Verification) -> str:
    """Return the verdict on one claim, and below it the parts of which it is made."""
    if not verification.claims:
        reasons = "; ".join(part.reason for part in verification.unchecked) or "the text is empty"
        return f"Nothing was judged: {clean(reasons)}"
    lines = [f"Verdict: {overall(verification.claims).value}"]
    for claim in verification.claims[:MAX_SHOWN]:
        lines += _claim(claim)
    return "\n".join(lines)


@summary.register
def _proof_text(proof: Proof) -> str:
    """Return the verdict on the claim, and the chosen sentences in their order."""
    lines = [f"Verdict: {proof.verdict.value}"] if proof.verdict is not None else []
    lines += _listed("Evidence, best first:", [f"- {quoted(sentence.text)}" for sentence in proof.evidence])
    return "\n".join([*lines, *(f"note: {clean(note)}" for note in proof.notes)])


@summary.register
def _reasoning_text(reasoning: Reasoning) -> str:
    """Return the answer, what it rests on, and the facts of the graph."""
    answer = "none" if reasoning.answer is None else clean(reasoning.answer)
    lines = [f"Answer: {answer}"]
    if verdict := describe_verdict(reasoning):
        lines.append(f"Verdict: {verdict}")
    lines += _listed("Facts of the graph:", [f"- {clean(str(fact))}" for fact in reasoning.facts])
    knowledge = [f"- {clean(str(triple))}" for triple in reasoning.knowledge.affirmative]
    lines += _listed("Extrapolated:", knowledge)
    return "\n".join(lines)


def _claim(claim: CheckedClaim) -> Iterable[str]:
    share = f" ({claim.probabilities.describe(claim.verdict)})" if claim.judged else " (not judged)"
    conflict = "; the sources disagree" if claim.conflict else ""
    yield f"- {claim.verdict.value}{share}{conflict}: {quoted(claim.claim)}"
    for sentence in claim.deciding:
        yield f"  {sentence.stance}: {quoted(sentence.text)}{_cited(_place(sentence))}"
    for note in claim.notes:
        yield f"  note: {clean(note)}"


def _role(piece: EvidencePiece) -> str:
    if piece.stance is not None:
        return f"{piece.stance}: "
    carries = [f"carries {clean(', '.join(piece.carries))}"] if piece.carries else []
    roles = [*(["leads to the answer"] if piece.leads else []), *carries]
    return f"{', '.join(roles)}: " if roles else ""


def _missing(missing: tuple[str, ...]) -> list[str]:
    return [f"Missing: {clean(', '.join(missing))}"] if missing else []


def _place(piece: EvidencePiece | EvidenceSentence | ChainPassage) -> str:
    return with_reader(piece.citation or piece.source or "", piece.read_by)


def _cited(citation: str | None) -> str:
    return f" [{clean(citation)}]" if citation else ""


def _listed(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    rest = [f"… and {len(lines) - MAX_SHOWN} more"] if len(lines) > MAX_SHOWN else []
    return [title, *lines[:MAX_SHOWN], *rest]
