"""The verb `annotate`: the sentences that a claim needs, named by a language model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probative.engine.methods import Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.mcse.annotation import Annotation, Named, annotate_claim
from probative.types import Value
from probative.verbs import BUILT_IN
from probative.verbs.command import CLAIM, Command, sentences_input
from probative.verbs.requests import Claimed
from probative.verbs.sentences import NumberedText, number_sentences, split_notes
from probative.verbs.sentences import Text as Text
from probative.verbs.spec import BoundVerb, Host, VerbRun, VerbSpec


class AnnotateCase(Value):
    """One claim with its text, for `annotate_all`: one text that is split, or its sentences."""

    claim: str
    sentences: str | tuple[str, ...]


class AnnotateRequest(Claimed):
    """A claim and a text of which the model names the sentences that the claim needs."""


def bind(host: Host) -> BoundVerb:
    """Ask the model which sentences of a text a claim needs; it reads all of them at once.

    `sentences` is a list, or one text that is split. The named sentences are a draft of gold evidence for a
    person to correct, not a proof: to search for evidence, use `prove`.

    >>> import probative
    >>> from probative.testing import ScriptedModel
    >>> scripted = ScriptedModel(generate="[2]")
    >>> probative.annotate("The mill is old.", "It rained. The mill dates from 1790.", model=scripted).indexes
    (1,)
    """
    return BoundVerb.of(VerbRun("annotate", _read, _search, _result))


def _read(raw: AnnotateCase | Mapping[str, Any]) -> NumberedText:
    case: AnnotateCase = ANNOTATE.as_case(raw)
    return NumberedText(case.claim, number_sentences(case.sentences))


def _search(case: NumberedText, tools: Tools) -> Search[Named]:
    return annotate_claim(case.claim, [sentence.text for sentence in case.sentences])


def _result(case: NumberedText, finished: Finished[Named], tools: Tools) -> Annotation:
    assert finished.result is not None
    named = finished.result
    return Annotation(
        claim=case.claim,
        indexes=named.indexes,
        evidence=tuple(case.sentences[index] for index in sorted(named.indexes)),
        raw=named.raw,
        model=named.model,
        notes=(*split_notes(case.sentences), *named.notes),
        usage=finished.usage,
    )


ANNOTATE = VerbSpec(
    name="annotate",
    help=BUILT_IN["annotate"],
    case=AnnotateCase,
    case_hint='a case is {"claim": "…", "sentences": "a text" or ["…", "…"]}',
    request=AnnotateRequest,
    result=Annotation,
    bind=bind,
    positional=("claim", "sentences"),
    cases_name="claims",
    command=Command(
        {"claim": CLAIM, "sentences": sentences_input("text", "--context")},
        (
            'probative annotate "It was lit in 1871." --context lighthouse.txt --model openai:gpt-4o-mini',
            "probative annotate --in claims.jsonl --out gold.jsonl --model openai:gpt-4o-mini",
        ),
    ),
    types={"sentences": "Text"},
)
