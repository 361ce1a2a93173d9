"""What builds samples: the judge model, by the paper's extraction, discrimination and rewriting; or rules,
where the user named no judge model.

The rules are coarse: words in common, and answers of other questions. Reports say that they were used,
because the paper has a language model do it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import product
from typing import Literal

from probative.bench.families.coe.candidates import Candidate, answer_form, is_usable_wrong, mentions
from probative.engine.methods import Tools
from probative.engine.runner import run_searches
from probative.engine.search import Result, Search
from probative.errors import EmptyError, InputError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.types import Request
from probative.scope.extract.features import find_features
from probative.scope.inputs import Inputs
from probative.scope.judge.judge import judge
from probative.scope.options import PRESETS, Form
from probative.scope.question import Feature, Features, read_question
from probative.scope.run import Run, select_candidates, start_run
from probative.text import english
from probative.text.prompts import fenced, fill, read_prompt
from probative.text.words import words
from probative.types import Passage

Kind = Literal["relations", "intent"]
"""The features that a rewriting removes."""
# The share of a feature's words that evidence must contain: half, as in scope's judge `words`.
CARRIED = 0.5
_BROADER = {"date": "some time", "year": "some year", "number": "some number", "name": "something"}
_SOURCES = (
    "It is well known that",
    "Most sources say that",
    "Later research confirmed that",
    "The archives show that",
    "Several witnesses reported that",
    "A recent review found that",
    "Newspapers of the time wrote that",
    "The official record states that",
    "Those who were there agree that",
    "Every edition of the handbook says that",
)
_STATEMENTS = (
    'the answer to "{question}" is {wrong}.',
    "it was {wrong}.",
    '"{question}" can only be answered with {wrong}.',
    "it was {wrong} and nothing else.",
    'whoever asks "{question}" has to be told {wrong}.',
    "{wrong} is what was meant.",
    'of all answers to "{question}", {wrong} is the right one.',
    "{wrong} is beyond doubt.",
    'the question "{question}" was settled long ago: {wrong}.',
    "{wrong} is the answer to remember.",
)
PACKAGE = "probative.bench.families.coe"
ATTEMPTS = 3
"""How often a rewriting that fails its check is asked for again."""
EXPRESSIONS, EXPRESSION_CHARACTERS = 20, 60
"""The most sentences with a wrong answer that are asked for at once, and the characters of a short one."""
ROUNDS = 8
"""How often sentences with a wrong answer are asked for, until there are enough."""
PHRASE_TOKENS, TEXT_TOKENS = 24, 768
_NUMBERED = re.compile(r"^\s*\[?(\d+)[.):\]]+\s*(\S.*)$", re.MULTILINE)


class RuleBuilder:
    """Asks no model. `answers` are those of other questions, which wrong answers are drawn from."""

    name = "rules (no judge model was named)"

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = tuple(answers)

    def features(self, question: str) -> Features:
        """Return the intent, nodes and relations of a question."""
        return read_question(question).features

    def missing(self, question: str, features: Features, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the features that the pieces together do not carry; none for a CoE.

        A node or relation is carried if half its words are there (of a relation, also both its nodes), the
        intent if a piece contains something of the kind that is asked for.
        """
        text = frozenset(words(" ".join(pieces)))
        parsed = read_question(question).parsed
        asked = bool(english.answer_candidates(pieces, parsed))
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
        """Return a broader expression for a node, or None if there is no usable one."""
        return _BROADER.get(answer_form(node), "thing")

    def wrong_answer(self, candidate: Candidate, draws: random.Random) -> str | None:
        """Return a wrong answer of the same form, or None: that of another question, with as many words if
        there is one.
        """
        usable = [
            other
            for other in self._answers
            if is_usable_wrong(other, candidate.answer, candidate.pieces)
            and not mentions(other, candidate.question)
        ]
        alike = [other for other in usable if len(other.split()) == len(candidate.answer.split())]
        return draws.choice(alike or usable) if usable else None

    def rewrite(
        self, kind: Kind, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        """Return the pieces rewritten so that they no longer tell the relations or the intent, or None."""
        raise InputError(
            f"evidence cannot be rewritten without the {kind} by rules",
            hint="name a judge model: --judge-model NAME",
        )

    def misinformation(self, candidate: Candidate, wrong: str, characters: int) -> list[str]:
        """Return different sentences that state the wrong answer, every source with every statement, until
        they have the number of characters or none is left.
        """
        question = candidate.question.rstrip("?") + "?"
        sentences: list[str] = []
        for turn, row in product(range(len(_SOURCES)), range(len(_STATEMENTS))):
            if sum(map(len, sentences)) >= characters:
                break
            statement = _STATEMENTS[row].format(question=question, wrong=wrong)
            sentences.append(f"{_SOURCES[(row + turn) % len(_SOURCES)]} {statement}")
        return sentences


def _share(feature: str, text: frozenset[str]) -> float:
    needed = set(words(feature)) or {feature.lower()}
    return len(needed & text) / len(needed)


class ModelBuilder:
    """Does by the judge model what `RuleBuilder` does by rules. `form` says how relations are written:
    triples (second version of the paper) or described (first version).
    """

    def __init__(self, model: LanguageModel, form: Form = "triples") -> None:
        self.name = f"the model {model.name}"
        self._model = model
        self._tools = Tools(lambda: model, _no_encoder)
        # A tuned reader writes features in its own short form.
        changes = {"extractor": "reader"} if model.reader else {}
        self._options = PRESETS["paper"].model_copy(update={"form": form, **changes})

    def features(self, question: str) -> Features:
        """Extract the features by the paper's prompts."""
        return run_search(find_features(self._start(question, question)), self._tools)

    def missing(self, question: str, features: Features, pieces: Sequence[str]) -> tuple[str, ...]:
        """Discriminate the pieces, taken together, by the paper's prompts."""
        run = self._start(question, " ".join(pieces))
        judgements = run_search(judge(run, features), self._tools)
        return judgements.missing(range(len(run.pool.judged)))

    def general_term(self, node: str) -> str | None:
        """Ask for a broader expression."""
        return self._phrase("general_term", node=node)

    def wrong_answer(self, candidate: Candidate, draws: random.Random) -> str | None:
        """Ask for a wrong answer until one is usable, at most `ATTEMPTS` times."""
        for attempt in range(ATTEMPTS):
            wrong = self._phrase("wrong_answer", attempt, answer=candidate.answer)
            if wrong is not None and is_usable_wrong(wrong, candidate.answer, candidate.pieces):
                return wrong
        return None

    def rewrite(
        self, kind: Kind, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        """Ask for the pieces without the relations or the intent; None if the reply has another number of
        sentences.
        """
        relations = "\n".join(f"- {fenced(relation.sentence)}" for relation in features.relations)
        reply = self.reply(
            f"without_{kind}",
            attempt,
            relations=relations or "- (none)",
            intent=fenced(features.intent),
            answer=fenced(candidate.answer),
            pieces="\n".join(f"{row}. {fenced(piece)}" for row, piece in enumerate(candidate.pieces, 1)),
        )
        lines = numbered_lines(reply)
        return tuple(lines) if len(lines) == len(candidate.pieces) else None

    def misinformation(self, candidate: Candidate, wrong: str, characters: int) -> list[str]:
        """Ask for sentences until they have the number of characters, at most `ROUNDS` times, and keep the
        different ones that name the wrong answer and not the right one.
        """
        sentences: dict[str, str] = {}
        for attempt in range(ROUNDS):
            missing = characters - sum(map(len, sentences.values()))
            if missing <= 0:
                break
            written = "".join(f"- {fenced(text)}\n" for text in sentences.values())
            reply = self.reply(
                "misinformation",
                attempt,
                n=str(min(EXPRESSIONS, 3 + missing // EXPRESSION_CHARACTERS)),
                wrong=fenced(wrong),
                answer=fenced(candidate.answer),
                question=fenced(candidate.question),
                written=f"\nWrite others than these:\n{written}" if written else "",
            )
            for text in numbered_lines(reply):
                if mentions(wrong, text) and not mentions(candidate.accepted, text):
                    sentences.setdefault(text.casefold(), text)
        return list(sentences.values())

    def _phrase(self, prompt: str, attempt: int = 0, **parts: str) -> str | None:
        """Return the first line of a reply without quotes and a full stop at its end."""
        parts = {name: fenced(part) for name, part in parts.items()}
        lines = self.reply(prompt, attempt, PHRASE_TOKENS, **parts).strip().splitlines()
        return (lines[0].strip(" \"'.") or None) if lines else None

    def reply(self, prompt: str, attempt: int = 0, max_tokens: int = TEXT_TOKENS, **parts: str) -> str:
        """Return the reply to a prompt; a further attempt is drawn anew. An empty reply is an empty text."""
        request = Request.user(
            fill(read_prompt(PACKAGE, prompt), **parts),
            max_tokens=max_tokens,
            temperature=0.0 if attempt == 0 else 0.8,
            sample=attempt,
        )
        try:
            return self._model.generate([request])[0].text
        except EmptyError:
            return ""

    def _start(self, question: str, text: str) -> Run:
        run = start_run(Inputs(question, [Passage(text=text)]), self._options, self._tools)
        select_candidates(run)
        return run


Builder = RuleBuilder | ModelBuilder


def numbered_lines(reply: str) -> list[str]:
    r"""Return the numbered lines of a reply without their numbers.

    >>> numbered_lines("Here:\n1. The Lark sank.\n2) It was cold.")
    ['The Lark sank.', 'It was cold.']
    """
    return [text.strip() for _, text in _NUMBERED.findall(reply)]


def run_search(search: Search[Result], tools: Tools) -> Result:
    """Return the result of one search; raises its error."""
    ((_, finished),) = run_searches([search], tools)
    if finished.error is not None:
        raise finished.error
    assert finished.result is not None
    return finished.result


def _no_encoder() -> Encoder:
    raise InputError("samples are built without an encoder")
