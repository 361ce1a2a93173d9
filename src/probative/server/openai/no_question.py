"""Messages that ask nothing of the documents: they are answered without a run, by rules for English.

Greetings, thanks and questions about this server get an introduction, and a few exact questions
(`probative.server.state.contents`) the list of documents. Open WebUI sends up to three prompts
for a title or tags with each question. As questions, they would keep the queue busy for minutes and be
refused, and some pages would show the refusal as a title. The title is the first question; there are no tags
and no next questions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from probative.server.openai.answer_text import Finding, Reply, only_questions, plain, reply_to_follow_up
from probative.server.openai.conversation import Conversation
from probative.server.state.contents import Contents, asks_for_contents
from probative.text import english
from probative.text.labels import counted
from probative.text.words import words

_MAX_CHARACTERS = 120
# How many documents, and how many other models, are named.
_NAMED = 5
_WORD = re.compile(r"[^\W_]+")
# Each stands for a whole phrase; a message of nothing else asks nothing. Apostrophes are left out before.
_PHRASES = (
    r"hi+|hello+|hey+|hiya|howdy|greetings|welcome|hallo|hola|bonjour|ciao|servus|moin",
    r"good (?:morning|afternoon|evening|day|night)|morning|guten (?:morgen|tag|abend)",
    r"how are you(?: doing)?(?: today)?|how do you do|whats up|how is it going|hows it going",
    r"nice to meet you|pleased to meet you",
    r"thank you|(?:many |ok )?thanks?|thx|cheers|danke(?: schön)?|merci|gracias|grazie|much appreciated",
    r"(?:and )?(?:good)?bye(?: bye)?|good bye|see you(?: later| soon)?|take care",
    r"have a (?:nice|good|great) (?:day|evening|weekend)",
    r"(?:please )?(?:can you |could you )?help(?: me| please)*",
    r"ok|okay|great|perfect|cool|awesome|wonderful|got it|well done|that helps|that helped",
)
# What may follow a phrase, and says nothing of itself.
_FOLLOWING = (
    r"there|everyone|everybody|all|team|folks|friends?|again|to you|probative|assistant",
    r"(?:so |very )?much|a lot|in advance|for (?:all )?(?:your|the) (?:help|answers?)",
)
_GREETING = re.compile(rf"(?:{'|'.join(_PHRASES)})(?: (?:{'|'.join((*_PHRASES, *_FOLLOWING))}))*\b")

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


def reply_without_run(
    conversation: Conversation,
    corpus: str,
    contents: Callable[[], Contents],
    others: Sequence[str],
    *,
    rewrites: bool = False,
) -> Reply | None:
    """Return the reply to what is no question that documents could answer; None for a question.

    `contents` returns what the corpus has, `others` are the other models; `rewrites` says whether the
    model can rewrite a question that points at earlier turns.
    """
    reply = reply_to_chore(conversation, corpus)
    if reply is not None:
        return reply
    question = conversation.question
    if asks_for_contents(question):
        text = f"{introduction(contents(), others, named=0)}\n\n{document_list(contents())}"
        return Reply(text, Finding(reason="a question about the corpus itself, answered without a model"))
    if not is_greeting(question):
        pointer = english.points_back(question) if conversation.has_earlier_turns else None
        if pointer is not None:
            return None if rewrites else reply_to_follow_up(pointer)
        if not is_vague(question):
            return None
    text = introduction(contents(), others)
    return Reply(text, Finding(reason="a message that asks nothing of the documents", refusal=text))


def is_greeting(text: str) -> bool:
    """Return whether a message only greets, thanks or takes leave.

    >>> is_greeting("Hi there!"), is_greeting("Hi, when was the lift opened?")
    (True, False)
    """
    return len(text) <= _MAX_CHARACTERS and _GREETING.fullmatch(_plain_words(text)) is not None


def is_vague(text: str) -> bool:
    """Return whether a message names nothing that a document could contain, beside a greeting.

    >>> [is_vague(text) for text in ("What can you do?", "hello, who are you", "???", "Who built it?")]
    [True, True, True, False]
    """
    message = _plain_words(text)
    greeting = _GREETING.match(message)
    return not words(message[greeting.end() :] if greeting is not None else message)


def _plain_words(text: str) -> str:
    return " ".join(_WORD.findall(re.sub(r"['’]", "", text.lower())))


def introduction(contents: Contents, others: Sequence[str], *, named: int = _NAMED) -> str:
    """Return what can be asked here: of which documents, the first `named` by name, and of which other
    models.
    """
    count = counted(contents.documents, "document")
    names = ", ".join(plain(document.source) for document in contents.listed[:named])
    names = f": {names}{', and others' if contents.documents > named else ''}" if names else ""
    more = f" Other models of this server: {', '.join(others[:_NAMED])}." if others else ""
    return (
        f"{only_questions(contents.corpus)} It has {count}{names}. Each answer cites the "
        f"sentences that carry it; if the documents do not answer, the reply says what is missing.{more}"
    )


def document_list(contents: Contents) -> str:
    """Return the figures of a corpus, and its first documents with their dates, as Markdown."""
    rows = [
        f"- {plain(document.source)}{f' ({document.date})' if document.date else ''}"
        for document in contents.listed
    ]
    left = contents.documents - len(rows)
    rows += [f"- and {left:,} more"] if left else []
    return "\n".join((contents.figures, "", *rows))


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
