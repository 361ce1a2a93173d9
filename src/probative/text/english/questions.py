"""An English question parsed by rules, without a model, and its parts if it asks for two things.

Nodes are what the question quotes or names, and the runs of content words between its common words and
verbs. The intent is what the question word asks for. The words between two nodes are their relation. Every
question has valid features; they are simpler than those of a large model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from probative.text.analysis import AnswerKind, ParsedQuestion, Span, SpanRelation
from probative.text.words import COMMON, any_of, word_set

MAX_NODES = 8
# More words than this between two nodes do not state one relation.
MAX_PREDICATE_WORDS = 8
# A quotation, a word, or a punctuation mark. A word starts only where no word character precedes it: without
# that condition, a long word before an underscore takes quadratic time. Quotations are bounded likewise.
_TOKEN = re.compile(
    r"\"[^\"]+\"|“[^”]{1,400}”|(?<![^\W_])[^\W_]+(?:[-.'’&][^\W_]+)*\.?(?=\s[A-Z]|\b)|[^\w\s]"
)
_QUESTION_WORDS = word_set("question_words")
_AUXILIARIES = word_set("auxiliaries") | {"being", "shall", "am"}
_DO = word_set("do")
_VERBS = word_set("tokens.verbs")
_NO_CONTENT = COMMON | _QUESTION_WORDS | _AUXILIARIES | _VERBS | word_set("tokens.light")
# Words that have a capital only because the question begins with them.
_OPENING = COMMON | _QUESTION_WORDS | _AUXILIARIES | word_set("tokens.opening")
# Words that join the parts of a name, but "A and B", "A in B" are two nodes; "Bay of B" is one.
_JOINING = word_set("tokens.joining")
_COMPARED = re.compile(rf"(?i)\b(?:{any_of('intent.compared')})\b")
_KINDS: dict[AnswerKind, re.Pattern[str]] = {
    kind: re.compile(rf"\b(?:{any_of(f'intent.{kind}')})\b") for kind in ("date", "number", "place", "person")
}
_DEGREES = word_set("intent.degrees")
_BEFORE_NOUN = _AUXILIARIES | word_set("articles") | {"of", "name", "'s", "s"}
_AFTER_VERB = word_set("articles", "questions.after_verbs")
_AFTER_NOUN = COMMON | _AUXILIARIES | _VERBS | _QUESTION_WORDS


class Token(NamedTuple):
    """A token with the characters that it covers."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """The token in lower case."""
        return self.text.lower()

    @property
    def is_quoted(self) -> bool:
        """Whether the token is a quotation, and not a single mark."""
        return len(self.text) > 2 and self.text[0] in '"“'

    @property
    def is_name(self) -> bool:
        """Whether the token is a number or a word with a capital."""
        return self.text[0].isupper() or self.text[0].isdigit()

    @property
    def is_content(self) -> bool:
        """Whether the token is a content word that names no one."""
        if not self.text[0].isalpha() or self.text[0].isupper() or self.low in _NO_CONTENT:
            return False
        return not self.is_past_form and not (self.low.endswith("ing") and len(self.text) > 6)

    @property
    def is_past_form(self) -> bool:
        """Whether the token looks like a verb that ends in -ed."""
        return self.low.endswith("ed") and len(self.text) > 4


def tokens_of(question: str) -> list[Token]:
    """Return the tokens of a question; only an abbreviation with a capital keeps its dot.

    >>> [token.text for token in tokens_of('Who wrote "The Quay", Dr. Vik?')]
    ['Who', 'wrote', '"The Quay"', ',', 'Dr.', 'Vik', '?']
    """
    tokens = []
    for match in _TOKEN.finditer(question):
        text = match[0]
        if len(text) > 2 and text.endswith(".") and text[:-1].islower():
            text = text[:-1]
        tokens.append(Token(text, match.start(), match.start() + len(text)))
    return tokens


def parse_question(text: str) -> ParsedQuestion:
    """Return the intent, the kind of answer, the nodes and the relations of a question.

    >>> parsed = parse_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> parsed.intent, parsed.kind, [node.text for node in parsed.nodes]
    ('harbour', 'place', ['ferry', 'Ole Brandt'])
    >>> parsed.relations
    (SpanRelation(head='ferry', predicate='built that', tail='Ole Brandt'),)
    """
    tokens = tokens_of(text)
    intent, kind, asked = _intent(text, tokens)
    nodes = _nodes(text, tokens, asked)
    return ParsedQuestion(text, intent, kind, tuple(nodes), tuple(_relations(text, nodes)))


def _intent(question: str, tokens: Sequence[Token]) -> tuple[str, AnswerKind, Span | None]:
    """Return what is asked for, the kind of answer, and where the question says it."""
    chooses = re.search(r"\bor\b", question) is not None and _COMPARED.search(question) is not None
    if tokens and tokens[0].low in _AUXILIARIES:
        return ("which of the two", "choice", None) if chooses else ("yes or no", "yes-no", None)
    index = _question_word(tokens)
    if index is None:
        return "what is asked", "name", None
    word, rest = tokens[index].low, tokens[index + 1 :]
    if word in ("who", "whom", "whose"):
        return "name of a person", "choice" if chooses else "person", None
    if word == "why":
        return "reason", "any", None
    if word in ("when", "where"):
        kind: AnswerKind = "date" if word == "when" else "place"
        return kind, kind, None
    following = rest[0].low if word == "how" and rest else ""
    if following in _DEGREES:
        return f"how {following}", "number", None
    if word == "how" and following not in ("many", "much"):
        return "manner", "any", None
    noun = _noun(question, rest[1:] if following else rest)
    if following:
        what = "number" if following == "many" else "amount"
        if noun is None or (what == "amount" and len(rest) > 1 and rest[1].low in _DO):
            return what, "number", None  # "How much does the supplier pay": the supplier is not counted
        return f"{what} of {noun.text}", "number", noun
    if noun is None:
        return "what is asked", "choice" if chooses else "name", None
    kind = next((kind for kind, names in _KINDS.items() if names.search(noun.text.lower())), "name")
    return noun.text, "choice" if chooses and kind not in ("date", "number") else kind, noun


def _question_word(tokens: Sequence[Token]) -> int | None:
    """Return the index of the question word: at the beginning or the end, or the last "what", "which" or
    "how"; a "who" or "where" in the middle belongs to a clause.
    """
    indexes = [index for index, token in enumerate(tokens) if token.low in _QUESTION_WORDS]
    if not indexes:
        return None
    if (first := indexes[0]) < 3 and all(token.low in COMMON for token in tokens[:first]):
        return first
    if not any(token.text[0].isalnum() for token in tokens[indexes[-1] + 1 :]):
        return indexes[-1]
    asking = [index for index in indexes if tokens[index].low in ("what", "which", "how", "whom")]
    return (asking or indexes)[-1]


def _noun(question: str, tokens: Sequence[Token]) -> Span | None:
    """Return the noun phrase behind a question word, past "is the"."""
    start = 0
    while start < len(tokens) and tokens[start].low in _BEFORE_NOUN:
        start += 1
    has_do = any(token.low in _DO for token in tokens[:start])
    if has_do and start < len(tokens) and tokens[start].text[0].isupper():
        return None  # "What did Ada Berg buy": the question names no kind of thing
    end = start
    while end < len(tokens) and tokens[end].text[0].isalpha() and tokens[end].low not in _AFTER_NOUN:
        if tokens[end].is_past_form:
            break
        end += 1
    return None if end == start else _span(question, tokens[start], tokens[end - 1])


def _span(question: str, first: Token, last: Token) -> Span:
    return Span(question[first.start : last.end], first.start, last.end)


def _nodes(question: str, tokens: Sequence[Token], asked: Span | None) -> list[Span]:
    """Return the nodes in their order, at most `MAX_NODES`, names before other words; none of them overlaps
    what is asked for. Without any, the last word is the only one.
    """
    free = [token for token in tokens if asked is None or not asked.start <= token.start < asked.end]
    nodes = {span.text: span for span in [*_runs(question, free)][::-1]}.values()
    named = sorted(nodes, key=lambda span: (span.text[:1].islower(), span.start))[:MAX_NODES]
    if named:
        return sorted(named, key=lambda span: span.start)
    words = [token for token in tokens if token.text[0].isalnum() and token.low not in _QUESTION_WORDS]
    return [Span(*token) for token in words[-1:]]


def _runs(question: str, tokens: Sequence[Token]) -> Iterator[Span]:
    """Yield quotations, names and runs of content words; content words behind a name belong to it, unless
    they are the verb of "did" ("Did Ada Berg sail?").
    """
    has_do, start = False, 0
    while start < len(tokens):
        token = tokens[start]
        has_do = (has_do or token.low in _DO) and token.low not in _VERBS
        end = start + 1
        if token.is_quoted:
            yield Span(token.text[1:-1].strip(), token.start, token.end)
        elif token.is_name and not (token.start == 0 and token.low in _OPENING):
            end = _name_end(tokens, start)
            name = _span(question, token, tokens[end - 1])
            if not name.text.endswith(("'", "’", "'s", "’s")):
                last = _content_end(question, tokens, end)
                if last > end and not has_do:
                    name = _span(question, token, tokens[last - 1])
                has_do, end = has_do and last == end, last
            text = re.sub(r"['’]s?$", "", name.text)
            if (len(text) > 1 or text.isdigit()) and text.lower() not in COMMON:
                yield Span(text, name.start, name.start + len(text))
        elif token.is_content:
            end = _content_end(question, tokens, end)
            ends = end == len(tokens) or tokens[end].low in _AFTER_VERB or not tokens[end].text[0].isalnum()
            is_verb = has_do and ends and end - start > 1  # the last word
            yield _span(question, token, tokens[end - 1 - is_verb])
            has_do = has_do and not is_verb
        start = end


def _content_end(question: str, tokens: Sequence[Token], end: int) -> int:
    """Return the index of the first token from `end` on that is no content word, or stands behind a mark."""
    while end < len(tokens) and tokens[end].is_content:
        if question[tokens[end - 1].end : tokens[end].start].strip():
            break
        end += 1
    return end


def _name_end(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the first token behind the name that begins at `start`."""
    end = start + 1
    while True:
        ahead = end
        while ahead < len(tokens) and ahead - end < 2 and tokens[ahead].low in _JOINING:
            ahead += 1
        if ahead >= len(tokens) or not tokens[ahead].is_name:
            return end
        end = ahead + 1


