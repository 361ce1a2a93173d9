"""An English question parsed by rules, without a model.

Nodes are what the question quotes or names, and the runs of content words between its common words and
verbs. The intent is what the question word asks for. The words between two nodes are their relation. Every
question has valid features; they are simpler than those of a large model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from probative.text.analysis import ParsedQuestion, Span, SpanRelation
from probative.text.english.intent import (
    DO,
    JOINING,
    OPENING,
    QUESTION_WORDS,
    Token,
    find_intent,
    is_content,
    tokens_of,
)
from probative.text.word_lists import COMMON, any_of, word_set

MAX_NODES = 8
# More words than this between two nodes do not state one relation.
MAX_PREDICATE_WORDS = 8
_ARTICLES = word_set("articles")
_AFTER_VERB = _ARTICLES | word_set("questions.after_verbs")
# "A and B", "A in B" are two nodes; "Bay of B" is one.
_SEPARATING = frozenset({"and", "in", "on", "to", "for"})
_AUXILIARY = any_of("questions.auxiliaries")
# At the start, after a colon, a dash or a full stop ("Aspirin in stroke: does it help?"), or after a comma.
_POLAR = re.compile(rf"(?i)(?:^|[:.,;?!–—-]\s+(?:and |or |but |so )?)(?:{_AUXILIARY})\b")
# "True or false: …", and the particle that ends a Chinese question of this kind.
_CLOSED = re.compile(r"(?i)^(?:true or false|yes or no)\b|吗\s*[?？]?\s*$")
_OPEN = re.compile(
    r"(?i)(?:^|[:.;]\s+)(?:in |of |to |for |by |from |with |on |at |during |after |before |since |until )?"
    r"(?:who|whom|whose|what|which|where|when|why|how)\b|"
    r"^(?:can|could|would|will) (?:you|anyone|someone) (?:please )?(?:tell|list|name|say|give|explain)\b"
)


def find_nodes(question: str, tokens: Sequence[Token], intent: Span | None) -> list[Span]:
    """Return the nodes in their order, at most `MAX_NODES`; none of them overlaps the intent."""
    names = [span for span in _names(question, tokens) if not _overlap(span, intent)]
    runs = [span for span in _runs(question, _without_verb(tokens)) if not _overlap(span, intent)]
    merged = list(_merged(question, names, runs))
    run_spans = set(runs)
    first_of_text: dict[str, Span] = {}
    for span in sorted(merged, key=lambda span: span.start):
        first_of_text.setdefault(span.text, span)
    nodes = list(first_of_text.values())
    if len(nodes) > MAX_NODES:  # names are worth more than other words
        nodes.sort(key=lambda span: (span in run_spans, span.start))
        nodes = sorted(nodes[:MAX_NODES], key=lambda span: span.start)
    return nodes or _last_word(tokens)


def find_relations(question: str, nodes: Sequence[Span]) -> Iterator[SpanRelation]:
    """Yield the words between neighbouring nodes, unless the nodes are only listed."""
    for node, following in pairwise(nodes):
        between = re.sub(r"^\W*['’]s\b", " of", question[node.end : following.start])
        predicate = " ".join(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", between))
        listed = predicate.lower() in ("", "and", "or", "and the", "or the") or "," in between
        if not listed and len(predicate.split()) <= MAX_PREDICATE_WORDS:
            yield SpanRelation(node.text, predicate, following.text)


def _overlap(span: Span, other: Span | None) -> bool:
    return other is not None and other.start < span.end and span.start < other.end


def _last_word(tokens: Sequence[Token]) -> list[Span]:
    """Return the last word as the only node, for a question that names nothing."""
    words = [token for token in tokens if token.text[0].isalnum() and token.low not in QUESTION_WORDS]
    return [Span(*token) for token in words[-1:]]


def _names(question: str, tokens: Sequence[Token]) -> Iterator[Span]:
    """Yield quotations, numbers and runs of words with capitals."""
    start = 0
    while start < len(tokens):
        token = tokens[start]
        if not token.is_name or (start == 0 and token.low in OPENING):
            start += 1
            continue
        if token.is_quoted:
            yield Span(token.text[1:-1].strip(), token.start, token.end)
            start += 1
            continue
        end = _name_end(tokens, start)
        text = re.sub(r"['’]s?$", "", question[token.start : tokens[end - 1].end])
        if (len(text) > 1 or text.isdigit()) and text.lower() not in COMMON:
            yield Span(text, token.start, token.start + len(text))
        start = end


def _name_end(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the first token behind the name that begins at `start`."""
    end = start + 1
    while True:
        ahead = end
        while ahead < len(tokens) and ahead - end < 2 and tokens[ahead].low in JOINING:
            ahead += 1
        if ahead >= len(tokens) or not tokens[ahead].is_name or tokens[ahead].is_quoted:
            return end
        joining = {token.low for token in tokens[end:ahead]}
        if joining & _SEPARATING or ("&" in joining and "the" not in joining):
            return end
        end = ahead + 1


