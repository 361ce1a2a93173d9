"""Questions and claims in German, French and Spanish: which languages the models read.

No language is refused in this study. Its first table decides which are, outside it: `docs/tools/languages.py`
writes the levels into the package.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from probative.bench.data.files import spread
from probative.bench.data.own import LanguageRow, read_languages
from probative.bench.families.verified import verified
from probative.bench.findings import share_text
from probative.bench.metrics import is_accepted
from probative.bench.rows import FAILED, Groups, Row, Rows, groups_by
from probative.bench.statistics import percent_cell
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import Results, TableSpec, average, share
from probative.corpus.corpus import Corpus
from probative.types import Passage
from probative.verdict.languages import nothing_refused

LEVELS = "Levels"
"""The title of the table of levels; a line is called "de, question"."""
RIGHT, WRONG = "right", "wrong and supported"
LANGUAGES = ("de", "fr", "es")
FOUND_IN = 10
_CORPORA: dict[str, Corpus] = {}


def _believed(row: Row) -> bool:
    return bool(row["verdict"] == "supported")


METRICS = {
    RIGHT: share("right"),
    "right and supported": share(lambda row: row["right"] and _believed(row)),
    WRONG: share(lambda row: _believed(row) and not row["right"]),
    "supported": share(_believed),
}


def _levels(rows: Rows) -> Groups:
    for language, some in groups_by(rows, "language"):
        for task, cases in groups_by(some, "task"):
            yield f"{language}, {task}", cases


def _found(results: Results) -> Iterator[str]:
    """Yield for each language and task how many are right, and how many are wrong and supported."""
    for name, rows in _levels([row for row in results.rows if not row["translated"]]):
        right = percent_cell([float(row["right"]) for row in rows])
        wrong = percent_cell([float(_believed(row) and not row["right"]) for row in rows])
        yield f"{name}s: {share_text(right)} are right, {share_text(wrong)} wrong and supported."


class Languages(Study):
    """Answers questions and verifies claims; of questions in English, it searches the passages of all rows of
    a language.
    """

    name = "languages"
    title = "Which languages do the models read?"
    paper_reference = "results, other languages"
    limit_of = "questions and claims of each language"
    sets = Names("languages", LANGUAGES, LANGUAGES)
    set_field = "language"
    verbs = frozenset({"generate", "judge"})
    calls_per_case = 8.0
    failure: ClassVar[Row] = {"right": False, "verdict": FAILED, "found": False, "calls": 0}
    tables = (
        TableSpec(
            LEVELS,
            "language, task, %",
            METRICS,
            _levels,
            where=lambda row: not row["translated"],
            note="Right: the answer, or the candidate where it is not supported, is accepted; or the verdict "
            "on a claim. Where the passages do not answer a question, giving no supported answer is right.",
        ),
        TableSpec(
            "Questions in English over passages in another language",
            "language, %",
            {f"passage among the first {FOUND_IN}": share("found"), **METRICS, "calls": average("calls")},
            "language",
            where=lambda row: row["translated"],
        ),
    )
    findings = (_found,)

    def items(self, settings: Settings, name: str) -> list[LanguageRow]:
        return spread([row for row in read_languages() if row.language == name], settings.limit)

    def about(self, case: Case) -> Row:
        row: LanguageRow = case.content
        return {**super().about(case), "task": row.task, "translated": row.translated}

    def answer(self, case: Case, lab: Lab) -> Row:
        row: LanguageRow = case.content
        with nothing_refused():
            if row.task == "question":
                return _asked(row, lab)
            verdict = verified(row.claim, row.passages, lab)
        return {"verdict": verdict, "right": verdict == row.verdict}


def _asked(row: LanguageRow, lab: Lab) -> Row:
    """Return the outcome of a question; giving no supported answer is right where there is none."""
    if row.translated:
        answer = lab.session.ask(row.question, corpus=_corpus(row.language, lab))
    else:
        answer = lab.session.ask(row.question, row.passages)
    files = tuple(map(_file, row.passages))
    given, verdict = answer.answer or answer.candidate, answer.verdict.value
    right = is_accepted(given or "", row.answers) if row.answers else verdict != "supported"
    return {
        "answer": given,
        "verdict": verdict,
        "right": right,
        "certainty": answer.certainty,
        "reason": answer.reason,
        "found": any(place.startswith(files) for place in answer.retrieved[:FOUND_IN]),
        "calls": answer.usage.calls,
    }


def _corpus(language: str, lab: Lab) -> Corpus:
    """Return the passages of all rows of a language, each in a file; indexed and opened once."""
    if language not in _CORPORA:
        folder = Path(tempfile.mkdtemp(prefix=f"languages-{language}-"))
        for row in read_languages():
            for passage in row.passages if row.language == language else ():
                record = {"title": passage.title or "", "text": passage.text, "language": language}
                (folder / _file(passage)).write_text(json.dumps(record), encoding="utf-8")
        _CORPORA[language] = Corpus.open(folder, background=False, settings=lab.session.settings)
    return _CORPORA[language]


def _file(passage: Passage) -> str:
    return f"{hashlib.sha256(passage.whole.encode()).hexdigest()[:16]}.json"