def _relations(question: str, nodes: Sequence[Span]) -> Iterator[SpanRelation]:
    """Yield the words between neighbouring nodes, unless the nodes are only listed."""
    for node, following in pairwise(nodes):
        between = re.sub(r"^\W*['’]s\b", " of", question[node.end : following.start])
        predicate = " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", between))
        listed = predicate.lower() in ("", "and", "or", "and the", "or the") or "," in between
        if not listed and len(predicate.split()) <= MAX_PREDICATE_WORDS:
            yield SpanRelation(node.text, predicate, following.text)


ANSWER = "{answer}"
"""Stands in a part of a question for the answer of the part before it."""
_BEFORE = rf"(?:{any_of('question_parts.prepositions')})\s+"
_ASKS = (
    rf"(?:{_BEFORE})?(?:(?:which|what|whose)(?:\s+(?!(?:is|are|was|were|did|does|do|has|have|had)\b)[a-z-]+)?"
    r"|how\s+(?:much|many(?:\s+[a-z-]+)?|[a-z]+)|whom|who|when|where|why|how)"
)
_FIRST = re.compile(rf"(?i)(?P<asks>{_ASKS})\b(?:\s+(?P<rest>\S.*))?")
_ALONE = re.compile(_ASKS, re.IGNORECASE)
_JOINT = re.compile(rf"(?i),?\s+and\s+(?:also\s+)?(?={_ASKS}\b)")
_SENTENCES = re.compile(rf"(?i)\?\s+(?={_ASKS}\b)(?=[^?]*\?$)")
_HELPING = re.compile(rf"(?:{any_of('question_parts.helping')})\b")
_BEING = re.compile(r"(?:is|are|was|were)\b")
_SUBJECT = re.compile(r"(?i)(?:who|which|what)\b")
_BETWEEN = re.compile(r"\bbetween\b")
_PERSON = re.compile(r"\b(?:he|she|him|her|his)\b")
_THING = re.compile(r"\b(?:it|its|they|them|their)\b")
# "What are the height and the weight of the bell?"
_TWO_NOUNS = re.compile(
    r"(?i)(?P<asks>What|Which)\s+(?:is|are|was|were)\s+the\s+(?P<first>[a-z][a-z -]{2,30}?)\s+and\s+the\s+"
    r"(?P<second>[a-z][a-z -]{2,30}?)(?P<of>\s+of\s+.+)"
)


