"""Count calls and tokens of give and of the paper's form of it, one call a candidate, without a model.

    python benchmarks/give_cost.py                             # made-up questions on a made-up graph
    python benchmarks/give_cost.py --data DIR [--questions 50]  # PubMedQA and BioASQ on UMLS

A scripted model answers every prompt in the right form. What it says of a statement depends on that
statement alone, so that judged by itself or with nineteen others it is judged the same, and every form must
find the same knowledge: that of the paper's Algorithm 1 to the letter (literal_give.py). Its
tokens are words; the encoder's calls and tokens are left out. The literal form shows the model every
two-hop path, ours the 20 whose middle is nearest to the question; the script takes the nearest.

Ends with an error if the default form for a server does not take 8 times fewer calls, or if the knowledge
differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import literal_give
import probative
from benchmark_report import add_keep, show, text_table
from literal_give import Edge
from literal_give import literal_give as literal
from probative.bench.data.graph_qa import drawn, open_graph, read_cases
from probative.give.query import Query, make_query
from probative.models.types import Request
from probative.testing import ScriptedModel
from probative.text.prompts import fenced, read_prompt

ENTITIES = 2
AT_LEAST = 8.0
LITERAL = "Algorithm 1 to the letter"
OURS = "calls (k = 20)"
COLUMNS = (
    "form",
    "calls",
    "times fewer",
    "tokens",
    "affirmed",
    "denied",
    "expert",
    "maybe",
    "same knowledge",
)
# What finds the same knowledge.
AS_THE_PAPER = {"facts": False, "min_cosine": None, "through_members": True}
ROWS: dict[str, dict[str, Any]] = {
    # With the caps of the literal form, and without examples, which cost tokens and no calls.
    "paper (one candidate a call)": {"preset": "paper", "step_examples": 0, "paths": 20},
    "calls, k = 5": {"preset": "calls", "batch": 5, **AS_THE_PAPER},
    "calls, k = 10": {"preset": "calls", "batch": 10, **AS_THE_PAPER},
    OURS: {"preset": "calls", "batch": 20, **AS_THE_PAPER},
}
MOST = 4  # entities that the script names; the paper's questions have three or four

PROMPTS = ("entities", "relations", "once", "judge_many", "judge", "relate_many", "relate", "path")
LITERAL_PROMPTS = ("ENTITIES", "RELATIONS", "RELATE", "JUDGE", "PATH")
SEVERAL_LINES = ("statements", "pairs", "paths", "choices_note", "examples")
COMMON_WORDS = re.compile(
    r"\b(?:a|an|the|of|in|on|at|by|for|from|to|with|and|or|is|are|was|were|be|been|do|does|did|can|could|may|"
    r"has|have|had|it|its|they|their|there|that|this|which|what|who|how|we|between|after|before|as|than|any)\b",
    re.IGNORECASE,
)
RELATING = re.compile(
    r"\b(?:affect|associat|caus|control|correlat|determin|effective|improv|increas|influenc|inhibit|involv|"
    r"predict|prevent|reduc|regulat|relat|treat|us)(?:e|es|ed|s|ing|ion|d)?\b",
    re.IGNORECASE,
)
PLACE = re.compile(r"\\\{(\w+)\\\}")
NUMBERED = re.compile(r"^(\d+)\. (.*)$", re.MULTILINE)
PHRASES = ("goes with", "is a kind of", "needs", "none")


class Cost(NamedTuple):
    """The cost of one question in one form, and the knowledge it found."""

    calls: int
    tokens: int
    seconds: float
    knowledge: tuple[frozenset[Edge], ...]


def drawn_by(text: str, among: Sequence[str]) -> str:
    """Return one of several options, which depends only on a text.

    >>> drawn_by("iron floats", ["yes", "no"]) == drawn_by("iron floats", ["yes", "no"])
    True
    """
    return among[hashlib.sha256(text.encode()).digest()[0] % len(among)]


class Script:
    """The scripted model. It knows the questions it will be asked, and how near a thing is to one."""

    def __init__(self, queries: Iterable[Query], encoder: probative.Encoder) -> None:
        self._queries = {fenced(query.with_choices): query for query in queries}
        self._encode = cache(lambda text: encoder.encode([text])[0])

    def entities(self, question: str) -> list[str]:
        """Return the first entities of a question: runs of words that are neither common nor relate two
        things.
        """
        runs = re.split(
            r"[^\w\s'-]+", COMMON_WORDS.sub(" . ", RELATING.sub(" . ", self._queries[question].text))
        )
        names = (" ".join(run.split()) for run in runs)
        return list({name.casefold(): name for name in names if name}.values())[:MOST]

    def relations(self, question: str) -> list[str]:
        """Return its relating words, or a vague phrase if there are none."""
        found = RELATING.findall(self._queries[question].text.lower())
        return list(dict.fromkeys(found)) or ["is related to"]

    def judged(self, statement: str) -> str:
        """Return yes, no or maybe."""
        return drawn_by(statement.strip(), ("yes", "no", "yes", "no", "maybe"))

    def related(self, head: str, tail: str) -> str:
        """Return a phrase, or that there is none."""
        return drawn_by(f"{head} | {tail}", PHRASES)

    def best(self, question: str, facts: Sequence[str]) -> int:
        """Return the index of the path whose middle is nearest to the question."""
        asked = self._encode(self._queries[question].text)
        middles = [fact.strip("() ").split(", ")[2] for fact in facts]
        near = {middle: float(self._encode(middle) @ asked) for middle in set(middles)}
        return max(range(len(facts)), key=lambda place: (near[middles[place]], facts[place]))

    def __call__(self, request: Request) -> str:
        name, parts = recognised(request.messages[-1].content)
        question = parts.get("question", "")
        match name:
            case "ENTITIES":
                return "; ".join(self.entities(question))
            case "RELATIONS":
                return "; ".join(self.relations(question))
            case "RELATE" | "relate":
                return self.related(parts["head"], parts["tail"])
            case "PATH":
                facts = parts["paths"].splitlines()
                return facts[self.best(question, facts)]
            case "entities":
                return json.dumps({"entities": self.entities(question)})
            case "relations":
                return json.dumps({"relations": self.relations(question)})
            case "once":
                both = {"entities": self.entities(question), "relations": self.relations(question)}
                return json.dumps(both)
            case "JUDGE" | "judge":
                return self.judged(parts["statement"])
            case "judge_many":
                return numbered(self.judged(text) for text in listed(parts["statements"]))
            case "relate_many":
                pairs = (text.split(" | ") for text in listed(parts["pairs"]))
                return numbered(self.related(head, tail) for head, tail in pairs)
            case "path":
                return str(1 + self.best(question, listed(parts["paths"])))
        return "A" if "one of its choices" in request.messages[-1].content else "yes"


def listed(text: str) -> list[str]:
    """Return the lines of a numbered list."""
    return [line for _, line in NUMBERED.findall(text)]


def numbered(texts: Iterable[str]) -> str:
    r"""Return a numbered list.

    >>> numbered(["yes", "no"])
    '1. yes\n2. no'
    """
    return "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))


@cache
def templates() -> dict[str, tuple[str, re.Pattern[str]]]:
    """Return every prompt, Probative's and the literal form's: its beginning, and a pattern for the texts
    filled in.
    """
    texts = {name: getattr(literal_give, name) for name in LITERAL_PROMPTS}
    texts |= {name: read_prompt("probative.give", name) for name in PROMPTS}

    def place(found: re.Match[str]) -> str:
        return f"(?P<{found[1]}>{'(?s:.*)' if found[1] in SEVERAL_LINES else '.*'})"

    return {
        name: (text.partition("{")[0], re.compile(PLACE.sub(place, re.escape(text))))
        for name, text in texts.items()
    }


def recognised(prompt: str) -> tuple[str, dict[str, str]]:
    """Return the name of a prompt and the texts filled in; a prompt that begins like none of them asks for
    an answer.

    >>> recognised("Answer the question with yes, no or maybe.")
    ('answer', {})
    """
    for name, (start, pattern) in templates().items():
        if prompt.startswith(start):
            found = pattern.fullmatch(prompt)
            if found is None:
                raise ValueError(f"a prompt that the script does not know: {prompt[:80]!r}")
            return name, found.groupdict()
    return "answer", {}


def made_up() -> tuple[probative.Graph, list[Query]]:
    """Return a graph of 72 entities and about 600 edges, and 50 questions about similar entities."""
    draw = random.Random(5)
    kinds = ("harbour", "lighthouse", "herring", "storm", "granite", "rope", "engine", "keeper", "reef")
    parts = ("wall", "lamp", "shoal", "warning", "quarry", "works", "room", "school")
    entities = [f"{kind} {part}" for kind in kinds for part in parts]
    relations = ("part of", "affects", "causes", "located in", "uses", "result of")
    triples = {(draw.choice(entities), draw.choice(relations), draw.choice(entities)) for _ in range(600)}
    verbs = ("influence", "prevent", "cause", "improve")
    queries = []
    for number in range(50):
        one, two, three = draw.sample(entities, 3)
        # Some are in the graph under another spelling, some only nearly.
        first = one.capitalize() if number % 3 == 0 else f"old {one}"
        queries.append(make_query(f"{first}: does the {two} {verbs[number % 4]} the new {three}?"))
    return probative.Graph.from_triples(sorted(triples)), queries


def brute_nearest(graph: probative.Graph, encoder: probative.Encoder) -> Callable[[str, int], list[str]]:
    """Return the nearest entities by comparing with each; vectors are in half precision, as Probative
    stores them.
    """
    names = list(graph.entities)
    vectors = encoder.encode(names).astype(np.float16).astype(np.float32)

    @cache
    def ranked(name: str) -> list[str]:
        cosines = vectors @ encoder.encode([name])[0]
        return [names[place] for place in np.argsort(-cosines, kind="stable")]

    def nearest(name: str, count: int) -> list[str]:
        others = (one for one in ranked(name)[: count + 1] if one.casefold() != name.casefold())
        return list(others)[:count]

    return nearest


def literal_cost(
    query: Query, edges: Sequence[Edge], nearest: Callable[[str, int], list[str]], script: Script
) -> Cost:
    """Return the cost of the paper's form: every call by itself."""
    model = ScriptedModel(generate=script)
    tokens = 0

    def ask(prompt: str) -> str:
        nonlocal tokens
        (reply,) = model.generate([prompt])
        tokens += reply.usage.tokens
        return reply.text

    started = time.perf_counter()
    found = literal(fenced(query.with_choices), edges, nearest, ENTITIES, ask)
    sets = (found.affirmative - found.expert, found.counterfactual, found.expert, found.maybe)
    knowledge = tuple(frozenset(one) for one in sets)
    return Cost(len(model.asked), tokens, time.perf_counter() - started, knowledge)


