"""From what the sources together, and some alone, say about a claim to one verdict with both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.types import Verdict
from probative.verdict.judge import MIN_OPPOSITE
from probative.verdict.judgement import UNDECIDED, Judgement, Probabilities
from probative.verify.evidence import Candidate
from probative.verify.verification import EvidenceSentence, Stance

_STANCES: dict[Verdict, Stance] = {Verdict.SUPPORTED: "supports", Verdict.CONTRADICTED: "contradicts"}
_OPPOSITE = {Verdict.SUPPORTED: Verdict.CONTRADICTED, Verdict.CONTRADICTED: Verdict.SUPPORTED}


@dataclass(frozen=True)
class Reading:
    """Sentences that were read together, and the verdict by them."""

    candidates: tuple[Candidate, ...]
    judgement: Judgement

    @property
    def verdict(self) -> Verdict:
        return self.judgement.verdict

    @property
    def certainty(self) -> float:
        """The probability of the verdict."""
        return self.judgement.probabilities.of(self.verdict)

    def opposes(self, other: Reading) -> bool:
        """Return whether these sentences surely say the opposite of others."""
        return self.verdict is _OPPOSITE.get(other.verdict) and self.certainty >= MIN_OPPOSITE

    def side(self, verdict: Verdict) -> list[Candidate]:
        """Return the sentences that are on the side of a verdict."""
        if verdict is self.verdict:
            return [self.candidates[index] for index in self.judgement.deciding]
        if verdict is _OPPOSITE.get(self.verdict):
            return self.opposing()
        return []

    def opposing(self) -> list[Candidate]:
        """Return the sentences on the other side than the verdict's."""
        return [self.candidates[index] for index in self.judgement.opposing]

    def undecided(self) -> list[Candidate]:
        """Return the sentences that are on no side, if others are."""
        decided = [candidate for verdict in _STANCES for candidate in self.side(verdict)]
        return [candidate for candidate in self.candidates if candidate not in decided] if decided else []

    def sentences(self) -> tuple[EvidenceSentence, ...]:
        """Return the sentences as a result has them, those that decide first."""
        decides = self.verdict is not Verdict.INSUFFICIENT
        return listed([self], [self] if decides else [])


@dataclass(frozen=True)
class Conclusion:
    """The verdict on a claim by all that was read."""

    verdict: Verdict
    probabilities: Probabilities
    evidence: tuple[EvidenceSentence, ...] = ()
    judged: bool = True
    conflict: bool = False
    notes: tuple[str, ...] = ()


def conclude(reads: Sequence[Reading], others: Sequence[Reading] = ()) -> Conclusion:
    """Return the verdict on a claim by all sources together, the first reading.

    If they say nothing, a cited source that says something alone counts, or the best sentence alone. `others`
    are parts of the first reading by themselves. Of two sides the one with the latest date counts, since
    rules, prices and plans are replaced by later ones. Without dates, a cited source that contradicts the
    claim alone counts, and a part of the first reading does not. A reading is on the other side only if it
    is sure.
    """
    judged = [read for read in reads if read.judgement.judged]
    if not judged:
        notes = reads[0].judgement.notes
        return Conclusion(Verdict.INSUFFICIENT, UNDECIDED, listed(reads), judged=False, notes=notes)
    deciding = [read for read in judged if read.verdict is not Verdict.INSUFFICIENT]
    chosen = (deciding or judged)[0]
    against = [read for read in deciding if read.opposes(chosen)]
    counting = [read for read in deciding if read.verdict is chosen.verdict or read in against]
    counting += [read for read in others if read.opposes(chosen)]
    prevailing = _later_side(counting) or (Verdict.CONTRADICTED if against else chosen.verdict)
    if prevailing is not chosen.verdict:
        of_side = [read for read in counting if read.verdict is prevailing]
        chosen = max(of_side, key=lambda read: read.certainty, default=chosen)
    return Conclusion(
        chosen.verdict,
        chosen.judgement.probabilities,
        listed([chosen, *counting, *reads], counting),
        conflict=all(_side(counting, verdict) for verdict in _STANCES),
        notes=chosen.judgement.notes,
    )


def _later_side(reads: Sequence[Reading]) -> Verdict | None:
    """Return the side with the latest date; None if one has no date, or one date is within the other."""
    supporting, opposing = (
        max((candidate.date or "" for candidate in _side(reads, side)), default="") for side in _STANCES
    )
    if not (supporting and opposing) or supporting.startswith(opposing) or opposing.startswith(supporting):
        return None
    return Verdict.SUPPORTED if supporting > opposing else Verdict.CONTRADICTED


def _side(reads: Sequence[Reading], verdict: Verdict) -> list[Candidate]:
    return [candidate for read in reads for candidate in read.side(verdict)]


def listed(reads: Sequence[Reading], counting: Sequence[Reading] = ()) -> tuple[EvidenceSentence, ...]:
    """Return the sentences of readings, each once: those on a side in a reading that counts come first, in
    the order of the readings.
    """
    stances: dict[Candidate, Stance] = {}
    for read in reads:
        if read in counting:
            for verdict in (read.verdict, _OPPOSITE[read.verdict]):
                for candidate in read.side(verdict):
                    stances.setdefault(candidate, _STANCES[verdict])
    others = dict.fromkeys(entry for read in reads for entry in read.candidates if entry not in stances)
    return (
        *(candidate.evidence(stance, deciding=True) for candidate, stance in stances.items()),
        *(candidate.evidence() for candidate in others),
    )
