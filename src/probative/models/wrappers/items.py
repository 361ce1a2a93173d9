"""One contract for the items of every model: what a wrapper must know to cache or budget them.

A language model has the verbs generate, score and choose, an encoder encode, the evidence policy weigh, and
the verdict model judge. Each takes items and gives a result or a `ModelError` for each of them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from probative.models.contract import LanguageModel
from probative.models.evidence_policy import PolicyScores, PolicyState, Weighing
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, Vector
from probative.models.verdict import Judging, VerdictItem, VerdictModel, VerdictScores
from probative.models.verdict_prompt import prompt_text
from probative.types import Value
from probative.usage import Usage

AnyRequest = Request | Pair | Selection
AnyResult = Completion | Score | Choice

RESULTS: dict[str, type[AnyResult]] = {"generate": Completion, "score": Score, "choose": Choice}

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class ItemModel(Generic[In, Out]):
    """One verb of a model: items of type `In` in, a result of type `Out` or an error for each out.

    `worst` gives the highest cost of items that a budget admits together, `together` of them at a time.
    `failed` is the cost of a failed item if nobody knows it. With `waits`, an item that the budget does not
    cover waits for the calls of other threads and processes. The cache asks for `group` items at a time if
    it is not None, so that a killed run keeps what it has done.
    """

    to_text: Callable[[Out], str]
    from_text: Callable[[str], Out]
    with_usage: Callable[[Out, Usage], Out]
    worst: Callable[[Any, Sequence[In]], Usage]
    together: int = 1
    failed: Usage = field(default_factory=Usage)
    waits: bool = False
    group: int | None = None


def request_cost(model: LanguageModel, request: AnyRequest) -> Usage:
    """Return the highest cost that a request can have."""
    match request:
        case Request():
            read = model.prompt_tokens(request)
            return Usage(calls=1, prompt_tokens=read, completion_tokens=request.max_tokens)
        case Pair():
            read = model.count_tokens(request.prompt + request.continuation)
        case Selection():
            read = model.choice_tokens(request)
    return Usage(calls=1, scored_tokens=read)


def _texts_cost(model: object, texts: Sequence[str]) -> Usage:
    """Return the cost of texts that are encoded together, until the server says what they cost."""
    return Usage(calls=1, prompt_tokens=sum(-(-len(text) // 4) for text in texts))


def _decision_cost(model: object, states: Sequence[PolicyState]) -> Usage:
    """Return the cost of a decision: one token for 4 characters of all its sequences."""
    (state,) = states
    common = len(state.query) + sum(map(len, state.chosen))
    around = [len(neighbours.before) + len(neighbours.after) for neighbours in state.neighbours]
    texts = sum(common + len(text) for text in (*state.candidates, "", "")) + sum(around)
    return Usage(calls=1, prompt_tokens=-(-texts // 4))


def _verdict_cost(model: VerdictModel, items: Sequence[VerdictItem]) -> Usage:
    (item,) = items
    (read,) = model.count_tokens([prompt_text(*item)])
    return Usage(calls=1, prompt_tokens=read, completion_tokens=2)


def vector_to_text(vector: Vector) -> str:
    """Return the 32-bit floats of a vector in base 64.

    >>> import numpy as np
    >>> text = vector_to_text(Vector(np.array([0.6, 0.8], dtype=np.float32)))
    >>> vector_from_text(text).values
    array([0.6, 0.8], dtype=float32)
    """
    return base64.b64encode(vector.values.astype("<f4").tobytes()).decode()


def vector_from_text(text: str) -> Vector:
    """Return the vector that `vector_to_text` wrote; raises `ValueError` if the text is damaged."""
    import numpy as np

    values = np.frombuffer(base64.b64decode(text, validate=True), dtype="<f4").astype(np.float32)
    if not values.size or not np.isfinite(values).all():
        raise ValueError("the stored vector is damaged")
    return Vector(values)


def _weighing_from_text(text: str) -> Weighing:
    candidates, complete, nothing = _load(text)
    return Weighing(PolicyScores(_floats(candidates), *_floats((complete, nothing))), Usage())


def _judging_from_text(text: str) -> Judging:
    *verdicts, deciding = _load(text)
    supported, contradicted, insufficient = _floats(verdicts)
    return Judging(VerdictScores(supported, contradicted, insufficient, _floats(deciding)), Usage())


def _load(text: str) -> Sequence[Any]:
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


def _replace_usage(outcome: Any, usage: Usage) -> Any:
    return outcome._replace(usage=usage)


def _of_language(result: type[AnyResult]) -> ItemModel[Any, Any]:
    return ItemModel(
        to_text=Value.to_json,
        from_text=result.model_validate_json,
        with_usage=lambda outcome, usage: outcome.model_copy(update={"usage": usage}),
        worst=lambda model, requests: request_cost(model, requests[0]),
        failed=Usage(calls=1),
        waits=True,
    )


ITEMS: dict[str, ItemModel[Any, Any]] = {
    **{verb: _of_language(result) for verb, result in RESULTS.items()},
    "encode": ItemModel[str, Vector](
        to_text=vector_to_text,
        from_text=vector_from_text,
        with_usage=_replace_usage,
        worst=_texts_cost,
        together=64,
    ),
    "weigh": ItemModel[PolicyState, Weighing](
        to_text=lambda weighing: json.dumps(weighing.scores),
        from_text=_weighing_from_text,
        with_usage=_replace_usage,
        worst=_decision_cost,
        group=16,
    ),
    "judge": ItemModel[VerdictItem, Judging](
        to_text=lambda judging: json.dumps(judging.scores),
        from_text=_judging_from_text,
        with_usage=_replace_usage,
        worst=_verdict_cost,
        group=16,
    ),
}
"""The contract of each verb."""
