"""The paper's perturbations of a chain of evidence, each with its check: SenP, WordP, ERP and IntentP."""

from __future__ import annotations

import random
from typing import Literal

from probative.bench.experiments.coe.builder import Builder
from probative.bench.experiments.coe.candidates import Candidate
from probative.bench.experiments.coe.mentions import mentions, mentions_words, replace_mentions
from probative.bench.experiments.coe.model_builder import ATTEMPTS
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
