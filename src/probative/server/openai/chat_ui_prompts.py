"""Messages that are no questions to a corpus: prompts of a chat page for a title or tags.

Open WebUI sends up to three such prompts with each question. As questions, they would keep the queue busy for
minutes and be refused, and some pages would show the refusal as a title. Rules for English recognise them,
and they are answered without a run: the title is the first question; there are no tags and no next questions.
"""

from __future__ import annotations

import json
import re

from probative.server.openai.answer_text import Finding, Reply
from probative.server.openai.conversation import Conversation
from probative.server.openai.greetings import only_questions

_MAX_TITLE = 60
# The order stands at the beginning; what follows are rules, examples and the conversation.
_ORDER_CHARACTERS = 400
_SENTENCE = re.compile(r"[^.?!\n]+[.?!\n]?")
_VERB = re.compile(
    r"\b(?:generate|write|create|give|provide|suggest|summari[sz]e|predict|propose|produce|name)\b",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\b(?:title|name|headline|tags?|follow[- ]?ups?|summary|topic|quer(?:y|ies)|messages this user)\b",
    re.IGNORECASE,
)
_TALK = re.compile(r"\b(?:conversation|chat|dialog(?:ue)?|discussion|messages?|exchange)\b", re.IGNORECASE)
_TURN = re.compile(r"^[ \t>*-]*(?:user|human)\**[ \t]*:[ \t]*(\S.*)$", re.IGNORECASE | re.MULTILINE)
_TASK = re.compile(r"\s*#+\s*task\b", re.IGNORECASE)
_HISTORY = re.compile(r"<(?:chat_?history|conversation|messages)>", re.IGNORECASE)
_TITLE = re.compile(r"\b(?:title|name|headline)\b", re.IGNORECASE)
# The forms that Open WebUI asks for; it reads an empty list as "none".
_KEY = re.compile(r'"(title|tags|follow_ups|queries)"\s*:')


def reply_to_chore(conversation: Conversation, corpus: str) -> Reply | None:
    r"""Return what is said to a prompt of a chat page, or None if something is asked.

    >>> title = "Give this conversation a short title.\n\nUser: Who built the lift?\nAI: Anton Brill [1]"
    >>> reply_to_chore(Conversation(title), "club").text
    'Who built the lift?'
    >>> reply_to_chore(Conversation("Who gave the chat room its name?"), "club") is None
    True
    """
    if _is_chore(conversation.text):
        prompt, history = conversation.text, conversation.text
    elif not conversation.has_earlier_turns and _has_order(conversation.orders):
        prompt, history = conversation.orders, _quoted(conversation.text)
    else:
        return None
    finding = Finding(reason="a prompt of a chat page, not a question to the documents")
    key = _KEY.search(prompt)
    if key is not None:
        value = _title(history, corpus) if key[1] == "title" else []
        return Reply(json.dumps({key[1]: value}, ensure_ascii=False), finding)
    if _TITLE.search(prompt[:_ORDER_CHARACTERS]):
        return Reply(_title(history, corpus), finding)
    return Reply(only_questions(corpus), finding)


def _quoted(text: str) -> str:
    """Return a message as a turn of the user, unless it quotes turns itself."""
    return text if _TURN.search(text) is not None else f"user: {text}"


def _is_chore(text: str) -> bool:
    """Return whether a message orders something about a conversation that it quotes."""
    quotes = _TURN.search(text) is not None or _HISTORY.search(text) is not None
    return quotes and (_TASK.match(text) is not None or _has_order(text))


def _has_order(text: str) -> bool:
    """Return whether a text begins with an order to write a title or the like of a conversation."""
    return any(
        not sentence.endswith("?") and all(part.search(sentence) for part in (_VERB, _PRODUCT, _TALK))
        for sentence in _SENTENCE.findall(text[:_ORDER_CHARACTERS])
    )


def _title(history: str, corpus: str) -> str:
    """Return the first line of the first turn of the user, cut between words."""
    turn = _TURN.search(history)
    line = " ".join(turn[1].split()) if turn is not None else f"Questions about {corpus}"
    if len(line) <= _MAX_TITLE:
        return line
    return f"{line[: _MAX_TITLE - 1].rsplit(' ', 1)[0].rstrip(' ,;:')}…"
