"""A sample of the study: a question, its answer, its chain of evidence and what perturbs it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from probative.bench.experiment import Case, Lab
from probative.bench.experiments.coe.builder import Builder
from probative.bench.experiments.coe.candidates import Candidate, read_candidates
from probative.bench.experiments.coe.model_builder import ModelBuilder
from probative.bench.experiments.coe.perturb import (
    Context,
    Perturbed,
    generalise_node,
    remove_intent,
    remove_relations,
    remove_sentences,
)
from probative.bench.experiments.coe.rule_builder import RuleBuilder
from probative.scope.features import Features
from probative.types import Value


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
