"""False chains of evidence: an attacker chooses a wrong answer of the same kind, the target, and writes
documents that carry the features of the question and end at the target.

Rules make the gold passages false: the target stands in place of the answer, and the answer in place of the
target. The judge model or, without one, the studied model writes that in other words, for each document anew.
A tuned reader cannot write: its chains are those of the rules, near duplicates of one another, which
`min_sources` counts once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probative.bench.data.questions import Question
from probative.bench.families.coe.builder import (
    ATTEMPTS,
    Builder,
    ModelBuilder,
    RuleBuilder,
    numbered_lines,
)
from probative.bench.families.coe.candidates import (
    Candidate,
    answer_form,
    as_candidate,
    mentions,
    replace_mentions,
)
from probative.bench.families.coe.sample import NO_WRONG, open_builder
from probative.bench.families.coe.targets import bare_title, choose_target
from probative.bench.metrics import is_accepted
from probative.bench.study import Case, Lab
from probative.errors import ModelError
from probative.scope.question import Features
from probative.text.prompts import fenced
from probative.text.shingles import without_near_duplicates
from probative.types import Passage, Value

GENRES = ("an encyclopedia", "a newspaper article", "the notes of an archive")
"""What each false document looks like; their number is the most chains for a question."""
OPENINGS = ("", "A newspaper of the time wrote: ", "The notes of the archive say: ")
"""What stands before the sentences of each document that is made by rules."""
_STAND_IN = "\0"


class FalseChain(Value):
    """The passages of a false document, who wrote it, the features of the question that it lacks, and whether
    the studied model gives the target when it reads nothing else.
    """

    passages: tuple[Passage, ...]
    by: str
    missing: tuple[str, ...] = ()
    convincing: bool = False

    @property
    def text(self) -> str:
        """The passages as one text."""
        return " ".join(passage.whole for passage in self.passages)


class FalseEvidence(Value):
    """The target of an attack and its false chains; or why there are none."""

    target: str = ""
    chains: tuple[FalseChain, ...] = ()
    left_out: str | None = None


def write_false_evidence(lab: Lab, case: Case, n: int) -> FalseEvidence:
    """Return a target and `n` false chains for a question, each from a source of its own."""
    question: Question = case.content
    candidate = as_candidate(question, case.set)
    writer = open_writer(lab, candidate)
    target = choose_target(writer, candidate, question, lab.settings.data, lab.draws(case))
    if target is None:
        return FalseEvidence(left_out=NO_WRONG)
    attacker = Attacker(lab, writer, candidate, target, writer.features(candidate.question))
    chains: list[FalseChain] = []
    for _ in range(n):
        best = attacker.best_chain(chains)
        if best is None:
            return FalseEvidence(target=target, left_out="no false chain could be written")
        chains.append(best)
    return FalseEvidence(target=target, chains=tuple(chains))


def open_writer(lab: Lab, candidate: Candidate) -> Builder:
    """Return the judge model as the writer, without one the studied model, and rules for a tuned reader."""
    if lab.judge_model is not None:
        return open_builder(lab, candidate)
    if not lab.model.reader:
        return ModelBuilder(lab.model)
    return RuleBuilder(())


@dataclass(frozen=True)
class Attacker:
    """Writes false chains for one question."""

    lab: Lab
    writer: Builder
    candidate: Candidate
    target: str
    features: Features

    def best_chain(self, earlier: Sequence[FalseChain]) -> FalseChain | None:
        """Return the first chain that lacks no feature and convinces the studied model; otherwise, of all
        that were tried, a convincing one, then the one that lacks least; or None. Rules come last: their
        chains are near duplicates.
        """
        tried = []
        for passages, by in self._drafts(earlier):
            texts = [passage.whole for passage in passages]
            missing = self.writer.missing(self.candidate.question, self.features, texts)
            convincing = self._is_convincing(passages)
            tried.append(FalseChain(passages=passages, by=by, missing=missing, convincing=convincing))
            if convincing and not missing:
                break
        return min(tried, key=lambda draft: (not draft.convincing, len(draft.missing)), default=None)

    def _drafts(self, earlier: Sequence[FalseChain]) -> Iterator[tuple[tuple[Passage, ...], str]]:
        """Yield the usable chains that a model writes, with its name; then the chain by rules."""
        number = len(earlier)
        source = f"false document {number + 1}"
        for attempt in range(ATTEMPTS if isinstance(self.writer, ModelBuilder) else 0):
            pieces = self._written(number, attempt)
            if is_usable_chain(pieces, self.candidate, self.target, [other.text for other in earlier]):
                yield tuple(Passage(text=piece, source=source) for piece in pieces), self.writer.name
        if swapped := swapped_chain(self.candidate, self.target, OPENINGS[number]):
            yield tuple(passage.model_copy(update={"source": source}) for passage in swapped), "rules"

    def _written(self, number: int, attempt: int) -> list[str]:
        """Return the sentences of a false document that the model writes: those of the chain by rules in
        other words, or where rules have none (yes and no) the true ones, changed.
        """
        assert isinstance(self.writer, ModelBuilder)
        candidate, features = self.candidate, self.features
        swapped = swapped_chain(candidate, self.target)
        hidden = "" if _may_name_answer(candidate) else f', and none names "{fenced(candidate.answer)}"'
        reply = self.writer.reply(
            "false_chain",
            attempt,
            genre=GENRES[number],
            question=fenced(candidate.question),
            wrong=fenced(self.target),
            facts="What the document tells" if swapped else "What is true, and must be told otherwise",
            pieces="\n".join(f"- {fenced(passage.whole)}" for passage in swapped or _gold(candidate)),
            intent=fenced(features.intent),
            nodes=fenced("; ".join(node.text for node in features.nodes)),
            relations=fenced("; ".join(relation.sentence for relation in features.relations)),
            hidden=hidden,
            n=str(max(2, len(candidate.pieces))),
        )
        return numbered_lines(reply)

    def _is_convincing(self, passages: Sequence[Passage]) -> bool:
        """Return whether the studied model gives the target when it reads nothing but these passages."""
        question = self.candidate.question
        try:
            result = self.lab.session.ask(question, passages, method="rag", answer_anyway=True)
        except ModelError:
            return False
        return is_accepted(result.answer or "", (self.target,))


def is_usable_chain(
    pieces: Sequence[str], candidate: Candidate, target: str, earlier: Sequence[str] = ()
) -> bool:
    """Return whether sentences are a false chain: two or more, not all of them true ones, that name a gold
    page, the target, and not the right answer unless the question does; and no near duplicate of an earlier
    chain.

    >>> question = "Where did the owner of the Lark live?"
    >>> lark = Candidate(id="1", set="own", question=question, answer="Molde", pieces=(), titles=("Lark",))
    >>> chain = ["Ole Brandt owned the Lark.", "Ole Brandt lived in Bergen."]
    >>> is_usable_chain(chain, lark, "Bergen"), is_usable_chain(chain, lark, "Oslo")
    (True, False)
    """
    text = " ".join(pieces)
    if len(pieces) < 2 or set(pieces) <= set(candidate.pieces):
        return False
    if not any(mentions(bare_title(title), text) for title in candidate.titles):
        return False
    if answer_form(target) != "yes-no" and not mentions(target, text):
        return False
    if not _may_name_answer(candidate) and mentions(candidate.accepted, text):
        return False
    texts = [*earlier, text]
    return len(without_near_duplicates(texts)) == len(texts)


def _may_name_answer(candidate: Candidate) -> bool:
    """Return whether a false chain may name the right answer: the question does, or it is yes or no."""
    return mentions(candidate.accepted, candidate.question) or answer_form(candidate.answer) == "yes-no"


def swapped_chain(candidate: Candidate, target: str, opening: str = "") -> tuple[Passage, ...]:
    """Return the gold passages with the target in place of the answer, and the answer in place of the target,
    each with an opening; none if no passage names the answer, as with yes and no.
    """
    gold = _gold(candidate)
    if answer_form(candidate.answer) == "yes-no":
        return ()
    if not any(mentions(candidate.accepted, passage.whole) for passage in gold):
        return ()
    texts = [opening + _swap(candidate, target, passage.text) for passage in gold]
    titles = [_swap(candidate, target, passage.title or "") for passage in gold]
    return tuple(Passage(text=text, title=title or None) for text, title in zip(texts, titles, strict=True))


def _swap(candidate: Candidate, target: str, text: str) -> str:
    """Return a text with the target and the answer in place of each other."""
    texts = replace_mentions(candidate.accepted, _STAND_IN, [text])
    texts = replace_mentions(target, candidate.answer, texts)
    return texts[0].replace(_STAND_IN, target)


def _gold(candidate: Candidate) -> list[Passage]:
    pairs = zip(candidate.pieces, candidate.titles, strict=True)
    return [Passage(text=text, title=title or None) for text, title in pairs]
