"""The verb `annotate`: the sentences that a claim needs, named by a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import InputError
from probative.mcse.annotation import Annotation, Named, annotate_claim
from probative.models.types import reason
from probative.session.prove import number_sentences
from probative.session.verb import Verb
from probative.text.sentences import split_notes
from probative.types import Sentence, Value


class AnnotateCase(Value):
    """One claim with its text, for `annotate_all`: one text that is split, or its sentences."""

    claim: str
    sentences: str | tuple[str, ...]


@dataclass(frozen=True)
class NumberedText:
    """A claim and its text, split into numbered sentences."""

    claim: str
    sentences: tuple[Sentence, ...]


def annotate_verb() -> Verb[NumberedText, Named, Annotation]:
    """Return `annotate` as a session runs it."""
    return Verb("annotate", _read, _search, _result)


def _read(raw: NumberedText | AnnotateCase | Mapping[str, Any]) -> NumberedText:
    if isinstance(raw, NumberedText):
        return raw
    if not isinstance(raw, AnnotateCase):
        try:
            raw = AnnotateCase.model_validate(raw)
        except ValidationError as error:
            raise InputError(
                f"a case for annotate cannot be read: {reason(error)}",
                hint='a case is {"claim": "…", "sentences": "a text" or ["…", "…"]}',
            ) from None
    return NumberedText(raw.claim, number_sentences(raw.sentences))


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
