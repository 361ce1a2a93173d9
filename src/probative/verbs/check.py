"""The verb `check`: whether knowledge is a chain of evidence for a question."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AliasChoices, Field

from probative.engine.methods import MethodChoice, Methods, Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.scope.inputs import Inputs, as_passages
from probative.scope.options import ScopeOptions
from probative.scope.pipeline.find_answer import check_knowledge
from probative.scope.result import Check, ScopeResult
from probative.types import Value
from probative.verbs import BUILT_IN
from probative.verbs.ask import Passages as Passages
from probative.verbs.ask import scope_notes
from probative.verbs.command import FILE_OF_PASSAGES, QUESTION, Command, Input
from probative.verbs.requests import (
    Line,
    Name,
    Options,
    PassageLike,
    Sources,
    Text,
    VerbRequest,
    as_passage,
)
from probative.verbs.spec import BoundVerb, Host, VerbRun, VerbSpec, choose

METHODS = Methods("check", {"scope": "probative.scope.pipeline.find_answer:SCOPE"})


class CheckCase(Value):
    """One question with the knowledge to be checked, for `check_all`: one text, or passages."""

    question: str
    knowledge: str | tuple[Any, ...] = Field(validation_alias=AliasChoices("knowledge", "passages"))


class CheckRequest(VerbRequest):
    """A question and knowledge that may carry it."""

    question: Line
    knowledge: Text | Annotated[tuple[PassageLike, ...], Field(min_length=1)]
    preset: Name | None = None
    options: Options = Field(default_factory=dict)

    def check(self, sources: Sources) -> None:
        """Raise an error for too many passages."""
        if not isinstance(self.knowledge, str):
            sources.check_size("passages", len(self.knowledge))

    def arguments(self, sources: Sources) -> dict[str, Any]:
        """Return the arguments of the verb."""
        given = super().arguments(sources)
        if isinstance(self.knowledge, str):
            return given
        return {**given, "knowledge": [as_passage(passage) for passage in self.knowledge]}


def bind(
    host: Host, *, preset: str | None = None, options: ScopeOptions | None = None, **changes: Any
) -> BoundVerb:
    """Check whether knowledge is a chain of evidence for a question, and which features are missing.

    `knowledge` is one text, which is judged as a whole, or passages, which are judged one by one and count
    together. See `ask` for the options.

    >>> import probative
    >>> texts = ["Ada Berg commanded the Sea Lark.", "Pines grow."]
    >>> checked = probative.check("Who commanded the Sea Lark?", texts)
    >>> checked.complete, checked.judgements[1].carries
    (True, ())
    """
    chosen = choose(host, METHODS, MethodChoice("scope", preset, options, changes))

    def search(case: CheckCase, tools: Tools) -> Search[ScopeResult]:
        knowledge = [case.knowledge] if isinstance(case.knowledge, str) else case.knowledge
        return check_knowledge(Inputs(case.question, as_passages(knowledge)), chosen.options, tools)

    return BoundVerb.of(VerbRun("check", CHECK.as_case, search, _result), chosen.options.to_dict)


def _result(case: CheckCase, finished: Finished[ScopeResult], tools: Tools) -> Check:
    outcome = finished.result
    assert outcome is not None
    assert outcome.features is not None
    return Check(
        question=case.question,
        complete=outcome.complete,
        completeness=outcome.completeness,
        answerable=outcome.answerable,
        certainty=outcome.certainty,
        candidate=outcome.candidate if outcome.answer is None else outcome.answer,
        reason=outcome.reason,
        checks=outcome.checks,
        signals=outcome.signals,
        missing=outcome.missing,
        features=outcome.features,
        judgements=outcome.judgements,
        model=tools.name_if_used("model"),
        notes=scope_notes(outcome, tools),
        usage=finished.usage,
    )


CHECK = VerbSpec(
    name="check",
    help=BUILT_IN["check"],
    case=CheckCase,
    case_hint="a case has a question and knowledge",
    request=CheckRequest,
    result=Check,
    bind=bind,
    positional=("question", "knowledge"),
    methods=METHODS,
    cases_name="questions",
    verdicts=("complete", "incomplete"),
    command=Command(
        {
            "question": QUESTION,
            "knowledge": Input(
                f"The evidence: {FILE_OF_PASSAGES} - is standard input, the default.",
                ("--knowledge", "--passages"),
                "FILE",
                "knowledge",
            ),
        },
        (
            'probative check "Who commanded the Sea Lark?" --knowledge notes.txt',
            'probative check "Who commanded the Sea Lark?" --knowledge notes.txt --fail-on incomplete',
            "probative check --in questions.jsonl --out checks.jsonl",
        ),
        judged=True,
    ),
    types={"knowledge": "str | Passages"},
)
