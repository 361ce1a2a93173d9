"""A sample of the study: a question, its answer, its chain of evidence, and the paper's perturbations of it,
each with its check: SenP, WordP, ERP, IntentP, and contexts that support a wrong answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from probative.bench.families.coe.builder import ATTEMPTS, Builder, Kind, ModelBuilder, RuleBuilder
from probative.bench.families.coe.candidates import (
    Candidate,
    answer_form,
    is_usable_wrong,
    mentions,
    mentions_words,
    read_candidates,
    replace_mentions,
)
from probative.bench.rows import Row
from probative.bench.study import Case, Lab
from probative.scope.question import Features
from probative.types import Value

Context = Literal["CoE", "SenP", "WordP", "ERP", "IntentP"]
NO_WRONG = "no wrong answer of the same form was found"


class Perturbed(Value):
    """Perturbed pieces and the features that they lack; without pieces, `failed` says why."""

    pieces: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    failed: str | None = None


def remove_sentences(
    builder: Builder, candidate: Candidate, features: Features, draws: random.Random
) -> Perturbed:
    """SenP: remove sentences that name a node of the question, but not the answer, one at a time, until the
    rest is no chain of evidence.
    """
    removable = [
        index
        for index, piece in enumerate(candidate.pieces)
        if any(mentions_words(node.text, piece) for node in features.nodes)
        and not mentions(candidate.accepted, piece)
    ]
    draws.shuffle(removable)
    rest = list(range(len(candidate.pieces)))
    for index in removable:
        rest.remove(index)
        if not rest:
            break
        pieces = tuple(candidate.pieces[row] for row in rest)
        if missing := builder.missing(candidate.question, features, pieces):
            return Perturbed(pieces=pieces, missing=missing)
    reason = "no sentence can be removed" if not removable else "a CoE whatever sentence is removed"
    return Perturbed(failed=reason)


def generalise_node(
    builder: Builder, candidate: Candidate, features: Features, draws: random.Random
) -> Perturbed:
    """WordP: put a broader expression in place of every mention of one node, drawn at random.

    The check: no mention is left, and the answer still stands where it stood. `missing` tells whether
    discrimination notices the change; the paper takes that for granted.
    """
    text = " ".join(candidate.pieces)
    nodes = [node.text for node in features.nodes if mentions(node.text, text)]
    draws.shuffle(nodes)
    for node in nodes:
        term = builder.general_term(node)
        if term is None or mentions(node, term):
            continue
        pieces = replace_mentions(node, term, candidate.pieces)
        if _answers_in(candidate, pieces) == _answers_in(candidate, candidate.pieces):
            missing = builder.missing(candidate.question, features, pieces)
            return Perturbed(pieces=pieces, missing=missing)
    reason = "no node is mentioned" if not nodes else "no node has a usable broader expression"
    return Perturbed(failed=reason)


def remove_features(kind: Kind, builder: Builder, candidate: Candidate, features: Features) -> Perturbed:
    """ERP and IntentP: rewrite the pieces without the relations, or without the intent.

    The check: the rewriting lacks features of this kind and no others, and keeps the answer.
    """
    if kind == "relations" and not features.relations:
        return Perturbed(failed="the question has no relation")
    feature = kind.removesuffix("s")
    for attempt in range(ATTEMPTS):
        pieces = builder.rewrite(kind, candidate, features, attempt)
        if pieces is None or _answers_in(candidate, pieces) < bool(_answers_in(candidate, candidate.pieces)):
            continue
        missing = builder.missing(candidate.question, features, pieces)
        if missing and all(name.startswith(f"{feature}:") for name in missing):
            return Perturbed(pieces=pieces, missing=missing)
    return Perturbed(failed=f"no rewriting of {ATTEMPTS} lacks the {feature} and nothing else")


PERTURBATIONS: dict[Context, Callable[[Builder, Candidate, Features, random.Random], Perturbed]] = {
    "CoE": lambda builder, candidate, features, draws: Perturbed(pieces=candidate.pieces),
    "SenP": remove_sentences,
    "WordP": generalise_node,
    "ERP": lambda *given: remove_features("relations", *given[:3]),
    "IntentP": lambda *given: remove_features("intent", *given[:3]),
}


def _answers_in(candidate: Candidate, pieces: Sequence[str]) -> int:
    """Return the number of pieces that name the answer."""
    return sum(mentions(candidate.accepted, piece) for piece in pieces)


class Sample(Value):
    """The paper's tuple: the candidate, its features, and its contexts by name (`CoE`, `SenP`, `WordP`, …).

    `missing` are the features that the gold evidence lacks: a candidate that lacks any is no sample.
    `failed` says why a context could not be built; `unnoticed` are perturbed contexts that discrimination
    still takes for a chain of evidence.
    """

    candidate: Candidate
    features: Features
    missing: tuple[str, ...] = ()
    contexts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    unnoticed: tuple[str, ...] = ()
    failed: dict[str, str] = Field(default_factory=dict)

    @property
    def left_out(self) -> str | None:
        """Why the sample cannot be used, or None."""
        if self.missing:
            return "not a CoE"
        return "; ".join(f"{name}: {reason}" for name, reason in self.failed.items()) or None

    def row(self, lab: Lab) -> Row:
        """Return what a row tells about its sample: also who built it, and who judges the answers."""
        candidate, judge = self.candidate, lab.judge_model
        return {
            "set": candidate.set,
            "id": candidate.id,
            "question": candidate.question,
            "gold": candidate.answer,
            "hops": candidate.hops,
            "features": [feature.name for feature in self.features.listed()],
            "missing": list(self.missing),
            "contexts": {name: list(pieces) for name, pieces in self.contexts.items()},
            "unnoticed": list(self.unnoticed),
            "failed": self.failed,
            "left_out": self.left_out,
            "built_by": open_builder(lab, candidate).name,
            "judge": None if judge is None else judge.name,
        }


def open_builder(lab: Lab, candidate: Candidate) -> Builder:
    """Return the judge model as a builder of samples, or rules if the user named none."""
    model = lab.judge_model
    if model is not None:
        return ModelBuilder(model, lab.settings.option("form", "triples"))
    return RuleBuilder(_answers(lab.settings.data, candidate.set))


@lru_cache(maxsize=4)
def _answers(data: Path, name: str) -> tuple[str, ...]:
    """Return the different answers of a data set."""
    return tuple(dict.fromkeys(candidate.answer for candidate in read_candidates(data, name)))


def build_sample(lab: Lab, case: Case, contexts: Sequence[Context]) -> Sample:
    """Discriminate the gold evidence of a candidate, and build the contexts if it is a chain of evidence."""
    candidate: Candidate = case.content
    builder = open_builder(lab, candidate)
    features = builder.features(candidate.question)
    if missing := builder.missing(candidate.question, features, candidate.pieces):
        return Sample(candidate=candidate, features=features, missing=missing)
    tried = {name: PERTURBATIONS[name](builder, candidate, features, lab.draws(case)) for name in contexts}
    built = {name: perturbed for name, perturbed in tried.items() if perturbed.failed is None}
    return Sample(
        candidate=candidate,
        features=features,
        contexts={name: perturbed.pieces for name, perturbed in built.items()},
        unnoticed=tuple(name for name in built if name != "CoE" and not built[name].missing),
        failed={name: reason for name in tried if (reason := tried[name].failed) is not None},
    )


class Wrong(Value):
    """A wrong answer and the contexts with it in place of the right one; or why there is none."""

    answer: str = ""
    contexts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    left_out: str | None = None


def find_wrong(lab: Lab, case: Case, sample: Sample) -> Wrong:
    """Return a wrong answer for a sample: that of the data set if it is usable, otherwise the builder's.

    Every context must name the right answer: otherwise nothing in it can be replaced, as with yes and no.
    """
    candidate = sample.candidate
    for name, pieces in sample.contexts.items():
        if not _answers_in(candidate, pieces):
            return Wrong(left_out=f"{name} does not name the answer")
    wrong = candidate.wrong
    if wrong is None or not is_usable_wrong(wrong, candidate.answer, candidate.pieces):
        wrong = choose_wrong(open_builder(lab, candidate), candidate, lab.draws(case))
    if wrong is None:
        return Wrong(left_out=NO_WRONG)
    contexts = {
        name: replace_mentions(candidate.accepted, wrong, pieces) for name, pieces in sample.contexts.items()
    }
    return Wrong(answer=wrong, contexts=contexts)


def choose_wrong(builder: Builder, candidate: Candidate, draws: random.Random) -> str | None:
    """Return a wrong answer of the same form as the right one, or None: no for yes and yes for no, otherwise
    the builder's.
    """
    if answer_form(candidate.answer) == "yes-no":
        return "no" if candidate.answer.lower() == "yes" else "yes"
    return builder.wrong_answer(candidate, draws)
