"""The families of English rules, and a switch for each: what a study of their worth turns off.

A rule that is off gives what it gives where it finds nothing. The switch is for studies only: the package
has no option for it.
"""

from __future__ import annotations

import importlib
import inspect
import re
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from probative.text.analysis import ParsedQuestion, Values

Neutral = Callable[..., Any]
"""What a rule gives if it is off, from what it gives now and its arguments."""
# The rules are functions of modules, which all threads share.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Family:
    """Rules that are switched together: for each, the module that callers look it up in, and its neutral
    result.
    """

    name: str
    rules: dict[str, Neutral] = field(hash=False)

    @classmethod
    def of(cls, name: str, module: str = "text.english", **rules: Neutral) -> Family:
        """Return the family of some rules of one module."""
        return cls(name, {f"probative.{module}:{rule}": neutral for rule, neutral in rules.items()})


def _always(value: object) -> Neutral:
    return lambda result, *args, **named: value


def _given(result: object, given: object, *args: object) -> object:
    return given


def _without_features(parsed: ParsedQuestion, *args: object) -> ParsedQuestion:
    return replace(parsed, intent="answer", nodes=(), relations=())


def _without_kind(parsed: ParsedQuestion, *args: object) -> ParsedQuestion:
    """Return the question with no kind of answer but those that decide how it is asked."""
    return parsed if parsed.kind in ("yes-no", "choice", "any") else replace(parsed, kind="name")


def _without_values(values: Values, *args: object) -> Values:
    return Values(frozenset(), frozenset(), ())


def _title(result: object, passage: Any) -> str:
    return passage.title or ""


_NO, _NONE = _always(False), _always(None)
FAMILIES: tuple[Family, ...] = (
    Family.of("features of a question", parse_question=_without_features),
    Family.of("kind of a question", parse_question=_without_kind),
    Family.of(
        "parts of a question",
        "text.english.decompose",
        question_parts=lambda result, question: (question,),
    ),
    Family.of("spans that may answer", answer_candidates=lambda result, *args: []),
    Family.of("values of an answer", values_in=_without_values),
    Family.of("parts of an answer", answer_parts=lambda result, answer: [answer]),
    Family.of(
        "normal form of an answer",
        normal_form=lambda result, text: tuple(re.findall(r"\w+", text.lower())),
    ),
    Family.of("replies", read_answer=lambda result, reply: reply.strip() or None),
    Family.of("subjects of a passage", subject=_title, subject_name=_title),
    Family.of("contradictions", "scope.conclude.verdict", find_contradictions=_always(())),
    Family.of("plans", decompose=_NONE),
    Family.of("values that had to be computed", "scope.conclude.verdict", uncomputed=_always(0.0)),
    Family.of("rules that begin later", "scope.conclude.verdict", holds_only_later=_NONE),
    Family.of("instructions to the judge", is_instruction_to_judge=_NO),
    Family.of("claims with several verbs", claim_parts=lambda result, sentence: result[:1]),
    Family.of("claims that stand alone", stand_alone=_given),
    Family.of("years of dates", with_years=_given),
    Family.of("sentences that need the one before", needs_sentence_before=_NO),
)


@contextmanager
def switched_off(families: Iterable[Family]) -> Iterator[None]:
    """Switch families off until the block ends, however it ends."""

    def turn_off(neutral: Neutral, result: Any, *args: Any, **named: Any) -> Any:
        return neutral(result, *args, **named)

    with _replaced(families, lambda family: turn_off):
        yield


@contextmanager
def recorded() -> Iterator[set[str]]:
    """Yield the names of the families, as they come, whose result is another one than if they were off."""
    spoke: set[str] = set()

    def record(family: Family) -> Callable[..., Any]:
        def keep(neutral: Neutral, result: Any, *args: Any, **named: Any) -> Any:
            if neutral(result, *args, **named) != result:
                spoke.add(family.name)
            return result

        return keep

    with _replaced(FAMILIES, record):
        yield spoke


@contextmanager
def _replaced(
    families: Iterable[Family], result_of: Callable[[Family], Callable[..., Any]]
) -> Iterator[None]:
    """Put a function around each rule of the families, which turns its result into another one."""
    with _ONE_AT_A_TIME:
        originals = []
        try:
            for family in families:
                for target, neutral in family.rules.items():
                    module, _, name = target.partition(":")
                    place = importlib.import_module(module)
                    rule = getattr(place, name)
                    originals.append((place, name, rule))
                    setattr(place, name, _around(rule, neutral, result_of(family)))
            yield
        finally:
            for place, name, rule in reversed(originals):
                setattr(place, name, rule)


def _around(rule: Callable[..., Any], neutral: Neutral, turned: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.isgeneratorfunction(rule):

        def search(*args: Any, **named: Any) -> Generator[Any, Any, Any]:
            result = yield from rule(*args, **named)
            return turned(neutral, result, *args, **named)

        return search
    return lambda *args, **named: turned(neutral, rule(*args, **named), *args, **named)