def question_parts(question: str) -> tuple[str, ...]:
    """Return the questions that a question consists of.

    >>> question_parts("Who painted Felicity, and in which month?")
    ('Who painted Felicity?', '{answer} painted Felicity in which month?')
    >>> question_parts("When was the mill built and who owns it today?")
    ('When was the mill built?', 'Who owns the mill today?')
    >>> question_parts("When was the mill built? Who owns it today?")
    ('When was the mill built?', 'Who owns the mill today?')
    >>> question_parts("When and where was Ada born?")
    ('When was Ada born?', 'Where was Ada born?')
    >>> question_parts("What are the height and the weight of the bell?")
    ('What is the height of the bell?', 'What is the weight of the bell?')
    >>> question_parts("Which town lies between the river and the sea?")
    ('Which town lies between the river and the sea?',)
    """
    text = _SENTENCES.sub(", and ", question.strip(), count=1).rstrip("?. ")
    nouns = _TWO_NOUNS.fullmatch(text)
    if nouns is not None:
        return tuple(f"{nouns['asks']} is the {nouns[name]}{nouns['of']}?" for name in ("first", "second"))
    joint = _JOINT.search(text)
    if joint is None:
        return (question,)
    left, second = text[: joint.start()], text[joint.end() :]
    if _ALONE.fullmatch(left) and (shared := _sharing(left, second)):
        return shared
    first = _FIRST.fullmatch(left)
    if first is None or first["rest"] is None or (_BETWEEN.search(left) and _ALONE.fullmatch(second)):
        return (question,)
    if _ALONE.fullmatch(second):
        return f"{left}?", _elliptic(first, second)
    return f"{left}?", _with_subject(first, second, [node.text for node in parse_question(f"{left}?").nodes])


