"""What each family of English rules is worth: answers and verdicts with all rules, and with each family off.

Every case is run once with all rules, which records where a family finds something. Where it finds nothing,
the result without it is the same by construction; elsewhere the case is run again with the family off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from probative.bench.data.claims import VerdictRow, read_verdict_rows
from probative.bench.data.own import read_computed, read_documents, read_own_questions, whole
from probative.bench.data.questions import (
    Question,
    read_2wikimultihopqa,
    read_bioasq,
    read_hotpotqa,
    read_pubmedqa,
    read_rgb_questions,
)
from probative.bench.data.splits import digest
from probative.bench.families.rules import FAMILIES, recorded, switched_off
from probative.bench.families.verified import verified
from probative.bench.findings import difference_finding
from probative.bench.metrics import exact_match, is_accepted, is_right
from probative.bench.rows import Row, groups_by
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import PairedSpec, Results, TableSpec, share
from probative.bench.trained import SHIPPED, keys_in, trained_keys
from probative.types import Passage

EVERY, NONE = "all rules", "all families off"
CLAIMS, SHAPED = "claims", ("hotpotqa", "2wikimultihopqa")
# Questions of each source, unless --limit says otherwise; of each of the sets of claims, a third as many.
DEFAULT, CLAIMS_SHARE = 30, 3
FACTS = ("spoke", "changed")


def _own_questions(data: Path) -> Iterator[Question]:
    """Yield our own questions over whole documents."""
    documents = read_documents()
    for item in read_own_questions():
        yield _question(item.id, item.question, item.kind, item.answers, whole(documents[item.document]))


def _computed_questions(data: Path) -> Iterator[Question]:
    """Yield our own questions whose answers are computed."""
    for item in read_computed():
        yield _question(item.id, item.question, item.form, item.accept, item.passages)


def _question(
    name: str, text: str, kind: str, answers: Sequence[str], passages: Iterable[Passage]
) -> Question:
    """Return a question; one without an answer has an empty one."""
    answer, *also = answers or ("",)
    return Question(name, text, answer, kind, tuple(passages), frozenset(), also=tuple(also))


READERS: dict[str, Callable[[Path], Any]] = {
    "own": _own_questions,
    "computed": _computed_questions,
    "rgb": read_rgb_questions,
    "bioasq": read_bioasq,
    "pubmedqa": read_pubmedqa,
    "hotpotqa": read_hotpotqa,
    "2wikimultihopqa": read_2wikimultihopqa,
}
SOURCES = (*READERS, CLAIMS)


def _worth(results: Results) -> Iterator[str]:
    """Yield for each part how many families find something and how many change an outcome; then the tests."""
    for part, rows in groups_by(results.rows, "part"):
        families = [arm for name, arm in groups_by(rows, "method") if name not in (EVERY, NONE)]
        finding, changing = (sum(any(row[fact] for row in arm) for arm in families) for fact in FACTS)
        yield (
            f"{part}: in {len(families[0])} cases, {finding} of {len(families)} families find something; "
            f"without them, an answer or a verdict changes for {changing}."
        )
    figure = "right and supported answers, and in right verdicts"
    yield difference_finding(results.tests, figure, "case", keep=lambda each: each.group.endswith(", right"))


class Rules(Study):
    """Switches each family of English rules off, one at a time and all together.

    Questions and claims that a shipped model was trained on are left out. The forms of some rules were taken
    from other rows of HotpotQA and 2WikiMultihopQA, so these two have columns of their own.
    """

    name = "rules"
    title = "What is each family of English rules worth?"
    paper_reference = "results, rules"
    limit_of = "questions of each source, and a third as many claims of each set"
    sets = Names("sources", SOURCES, SOURCES)
    optional_data = (*(name for name in READERS if name not in ("own", "computed")), "verdict")
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 30.0
    caches = True
    tables = (
        TableSpec(
            "With and without each family",
            "",
            {
                "right and supported, or right verdict": share("good"),
                "wrong and supported": share("bad"),
                "cases in which it finds something": lambda rows: str(sum(row["spoke"] for row in rows)),
                "of these, with another outcome": lambda rows: str(sum(row["changed"] for row in rows)),
            },
            each="part",
        ),
    )
    tests = (
        PairedSpec(
            "What each family gains, in points",
            {"right": "good", "wrong and supported": "bad", "exact match": "em"},
            lambda arms: [(EVERY, arm) for arm in arms if arm != EVERY],
            by="part",
            case="key",
        ),
    )

    findings = (_worth,)

    def cases(self, settings: Settings) -> list[Case]:
        """Return the cases of all sources in turn, so that a part of a run has as many of each."""
        self.check_options(settings)
        known = frozenset[bytes]().union(*map(trained_keys, SHIPPED))
        limit = settings.limit or DEFAULT
        sources = []
        for name in self.sets.chosen(settings):
            drawn = list(_cases(name, settings.data, limit, known))
            share = -(-len(drawn) // limit)
            sources += [drawn[start::share] for start in range(share)]
        return [case for case in chain(*zip_longest(*sources)) if case is not None]

    def answer(self, case: Case, lab: Lab) -> Row:
        ask = _verify if case.set == CLAIMS else _ask
        with recorded() as spoke:
            first = ask(case.content, lab)
        arms: dict[str, Any] = {EVERY: first}
        for family in FAMILIES:
            if family.name in spoke:
                with switched_off([family]):
                    arms[family.name] = ask(case.content, lab)
        with switched_off(FAMILIES):
            arms[NONE] = ask(case.content, lab)
        return {"arms": arms}

    def observations(self, rows: Sequence[Row]) -> list[Row]:
        """Return a row for each case and arm."""
        return [observed for row in rows for observed in _observed(row)]


def _observed(row: Row) -> Iterator[Row]:
    arms, source = row["arms"], row["set"]
    part = source if source == CLAIMS else "questions, shaped" if source in SHAPED else "questions"
    for name in (EVERY, *(family.name for family in FAMILIES), NONE):
        outcome = arms.get(name, arms[EVERY])
        facts = {"spoke": name in arms, "changed": outcome != arms[EVERY]}
        yield {"key": row["key"], "set": source, "part": part, "method": name, **outcome, **facts}


def _cases(name: str, data: Path, limit: int, known: frozenset[bytes]) -> Iterator[Case]:
    """Yield the first cases of a source in the order of their digests, without those that trained a model."""
    if name != CLAIMS:
        items = [item for item in READERS[name](data) if known.isdisjoint(keys_in(item))]
        for item in sorted(items, key=lambda item: digest(item.text))[:limit]:
            yield Case(f"{name}/{item.id}", item, name)
        return
    sets: dict[str, list[VerdictRow]] = {}
    for row in read_verdict_rows(data):
        if known.isdisjoint(keys_in(row)):
            sets.setdefault(row.set, []).append(row)
    drawn = {
        kind: sorted(rows, key=lambda row: digest(row.claim))[: max(1, limit // CLAIMS_SHARE)]
        for kind, rows in sets.items()
    }
    for number, together in enumerate(zip_longest(*drawn.values())):
        for kind, row in zip(drawn, together, strict=True):
            if row is not None:
                yield Case(f"{CLAIMS}/{kind}/{number}", row, CLAIMS)


def _ask(question: Question, lab: Lab) -> Row:
    """Return the outcome of a question; giving no answer is right where there is none."""
    answer = lab.session.ask(question.text, question.passages)
    given, accepted = answer.answer or answer.candidate or "", list(filter(None, question.accepted))
    believed = answer.verdict.value == "supported"
    right = is_accepted(given, accepted) or any(is_right(given, gold) for gold in accepted)
    return {
        "answer": given,
        "verdict": answer.verdict.value,
        "good": float(right and believed if accepted else not believed),
        "bad": float(believed and not right),
        "em": float(any(exact_match(given, gold) for gold in accepted)) if accepted else None,
    }


def _verify(row: VerdictRow, lab: Lab) -> Row:
    """Return the outcome of a claim."""
    verdict = verified(row.claim, row.evidence, lab)
    agrees = (verdict == "supported") == (row.label == "supported") if row.binary else verdict == row.label
    return {
        "answer": "",
        "verdict": verdict,
        "good": float(agrees),
        "bad": float(verdict == "supported" != row.label),
        "em": None,
    }
