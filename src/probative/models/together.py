"""Many searches at once over one model: what they ask in a round becomes one batch.

A method is written for one question, as a generator that yields what it asks (`Ask`) and is sent
the answers. `run_together` drives many of them side by side, so that a method reads like the paper
and a GPU or a server still sees large batches:

    def surest(claim, sentences):
        scores = yield Ask("score", [(sentence, claim) for sentence in sentences], "strength")
        return max(range(len(scores)), key=lambda index: scores[index].log_probability)

An error of one request is thrown into the generator that asked, and into no other.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from probative.errors import BatchError, BudgetError, EmptyError, InputError, ModelError, ProbativeError
from probative.models.contract import Encoder, LanguageModel
from probative.trace import Call, record, recording, step
from probative.usage import Usage, total

if TYPE_CHECKING:
    from probative.models.policy import EvidencePolicy

Verb = Literal["generate", "score", "choose", "encode", "weigh"]
Result = TypeVar("Result")

# Enough to fill a GPU with the frontiers of a search; a CPU gains nothing from more.
TOGETHER = 64


class Ask(NamedTuple):
    """Independent calls of one verb; `step` names them in the trace. Where `empty_is_fine`, the `EmptyError`
    of a call that gave nothing stands at its place among the answers, and the others are not lost.
    """

    verb: Verb
    items: Sequence[Any]
    step: str
    empty_is_fine: bool = False


Search = Generator[Ask, Any, Result]


def failed(error: ProbativeError) -> Search[Any]:
    """A search that fails at once, so that those beside it go on."""
    yield from ()
    raise error


class Tools:
    """The models that methods use, each opened when it is first needed."""

    def __init__(
        self,
        model: Callable[[], LanguageModel],
        encoder: Callable[[], Encoder],
        policy: Callable[[], EvidencePolicy] | None = None,
    ) -> None:
        self._open_model = model
        self._open_encoder = encoder
        self._open_policy = policy
        self.weights: dict[str, str] = {}
        """The fingerprints of those that were opened, each as it was at first: a server's changes when its
        dialect is learned."""

    @cached_property
    def model(self) -> LanguageModel:
        """The language model."""
        model = self._open_model()
        self.weights["model"] = model.fingerprint
        return model

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder."""
        encoder = self._open_encoder()
        self.weights["encoder"] = encoder.fingerprint
        return encoder

    @cached_property
    def policy(self) -> EvidencePolicy:
        """The evidence policy: the embedded one, unless another was given."""
        from probative.models.policy import load_policy

        policy = (self._open_policy or load_policy)()
        self.weights["policy"] = getattr(policy, "fingerprint", policy.name)  # one of your own may have none
        return policy

    def fingerprint(self, name: str) -> str | None:
        """Names the weights of the `model`, the `encoder` or the `policy`, which is opened for that; None for
        what is none of them.
        """
        if name in ("model", "encoder", "policy"):
            getattr(self, name)
        return self.weights.get(name)

    def model_name(self) -> str | None:
        """The language model's name, if it was needed."""
        return self.model.name if "model" in self.__dict__ else None

    def policy_name(self) -> str | None:
        """The evidence policy's name, if it was needed."""
        return self.policy.name if "policy" in self.__dict__ else None


@dataclass
class Ended(Generic[Result]):
    """How a search ended, and what it cost; `policy` is the evidence policy's part of that."""

    result: Result | None
    error: ProbativeError | None
    usage: Usage
    policy: Usage = field(default_factory=Usage)


@dataclass
class _Running(Generic[Result]):
    place: int
    search: Search[Result]
    asked: Ask | None = None
    usages: list[Usage] = field(default_factory=list)
    weighed: list[Usage] = field(default_factory=list)


def run_together(
    searches: Iterable[Search[Result]],
    tools: Tools,
    *,
    together: int = TOGETHER,
    progress: Callable[[Usage], None] | None = None,
) -> Iterator[tuple[int, Ended[Result]]]:
    """Run searches side by side; gives each one's number and end, in the order in which they end.
    `progress` is told after each round what those under way have cost so far.
    """
    if together < 1:
        raise InputError(f"at least one search must be under way at a time, not {together}")
    waiting = enumerate(searches)
    running: list[_Running[Result]] = []
    while True:
        while len(running) < together and (entering := next(waiting, None)) is not None:
            entered = _Running(*entering)
            ended = _advance(entered, lambda search: next(search))
            if ended is None:
                running.append(entered)
            else:
                yield entered.place, ended
        if not running:
            return
        still: list[_Running[Result]] = []
        answered = list(_answered(running, tools))
        if progress is not None:
            progress(total(usage for one in running for usage in one.usages))
        for one, answers in answered:
            ended = _advance(one, lambda search, answers=answers: _send(search, answers))  # type: ignore[misc]
            if ended is None:
                still.append(one)
            else:
                yield one.place, ended
        running = still


