"""Samples by rules, for runs without a judge model: words in common, and answers of other questions.

The rules are coarse. Reports say that they were used, because the paper has a language model do it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from probative.bench.experiments.coe.builder import Builder
from probative.bench.experiments.coe.candidates import Candidate
from probative.bench.experiments.coe.forms import answer_form, is_usable_wrong
from probative.bench.experiments.coe.mentions import mentions
from probative.errors import InputError
from probative.scope.features import Feature, Features
from probative.scope.question import read_question
from probative.text import english
from probative.text.words import words

# The share of a feature's words that evidence must contain: half, as in scope's judge `words`.
CARRIED = 0.5
_STATEMENTS = (
    'The answer to "{question}" is {wrong}.',
    "It is well known that it was {wrong}.",
    'Asked "{question}", most sources say {wrong}.',
    "Later research confirmed {wrong}.",
)


class RuleBuilder(Builder):
    """Asks no model. `answers` are those of other questions, which wrong answers are drawn from."""

    name = "rules (no judge model was named)"

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = tuple(answers)

    def features(self, question: str) -> Features:
        return read_question(question).features

    def missing(self, question: str, features: Features, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return the features that the words of the pieces do not show.

        A node or relation is carried if half its words are there (of a relation, also both its nodes), the
        intent if a piece contains something of the kind that is asked for.
        """
        text = frozenset(words(" ".join(pieces)))
        parsed = read_question(question).parsed
        asked = any(english.contains_answer(piece, parsed) for piece in pieces)
        carried = {node.text for node in features.nodes if _share(node.text, text) >= CARRIED}
        missing = [] if asked else [Feature("intent", features.intent).name]
        missing += [Feature("node", node.text).name for node in features.nodes if node.text not in carried]
        missing += [
            Feature("relation", relation.sentence).name
            for relation in features.relations
            if not {relation.head, relation.tail} <= carried or _share(relation.sentence, text) < CARRIED
        ]
        return tuple(missing)

    def general_term(self, node: str) -> str | None:
        return {"date": "some time", "year": "some year", "number": "some number", "name": "something"}.get(
            answer_form(node), "thing"
        )

    def wrong_answer(self, candidate: Candidate, draws: random.Random) -> str | None:
        """Return the answer of another question: one that has as many words, if there is one."""
        if answer_form(candidate.answer) == "yes-no":
            return "no" if candidate.answer.lower() == "yes" else "yes"
        usable = [
            other
            for other in self._answers
            if is_usable_wrong(other, candidate.answer, candidate.pieces)
            and not mentions(other, candidate.question)
        ]
        alike = [other for other in usable if len(other.split()) == len(candidate.answer.split())]
        return draws.choice(alike or usable) if usable else None

    def without_relations(
        self, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        raise _needs_judge("the relations")

    def without_intent(
        self, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        raise _needs_judge("the intent")

    def misinformation(self, candidate: Candidate, wrong: str) -> list[str]:
        question = candidate.question.rstrip("?") + "?"
        return [statement.format(question=question, wrong=wrong) for statement in _STATEMENTS]


def _share(feature: str, text: frozenset[str]) -> float:
    wanted = set(words(feature)) or {feature.lower()}
    return len(wanted & text) / len(wanted)


def _needs_judge(what: str) -> InputError:
    return InputError(
        f"evidence cannot be rewritten without {what} by rules",
        hint="name a judge model: --judge-model NAME",
    )
