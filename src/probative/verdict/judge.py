"""Judge a claim by evidence of any length.

Evidence that fits into one window is read whole; from longer evidence, the sentences that share most with the
claim are read together. The embedded models' scores are then calibrated. Other models judge each sentence of
a longer claim, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probative.engine.methods import Tools
from probative.engine.search import Search, judge
from probative.models.task_prompts import Line
from probative.models.verdict import VerdictScores, evidence_limits, limits_of
from probative.settings import CASCADE
from probative.text import english
from probative.text.labels import counted
from probative.text.sentences import detect_language
from probative.types import Verdict
from probative.verdict.judgement import (
    CALIBRATED,
    UNDECIDED,
    Judgement,
    Probabilities,
    reading,
    shipped_calibration,
)
from probative.verdict.languages import Task, language_note
from probative.verdict.lines import (
    Sentence,
    Window,
    choose_window,
    claim_parts,
    claims_nothing,
    evidence_sentences,
    window_item,
)

# Pieces of evidence that decide at least this share of what the most deciding piece does are named too.
ALSO_DECIDES = 0.5
# How surely a piece of evidence must say the opposite of the verdict, read alone, to be on the other side.
MIN_OPPOSITE = 0.7
# Below, a claim is not supported, even if nothing else is more probable.
MIN_SUPPORTED = 0.5
EACH_JUDGED = "the claim has {} sentences: each was judged"


class _Read(NamedTuple):
    """A claim, or a sentence of it, with the window that was read, and what the model said about it."""

    claim: str
    window: Window
    scores: VerdictScores


def judge_claim(
    claim: str,
    evidence: Sequence[str],
    tools: Tools,
    *,
    language: str | None = None,
    lines: Sequence[Line] = (),
    task: Task = "claim",
) -> Search[Judgement]:
    """Return whether the evidence supports the claim, and which pieces decide.

    `language` is that of the text or question which the claim comes from; without it, the claim is asked. The
    evidence counts as written in it unless it clearly is in another one. `lines` are the same pieces with
    their headers, which a model that knows headers reads instead. `task`: whether the claim is a text's own,
    or a question with its answer.
    """
    headed = limits_of(tools.verdict).headers
    if headed and lines:
        evidence = [line.text for line in lines]
    language = language or detect_language(claim)
    evidence_language = detect_language(" ".join(evidence), language)
    headers = [line.header for line in lines] if headed else None
    given = evidence_sentences(evidence, evidence_language, headers)
    if not given:
        return _undecided("there is no evidence to judge the claim by")
    problem = claims_nothing(claim)
    if problem is not None:
        return _undecided(problem)
    sentences, left_out = _without_instructions(given, claim)
    if not sentences:
        return _undecided(left_out)
    languages = {task: language, "evidence": evidence_language}
    readable, language_problem = language_note(tools.verdict.name, task, languages)
    if not readable:
        return _undecided(language_problem)
    parts = claim_parts(claim)
    parts = parts if len(parts) > 1 else []
    embedded = tools.verdict.name in (*CALIBRATED, CASCADE)
    whole, *of_parts = yield from _read([claim] if embedded else [claim, *parts], sentences, tools)
    probabilities = _probabilities(tools.verdict.name, whole, of_parts)
    verdict = verdict_of(probabilities)
    if embedded and parts and verdict is Verdict.CONTRADICTED:
        of_parts = yield from _read(parts, sentences, tools)
    read = _deciding_read(verdict, whole, of_parts)
    deciding = () if verdict is Verdict.INSUFFICIENT else _deciding(read, sentences)
    # Of a question's answer, only what decides is cited.
    several = task == "claim" and len(deciding) > 1
    opposing = (yield from _opposing(read.claim, verdict, deciding, sentences, tools)) if several else ()
    note = EACH_JUDGED.format(len(parts)) if of_parts else ""
    notes = [note, left_out, language_problem, _doubt(verdict, probabilities)]
    return Judgement(
        verdict=verdict,
        probabilities=probabilities,
        disputed=read.claim if verdict is Verdict.CONTRADICTED else None,
        deciding=tuple(index for index in deciding if index not in opposing),
        opposing=opposing,
        notes=tuple(filter(None, notes)),
    )


def verdict_of(probabilities: Probabilities) -> Verdict:
    """Return the most probable verdict; but insufficient where that is supported below one half.

    >>> verdict_of(Probabilities(supported=0.45, contradicted=0.3, insufficient=0.25)).value
    'insufficient'
    """
    likeliest = max((Verdict.INSUFFICIENT, Verdict.CONTRADICTED, Verdict.SUPPORTED), key=probabilities.of)
    if likeliest is Verdict.SUPPORTED and probabilities.supported < MIN_SUPPORTED:
        return Verdict.INSUFFICIENT
    return likeliest


def _without_instructions(sentences: Sequence[Sentence], claim: str) -> tuple[list[Sentence], str]:
    """Return the sentences, and their headers, that do not tell which verdict to give; with a note on those
    that do.
    """
    texts = {entry.text for entry in sentences} | {entry.header for entry in sentences}
    bad = {text for text in texts if text and english.is_instruction_to_judge(text, claim)}
    kept = [
        entry._replace(header="") if entry.header in bad else entry
        for entry in sentences
        if entry.text not in bad
    ]
    count = sum(entry.text in bad for entry in sentences) + len(bad & {entry.header for entry in sentences})
    if not count:
        return kept, ""
    what = "an instruction" if count == 1 else "instructions"
    return kept, f"{counted(count, 'sentence')} of the evidence left out: {what} about the verdict"


def _read(claims: Sequence[str], sentences: Sequence[Sentence], tools: Tools) -> Search[list[_Read]]:
    """Return what the model says about each claim by the sentences that matter for it."""
    texts = [entry.text for entry in sentences]
    lengths = tools.verdict.count_tokens(texts)
    headers = [*filter(None, {entry.header for entry in sentences})]
    above = sum(tools.verdict.count_tokens(headers)) if headers else 0
    limits = [evidence_limits(tools.verdict, claim) for claim in claims]
    chosen = [
        choose_window(
            claim, texts, lengths, limit._replace(tokens=max(limit.tokens // 2, limit.tokens - above))
        )
        for claim, limit in zip(claims, limits, strict=True)
    ]
    items = [window_item(claim, sentences, window) for claim, window in zip(claims, chosen, strict=True)]
    scores = yield from judge(items, step="verdict")
    return [_Read(*read) for read in zip(claims, chosen, scores, strict=True)]


def _probabilities(model: str, whole: _Read, parts: Sequence[_Read]) -> Probabilities:
    """Return calibrated probabilities of an embedded model; for another one, the scores of the claim or of
    its weakest sentence.
    """
    if model in CALIBRATED:
        return shipped_calibration(model).probabilities(reading(whole.scores[:3]))
    scores = min((read.scores for read in (whole, *parts)), key=lambda scores: scores.supported)
    supported, contradicted, insufficient, _ = scores
    return Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)


def _doubt(verdict: Verdict, probabilities: Probabilities) -> str:
    """Return a note if no verdict is more probable than the two others together."""
    if max(map(probabilities.of, Verdict)) >= MIN_SUPPORTED:
        return ""
    return f"hardly decided: no verdict reaches 50%; {verdict.value} is a guess"


def _deciding_read(verdict: Verdict, whole: _Read, parts: Sequence[_Read]) -> _Read:
    """Return the claim, or the sentence of it, that the verdict is clearest for.

    A contradiction lies in one sentence of the claim, and the evidence that the whole claim points at may
    agree with another one: so only the sentences count.
    """
    reads = parts if verdict is Verdict.CONTRADICTED and parts else [whole, *parts]
    return max(reads, key=lambda read: float(getattr(read.scores, verdict.value)))


def _deciding(read: _Read, sentences: Sequence[Sentence]) -> tuple[int, ...]:
    """Return the pieces of evidence that decide, the most important first."""
    shares: dict[int, float] = {}
    for index, share in zip(read.window, read.scores.deciding, strict=True):
        piece = sentences[index].piece
        shares[piece] = max(shares.get(piece, 0.0), share)
    least = ALSO_DECIDES * max(shares.values())
    ranked = sorted(shares, key=lambda piece: (-shares[piece], piece))
    return tuple(piece for piece in ranked if shares[piece] >= least)


def _opposing(
    claim: str,
    verdict: Verdict,
    deciding: Sequence[int],
    sentences: Sequence[Sentence],
    tools: Tools,
) -> Search[tuple[int, ...]]:
    """Return the pieces, of several that decide together, that alone say the opposite of the verdict."""
    other = Verdict.CONTRADICTED if verdict is Verdict.SUPPORTED else Verdict.SUPPORTED
    items = []
    for index in deciding:
        rows = [row for row, entry in enumerate(sentences) if entry.piece == index]
        texts = [sentences[row].text for row in rows]
        lengths, limits = tools.verdict.count_tokens(texts), evidence_limits(tools.verdict, claim)
        window = choose_window(claim, texts, lengths, limits)
        items.append(window_item(claim, sentences, [rows[chosen] for chosen in window]))
    scores = yield from judge(items, step="verdict")
    shares = [float(getattr(score, other.value)) for score in scores]
    opposing = tuple(index for index, share in zip(deciding, shares, strict=True) if share >= MIN_OPPOSITE)
    return opposing if len(opposing) < len(deciding) else ()


def _undecided(reason: str) -> Judgement:
    """Return the judgement of a claim that was not read, and why."""
    return Judgement(verdict=Verdict.INSUFFICIENT, probabilities=UNDECIDED, judged=False, notes=(reason,))