def _runs(question: str, tokens: Sequence[Token]) -> Iterator[Span]:
    """Yield runs of content words that name no one: "head office", "drug stores"."""
    run: list[Token] = []
    for token in [*tokens, Token(".", len(question), len(question))]:
        content = is_content(token)
        if content and (not run or not question[run[-1].end : token.start].strip()):
            run.append(token)
            continue
        if run:
            yield Span(question[run[0].start : run[-1].end], run[0].start, run[-1].end)
        run = [token] if content else []


def _without_verb(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens without the verb that "do" takes along: the last of several content words behind it,
    at the end ("When does the tea room close?") or before a preposition or an article.
    """
    start = next((index + 1 for index, token in enumerate(tokens) if token.low in DO), len(tokens))
    run = 0  # how many content words stand in a row
    for index in range(start, len(tokens)):
        token = tokens[index]
        if is_content(token):
            run += 1
        elif run > 1 and (token.low in _AFTER_VERB or not token.text[0].isalnum()):
            return [*tokens[: index - 1], *tokens[index:]]
        elif token.low == "of" or (run == 0 and token.low in _ARTICLES):
            run = 0  # "the supplier of the ropes pay": the verb is still to come
        else:
            return list(tokens)
    return list(tokens[:-1]) if run > 1 else list(tokens)


def _merged(question: str, names: Sequence[Span], runs: Sequence[Span]) -> Iterator[Span]:
    """Yield names and runs in order; a run behind a name joins it, unless it is the verb of "did"."""
    tagged = sorted(
        [*((span, True) for span in names), *((span, False) for span in runs)],
        key=lambda entry: entry[0].start,
    )
    auxiliary = re.search(r"\b(?:do|does|did)\b", question, re.IGNORECASE)
    last: Span | None = None
    last_is_name = False
    for span, is_name in tagged:
        if last is not None and last_is_name and not is_name and _follows(question, last, span):
            if auxiliary is not None and auxiliary.end() < last.start:  # "Did Ada Berg sail": a verb
                auxiliary = None
                continue
            last, last_is_name = Span(question[last.start : span.end], last.start, span.end), False
            continue
        if last is not None:
            yield last
        last, last_is_name = span, is_name
    if last is not None:
        yield last


def _follows(question: str, name: Span, run: Span) -> bool:
    """Return whether a run follows a name that is no quotation after a single space."""
    return question[name.end : run.start] == " " and question[name.end - 1] not in '"”'


def parse_question(text: str) -> ParsedQuestion:
    """Return the intent, the kind of answer, the nodes and the relations of a question.

    >>> parsed = parse_question("In which harbour was the ferry built that Ole Brandt bought?")
    >>> parsed.intent, parsed.kind, [node.text for node in parsed.nodes]
    ('harbour', 'place', ['ferry', 'Ole Brandt'])
    >>> parsed.relations
    (SpanRelation(head='ferry', predicate='built that', tail='Ole Brandt'),)
    """
    tokens = tokens_of(text)
    intent = find_intent(text, tokens)
    nodes = find_nodes(text, tokens, intent.span)
    return ParsedQuestion(
        text=text,
        intent=intent.text,
        kind=intent.kind,
        nodes=tuple(nodes),
        relations=tuple(find_relations(text, nodes)),
    )


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
