"""A question's features by rules: spans of the question, and no model.

Nodes are what the question quotes or names, and the runs of content words between its common words
and verbs. The intent is what the question word asks for. What stands between two nodes is their
relation. Every question gets valid features; they are plainer than those of a large model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from probative.text.words import COMMON

MOST_NODES = 8

AnswerKind = Literal["person", "place", "date", "number", "yes-no", "choice", "name", "any"]

_TOKEN = re.compile(r"\"[^\"]+\"|“[^”]+”|[^\W_]+(?:[-.'’&][^\W_]+)*\.?(?=\s[A-Z]|\b)|[^\w\s]")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_QUESTION_WORDS = _set("what which who whom whose when where why how")
_AUXILIARIES = _set(
    """is are was were be been being do does did has have had can could will would shall should may might
    must am"""
)
# Words that join the parts of a name when a name goes on behind them.
_JOINING = _set("of the de la le du van von der di al and & for in on to")
# Words with a capital only because the question begins with them.
_OPENING = _set("between besides under aside among according during since after before given")
# Content words that name nothing by themselves.
_LIGHT = _set(
    """name names named part type kind sort one two first second last same both also known called located
    based older younger earlier later longer shorter larger smaller bigger taller higher greater more many
    much another well main former famous several different common currently originally still either following
    whether such people person thing things other ever aside during full"""
)
_VERBS = _set(
    """born won wrote made led held met sang built began became came went took gave got found left ran sold
    bought taught caught fought drew grew knew threw flew spoke broke chose drove rode rose wore stood
    understood lost spent sent kept told thought brought lies lie lived lives plays play win wins star stars
    feature features include includes live work works serve serves start starts share shares come comes go
    goes die dies died get gets give gives make makes take takes produce produces contain contains
    appear appears
    belong belongs refer refers happen happens host hosts own owns run runs stand stands use uses write writes
    written sing sings sung hold holds lead leads begin begins end ends become becomes mean means form forms
    interact control attain rid study"""
)
_COMPARED = re.compile(
    r"\b(?:first|last|earlier|later|older|younger|more|less|most|fewer|longer|shorter|larger|smaller|bigger|"
    r"taller|higher|lower|earliest|latest|oldest|youngest|largest|same)\b",
    re.IGNORECASE,
)


_KINDS: dict[AnswerKind, re.Pattern[str]] = {
    "date": re.compile(r"\b(?:year|date|day|month|century|decade|time)\b"),
    "number": re.compile(
        r"\b(?:number|population|length|height|age|distance|amount|percentage|size|elevation)\b"
    ),
    "place": re.compile(
        r"\b(?:city|country|state|town|county|place|village|region|province|island|continent|river|harbou?r)\b"
    ),
    "person": re.compile(
        r"\b(?:actor|actress|author|director|singer|writer|person|man|woman|player|wife|husband|father|mother|"
        r"president|king|queen|composer|artist|musician|politician|poet|coach|driver|comedian|leader)\b"
    ),
}


class _Token(NamedTuple):
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower()


class Span(NamedTuple):
    """A node and where it stands."""

    text: str
    start: int
    end: int


class ParsedQuestion(NamedTuple):
    """A question as the rules read it; relations are (head, predicate, tail)."""

    intent: str
    kind: AnswerKind
    nodes: tuple[Span, ...]
    relations: tuple[tuple[str, str, str], ...]


def parse_question(question: str) -> ParsedQuestion:
    """Return the intent, the kind of answer, the nodes and the relations of a question.

    >>> parsed = parse_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> parsed.intent, parsed.kind, [node.text for node in parsed.nodes]
    ('harbour', 'place', ['ferry', 'Ole Brandt'])
    """
    tokens = [_Token(*_trimmed(match)) for match in _TOKEN.finditer(question)]
    intent, kind, taken = _intent(question, tokens)
    names = [span for span in _names(question, tokens) if not _overlaps(span, taken)]
    others = [span for span in _runs(question, tokens) if not _overlaps(span, taken)]
    spans = list(_merged(question, names, others))
    covered = {(span.start, span.end) for span in spans if span not in others}
    nodes: dict[str, Span] = {}
    for span in sorted(spans, key=lambda span: span.start):
        nodes.setdefault(span.text, span)
    kept = list(nodes.values())
    if len(kept) > MOST_NODES:  # names are worth more than other words
        kept.sort(key=lambda span: ((span.start, span.end) not in covered, span.start))
        kept = sorted(kept[:MOST_NODES], key=lambda span: span.start)
    if not kept:
        words = [token for token in tokens if token.text[0].isalnum() and token.low not in _QUESTION_WORDS]
        kept = [Span(token.text, token.start, token.end) for token in words[-1:]]
    return ParsedQuestion(intent, kind, tuple(kept), tuple(_relations(question, kept)))


def answer_kind(question: str) -> AnswerKind:
    """What sort of answer a question wants.

    >>> [answer_kind(text) for text in ("When did it sail?", "Who built it?", "Is it old?", "Which pier?")]
    ['date', 'person', 'yes-no', 'name']
    """
    return _intent(question, [_Token(*_trimmed(match)) for match in _TOKEN.finditer(question)])[1]


def _trimmed(match: re.Match[str]) -> tuple[str, int, int]:
    """A token without its final dot, which ends a sentence or an abbreviation."""
    text = match.group()
    if len(text) > 2 and text.endswith(".") and text[:-1].islower():
        return text[:-1], match.start(), match.end() - 1
    return text, match.start(), match.end()


def _is_name(token: _Token) -> bool:
    return token.text[0].isupper() or token.text[0] in '"“' or token.text[0].isdigit()


def _names(question: str, tokens: list[_Token]) -> Iterator[Span]:
    """Quoted spans, capitalised runs and numbers; the first word only where it is more than a question's."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        opening = at == 0 and token.low in COMMON | _QUESTION_WORDS | _AUXILIARIES | _OPENING
        if opening or not _is_name(token):
            at += 1
            continue
        if token.text[0] in '"“':
            yield Span(token.text[1:-1].strip(), token.start, token.end)
            at += 1
            continue
        end = at + 1
        while end < len(tokens):
            ahead = end
            while ahead < len(tokens) and ahead - end < 2 and tokens[ahead].low in _JOINING:
                ahead += 1
            if ahead < len(tokens) and _is_name(tokens[ahead]) and tokens[ahead].text[0] not in '"“':
                joined = {one.low for one in tokens[end:ahead]}
                # "A and B", "A in B" are two nodes; "Bay of B" is one.
                if joined & {"and", "in", "on", "to", "for", "&"} and not joined & {"the"}:
                    break
                if joined & {"and", "in", "on", "to", "for"}:
                    break
                end = ahead + 1
            else:
                break
        first, last = tokens[at], tokens[end - 1]
        text = question[first.start : last.end]
        text = re.sub(r"['’]s?$", "", text)
        if not (len(text) == 1 and not text.isdigit()) and text.lower() not in COMMON:
            yield Span(text, first.start, first.start + len(text))
        at = end


