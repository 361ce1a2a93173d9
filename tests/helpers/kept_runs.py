"""Runs that a server has kept, for tests of how the page shows them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from browsing import Site

from probative import Answers, EntityGroup, Knowledge, Member, Reasoning, Triple, Usage
from probative.give.result import GraphVerdict
from probative.server.runs.run import Run, RunState, VerbName, now, summary_of
from probative.trace import Call, Step
from probative.types import Value

HOSTILE = '<img src=x onerror="alert(1)">'


def keep(
    site: Site,
    verb: VerbName,
    title: str,
    request: dict[str, Any],
    result: Value | dict[str, Any] | None = None,
    trace: Step | None = None,
    state: RunState = RunState.DONE,
) -> str:
    """Keep a run as if the server had done it, and return its id."""
    store = site.app.state.server.store
    run = Run(id=uuid4().hex, verb=verb, title=title, state=RunState.RUNNING, created=now(), started=now())
    store.add(run, request)
    fields = result.to_dict() if isinstance(result, Value) else result
    update = {"state": state, "finished": now(), **({} if fields is None else summary_of(fields))}
    words = None if fields is None else json.dumps(fields)
    store.finish(run.model_copy(update=update), words, None if trace is None else trace.to_json())
    return run.id


def triple(text: str) -> Triple:
    """Return a triple of "head|relation|tail"."""
    head, relation, tail = text.split("|")
    return Triple(head=head, relation=relation, tail=tail)


def group(*names: str, intermediate: bool = False) -> EntityGroup:
    members = [
        Member(name=name, entity=number, cosine=None if not number else 0.5)
        for number, name in enumerate(names)
    ]
    return EntityGroup(members=tuple(members), intermediate=intermediate)


def reasoning(question: str = "Does willow bark ease a headache?", **changes: Any) -> Reasoning:
    """Return an answer with connections of all kinds, whose stages change it twice."""
    contains, eases = triple("willow bark|contains|salicin"), triple("salicin|eases|pain")
    fields: dict[str, Any] = {
        "question": question,
        "form": "yes-no",
        "answer": "yes",
        "verdict": GraphVerdict.EXTRAPOLATED,
        "strength": 0.58,
        "facts": (contains, eases),
        "answers": Answers(a="maybe", ac="no", ace="yes"),
        "knowledge": Knowledge(
            affirmative=(triple("willow bark|eases|pain"), triple("foxglove|contains|salicin")),
            counterfactual=(triple("foxglove|not eases|headache"),),
            expert=(contains, eases),
        ),
        "groups": (
            group("willow bark", "foxglove"),
            group("headache", "pain"),
            group("salicin", "peppermint", intermediate=True),
        ),
        "uncertain": (triple("pain|eases|foxglove"),),
        "notes": ("pain stands for headache",),
        "model": "scripted",
        "usage": Usage(calls=3, prompt_tokens=120, seconds=1.5),
    }
    return Reasoning(**{**fields, **changes})


def answer(text: str, verdict: str, chain: Sequence[str], **changes: Any) -> dict[str, Any]:
    """Return what the page needs of an answer to a question."""
    return {
        "answer": text,
        "verdict": verdict,
        "certainty": 0.9,
        "chain": [{"text": piece} for piece in chain],
        "missing": [],
        "conflicts": [],
        "notes": [],
        "method": "scope",
        "model": "scripted",
        "usage": Usage(calls=2, prompt_tokens=50, seconds=0.5).to_dict(),
        **changes,
    }


def trace_of(prompts: Sequence[str], *, error: str | None = None) -> Step:
    """Return a trace with a call for each prompt, in two steps."""
    calls = [
        Call(
            verb="generate",
            model="scripted",
            request={"messages": [{"role": "user", "content": prompt}], "max_tokens": 8},
            result=None if error else {"text": f"reply to {prompt[:20]}", "finish_reason": "stop"},
            error=error,
            usage=Usage(calls=1, prompt_tokens=len(prompt.split()), seconds=0.25),
        )
        for prompt in prompts
    ]
    inner = (
        Step(name="judgement", seconds=0.2, calls=tuple(calls[:1])),
        Step(name="answer", seconds=0.3, calls=tuple(calls[1:])),
    )
    return Step(name="ask", seconds=0.5, steps=inner)
