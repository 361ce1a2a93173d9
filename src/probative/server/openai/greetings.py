"""Messages that ask nothing of the documents: greetings and thanks, and questions about this server."""

from __future__ import annotations

import re
from collections.abc import Sequence

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


def only_questions(corpus: str) -> str:
    """Return what is said to a message that asks nothing of the documents.

    >>> only_questions("club")
    'Only questions about the documents of “club” are answered here.'
    """
    return f"Only questions about the documents of “{corpus}” are answered here."


def introduction(corpus: str, sources: Sequence[str], others: Sequence[str]) -> str:
    """Return what can be asked here: of which documents, and of which other models.

    >>> print(introduction("club", ["lease.pdf"], []).split(". ")[1])
    It has 1 document: lease.pdf
    """
    count = f"{len(sources):,} document{'' if len(sources) == 1 else 's'}"
    named = ", ".join(sources[:_NAMED]) + (", and others" if len(sources) > _NAMED else "")
    more = f" Other models of this server: {', '.join(others[:_NAMED])}." if others else ""
    return (
        f"{only_questions(corpus)} It has {count}{f': {named}' if named else ''}. Each answer cites the "
        f"sentences that carry it; if the documents do not answer, the reply says what is missing.{more}"
    )