def _runs(question: str, tokens: list[_Token]) -> Iterator[Span]:
    """Runs of content words that name no one: "head office", "drug stores"."""
    run: list[_Token] = []
    for token in [*tokens, _Token(".", len(question), len(question))]:
        low = token.low
        content = (
            token.text[0].isalpha()
            and not token.text[0].isupper()
            and low not in COMMON
            and low not in _QUESTION_WORDS
            and low not in _AUXILIARIES
            and low not in _VERBS
            and low not in _LIGHT
            and not (low.endswith("ed") and len(low) > 4)
            and not (low.endswith("ing") and len(low) > 6)
        )
        if content and (not run or question[run[-1].end : token.start].strip() == ""):
            run.append(token)
            continue
        if run:
            yield Span(question[run[0].start : run[-1].end], run[0].start, run[-1].end)
        run = [token] if content else []


def _overlaps(span: Span, taken: list[tuple[int, int]]) -> bool:
    return any(start < span.end and span.start < end for start, end in taken)


def _merged(question: str, names: list[Span], others: list[Span]) -> Iterator[Span]:
    """Names and runs in order. A run right behind a name goes with it ("the Brandt family"), unless it is a
    verb.
    """
    before: Span | None = None
    done = re.search(r"\b(?:do|does|did)\b", question, re.IGNORECASE)
    for span in sorted([*names, *others], key=lambda span: span.start):
        if (
            before is not None
            and before in names
            and span in others
            and question[before.end : span.start] == " "
            and question[before.end - 1] not in '"”'
        ):
            if done is not None and done.end() < before.start:  # "Did Ada Berg sail": it is a verb
                done = None
                continue
            before = Span(question[before.start : span.end], before.start, span.end)
            continue
        if before is not None:
            yield before
        before = span
    if before is not None:
        yield before


