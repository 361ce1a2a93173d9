"""Make the calls of one verb for many searches as one batch: a result or an error for each item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from probative.engine.search import Role, Verb
from probative.engine.tools import Tools
from probative.errors import BatchError, BudgetError, ProbativeError
from probative.models.evidence_policy import weigh_each
from probative.models.verdict import judge_each


def make_calls(tools: Tools, verb: Verb, by: Role, items: Sequence[Any]) -> list[Any]:
    """Return an outcome for each item, in order: a value with its `usage`, or the error.

    What fails for all items, such as a server that cannot be reached, is the error of each.
    """
    if not items:
        return []
    try:
        return _CALLS[verb](tools, by, items)
    except BatchError as failed:
        return [failed.errors.get(index, result) for index, result in enumerate(failed.results)]
    except BudgetError as spent:
        results = spent.results or [None] * len(items)
        error = BudgetError(spent.what, hint=spent.hint)
        return [error if result is None else result for result in results]
    except ProbativeError as error:
        return [error] * len(items)


def _generate(tools: Tools, by: Role, requests: Sequence[Any]) -> list[Any]:
    return list(_language_model(tools, by).generate(requests))


def _score(tools: Tools, by: Role, pairs: Sequence[Any]) -> list[Any]:
    return list(_language_model(tools, by).score(pairs))


def _choose(tools: Tools, by: Role, selections: Sequence[Any]) -> list[Any]:
    requests = [selection.request for selection in selections]
    return list(_language_model(tools, by).choose(requests, [selection.options for selection in selections]))


def _encode(tools: Tools, by: Role, texts: Sequence[Any]) -> list[Any]:
    vectors = dict(tools.encoder.encode_each(texts))
    return [vectors[index] for index in range(len(texts))]


def _weigh(tools: Tools, by: Role, states: Sequence[Any]) -> list[Any]:
    return list(weigh_each(tools.policy, states))


def _judge(tools: Tools, by: Role, items: Sequence[Any]) -> list[Any]:
    return list(judge_each(tools.verdict, items))


def _language_model(tools: Tools, by: Role) -> Any:
    return tools.judge if by == "judge" else tools.model


_CALLS: dict[Verb, Callable[[Tools, Role, Sequence[Any]], list[Any]]] = {
    "generate": _generate,
    "score": _score,
    "choose": _choose,
    "encode": _encode,
    "weigh": _weigh,
    "judge": _judge,
}
