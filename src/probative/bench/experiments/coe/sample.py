"""A sample of the study: a question, its answer, its chain of evidence, and the paper's perturbations of it,
each with its check: SenP, WordP, ERP, IntentP, and contexts that support a wrong answer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from probative.bench.experiment import Case, Lab
from probative.bench.experiments.coe.builder import ATTEMPTS, Builder, ModelBuilder, RuleBuilder
from probative.bench.experiments.coe.candidates import Candidate, read_candidates
from probative.bench.experiments.coe.mentions import (
    is_usable_wrong,
    mentions,
    mentions_words,
    replace_mentions,
)
from probative.scope.features import Features
from probative.types import Value

Context = Literal["CoE", "SenP", "WordP", "ERP", "IntentP"]


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
    kept = list(range(len(candidate.pieces)))
    for index in removable:
        kept.remove(index)
        if not kept:
            break
        pieces = tuple(candidate.pieces[row] for row in kept)
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


def remove_relations(builder: Builder, candidate: Candidate, features: Features) -> Perturbed:
    """ERP: rewrite the pieces without the relations; the intent and the nodes must still be there."""
    if not features.relations:
        return Perturbed(failed="the question has no relation")
    return _rewritten(builder, candidate, features, "relation")


def remove_intent(builder: Builder, candidate: Candidate, features: Features) -> Perturbed:
    """IntentP: rewrite the pieces without the intent; the nodes and relations must still be there."""
    return _rewritten(builder, candidate, features, "intent")


def _rewritten(
    builder: Builder, candidate: Candidate, features: Features, kind: Literal["relation", "intent"]
) -> Perturbed:
    """Return the first rewriting that lacks features of one kind and no others, and keeps the answer."""
    rewrite = builder.without_relations if kind == "relation" else builder.without_intent
    for attempt in range(ATTEMPTS):
        pieces = rewrite(candidate, features, attempt)
        if pieces is None or _answers_in(candidate, pieces) < bool(_answers_in(candidate, candidate.pieces)):
            continue
        missing = builder.missing(candidate.question, features, pieces)
        if missing and all(name.startswith(f"{kind}:") for name in missing):
            return Perturbed(pieces=pieces, missing=missing)
    return Perturbed(failed=f"no rewriting of {ATTEMPTS} lacks the {kind} and nothing else")


def _answers_in(candidate: Candidate, pieces: tuple[str, ...]) -> int:
    """Return the number of pieces that name the answer."""
    return sum(mentions(candidate.accepted, piece) for piece in pieces)


class Sample(Value):
    """The paper's tuple: the candidate, its features, and its contexts by name (`CoE`, `SenP`, `WordP`, …).

    `missing` are the features that the gold evidence lacks: a candidate that lacks any is no sample.
    `failed` says why a context could not be built.
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

    @property
    def nodes(self) -> list[str]:
        """The texts of the nodes."""
        return [node.text for node in self.features.nodes]


def open_builder(lab: Lab, candidate: Candidate) -> Builder:
    """Return the judge model as a builder of samples, or rules if the user named none."""
    model = lab.judge_model
    if model is not None:
        return ModelBuilder(model, lab.settings.option("form", "triples"))
    return RuleBuilder(_answers(lab.settings.data, candidate.set))


def build_sample(lab: Lab, case: Case, contexts: Sequence[Context]) -> Sample:
    """Discriminate the gold evidence of a candidate, and build the contexts if it is a chain of evidence."""
    candidate: Candidate = case.content
    builder = open_builder(lab, candidate)
    features = builder.features(candidate.question)
    missing = builder.missing(candidate.question, features, candidate.pieces)
    if missing:
        return Sample(candidate=candidate, features=features, missing=missing)
    built, failed, unnoticed = dict[str, tuple[str, ...]](), dict[str, str](), list[str]()
    for name in contexts:
        perturbed = perturb(builder, candidate, features, name, lab.draws(case))
        if perturbed.failed is not None:
            failed[name] = perturbed.failed
            continue
        built[name] = perturbed.pieces
        if name != "CoE" and not perturbed.missing:
            unnoticed.append(name)
    return Sample(
        candidate=candidate, features=features, contexts=built, unnoticed=tuple(unnoticed), failed=failed
    )


def perturb(
    builder: Builder, candidate: Candidate, features: Features, name: Context, draws: random.Random
) -> Perturbed:
    """Return the context of this name."""
    if name == "CoE":
        return Perturbed(pieces=candidate.pieces)
    if name == "SenP":
        return remove_sentences(builder, candidate, features, draws)
    if name == "WordP":
        return generalise_node(builder, candidate, features, draws)
    rewrite = remove_relations if name == "ERP" else remove_intent
    return rewrite(builder, candidate, features)


@lru_cache(maxsize=4)
def _answers(data: Path, name: str) -> tuple[str, ...]:
    """Return the different answers of a data set."""
    return tuple(dict.fromkeys(candidate.answer for candidate in read_candidates(data, name)))


class Wrong(Value):
    """A wrong answer and the contexts with it in place of the right one; or why there is none."""

    answer: str = ""
    contexts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    left_out: str | None = None


def find_wrong(lab: Lab, case: Case, sample: Sample) -> Wrong:
    """Return a wrong answer for a sample.

    Every context must name the right answer: otherwise nothing in it can be replaced, as with yes and no.
    """
    candidate = sample.candidate
    for name, pieces in sample.contexts.items():
        if not any(mentions(candidate.accepted, piece) for piece in pieces):
            return Wrong(left_out=f"{name} does not name the answer")
    given = candidate.wrong
    if given is not None and is_usable_wrong(given, candidate.answer, candidate.pieces):
        wrong: str | None = given
    else:
        wrong = open_builder(lab, candidate).wrong_answer(candidate, lab.draws(case))
    if wrong is None:
        return Wrong(left_out="no wrong answer of the same form was found")
    contexts = {
        name: replace_mentions(candidate.accepted, wrong, pieces) for name, pieces in sample.contexts.items()
    }
    return Wrong(answer=wrong, contexts=contexts)
