"""The plan of a question: written by a model that can write plans, otherwise made by rules."""

from __future__ import annotations

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError, ModelError
from probative.models.contract import Capability
from probative.models.task_prompts import task_request
from probative.models.types import Request
from probative.scope.run import Run, fill_prompt
from probative.text import english
from probative.text.plan import Plan
from probative.text.words import words

PLAN_TOKENS = 220


def find_plan(run: Run) -> Search[Plan | None]:
    """Return the plan of the question; None if a single look-up answers it, or the options want no plan.

    A reply of the model that is no plan is noted, and the rules make one.
    """
    options = run.options
    if not (options.compare or options.parts):
        return None
    plan = english.decompose(run.question.text)
    if options.compare and options.planning == "model":
        plan = yield from _written_plan(run, plan)
    if plan is None or len(plan.steps) == 1:
        return None
    return plan if (options.parts if plan.parts else options.compare) else None


def _written_plan(run: Run, by_rules: Plan | None) -> Search[Plan | None]:
    """Return the plan that the model writes, or the one made by rules if it writes none or a single look-up.

    Of 290 questions that need several steps, the large model gives 90 a single one; of 216 that need one, it
    gives 3 several (`training/large/study/final.npz`).
    """
    model = run.tools.model
    if Capability.GENERATE not in model.capabilities:
        return by_rules
    if model.reader:
        request = task_request("plan", run.question.text, max_tokens=PLAN_TOKENS)
    else:
        request = Request.user(fill_prompt("plan", question=run.question.text), max_tokens=PLAN_TOKENS)
    (reply,) = yield from generate_or_empty([request], step="plan")
    if isinstance(reply, EmptyError) or reply.finish_reason == "dry-run":
        return by_rules
    try:
        written = Plan.read(reply.text)
        return _with_order(written, by_rules) if len(written.steps) > 1 else by_rules
    except ModelError as error:
        run.note(f"planned by rules: {error.what}")
        return by_rules


def _with_order(written: Plan, by_rules: Plan | None) -> Plan:
    """Return a written plan that ends in a difference with which of the same two things the question says is
    the larger.
    """
    if by_rules is None or not written.steps[-1].do == by_rules.steps[-1].do == "difference":
        return written
    things = [[words(step.of or "") for step in plan.look_ups] for plan in (written, by_rules)]
    by = by_rules.steps[-1].by if things[0] == things[1] else None
    return Plan(steps=(*written.steps[:-1], written.steps[-1].model_copy(update={"by": by})))