def _send(search: Search[Result], answers: list[Any] | ProbativeError) -> Ask:
    return search.throw(answers) if isinstance(answers, ProbativeError) else search.send(answers)


def _advance(one: _Running[Result], go: Callable[[Search[Result]], Ask]) -> Ended[Result] | None:
    """Let a search go on to what it asks next; its end, if it has ended."""
    try:
        one.asked = go(one.search)
    except StopIteration as stopped:
        return Ended(stopped.value, None, total(one.usages), total(one.weighed))
    except ProbativeError as error:
        spent = getattr(error, "usage", None)
        usage = total([*one.usages, *([spent] if spent else [])])
        return Ended(None, error, usage, total(one.weighed))
    return None


def _answered(
    running: list[_Running[Result]], tools: Tools
) -> Iterator[tuple[_Running[Result], list[Any] | ProbativeError]]:
    """What each search asked, answered: the calls of a verb go out as one batch."""
    asked = [(one, one.asked) for one in running if one.asked is not None]
    for verb in ("encode", "weigh", "generate", "choose", "score"):
        asking = [(one, ask) for one, ask in asked if ask.verb == verb]
        if not asking:
            continue
        names = {ask.step for _, ask in asking}
        with step(names.pop() if len(names) == 1 else verb):
            if verb in ("encode", "weigh"):  # these batch by themselves, and count only what they do in all
                answers = [_by_itself(one, ask, tools) for one, ask in asking]
            else:
                items = [item for _, ask in asking for item in ask.items]
                outcomes = iter(_outcomes(tools, verb, items))
                answers = [_collected(one, ask, [next(outcomes) for _ in ask.items]) for one, ask in asking]
        yield from zip([one for one, _ in asking], answers, strict=True)


def _by_itself(one: _Running[Result], ask: Ask, tools: Tools) -> list[Any] | ProbativeError:
    """What the encoder or the policy gives, and what that cost."""
    try:
        tool = tools.encoder if ask.verb == "encode" else tools.policy
        before = tool.usage
        given: list[Any] = list(
            tools.encoder.encode(ask.items) if ask.verb == "encode" else tools.policy.weigh(ask.items)
        )
    except ProbativeError as error:
        return error
    after = tool.usage
    spent = Usage(**{name: getattr(after, name) - getattr(before, name) for name in Usage.model_fields})
    one.usages.append(spent)
    if ask.verb == "weigh":
        one.weighed.append(spent)
        _record_weighed(tools.policy.name, ask.items, given, spent)
    return given


def _record_weighed(policy: str, states: Sequence[Any], weighed: Sequence[Any], spent: Usage) -> None:
    """Write what the policy was asked and said into the open trace, with the cost at the first state."""
    if recording():
        for place, (state, scores) in enumerate(zip(states, weighed, strict=True)):
            cost = Usage() if place else spent
            asked, said = (
                {name: _lists(value) for name, value in one._asdict().items()} for one in (state, scores)
            )
            record(Call(verb="weigh", model=policy, request=asked, result=said, usage=cost))


def _lists(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    return [_lists(one) for one in value] if isinstance(value, tuple) else value


def _collected(one: _Running[Result], ask: Ask, outcomes: list[Any]) -> list[Any] | ProbativeError:
    """The outcomes for one search, its costs noted; its first error that matters, if there is one."""
    one.usages.append(total(outcome.usage for outcome in outcomes if getattr(outcome, "usage", None)))
    fine = EmptyError if ask.empty_is_fine else ()
    errors = (one for one in outcomes if isinstance(one, ProbativeError) and not isinstance(one, fine))
    return next(errors, outcomes)


def _outcomes(tools: Tools, verb: str, items: list[Any]) -> list[Any]:
    """A result or an error for each item; what fails for all (no such server) is the error of each."""
    if not items:
        return []
    try:
        if verb == "choose":  # each item is a Selection, with options of its own
            return list(tools.model.choose([one.request for one in items], [one.options for one in items]))
        call: Callable[[list[Any]], list[Any]] = getattr(tools.model, verb)
        return call(items)
    except BatchError as failed:
        return [failed.errors.get(place, result) for place, result in enumerate(failed.results)]
    except BudgetError as spent:
        results = spent.results or [None] * len(items)
        return [_same(spent) if result is None else result for result in results]
    except ProbativeError as error:
        return [error] * len(items)


def _same(spent: BudgetError) -> ModelError:
    return BudgetError(spent.what, mend=spent.mend)
