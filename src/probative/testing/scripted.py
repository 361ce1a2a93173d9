"""Models that answer from a script: a language model, an evidence policy and a verdict model."""

from __future__ import annotations

import itertools
import math
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from probative.errors import EmptyError, ModelError
from probative.models.contract import Capability, LanguageModel, Outcomes
from probative.models.evidence_policy import PolicyScores, PolicyState
from probative.models.types import Alternative, Choice, Completion, Pair, Request, Score, Selection
from probative.models.verdict import VerdictItem, VerdictScores, checked_items
from probative.types import Usage

Answer = str | ModelError
Script = str | Callable[[Request], Answer] | Mapping[str, Answer] | Iterable[Answer]


class ScriptedModel(LanguageModel):
    """Answers from a function, from a mapping (text of the last message → answer), from a list in order, or
    always with the same string.

    `score` gets (prompt, continuation) and returns a log-probability; `choose` gets (prompt, options) and
    returns a weight for each option; `alternatives` gets a request for several texts and returns them with
    their probabilities, the most probable first. An answer that is a `ModelError` makes that request fail.
    `asked` has all requests.

    >>> model = ScriptedModel(generate={"Ping?": "Pong."}, score=lambda prompt, claim: -float(len(claim)))
    >>> model.generate(["Ping?"])[0].text, model.score([("It is", " so")])[0].log_probability
    ('Pong.', -3.0)
    """

    def __init__(
        self,
        *,
        generate: Script | None = None,
        score: Callable[[str, str], float] | None = None,
        choose: Callable[[str, tuple[str, ...]], Sequence[float]] | None = None,
        alternatives: Callable[[Request], Mapping[str, float]] | None = None,
        name: str = "scripted",
        window: int | None = None,
        reader: bool = False,
        fingerprint: str | None = None,
    ) -> None:
        self.name = name
        # Two scripts answer differently, so each has its own fingerprint unless the caller passes one.
        self._fingerprint = fingerprint or f"scripted:{uuid.uuid4()}"
        self.asked: list[Request | Pair | Selection] = []
        self._answers: Iterator[Answer] | None = None
        self._script: Callable[[Request], Answer] | Mapping[str, Answer] | None = None
        if callable(generate) or isinstance(generate, Mapping):
            self._script = generate
        elif isinstance(generate, str):
            self._answers = itertools.repeat(generate)
        elif generate is not None:
            self._answers = iter(generate)
        self._score_with = score
        self._choose_with = choose
        self._alternatives = alternatives
        self._window = window
        self._reader = reader

    @property
    def capabilities(self) -> frozenset[Capability]:
        scripts = {
            Capability.GENERATE: self._script if self._script is not None else self._answers,
            Capability.SCORE: self._score_with,
            Capability.CHOOSE: self._choose_with,
            Capability.ALTERNATIVES: self._alternatives,
        }
        return frozenset(verb for verb, script in scripts.items() if script is not None)

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def reader(self) -> bool:
        return self._reader

    @property
    def window(self) -> int | None:
        return self._window

    def count_tokens(self, text: str) -> int:
        """Return the number of words: a scripted model has no tokenizer."""
        return len(text.split())

    def prompt_tokens(self, request: Request) -> int:
        return sum(self.count_tokens(message.content) for message in request.messages)

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        for index, request in enumerate(requests):
            self.asked.append(request)
            alternatives = self._alternatives_to(request)
            answer = alternatives[0].text if alternatives else self._answer(request)
            if isinstance(answer, ModelError):
                yield index, answer
                continue
            read = self.prompt_tokens(request)
            usage = Usage(calls=1, prompt_tokens=read, completion_tokens=self.count_tokens(answer))
            yield (
                index,
                Completion(
                    text=answer, finish_reason="stop", model=self.name, usage=usage, alternatives=alternatives
                ),
            )

    def _alternatives_to(self, request: Request) -> tuple[Alternative, ...]:
        if self._alternatives is None or request.alternatives == 1:
            return ()
        texts = list(self._alternatives(request).items())[: request.alternatives]
        return tuple(Alternative(text=text, log_probability=math.log(share)) for text, share in texts)

    def _answer(self, request: Request) -> Answer:
        text = request.messages[-1].content
        if callable(self._script):
            return self._script(request)
        if isinstance(self._script, Mapping):
            if text in self._script:
                return self._script[text]
            return EmptyError(f"the script has no answer for {text!r}")
        assert self._answers is not None
        return next(self._answers, EmptyError(f"the script ended before {text!r}"))

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Score]:
        assert self._score_with is not None
        for index, pair in enumerate(pairs):
            self.asked.append(pair)
            value = float(self._score_with(pair.prompt, pair.continuation))
            usage = Usage(calls=1, scored_tokens=self.count_tokens(pair.prompt + pair.continuation))
            yield (
                index,
                Score(log_probability=value, token_log_probabilities=(value,), model=self.name, usage=usage),
            )

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Choice]:
        assert self._choose_with is not None
        for index, selection in enumerate(selections):
            self.asked.append(selection)
            prompt = selection.request.messages[-1].content
            weights = [float(weight) for weight in self._choose_with(prompt, selection.options)]
            whole = math.fsum(weights)
            yield (
                index,
                Choice(
                    options=selection.options,
                    probabilities=tuple(weight / whole for weight in weights),
                    coverage=1.0,
                    model=self.name,
                    usage=Usage(calls=1, scored_tokens=self.count_tokens(prompt)),
                ),
            )


