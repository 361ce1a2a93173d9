"""Judge a claim by evidence of any length.

Evidence that fits into one window is read whole; from longer evidence, the sentences that share most with the
claim are read together. Each sentence of a longer claim is also judged by itself. The embedded model's scores
are then calibrated.

A model this small is led astray by what stands around the deciding sentence: of a sentence of the claim, the
few sentences of the evidence that share most with it are read once more by themselves, and both count alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search, judge
from probative.engine.tools import Tools
from probative.models.verdict import VerdictItem, VerdictScores
from probative.text import english
from probative.text.language import detect_language
from probative.text.sentences import split_sentences
from probative.types import Verdict
from probative.verdict.calibration import shipped_calibration
from probative.verdict.claim import claim_notes, claim_parts, claims_nothing
from probative.verdict.computation import compute
from probative.verdict.computed import Computed, weighed
from probative.verdict.judgement import Judgement, Probabilities
from probative.verdict.languages import READABLE, language_note
from probative.verdict.reading import Scores, combined, reading
from probative.verdict.windows import Window, choose_window, near_window

EMBEDDED = "embedded:verdict"
# A piece of evidence that decides at least this much, in comparison with the piece that decides most, is
# named beside it.
ALSO_DECIDES = 0.5
# How surely a piece of evidence must say the opposite of the verdict, read alone, to be on the other side.
MIN_OPPOSITE = 0.7
# Below, a claim is not supported, even if nothing else is more probable.
MIN_SUPPORTED = 0.5


@dataclass(frozen=True)
class _Sentences:
    """The sentences of the evidence, and the index of the piece that each belongs to."""

    texts: tuple[str, ...]
    pieces: tuple[int, ...]


@dataclass(frozen=True)
class _Read:
    """A claim, or a sentence of it, with the window that was read, and what the model said about it."""

    claim: str
    window: Window
    scores: VerdictScores

    @property
    def three(self) -> Scores:
        return self.scores.supported, self.scores.contradicted, self.scores.insufficient


def judge_claim(
    claim: str,
    evidence: Sequence[str],
    tools: Tools,
    *,
    language: str | None = None,
    twice: bool = False,
    known: Sequence[str] = (),
) -> Search[Judgement]:
    """Return whether the evidence supports the claim, and which pieces decide.

    `language` is that of the text or question which the claim comes from; without it, the claim is asked. The
    evidence counts as written in it unless it clearly is in another one. With `twice`, the sentences that
    share most with the claim are read by themselves, too, and what can be computed is. `known` is what else
    is known of the evidence, such as its date: a date of the claim may stand there.
    """
    language = language or detect_language(claim)
    evidence_language = detect_language(" ".join(evidence), language)
    sentences = _split(evidence, evidence_language)
    if not sentences.texts:
        return _undecided("there is no evidence to judge the claim by")
    problem = claims_nothing(claim)
    if problem is not None:
        return _undecided(problem)
    sentences, left_out = _without_instructions(claim, sentences)
    if not sentences.texts:
        return _undecided(left_out)
    embedded = tools.verdict.name == EMBEDDED
    language_found = language_note(language, evidence_language) if embedded else READABLE
    if not language_found.readable:
        return _undecided(language_found.note)
    parts = claim_parts(claim)
    claims = [claim, *parts] if len(parts) > 1 else [claim]
    whole, *of_parts = yield from _read(claims, sentences, tools, twice=twice and embedded)
    if embedded:
        numbers = reading(whole.three, [part.three for part in of_parts])
        probabilities = shipped_calibration().probabilities(numbers)
    else:
        probabilities = _uncalibrated([whole, *of_parts])
    computed = compute(claim, sentences.texts, known) if twice and len(parts) == 1 else None
    if computed is not None:
        probabilities = weighed(probabilities, computed)
    verdict = verdict_of(probabilities)
    read = _deciding_read(verdict, whole, of_parts)
    deciding = () if verdict is Verdict.INSUFFICIENT else _deciding(read, sentences)
    if computed is not None and verdict is computed.verdict:
        deciding = tuple(dict.fromkeys(sentences.pieces[index] for index in computed.sentences))
    opposing = yield from _opposing(read.claim, verdict, deciding, evidence)
    notes = [*claim_notes(claim, len(parts)), left_out, language_found.note, _doubt(verdict, probabilities)]
    return Judgement(
        verdict=verdict,
        probabilities=probabilities,
        disputed=read.claim if verdict is Verdict.CONTRADICTED else None,
        deciding=tuple(index for index in deciding if index not in opposing),
        opposing=opposing,
        notes=tuple(filter(None, [_computed_note(computed, verdict), *notes])),
    )


def verdict_of(probabilities: Probabilities) -> Verdict:
    """Return the most probable verdict; but insufficient where that is supported below one half.

    >>> verdict_of(Probabilities(supported=0.45, contradicted=0.3, insufficient=0.25)).value
    'insufficient'
    """
    most = max((Verdict.INSUFFICIENT, Verdict.CONTRADICTED, Verdict.SUPPORTED), key=probabilities.of)
    if most is Verdict.SUPPORTED and probabilities.supported < MIN_SUPPORTED:
        return Verdict.INSUFFICIENT
    return most


def _split(evidence: Sequence[str], language: str) -> _Sentences:
    """Return the sentences of all pieces that are not empty."""
    split = [
        (sentence.text, index)
        for index, piece in enumerate(evidence)
        if piece.strip()
        for sentence in split_sentences(piece, language)
    ]
    return _Sentences(tuple(text for text, _ in split), tuple(index for _, index in split))


def _without_instructions(claim: str, sentences: _Sentences) -> tuple[_Sentences, str]:
    """Return the sentences that do not tell which verdict to give, and a note on those that do."""
    tells = english.is_instruction_to_judge
    kept = [
        (text, piece)
        for text, piece in zip(sentences.texts, sentences.pieces, strict=True)
        if not tells(text, claim)
    ]
    count = len(sentences.texts) - len(kept)
    if not count:
        return sentences, ""
    note = (
        f"{count} sentence{'s' if count > 1 else ''} of the evidence left out: "
        f"{'instructions' if count > 1 else 'an instruction'} about the verdict"
    )
    return _Sentences(tuple(text for text, _ in kept), tuple(piece for _, piece in kept)), note


def _read(claims: Sequence[str], sentences: _Sentences, tools: Tools, *, twice: bool) -> Search[list[_Read]]:
    """Return what the model says about each claim by the sentences that matter for it.

    With `twice`, those that are one sentence are read again with the few sentences that share most with them.
    """
    lengths = tools.verdict.count_tokens(sentences.texts)
    chosen = [choose_window(claim, sentences.texts, lengths) for claim in claims]
    near = [
        near_window(claim, sentences.texts, window) if twice and (index or len(claims) == 1) else ()
        for index, (claim, window) in enumerate(zip(claims, chosen, strict=True))
    ]
    again = [(claim, window) for claim, window in zip(claims, near, strict=True) if window]
    items = [
        VerdictItem(claim, tuple(sentences.texts[index] for index in window))
        for claim, window in (*zip(claims, chosen, strict=True), *again)
    ]
    scores = yield from judge(items, step="verdict")
    second = iter(scores[len(claims) :])
    return [
        _Read(claim, window, combined(score, window, next(second), few) if few else score)
        for claim, window, score, few in zip(claims, chosen, scores, near, strict=False)
    ]


def _uncalibrated(reads: Sequence[_Read]) -> Probabilities:
    """Return the scores of the claim, or of its weakest sentence."""
    supported, contradicted, insufficient = min(reads, key=lambda read: read.scores.supported).three
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


def _deciding(read: _Read, sentences: _Sentences) -> tuple[int, ...]:
    """Return the pieces of evidence that decide, the most important first."""
    shares: dict[int, float] = {}
    for index, share in zip(read.window, read.scores.deciding, strict=True):
        piece = sentences.pieces[index]
        shares[piece] = max(shares.get(piece, 0.0), share)
    least = ALSO_DECIDES * max(shares.values())
    ranked = sorted(shares, key=lambda piece: (-shares[piece], piece))
    return tuple(piece for piece in ranked if shares[piece] >= least)


def _opposing(
    claim: str, verdict: Verdict, deciding: Sequence[int], evidence: Sequence[str]
) -> Search[tuple[int, ...]]:
    """Return the pieces, of several that decide together, that alone say the opposite of the verdict."""
    if len(deciding) < 2:
        return ()
    other = Verdict.CONTRADICTED if verdict is Verdict.SUPPORTED else Verdict.SUPPORTED
    scores = yield from judge([VerdictItem(claim, (evidence[index],)) for index in deciding], step="verdict")
    shares = [float(getattr(score, other.value)) for score in scores]
    opposing = tuple(index for index, share in zip(deciding, shares, strict=True) if share >= MIN_OPPOSITE)
    return opposing if len(opposing) < len(deciding) else ()


def _computed_note(computed: Computed | None, verdict: Verdict) -> str:
    """Return the computation in words; if it argues for another verdict, that it does."""
    if computed is None:
        return ""
    agrees = computed.verdict in (None, verdict)
    return computed.note if agrees else f"the model is surer than what is {computed.note}"


def _undecided(reason: str) -> Judgement:
    """Return the judgement of a claim that was not read, and why."""
    nothing = Probabilities(supported=0.0, contradicted=0.0, insufficient=1.0)
    return Judgement(verdict=Verdict.INSUFFICIENT, probabilities=nothing, judged=False, notes=(reason,))
