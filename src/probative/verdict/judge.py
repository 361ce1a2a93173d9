"""Judge a claim by evidence of any length.

Evidence that fits into one window is read whole; from longer evidence, the sentences that share most with the
claim are read together. Each sentence of a longer claim is also judged by itself. The embedded model's scores
are then calibrated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search, judge
from probative.engine.tools import Tools
from probative.models.verdict import VerdictItem, VerdictScores
from probative.text.sentences import split_sentences
from probative.types import Verdict
from probative.verdict.calibration import shipped_calibration
from probative.verdict.claim import claim_notes, claim_parts, claims_nothing
from probative.verdict.judgement import Judgement, Probabilities
from probative.verdict.languages import language_note
from probative.verdict.reading import Scores, reading
from probative.verdict.windows import Window, choose_window

EMBEDDED = "embedded:verdict"
# A piece of evidence that decides at least this much, in comparison with the piece that decides most, is
# named beside it.
ALSO_DECIDES = 0.5
# Below, a claim is not supported, even if nothing else is more probable.
MIN_SUPPORTED = 0.5


@dataclass(frozen=True)
class _Sentences:
    """The sentences of the evidence, and the index of the piece that each belongs to."""

    texts: tuple[str, ...]
    pieces: tuple[int, ...]


@dataclass(frozen=True)
class _Read:
    """A window that was read, and what the model said about it."""

    window: Window
    scores: VerdictScores

    @property
    def three(self) -> Scores:
        return self.scores.supported, self.scores.contradicted, self.scores.insufficient


def judge_claim(
    claim: str, evidence: Sequence[str], tools: Tools, *, language: str | None = None
) -> Search[Judgement]:
    """Return whether the evidence supports the claim, and which pieces decide.

    `language` names the language of the texts; without it, the language is detected.
    """
    sentences = _split(evidence, language)
    if not sentences.texts:
        return _undecided("there is no evidence to judge the claim by")
    problem = claims_nothing(claim)
    if problem is not None:
        return _undecided(problem)
    embedded = tools.verdict.name == EMBEDDED
    note, readable = language_note(claim, " ".join(sentences.texts)) if embedded else (None, True)
    if not readable:
        assert note is not None
        return _undecided(note)
    parts = claim_parts(claim)
    whole, *of_parts = yield from _read([claim, *parts] if len(parts) > 1 else [claim], sentences, tools)
    if embedded:
        numbers = reading(whole.three, [part.three for part in of_parts])
        probabilities = shipped_calibration().probabilities(numbers)
    else:
        probabilities = _uncalibrated([whole, *of_parts])
    verdict = verdict_of(probabilities)
    notes = (*claim_notes(claim, len(parts)), *([note] if note else ()))
    deciding = _deciding(verdict, [whole, *of_parts], sentences)
    return Judgement(verdict=verdict, probabilities=probabilities, deciding=deciding, notes=notes)


def verdict_of(probabilities: Probabilities) -> Verdict:
    """Return the most probable verdict; supported only from a probability of one half on.

    >>> verdict_of(Probabilities(supported=0.45, contradicted=0.25, insufficient=0.3)).value
    'insufficient'
    """
    verdict = max(Verdict, key=probabilities.of)
    if verdict is Verdict.SUPPORTED and probabilities.supported < MIN_SUPPORTED:
        return Verdict.INSUFFICIENT
    return verdict


def _split(evidence: Sequence[str], language: str | None) -> _Sentences:
    """Return the sentences of all pieces that are not empty."""
    split = [
        (sentence.text, index)
        for index, piece in enumerate(evidence)
        if piece.strip()
        for sentence in split_sentences(piece, language)
    ]
    return _Sentences(tuple(text for text, _ in split), tuple(index for _, index in split))


def _read(claims: Sequence[str], sentences: _Sentences, tools: Tools) -> Search[list[_Read]]:
    """Return what the model says about each claim by the sentences that matter for it."""
    lengths = tools.verdict.count_tokens(sentences.texts)
    chosen = [choose_window(claim, sentences.texts, lengths) for claim in claims]
    items = [
        VerdictItem(claim, tuple(sentences.texts[index] for index in window))
        for claim, window in zip(claims, chosen, strict=True)
    ]
    scores = yield from judge(items, step="verdict")
    return [_Read(window, score) for window, score in zip(chosen, scores, strict=True)]


def _uncalibrated(reads: Sequence[_Read]) -> Probabilities:
    """Return the scores of the claim, or of its weakest sentence."""
    supported, contradicted, insufficient = min(reads, key=lambda read: read.scores.supported).three
    return Probabilities(supported=supported, contradicted=contradicted, insufficient=insufficient)


def _deciding(verdict: Verdict, reads: Sequence[_Read], sentences: _Sentences) -> tuple[int, ...]:
    """Return the pieces of evidence that decide, the most important first; none where nothing decides."""
    if verdict is Verdict.INSUFFICIENT:
        return ()
    read = max(reads, key=lambda read: float(getattr(read.scores, verdict.value)))
    shares: dict[int, float] = {}
    for index, share in zip(read.window, read.scores.deciding, strict=True):
        piece = sentences.pieces[index]
        shares[piece] = max(shares.get(piece, 0.0), share)
    least = ALSO_DECIDES * max(shares.values())
    ranked = sorted(shares, key=lambda piece: (-shares[piece], piece))
    return tuple(piece for piece in ranked if shares[piece] >= least)


def _undecided(reason: str) -> Judgement:
    """Return the judgement of a claim that was not read, and why."""
    nothing = Probabilities(supported=0.0, contradicted=0.0, insufficient=1.0)
    return Judgement(verdict=Verdict.INSUFFICIENT, probabilities=nothing, notes=(reason,))
