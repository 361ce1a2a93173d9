"""From what each source says about a claim to one verdict, with both sides of a contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probative.types import Verdict
from probative.verdict.judgement import Judgement, Probabilities
from probative.verify.evidence import Group
from probative.verify.verification import EvidenceSentence, Stance

# A sentence with a smaller share of a claim's words does not contradict it.
MIN_SHARED = 0.3
# A side counts, whatever its date, if its share of the claim's words is larger by this.
CLEARLY_MORE = 0.35
# A side whose verdict is less probable than this does not prevail over one that reaches it.
SURE = 0.65
NOTHING = Probabilities(supported=0.0, contradicted=0.0, insufficient=1.0)
"""Those of a claim on which nothing was judged."""
_STANCES: dict[Verdict, Stance] = {Verdict.SUPPORTED: "supports", Verdict.CONTRADICTED: "contradicts"}
_OPPOSITE: dict[Stance, Stance] = {"supports": "contradicts", "contradicts": "supports"}


@dataclass(frozen=True)
class ReadGroup:
    """Sentences that were read together, and the verdict by them."""

    group: Group
    judgement: Judgement
    shared: float = 1.0
    """The share of the claim's words in a sentence that decides."""

    @property
    def date(self) -> str:
        """The latest date of the sentences; empty without one."""
        return max((candidate.date or "" for candidate in self.group.candidates), default="")

    def sentences(self) -> tuple[EvidenceSentence, ...]:
        """Return the sentences as a result has them, those that decide first."""
        stance = _STANCES.get(self.judgement.verdict)
        sides: dict[int, Stance] = {}
        if stance is not None:
            sides.update(dict.fromkeys(self.judgement.deciding, stance))
            sides.update(dict.fromkeys(self.judgement.opposing, _OPPOSITE[stance]))
        others = [index for index in range(len(self.group.candidates)) if index not in sides]
        return (
            *(self.group.candidates[index].evidence(side, deciding=True) for index, side in sides.items()),
            *(self.group.candidates[index].evidence() for index in others),
        )


@dataclass(frozen=True)
class Conclusion:
    """The verdict on a claim by all that was read."""

    verdict: Verdict
    probabilities: Probabilities
    evidence: tuple[EvidenceSentence, ...] = ()
    judged: bool = True
    conflict: bool = False
    notes: tuple[str, ...] = ()


def conclude(reads: Sequence[ReadGroup]) -> Conclusion:
    """Return the verdict on a claim.

    If all sources that say something agree, it is theirs. If they disagree, and one side is hardly decided,
    the other one counts; else the side that has clearly more words of the claim: the other one may be about
    another thing. Otherwise it is the side with the
    latest date, since rules, prices and plans are replaced by later ones; without dates, the
    contradiction counts. Both sides are shown. A contradiction by a sentence with few words of the claim does
    not count.
    """
    judged = [_relevant(read) for read in reads if read.judgement.judged]
    if not judged:
        notes = reads[0].judgement.notes if reads else ()
        return Conclusion(Verdict.INSUFFICIENT, NOTHING, _merged(reads), judged=False, notes=notes)
    counting = _counting(judged)
    judged = [read if read in counting else _without_side(read) for read in judged]
    sides = {verdict: _side(counting, verdict) for verdict in Verdict}
    supporting, opposing = sides[Verdict.SUPPORTED], sides[Verdict.CONTRADICTED]
    within = any(read.judgement.opposing for read in (*_own(supporting), *_own(opposing)))
    conflict = within or (bool(_own(supporting)) and bool(_own(opposing)))
    if supporting and opposing:
        chosen = _prevailing(supporting, opposing)
    else:
        chosen = (supporting or opposing or sides[Verdict.INSUFFICIENT])[0]
    first = [read for read in judged if read is chosen]
    agreeing = [read for read in sides[chosen.judgement.verdict] if read is not chosen]
    others = [read for read in judged if read not in first and read not in agreeing]
    return Conclusion(
        chosen.judgement.verdict,
        chosen.judgement.probabilities,
        _merged([*first, *agreeing, *others]),
        conflict=conflict,
        notes=_notes(chosen, reads),
    )


def _notes(chosen: ReadGroup, reads: Sequence[ReadGroup]) -> tuple[str, ...]:
    """Return the notes on the reading that counts; if it says nothing, also why others were not judged."""
    notes = chosen.judgement.notes
    if chosen.judgement.verdict is Verdict.INSUFFICIENT:
        notes += tuple(note for read in reads if not read.judgement.judged for note in read.judgement.notes)
    return tuple(dict.fromkeys(notes))


def _relevant(read: ReadGroup) -> ReadGroup:
    """Return a reading as insufficient if its sentences have few words of the claim."""
    if read.judgement.verdict is not Verdict.CONTRADICTED or read.shared >= MIN_SHARED:
        return read
    return _without_side(read)


def _without_side(read: ReadGroup) -> ReadGroup:
    """Return a reading whose sentences are on no side, because it does not count."""
    update = {"verdict": Verdict.INSUFFICIENT, "deciding": (), "opposing": (), "disputed": None}
    return replace(read, judgement=read.judgement.model_copy(update=update))


def _counting(reads: Sequence[ReadGroup]) -> list[ReadGroup]:
    """Return the readings that count: those of all sources together only if no source says anything alone.

    Read together, a value of one source may be taken for another's.
    """
    alone = _own(reads)
    if any(read.judgement.verdict is not Verdict.INSUFFICIENT for read in alone):
        return alone
    return list(reads)


def _prevailing(supporting: Sequence[ReadGroup], opposing: Sequence[ReadGroup]) -> ReadGroup:
    """Return the reading that counts of two sides that disagree."""
    support, opposition = (
        max(read.judgement.probabilities.of(read.judgement.verdict) for read in side)
        for side in (supporting, opposing)
    )
    if (support >= SURE) != (opposition >= SURE):
        return supporting[0] if support >= SURE else opposing[0]
    shares = [max(read.shared for read in side) for side in (supporting, opposing)]
    if shares[0] - shares[1] >= CLEARLY_MORE:
        return supporting[0]
    latest = [max((read.date for read in _own(side)), default="") for side in (supporting, opposing)]
    return supporting[0] if latest[1] and latest[0] > latest[1] else opposing[0]


def _own(reads: Sequence[ReadGroup]) -> list[ReadGroup]:
    """Return the readings of single sources."""
    return [read for read in reads if read.group.origin]


def _side(reads: Sequence[ReadGroup], verdict: Verdict) -> list[ReadGroup]:
    """Return the readings with a verdict, the most certain first."""
    side = [read for read in reads if read.judgement.verdict is verdict]
    return sorted(side, key=lambda read: -read.judgement.probabilities.of(verdict))


def _merged(reads: Sequence[ReadGroup]) -> tuple[EvidenceSentence, ...]:
    """Return the sentences of all readings, each once, the deciding ones first."""
    merged: dict[tuple[str | None, int | None, str], EvidenceSentence] = {}
    listed = [sentence for read in reads for sentence in read.sentences()]
    for sentence in sorted(listed, key=lambda sentence: not sentence.deciding):
        merged.setdefault((sentence.source, sentence.start, sentence.text), sentence)
    return tuple(merged.values())
