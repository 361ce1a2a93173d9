"""The question, checked and parsed once; every later step takes what it needs from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from probative.errors import InputError
from probative.scope.features import Features, Node, Relation
from probative.text import english
from probative.text.analysis import AnswerKind, ParsedQuestion
from probative.text.cleaning import clean
from probative.text.words import words


@dataclass(frozen=True)
class Question:
    """A question with everything that the rules of its language say about it.

    `parsed` has the kind of answer, the spans of the nodes and what the question compares; `features` are the
    features by rules, even if a model extracts those of the run; `words` are its content words in order.
    """

    text: str
    parsed: ParsedQuestion
    features: Features
    words: tuple[str, ...]

    @property
    def kind(self) -> AnswerKind:
        """The kind of answer that is asked for."""
        return self.parsed.kind

    @property
    def names(self) -> list[str]:
        """The names of the question, without its first word and without lower-case words behind a name."""
        names = []
        for name in self.parsed.names:
            parts = name.split()
            while parts and parts[-1][:1].islower():
                parts.pop()
            if parts and not self.text.startswith(name):
                names.append(" ".join(parts))
        return names


def read_question(text: Any = None) -> Question:
    """Check and parse a question; raises InputError.

    >>> question = read_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> question.kind, question.features.intent, [node.text for node in question.features.nodes]
    ('place', 'harbour', ['ferry', 'Ole Brandt'])
    """
    if not isinstance(text, str):
        raise InputError(f"a question must be a string, got {type(text).__name__}")
    cleaned = clean(text)
    if not cleaned:
        raise InputError("the question is empty", hint="give a question with at least one content word")
    if not words(cleaned):
        raise InputError(
            "the question names nothing that a passage could contain", hint="name what you ask about"
        )
    parsed = english.parse_question(cleaned)
    return Question(cleaned, parsed, rule_features(parsed), tuple(words(cleaned)))


def rule_features(parsed: ParsedQuestion) -> Features:
    """Return the features of a parsed question.

    >>> parsed = english.parse_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> [relation.sentence for relation in rule_features(parsed).relations]
    ['ferry built that Ole Brandt']
    """
    return Features(
        intent=parsed.intent,
        nodes=tuple(Node(text=node.text) for node in parsed.nodes),
        relations=tuple(
            Relation(head=head, predicate=predicate, tail=tail) for head, predicate, tail in parsed.relations
        ),
    )