def _question_word(tokens: list[_Token]) -> int | None:
    """Where the question word stands: at the beginning, or the last "what", "which" or "how"; a "who" or
    "where" in the middle belongs to a clause.
    """
    places = [at for at, token in enumerate(tokens) if token.low in _QUESTION_WORDS]
    if not places:
        return None
    last = [at for at in places if all(not token.text[0].isalnum() for token in tokens[at + 1 :])]
    opening = [at for at in places if all(tokens[before].low in COMMON for before in range(at)) and at < 3]
    asking = [at for at in places if tokens[at].low in ("what", "which", "how", "whom")]
    return (opening or last or asking[-1:] or places[-1:])[0]


def _relations(question: str, nodes: list[Span]) -> Iterator[tuple[str, str, str]]:
    """What stands between neighbouring nodes; nothing between those that are only listed."""
    for one, other in pairwise(nodes):
        between = question[one.end : other.start]
        between = re.sub(r"^\W*['’]s\b", " of", between)
        said = " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", between))
        listed = not said or said.lower() in ("and", "or", "and the", "or the") or "," in between
        if not listed and len(said.split()) <= 8:
            yield one.text, said, other.text


def _intent(question: str, tokens: list[_Token]) -> tuple[str, AnswerKind, list[tuple[int, int]]]:
    """What is asked for, its kind, and the characters that say it."""
    place = _question_word(tokens)
    choice = re.search(r"\bor\b", question) is not None and _COMPARED.search(question) is not None
    if place is None or (tokens[0].low in _AUXILIARIES):
        if tokens and tokens[0].low in _AUXILIARIES:
            return ("which of the two", "choice", []) if choice else ("yes or no", "yes-no", [])
        return "what is asked", "name", []
    word = tokens[place].low
    rest = tokens[place + 1 :]
    if word in ("who", "whom", "whose"):
        return "name of a person", "choice" if choice else "person", []
    if word in ("when", "where"):
        asked: AnswerKind = "date" if word == "when" else "place"
        noun, spans = _noun(question, rest)
        return (noun, asked, spans) if noun.startswith(asked) else (asked, asked, [])
    if word == "why":
        return "reason", "any", []
    if word == "how":
        follows = rest[0].low if rest else ""
        if follows in ("many", "much"):
            counted, spans = _noun(question, rest[1:])
            return (f"number of {counted}" if counted else "number"), "number", spans
        if follows in ("old", "long", "far", "tall", "high", "large", "big", "often", "deep", "wide", "fast"):
            return f"how {follows}", "number", []
        return "manner", "any", []
    noun, spans = _noun(question, rest)
    if not noun:
        return "what is asked", "choice" if choice else "name", []
    kind: AnswerKind = next((kind for kind, names in _KINDS.items() if names.search(noun.lower())), "name")
    if choice and kind not in ("date", "number"):
        kind = "choice"
    return noun, kind, spans


def _noun(question: str, tokens: list[_Token]) -> tuple[str, list[tuple[int, int]]]:
    """The noun phrase that follows a question word, past "is the"; with its "of …" if no name is in it."""
    at = 0
    while at < len(tokens) and (
        tokens[at].low in _AUXILIARIES or tokens[at].low in ("the", "a", "an", "of", "name", "'s", "s")
    ):
        at += 1
    start = at
    done = any(token.low in ("do", "does", "did") for token in tokens[:start])
    if done and start < len(tokens) and tokens[start].text[0].isupper():
        return "", []  # "What did Ada Berg buy": no kind of thing is named
    while at < len(tokens) and tokens[at].text[0].isalpha():
        low = tokens[at].low
        ends = (
            low in COMMON
            or low in _AUXILIARIES
            or low in _VERBS
            or low in _QUESTION_WORDS
            or (low.endswith("ed") and len(low) > 4)
        )
        if ends:
            break
        at += 1
    if at == start:
        return "", []
    end = at
    if at < len(tokens) and tokens[at].low == "of":
        behind = at + 2 if at + 1 < len(tokens) and tokens[at + 1].low in ("the", "a", "an") else at + 1
        named = behind == at + 2 and behind + 1 < len(tokens) and tokens[behind + 1].low == "of"
        if behind < len(tokens) and tokens[behind].text[0].islower() and tokens[behind].low not in COMMON:
            end = at if named else behind + 1
    first, last = tokens[start], tokens[end - 1]
    text = question[first.start : last.end]
    return text, [(first.start, last.end)]
