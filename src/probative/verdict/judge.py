"""Judge a claim by evidence of any length.

Evidence that fits into one window is read once. From longer evidence the sentences that share most with the
claim are read together, wherever they are, and a few consecutive windows beside them. Each sentence of a
longer claim is also judged by itself. The embedded model's scores are then calibrated together.
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
from probative.verdict.reading import Scores, features, overlap
from probative.verdict.windows import Window, windows

EMBEDDED = "embedded:verdict"
# A piece of evidence that decides at least this much, in comparison with the piece that decides most, is
# named beside it.
ALSO_DECIDES = 0.5


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
    whole, of_parts = yield from _read(claim, parts, sentences, tools)
    if embedded:
        numbers = features(
            [read.three for read in whole],
            [read.three for read in of_parts],
            overlap(claim, sentences.texts),
        )
        probabilities = shipped_calibration().probabilities(numbers)
    else:
        probabilities = _uncalibrated(whole, of_parts)
    verdict = max(Verdict, key=probabilities.of)
    notes = (*claim_notes(claim, len(parts)), *([note] if note else ()))
    deciding = _deciding(verdict, [*whole, *of_parts], sentences)
    return Judgement(verdict=verdict, probabilities=probabilities, deciding=deciding, notes=notes)


def _split(evidence: Sequence[str], language: str | None) -> _Sentences:
    """Return the sentences of all pieces that are not empty."""
    split = [
        (sentence.text, index)
        for index, piece in enumerate(evidence)
        if piece.strip()
        for sentence in split_sentences(piece, language)
    ]
    return _Sentences(tuple(text for text, _ in split), tuple(index for _, index in split))


def _read(
    claim: str, parts: Sequence[str], sentences: _Sentences, tools: Tools
) -> Search[tuple[list[_Read], list[_Read]]]:
    """Return what was read for the claim, and for each of its sentences if it has several."""
    lengths = tools.verdict.count_tokens(sentences.texts)
    plan = [(claim, window) for window in windows(claim, sentences.texts, lengths)]
    n_whole = len(plan)
    if len(parts) > 1:
        plan += [(part, windows(part, sentences.texts, lengths)[0]) for part in parts]
    items = [VerdictItem(text, tuple(sentences.texts[index] for index in window)) for text, window in plan]
    scores = yield from judge(items, step="verdict")
    reads = [_Read(window, score) for (_, window), score in zip(plan, scores, strict=True)]
    return reads[:n_whole], reads[n_whole:]


def _uncalibrated(whole: Sequence[_Read], parts: Sequence[_Read]) -> Probabilities:
    """Return the scores of the window that says most, or of the claim's weakest sentence."""
    best = max(whole, key=lambda read: 1.0 - read.scores.insufficient)
    weakest = min(parts, key=lambda read: read.scores.supported, default=best)
    supported, contradicted, insufficient = min(best, weakest, key=lambda read: read.scores.supported).three
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