def _sharing(first: str, second: str) -> tuple[str, ...]:
    """Return "When was it built?" and "Where was it built?" of "When" and "where was it built"."""
    asked = re.match(rf"({_ASKS})\s+((?:{_HELPING.pattern}|{_BEING.pattern}).*)", second, re.IGNORECASE)
    return () if asked is None else (f"{first} {asked[2]}?", _sentence(f"{asked[1]} {asked[2]}?"))


def _elliptic(first: re.Match[str], second: str) -> str:
    """Return the second part with what the first one says."""
    rest = first["rest"]
    subject = _SUBJECT.match(first["asks"])
    if subject is None:
        return _sentence(f"{second} {rest}?")
    if _HELPING.match(rest):
        return _sentence(f"{second} {rest} {ANSWER}?")
    return f"{ANSWER} {rest} {second}?"


def _with_subject(first: re.Match[str], second: str, nodes: Sequence[str]) -> str:
    """Return the second part with a name instead of its pronoun."""
    pronoun = _PERSON.search(second) or _THING.search(second)
    if pronoun is None:
        return _sentence(f"{second}?")
    asks = first["asks"]
    is_answer = asks.lower() == "who" if _PERSON.search(second) else " " in asks and _SUBJECT.match(asks)
    name = ANSWER if is_answer or not nodes else _thing(first["rest"], nodes[0])
    owner = "'s" if pronoun[0] in ("his", "its", "their") else ""
    return _sentence(f"{second[: pronoun.start()]}{name}{owner}{second[pronoun.end() :]}?")


def _thing(rest: str, node: str) -> str:
    """Return a node with its article, and without the verb that ends "does the ticket cost"."""
    if _HELPING.match(rest) and rest.endswith(node) and " " in node:
        node = node.rpartition(" ")[0]
    phrase = re.search(rf"\b(?:the|a|an|our|this)\s+(?:\S+\s+)?{re.escape(node)}", rest)
    return node if phrase is None else phrase[0]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_LASTING = re.compile(
    r"\b(?:is|are|do|does|may|must|can|shall|should|will)\b|^(?:who|what|(?:which|what|how many) \w+) \w+s\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|did|had|born|(?:1\d|20)\d\d)\b", re.IGNORECASE)


def asks_lasting(question: str) -> bool:
    """Return whether a question asks what holds now, so that a later statement replaces an earlier one.

    >>> asks_lasting("What is the fee?"), asks_lasting("Who heads it?"), asks_lasting("Who won the cup?")
    (True, True, False)
    """
    return _LASTING.search(question) is not None and _PAST.search(question) is None
