"""Greetings and thanks: whole messages that ask nothing of the documents, told by their words."""

from __future__ import annotations

import re

_MAX_CHARACTERS = 120
_WORD = re.compile(r"[^\W_]+")
# Each stands for a whole phrase; a message of nothing else asks nothing. Apostrophes are left out before.
_PHRASES = (
    r"hi+|hello+|hey+|hiya|howdy|greetings|welcome|hallo|hola|bonjour|ciao|servus|moin",
    r"good (?:morning|afternoon|evening|day|night)|morning|guten (?:morgen|tag|abend)",
    r"how are you(?: doing)?(?: today)?|how do you do|whats up|how is it going|hows it going",
    r"nice to meet you|pleased to meet you",
    r"(?:many |ok )?thanks?|thank you|thx|cheers|danke(?: schön)?|merci|gracias|grazie|much appreciated",
    r"(?:and )?(?:good)?bye(?: bye)?|good bye|see you(?: later| soon)?|take care",
    r"have a (?:nice|good|great) (?:day|evening|weekend)",
    r"ok|okay|great|perfect|cool|awesome|wonderful|got it|well done|that helps|that helped",
)
# What may follow a phrase, and says nothing of itself.
_FOLLOWING = (
    r"there|everyone|everybody|all|team|folks|friends?|again|to you|probative|assistant",
    r"(?:so |very )?much|a lot|in advance|for (?:all )?(?:your|the) (?:help|answers?)",
)
_GREETING = re.compile(rf"(?:{'|'.join(_PHRASES)})(?: (?:{'|'.join((*_PHRASES, *_FOLLOWING))}))*")


def is_greeting(text: str) -> bool:
    """Return whether a message only greets, thanks or takes leave.

    >>> is_greeting("Hi there!"), is_greeting("Hi, when was the lift opened?")
    (True, False)
    """
    if len(text) > _MAX_CHARACTERS:
        return False
    said = " ".join(_WORD.findall(re.sub(r"['’]", "", text.lower())))
    return _GREETING.fullmatch(said) is not None


def only_questions(corpus: str) -> str:
    """Return what is said to a message that asks nothing of the documents.

    >>> only_questions("club")
    'Only questions about the documents of “club” are answered here.'
    """
    return f"Only questions about the documents of “{corpus}” are answered here."
