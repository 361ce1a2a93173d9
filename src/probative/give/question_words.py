"""What an English question over a graph asks for besides its relation."""

from __future__ import annotations

import re

from probative.text.words import any_of, stem, word_set

_COUNT = re.compile(r"(?i)^\W*(?:(?:in|on|at|by|of|from|to|with|for) )?how many\b")
_FALSE = re.compile(r"(?i)\b(?:false|untrue|incorrect|wrong|a myth|a lie) (?:that|to)\b")
_TRUE = re.compile(r"(?i)\W*is it (?:true|correct|a fact|the case) that ")
_SUBJECT = re.compile(
    r"(?i)\W*(?:who|what|which (?:one )?of (?:these|them|the following))\s+(?=\w)"
    rf"(?!(?:{any_of('do', 'be', 'have', 'modals')})\b)"
)
_ASKED = re.compile(r"(?i)\b(?:which|what|how many)\s+((?:[a-z]+\s+){1,3})")
_AUXILIARY = word_set("auxiliaries", "articles") | {"of"}
# At the start, after a colon, a dash or a full stop ("Aspirin in stroke: does it help?"), or after a comma.
_POLAR = re.compile(rf"(?i)(?:^|[:.,;?!–—-]\s+(?:and |or |but |so )?)(?:{any_of('questions.auxiliaries')})\b")
# "True or false: …", and the particle that ends a Chinese question of this kind.
_CLOSED = re.compile(r"(?i)^(?:true or false|yes or no)\b|吗\s*[?？]?\s*$")
_OPEN = re.compile(
    r"(?i)(?:^|[:.;]\s+)(?:in |of |to |for |by |from |with |on |at |during |after |before |since |until )?"
    r"(?:who|whom|whose|what|which|where|when|why|how)\b|"
    r"^(?:can|could|would|will) (?:you|anyone|someone) (?:please )?(?:tell|list|name|say|give|explain)\b"
)


def asks_count(question: str) -> bool:
    """Return whether a question asks for a number of things.

    >>> asks_count("How many drugs ease a cough?"), asks_count("Which drugs ease a cough?")
    (True, False)
    """
    return bool(_COUNT.match(question))


def asks_if_false(question: str) -> bool:
    """Return whether a question asks if a statement is false.

    >>> asks_if_false("Is it false that tea eases a cough?"), asks_if_false("Does tea ease a cough?")
    (True, False)
    """
    return bool(_FALSE.search(question))


def as_statement(question: str, name: str) -> str:
    """Return a yes-or-no question as a statement: its first word follows the entity `name`. Return the
    question with a yes if its words are in another order.

    >>> as_statement("Does tea cure a cough?", "tea"), as_statement("Is Ole's ferry old?", "Ole")
    ('tea does cure a cough.', "Is Ole's ferry old? yes")
    >>> as_statement("Is it true that tea cures a cough?", "tea")
    'tea cures a cough.'
    """
    if framed := _TRUE.match(question):
        return f"{question[framed.end() :].rstrip(' ?')}."
    verb, _, rest = question.rstrip(" ?").partition(" ")
    end = rest.lower().find(name.lower()) + len(name)
    if end < len(name) or rest[end : end + 1] not in (" ", "s"):
        return f"{question} yes"
    end += len(rest[end:].partition(" ")[0])
    return f"{rest[:end]} {verb.lower()}{rest[end:]}."


def answered(question: str, answer: str) -> str:
    """Return an open question with its answer as a statement if it asks for its subject; otherwise the
    question, and then the answer.

    >>> answered("Which of these eases a cough?", "tea"), answered("Where is Molde?", "Nordland")
    ('tea eases a cough.', 'Where is Molde? Nordland')
    """
    asked = _SUBJECT.match(question)
    return f"{answer} {question[asked.end() :].rstrip(' ?')}." if asked else f"{question} {answer}"


def is_proper_name(question: str, name: str) -> bool:
    """Return whether an entity of a question is a name: all of its words have a capital, and it does not
    begin the question. Abbreviations are no names.

    >>> is_proper_name("Where was Tora Vik born?", "Tora Vik"), is_proper_name("What eases gout?", "gout")
    (True, False)
    """
    at = question.find(name)
    parts = [part for part in name.split() if part not in ("of", "the", "and", "de")]
    return at > 0 and bool(parts) and all(part[0].isupper() and not part.isupper() for part in parts)


def is_possessive(question: str, name: str) -> bool:
    """Return whether a question asks for something of an entity by its possessive.

    >>> is_possessive("Is Molde's harbour deep?", "Molde"), is_possessive("Is Molde deep?", "Molde")
    (True, False)
    """
    base = re.escape(re.sub(r"['’]s$", "", name))
    return bool(re.search(rf"\b{base}['’]s\b", question, re.IGNORECASE))


def names_literally(question: str, relation: str) -> bool:
    """Return whether a question contains every word of a relation, prepositions too.

    >>> names_literally("Which river does Molde lie on?", "lies on")
    True
    >>> names_literally("Which river does Molde lie on?", "lies in")
    False
    """
    words = stems_of(relation.replace("_", " "))
    return bool(words) and words <= stems_of(question)


def asked_nouns(question: str) -> tuple[str, ...]:
    """Return the nouns that may say what kind of thing a question asks for: "person" for "who", and the words
    behind "which" up to an auxiliary verb.

    >>> asked_nouns("In which country was Ole born?"), asked_nouns("Who is Ole?"), asked_nouns("Is Ole tall?")
    (('country',), ('person',), ())
    """
    if re.match(r"\W*(?:\w+\s+)?who[m]?\b", question, re.IGNORECASE):
        return ("person",)
    if re.match(r"\W*where\b", question, re.IGNORECASE):
        return ("place",)
    match = _ASKED.search(question)
    nouns: list[str] = []
    for word in match[1].split() if match else ():
        if word.lower() in _AUXILIARY:
            break
        nouns.append(word.lower())
    return tuple(nouns)


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question asks for yes or no.

    >>> asks_yes_or_no("Is moss a plant?"), asks_yes_or_no("How is moss spread?")
    (True, False)
    >>> asks_yes_or_no("Moss is green, isn't it?")
    True
    """
    if _OPEN.search(question):
        return False
    return bool(_POLAR.search(question)) or bool(_CLOSED.search(question))


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of all words of a text.

    >>> sorted(stems_of("It seats 1,100 people."))
    ['it', 'peopl', 'seat']
    """
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]+", text.lower()))