class ScriptedPolicy:
    """Scores each decision with a function; `asked` has all decisions.

    >>> policy = ScriptedPolicy(lambda state: PolicyScores(tuple(map(len, state.candidates)), 0.0, -9.0))
    >>> policy.weigh([PolicyState("a claim", (), ("short", "somewhat longer"))])[0].candidates
    (5, 15)
    """

    def __init__(self, weigh: Callable[[PolicyState], PolicyScores], *, name: str = "scripted") -> None:
        self.name = name
        self.usage = Usage()
        self.asked: list[PolicyState] = []
        self._weigh = weigh

    def weigh(self, states: Sequence[PolicyState]) -> list[PolicyScores]:
        """Return the scores of each decision; a word counts as a token."""
        self.asked += states
        words = sum(
            len(" ".join([state.query, *state.chosen, text]).split())
            for state in states
            for text in (*state.candidates, "complete", "nothing")
        )
        self.usage += Usage(calls=len(states), prompt_tokens=words)
        return [self._weigh(state) for state in states]


class ScriptedVerdict:
    """Judges each item with a function; `asked` has all items. A word counts as a token.

    >>> model = ScriptedVerdict(lambda item: VerdictScores(0.8, 0.1, 0.1, (1.0,)))
    >>> model.judge([VerdictItem("It rained.", ("The street was wet.",))])[0].supported
    0.8
    """

    def __init__(
        self,
        judge: Callable[[VerdictItem], VerdictScores],
        *,
        name: str = "scripted",
        fingerprint: str | None = None,
    ) -> None:
        self.name = name
        # Two scripts judge differently, so each has its own fingerprint unless the caller passes one.
        self.fingerprint = fingerprint or f"scripted:{uuid.uuid4()}"
        self.usage = Usage()
        self.asked: list[VerdictItem] = []
        self._judge = judge

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of words of each text."""
        return [len(text.split()) for text in texts]

    def judge(self, items: Sequence[VerdictItem]) -> list[VerdictScores]:
        """Return the scores of each item."""
        items = checked_items(items)
        self.asked += items
        read = sum(sum(self.count_tokens([item.claim, *item.evidence])) for item in items)
        self.usage += Usage(calls=len(items), prompt_tokens=read)
        return [self._judge(item) for item in items]
