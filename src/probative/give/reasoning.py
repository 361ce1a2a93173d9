"""The result of `reason`: three staged answers, and the knowledge behind them."""

from __future__ import annotations

from pydantic import Field

from probative.give.query import Form
from probative.give.result import Answers, EntityGroup, Extrapolator, GraphVerdict, Knowledge, Path
from probative.text.words import clean
from probative.trace import Step
from probative.types import Triple, Usage, Value


class Reasoning(Value):
    """The answer to a question over a graph.

    `verdict` says what the answer rests on: `read` from the graph, whose edges `facts` state the asked
    relation; `extrapolated`, with what it is `extrapolated_by` and, where one was measured, a `strength`
    between 0 and 1; or `unknown`, if nothing in the graph bears on the question, and an answer is a guess. It
    is None for the preset `paper` and for baselines.

    `answers` has the answers of the three stages: with affirmative knowledge (a), with counterfactual (ac)
    and with expert knowledge added (ace); `answer` is the last. An answer is None if the model's reply could
    not be read; a note quotes the reply. `read` is the number of triples of each set that the model read
    (all, if they fit into its window), and `words` the number of their words. `uncertain` are the candidates
    that were judged as maybe. `expert_ratio` is the share of expert triples in all knowledge between
    groups. `trace` has every call, for a single question.
    """

    question: str
    choices: tuple[str, ...] = ()
    form: Form
    answer: str | None
    verdict: GraphVerdict | None = None
    extrapolated_by: Extrapolator | None = None
    strength: float | None = None
    facts: tuple[Triple, ...] = ()
    answers: Answers = Answers()
    knowledge: Knowledge = Knowledge()
    read: dict[str, int] = Field(default_factory=dict)
    words: dict[str, int] = Field(default_factory=dict)
    entities: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    groups: tuple[EntityGroup, ...] = ()
    path: Path | None = None
    uncertain: tuple[Triple, ...] = ()
    maybe: int = 0
    expert_ratio: float | None = None
    rationale: str | None = None
    method: str = "give"
    model: str | None = None
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    trace: Step | None = None


def describe_verdict(reasoning: Reasoning) -> str:
    """Return in words what an answer rests on; an empty text if the method does not say.

    >>> describe_verdict(Reasoning(question="Is moss green?", form="yes-no", answer="yes", verdict="read"))
    'read from the graph'
    """
    strength = "" if reasoning.strength is None else f", strength {reasoning.strength:.2f}"
    if reasoning.verdict is GraphVerdict.READ:
        return "read from the graph"
    if reasoning.verdict is GraphVerdict.EXTRAPOLATED:
        return f"extrapolated {_describe_basis(reasoning)}{strength}"
    if reasoning.verdict is GraphVerdict.UNKNOWN:
        is_guess = reasoning.answer not in (None, "maybe")
        guess = "" if not is_guess else f" (the model's guess: {clean(reasoning.answer or '')})"
        return f"unknown: the graph does not say{guess}"
    return ""


def _describe_basis(reasoning: Reasoning) -> str:
    stated = " and ".join(dict.fromkeys(f"'{clean(fact.relation)}'" for fact in reasoning.facts))
    return {
        "encoder": "by the encoder: the graph states it for similar entities",
        "verdict": f"by the verdict model: the graph states {stated}",
        "veracity": "by the veracity learned from the graph, which does not state it",
        "elimination": "by elimination: the graph states it for every other choice",
        "model": "by the model: the graph does not state it",
    }[reasoning.extrapolated_by or "model"]
