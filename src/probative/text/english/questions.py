"""An English question parsed by rules, without a model.

Nodes are what the question quotes or names, and the runs of content words between its common words and
verbs. The intent is what the question word asks for. The words between two nodes are their relation. Every
question has valid features; they are simpler than those of a large model.
"""

from __future__ import annotations

import re

from probative.text.analysis import ParsedQuestion
from probative.text.english.decompose import decompose
from probative.text.english.intent import find_intent
from probative.text.english.nodes import find_nodes, find_relations
from probative.text.english.tokens import tokens_of

_AUXILIARY = (
    "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|"
    "isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|can't|couldn't|won't|wouldn't|shouldn't"
)
# At the start, after a colon, a dash or a full stop ("Aspirin in stroke: does it help?"), or after a comma.
_POLAR = re.compile(rf"(?:^|[:.,;?!–—-]\s+(?:and |or |but |so )?)(?:{_AUXILIARY})\b", re.IGNORECASE)
# "True or false: …", and the particle that ends a Chinese question of this kind.
_CLOSED = re.compile(r"^(?:true or false|yes or no)\b|吗\s*[?？]?\s*$", re.IGNORECASE)
_OPEN = re.compile(
    r"(?:^|[:.;]\s+)(?:in |of |to |for |by |from |with |on |at |during |after |before |since |until )?"
    r"(?:who|whom|whose|what|which|where|when|why|how)\b|"
    r"^(?:can|could|would|will) (?:you|anyone|someone) (?:please )?(?:tell|list|name|say|give|explain)\b",
    re.IGNORECASE,
)


def parse_question(text: str) -> ParsedQuestion:
    """Return the intent, the kind of answer, the nodes, the relations and the computation of a question.

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
        decomposition=decompose(text),
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