def our_cost(
    query: Query, graph: probative.Graph, settings: dict[str, Any], encoder: Any, script: Script
) -> Cost:
    """Return the cost of one of our forms."""
    model = ScriptedModel(generate=script)
    before = encoder.usage.tokens
    found = probative.reason(
        query.text,
        graph,
        query.choices or None,
        form=query.form,
        model=model,
        encoder=encoder,
        entities=ENTITIES,
        **settings,
    )
    knowledge = found.knowledge
    sets = (knowledge.affirmative, knowledge.counterfactual, knowledge.expert, found.uncertain)
    return Cost(
        calls=len(model.asked),
        tokens=found.usage.tokens - (encoder.usage.tokens - before),
        seconds=found.usage.seconds,
        knowledge=tuple(frozenset((one.head, one.relation, one.tail) for one in part) for part in sets),
    )


def main() -> int:
    """Print a row for each form, and whether the claims about them hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--questions", type=int, default=50)
    add_keep(parser)
    arguments = parser.parse_args()
    if arguments.data is None:
        name, (graph, queries) = "made-up questions", made_up()
    else:
        name, graph = "PubMedQA and BioASQ on UMLS", open_graph(arguments.data, "umls")
        half = arguments.questions - arguments.questions // 2
        cases = drawn(read_cases(arguments.data, "pubmedqa"), half)
        cases += drawn(read_cases(arguments.data, "bioasq"), arguments.questions - half)
        queries = [make_query(case.question, case.choices, case.form) for case in cases]
    queries = queries[: arguments.questions]
    encoder = probative.load_encoder()
    script = Script(queries, encoder)
    triples = [graph.triple(row) for entity in range(graph.entity_count) for row in graph.out_edges(entity)]
    edges = [(one.head, one.relation, one.tail) for one in triples]
    nearest = brute_nearest(graph, encoder)
    costs = {LITERAL: [literal_cost(query, edges, nearest, script) for query in queries]}
    for row, settings in ROWS.items():
        costs[row] = [our_cost(query, graph, settings, encoder, script) for query in queries]
    calls = {row: sum(one.calls for one in found) for row, found in costs.items()}
    same = {}
    rows = []
    for row, found in costs.items():
        same[row] = sum(
            one.knowledge == two.knowledge for one, two in zip(found, costs[LITERAL], strict=True)
        )
        sizes = [sum(len(one.knowledge[at]) for one in found) / len(found) for at in range(4)]
        cells = [f"{calls[row] / len(found):.1f}", f"{calls[LITERAL] / calls[row]:.1f}"]
        cells += [f"{sum(one.tokens for one in found) / len(found):,.0f}"]
        cells += [f"{size:.1f}" for size in sizes]
        rows.append((row, *cells, f"{same[row]} of {len(found)}"))
    ratio = calls[LITERAL] / calls[OURS]
    holds = ratio >= AT_LEAST and all(count == len(queries) for count in same.values())
    title = f"{name}: {len(queries)} questions, {len(edges):,} edges, p = {ENTITIES}; means a question"
    show(
        [text_table(title, COLUMNS, rows)],
        arguments,
        __file__,
        title="Calls and tokens of each form of reason",
        name="give-cost" if arguments.data is None else "give-cost-questions",
        findings=[f"{ratio:.1f} times fewer calls: {'as said' if holds else 'NOT as said'}."],
    )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
