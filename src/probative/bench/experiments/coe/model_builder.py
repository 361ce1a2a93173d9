"""Samples by the judge model: the paper's extraction, discrimination and rewriting."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from probative.bench.experiments.coe.builder import Builder
from probative.bench.experiments.coe.candidates import Candidate
from probative.bench.experiments.coe.forms import answer_form, is_usable_wrong
from probative.bench.experiments.coe.mentions import mentions
from probative.engine.runner import run_searches
from probative.engine.search import Result, Search
from probative.engine.tools import Tools
from probative.errors import EmptyError, InputError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.types import Request
from probative.scope.extract.features import find_features
from probative.scope.features import Features
from probative.scope.inputs import Inputs
from probative.scope.judge.judge import judge
from probative.scope.options import PRESETS, Form
from probative.scope.run import Run, select_candidates, start_run
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Passage

PACKAGE = "probative.bench.experiments.coe"
ATTEMPTS = 3
"""How often a rewriting that fails its check is asked for again."""
EXPRESSIONS = 6
"""Sentences that state a wrong answer, for each question."""
PHRASE_TOKENS, TEXT_TOKENS = 24, 768

_NUMBERED = re.compile(r"^\s*\[?(\d+)[.):\]]+\s*(\S.*)$", re.MULTILINE)


class ModelBuilder(Builder):
    """Asks the judge model. `form` says how relations are written: triples (second version of the paper) or
    described (first version).
    """

    def __init__(self, model: LanguageModel, form: Form = "triples") -> None:
        self.name = f"the judge model {model.name}"
        self._model = model
        self._tools = Tools(lambda: model, _no_encoder)
        # A tuned reader knows only its own short forms.
        changes = {"extractor": "reader", "judge": "reader"} if model.reader else {}
        self._options = PRESETS["paper"].model_copy(update={"form": form, **changes})

    def features(self, question: str) -> Features:
        run = self._start(question, [question])
        return self._run(find_features(run))

    def missing(self, question: str, features: Features, pieces: Sequence[str]) -> tuple[str, ...]:
        run = self._start(question, [" ".join(pieces)])
        judgements = self._run(judge(run, features))
        return judgements.missing(range(len(run.pool.judged)))

    def general_term(self, node: str) -> str | None:
        return self._phrase("general_term", node=node)

    def wrong_answer(self, candidate: Candidate, draws: random.Random) -> str | None:
        if answer_form(candidate.answer) == "yes-no":
            return "no" if candidate.answer.lower() == "yes" else "yes"
        for attempt in range(ATTEMPTS):
            wrong = self._phrase("wrong_answer", attempt, answer=candidate.answer)
            if wrong is not None and is_usable_wrong(wrong, candidate.answer, candidate.pieces):
                return wrong
        return None

    def without_relations(
        self, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        return self._rewrite("without_relations", candidate, features, attempt)

    def without_intent(
        self, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        return self._rewrite("without_intent", candidate, features, attempt)

    def misinformation(self, candidate: Candidate, wrong: str) -> list[str]:
        reply = self._text(
            "misinformation",
            0,
            n=str(EXPRESSIONS),
            wrong=fenced(wrong),
            answer=fenced(candidate.answer),
            question=fenced(candidate.question),
        )
        sentences = dict.fromkeys(text.strip() for _, text in _NUMBERED.findall(reply))
        return [
            text for text in sentences if mentions(wrong, text) and not mentions(candidate.accepted, text)
        ]

    def _rewrite(
        self, prompt: str, candidate: Candidate, features: Features, attempt: int
    ) -> tuple[str, ...] | None:
        """Return the rewritten pieces; None if the reply has another number of sentences."""
        relations = "\n".join(f"- {fenced(relation.sentence)}" for relation in features.relations)
        numbered = "\n".join(f"{row}. {fenced(piece)}" for row, piece in enumerate(candidate.pieces, 1))
        reply = self._text(
            prompt,
            attempt,
            relations=relations or "- (none)",
            intent=fenced(features.intent),
            answer=fenced(candidate.answer),
            pieces=numbered,
        )
        lines = [text.strip() for _, text in _NUMBERED.findall(reply)]
        return tuple(lines) if len(lines) == len(candidate.pieces) else None

    def _phrase(self, prompt: str, attempt: int = 0, **parts: str) -> str | None:
        """Return the first line of a reply without quotes and a full stop at its end."""
        reply = self._text(
            prompt, attempt, PHRASE_TOKENS, **{name: fenced(part) for name, part in parts.items()}
        )
        lines = reply.strip().splitlines()
        return (lines[0].strip(" \"'.") or None) if lines else None

    def _text(self, prompt: str, attempt: int, max_tokens: int = TEXT_TOKENS, **parts: str) -> str:
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

    def _start(self, question: str, texts: Sequence[str]) -> Run:
        run = start_run(Inputs(question, [Passage(text=text) for text in texts]), self._options, self._tools)
        select_candidates(run)
        return run

    def _run(self, search: Search[Result]) -> Result:
        ((_, finished),) = run_searches([search], self._tools)
        if finished.error is not None:
            raise finished.error
        assert finished.result is not None
        return finished.result


def _no_encoder() -> Encoder:
    raise InputError("samples are built without an encoder")
