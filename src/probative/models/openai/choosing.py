"""`choose` from the log-probabilities of the first token of an answer."""

from __future__ import annotations

import math
from typing import Any

from probative.errors import EmptyError, ModelError, OutputError, ReplyError
from probative.models.contract import Capability, lacks
from probative.models.openai.chat import read_message, read_usage
from probative.models.openai.connection import Reply
from probative.models.types import Choice, Message, Request, Selection
from probative.usage import Usage

TOP = 20
NONE_GIVEN = "its server returns no top log-probabilities"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def needs_letters(options: tuple[str, ...]) -> bool:
    """Return whether the first token of an answer may not distinguish the options.

    >>> needs_letters(("yes", "no", "maybe")), needs_letters(("red", "rose"))
    (False, True)
    """
    plain = [option.strip() for option in options]
    if any(" " in option or not (option[0].isalnum() and option[-1].isalnum()) for option in plain):
        return True
    return len({option.strip()[0].casefold() for option in options}) < len(options)


def with_letters(selection: Selection) -> Request:
    """Return the request with lettered options and the instruction to reply with a letter."""
    lines = [f"{LETTERS[i]}. {option}" for i, option in enumerate(selection.options)]
    *before, last = selection.request.messages
    prompt = f"{last.content}\n\n" + "\n".join(lines) + "\n\nReply with one letter only."
    messages = (*before, Message(role=last.role, content=prompt))
    return selection.request.model_copy(update={"messages": messages})


def check_choice(body: dict[str, Any]) -> None:
    """Raise an error for a reply that contains neither log-probabilities nor text: it is sent again.

    Text without log-probabilities is not such a reply: the server has none to give.
    """
    text, _, finish = read_message(body)
    if text.strip() or finish == "length" or _top_tokens(body) is not None:
        return
    if finish == "filter":
        raise EmptyError("the server's content filter withheld the answer", hint="rephrase the request")
    raise ReplyError("the model wrote nothing", hint="try again, or use another model", body=str(body)[:500])


def read_choice(reply: Reply, selection: Selection, model: str, prompt_tokens: int) -> Choice | ModelError:
    """Return the distribution over the options from the top log-probabilities of the first token."""
    top = _top_tokens(reply.body)
    usage = read_usage(reply, Usage(prompt_tokens=prompt_tokens, completion_tokens=1))
    if top is None:
        missing = lacks(model, Capability.CHOOSE, NONE_GIVEN)
        missing.usage = usage
        return missing
    names = (
        tuple(LETTERS[: len(selection.options)]) if needs_letters(selection.options) else selection.options
    )
    masses = attribute(top, names)
    coverage = math.fsum(masses)
    if coverage <= 0.0:
        error = OutputError(
            f"none of the options {list(names)} is among the {len(top)} most probable first tokens",
            raw=" ".join(repr(token) for token, _ in top),
            model=model,
            step="choose",
            finish_reason="stop",
            hint="name the options in the prompt; a model that thinks before it answers cannot choose",
        )
        error.usage = usage
        return error
    return Choice(
        options=selection.options,
        probabilities=tuple(mass / coverage for mass in masses),
        coverage=min(1.0, coverage),
        model=model,
        usage=usage,
    )


def attribute(top: list[tuple[str, float]], names: tuple[str, ...]) -> list[float]:
    """Return the probability of each name: a token counts for the only name that starts with it.

    >>> attribute([("Yes", 0.5), (" yes.", 0.25), ("N", 0.125), ("Perhaps", 0.1)], ("yes", "no"))
    [0.75, 0.125]
    """
    masses = [0.0] * len(names)
    for token, probability in top:
        piece = token.strip().strip(".,:;!?*\"'`()").casefold()
        matches = [i for i, name in enumerate(names) if piece and name.strip().casefold().startswith(piece)]
        if len(matches) == 1:
            masses[matches[0]] += probability
    return masses


def _top_tokens(body: dict[str, Any]) -> list[tuple[str, float]] | None:
    """Return the alternatives of the first token with their probabilities; None without log-probabilities."""
    try:
        entries = body["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        values = [(str(entry["token"]), float(entry["logprob"])) for entry in entries]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    if any(math.isnan(value) or value > 1e-3 for _, value in values):
        return None  # not log-probabilities
    return [(token, math.exp(value)) for token, value in values] or None
