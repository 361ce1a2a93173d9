"""One contract for the items of every model: items in, a result or an error for each of them out.

A language model has the verbs generate, score and choose, an encoder encode, the evidence policy weigh, and
the verdict model judge. `ITEMS` says of each verb what a wrapper must know to cache, budget, trace or replace
its calls.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from probative.errors import ModelError
from probative.models.contract import LanguageModel
from probative.models.evidence_policy import PolicyScores, PolicyState, Weighing, weigh_each
from probative.models.types import Choice, Completion, Score, Vector
from probative.models.verdict import Judging, VerdictItem, VerdictModel, VerdictScores, judge_each
from probative.trace import Call
from probative.types import Usage, Value

RESULTS: dict[str, type[Completion | Score | Choice]] = {
    "generate": Completion,
    "score": Score,
    "choose": Choice,
}
"""The verbs of a language model and their results."""
# Part of every key of the cache: raised when the meaning of a stored value changes.
FORMAT = 1

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class ItemModel(Generic[In, Out]):
    """One verb of a model: items of type `In` in, a result of type `Out` or an error for each out.

    `outcomes` calls the verb. `to_text` and `from_text` store a result without its cost. `cost` gives the
    highest cost of items that a budget admits together, `together` of them at a time. `failed` is the cost of
    a failed item if nobody knows it. With `waits`, an item that the budget does not cover waits for the calls
    of other threads and processes. The cache asks for `group` items at a time if it is not None, so that a
    killed run keeps what it has done.
    """

    outcomes: Callable[[Any, Sequence[In]], Iterator[tuple[int, Out | ModelError]]]
    to_text: Callable[[Out], str]
    from_text: Callable[[str], Out]
    cost: Callable[[Any, Sequence[In]], Usage]
    together: int = 1
    failed: Usage = field(default_factory=Usage)
    waits: bool = False
    group: int | None = None


def key_of(model: Any, verb: str, item: Any) -> str:
    """Return the key of an item in the cache: a hash of everything that decides its result."""
    plain = item.to_dict() if isinstance(item, Value) else item
    if isinstance(item, VerdictItem) and not item.headers:
        plain = item[:2]
    text = json.dumps([FORMAT, verb, model.name, model.fingerprint, plain], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def with_usage(result: Any, usage: Usage) -> Any:
    """Return the result with another cost."""
    if isinstance(result, Value):
        return result.model_copy(update={"usage": usage})
    return result._replace(usage=usage)


def call_record(verb: str, model: str, item: Any, outcome: Any) -> Call:
    """Return the entry of a trace for an item and its result or error."""
    request = item.to_dict() if isinstance(item, Value) else _plain(item._asdict())
    if isinstance(outcome, ModelError):
        kind, usage = type(outcome).__name__, outcome.usage or Usage()
        return Call(verb=verb, model=model, request=request, error=str(outcome), error_type=kind, usage=usage)
    if isinstance(outcome, Value):
        result = outcome.model_dump(mode="json", exclude={"usage", "model"})
    else:
        result = _plain(outcome.scores._asdict())
    return Call(verb=verb, model=model, request=request, result=result, usage=outcome.usage)


def _plain(value: Any) -> Any:
    """Return tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _encode_cost(model: object, texts: Sequence[str]) -> Usage:
    """Return the cost of texts that are encoded together, until the server says what they cost."""
    return Usage(calls=1, prompt_tokens=sum(-(-len(text) // 4) for text in texts))


def _weigh_cost(model: object, states: Sequence[PolicyState]) -> Usage:
    """Return the cost of a decision: one token for 4 characters of all its sequences."""
    (state,) = states
    common = len(state.query) + sum(map(len, state.chosen))
    around = [len(neighbours.before) + len(neighbours.after) for neighbours in state.neighbours]
    texts = sum(common + len(text) for text in (*state.candidates, "", "")) + sum(around)
    return Usage(calls=1, prompt_tokens=-(-texts // 4))


def _judge_cost(model: VerdictModel, items: Sequence[VerdictItem]) -> Usage:
    (item,) = items
    texts = [item.claim, *item.evidence, item.claim, *dict.fromkeys(item.headers)]
    read = sum(model.count_tokens(texts))
    return Usage(calls=1, prompt_tokens=read, completion_tokens=2)


def vector_to_text(vector: Vector) -> str:
    """Return the 32-bit floats of a vector in base 64."""
    return base64.b64encode(vector.values.astype("<f4").tobytes()).decode()


def vector_from_text(text: str) -> Vector:
    """Return the vector that `vector_to_text` wrote; raises `ValueError` if the text is damaged."""
    import numpy as np

    values = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    if not values.size or not np.isfinite(values).all():
        raise ValueError("the stored vector is damaged")
    return Vector(values)


def _weighing_from_text(text: str) -> Weighing:
    candidates, complete, nothing = _stored_list(text)
    return Weighing(PolicyScores(_floats(candidates), *_floats((complete, nothing))), Usage())


def _judging_from_text(text: str) -> Judging:
    *verdicts, deciding = _stored_list(text)
    supported, contradicted, insufficient = _floats(verdicts)
    return Judging(VerdictScores(supported, contradicted, insufficient, _floats(deciding)), Usage())


def _stored_list(text: str) -> Sequence[Any]:
    """Return the list in a stored text; raises `ValueError` if there is none."""
    values = json.loads(text)
    if not isinstance(values, list):
        raise ValueError("expected a list")
    return values


def _floats(values: Any) -> tuple[float, ...]:
    try:
        return tuple(map(float, values))
    except TypeError as error:
        raise ValueError(str(error)) from None


def _of_language(
    verb: str,
    cost: Callable[[LanguageModel, Any], Usage],
) -> ItemModel[Any, Any]:
    """Return the contract of a verb of language models; `cost` is that of one item."""
    return ItemModel(
        outcomes=lambda model, items: getattr(model, f"_{verb}")(items),
        to_text=Value.to_json,
        from_text=RESULTS[verb].model_validate_json,
        cost=lambda model, items: cost(model, items[0]),
        failed=Usage(calls=1),
        waits=True,
    )


ITEMS: dict[str, ItemModel[Any, Any]] = {
    "generate": _of_language(
        "generate",
        lambda model, request: Usage(
            calls=1, prompt_tokens=model.prompt_tokens(request), completion_tokens=request.max_tokens
        ),
    ),
    "score": _of_language(
        "score",
        lambda model, pair: Usage(calls=1, scored_tokens=model.count_tokens(pair.prompt + pair.continuation)),
    ),
    "choose": _of_language(
        "choose",
        lambda model, selection: Usage(calls=1, scored_tokens=model.choice_tokens(selection)),
    ),
    "encode": ItemModel[str, Vector](
        outcomes=lambda encoder, texts: encoder.encode_each(texts),
        to_text=vector_to_text,
        from_text=vector_from_text,
        cost=_encode_cost,
        together=64,
    ),
    "weigh": ItemModel[PolicyState, Weighing](
        outcomes=lambda policy, states: enumerate(weigh_each(policy, states)),
        to_text=lambda weighing: json.dumps(weighing.scores),
        from_text=_weighing_from_text,
        cost=_weigh_cost,
        group=16,
    ),
    "judge": ItemModel[VerdictItem, Judging](
        outcomes=lambda model, items: enumerate(judge_each(model, items)),
        to_text=lambda judging: json.dumps(judging.scores),
        from_text=_judging_from_text,
        cost=_judge_cost,
        group=16,
    ),
}
"""The contract of each verb."""
