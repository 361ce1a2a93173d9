"""Measure verify: claims a minute and tokens a claim over many passages, and verdicts on the example reports.

    python benchmarks/verify.py [--model embedded] [--passages 10000] [--claims 30] [--reports]

The passages are made up; the claims are those of a text about them, half of them wrong. `--passages` without
a number measures no speed. Nothing comes from the cache, and the model is used once before. With --reports,
the labelled claims of six reports are verified: the three of examples/ against the example corpus, which the
rules were made with, and those of three other domains (probative/bench/own/reports) against their documents.
Of "unseen" ones only totals were seen.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import probative
from benchmark_report import add_keep, show, text_table
from probative.settings import load_settings
from probative.types import Passage, Verdict

EXAMPLES = Path(__file__).parent.parent / "examples"
TOWNS = ("Aske", "Birk", "Coll", "Dorn", "Eide", "Farn", "Gorm", "Hove", "Ister", "Jarl", "Kell", "Lomme")
KINDS = ("mill", "bridge", "school", "harbour", "chapel", "station", "market", "library", "tower", "quay")
REPORTS = ("right", "subtly-wrong", "contradicting")


def passage(number: int) -> Passage:
    """Return a passage of usual length about a thing of its own.

    >>> passage(13).text.split(". ")[0]
    'The harbour number 13 of Birk was built in 1813 by a guild of 18 masons'
    """
    town, kind = TOWNS[number % len(TOWNS)], KINDS[number % len(KINDS)]
    name = f"The {kind} number {number} of {town}"
    return Passage(
        text=f"{name} was built in {1800 + number % 200} by a guild of {5 + number % 90} masons. "
        f"It is made of {'oak' if number % 2 else 'stone'} and stands {number % 70 + 3} metres above the "
        f"river. The town paid {1000 + 7 * number} crowns for it. A storm took its roof in "
        f"{1850 + number % 140}, and it was repaired within a year. Today it is used by a society that keeps "
        "old boats.",
        title=f"{kind.title()} {number}",
        source=f"{town.lower()}/{number}.txt",
    )


def report_text(claims: int, passages: int) -> str:
    """Return a text of so many claims about the passages; every second one has another year."""
    step = max(1, passages // claims)
    sentences = []
    for index in range(claims):
        number = index * step
        subject = passage(number).text.split(" was built")[0]
        sentences.append(f"{subject} was built in {1800 + number % 200 + 3 * (index % 2)}.")
    return " ".join(sentences)


def speed(session: probative.Session, passages: int, claims: int) -> list[str]:
    """Return a row of the table of speed."""
    sources = [passage(number) for number in range(passages)]
    text = report_text(claims, passages)
    began = time.perf_counter()
    verification = session.verify(text, sources)
    seconds = time.perf_counter() - began
    wanted = [Verdict.CONTRADICTED if index % 2 else Verdict.SUPPORTED for index in range(claims)]
    right = sum(claim.verdict is verdict for claim, verdict in zip(verification.claims, wanted, strict=True))
    tokens = verification.usage.tokens / claims
    return [
        f"{passages:,}",
        str(claims),
        f"{60 * claims / seconds:.0f}",
        f"{tokens:,.0f}",
        f"{right}/{claims}",
    ]


class ReportSet(NamedTuple):
    """Reports with labelled claims: the folder of each report's documents, and the file of the claims."""

    name: str
    folder: Path
    documents: dict[str, Path]


def report_sets() -> list[ReportSet]:
    """Return the reports of the example corpus, and those of other domains."""
    corpus = EXAMPLES / "corpus"
    own = Path(probative.__file__).parent / "bench" / "own" / "reports"
    return [
        ReportSet("example corpus", EXAMPLES / "reports", dict.fromkeys(REPORTS, corpus)),
        ReportSet("seen once", own, {"software": own / "documents" / "software"}),
        ReportSet("unseen", own, {name: own / "documents" / name for name in ("clinic", "excavation")}),
    ]


def passages_in(folder: Path) -> list[Passage]:
    """Return the passages of all documents of a folder."""
    from probative.corpus.documents.passages import passages_of
    from probative.corpus.readers.formats import read_document

    files = sorted(file for file in folder.rglob("*") if file.is_file())
    documents = (read_document(file, file.relative_to(folder).as_posix()) for file in files)
    return [found for document in documents for found in passages_of(document)]


def judged(
    claims: Path, report: str, verification: probative.Verification
) -> Iterator[tuple[dict[str, Any], Verdict, bool]]:
    """Yield each labelled claim of a report with the verdict given, and whether its citation holds."""
    for line in claims.read_text(encoding="utf-8").splitlines():
        gold = json.loads(line)
        if gold["report"] != f"{report}.md":
            continue
        words = r"\s+".join(map(re.escape, gold["claim"].rstrip(".").split()))
        place = re.search(words, verification.text)
        assert place is not None, gold["claim"]
        own = [
            claim for claim in verification.claims if claim.start < place.end() and claim.end > place.start()
        ]
        verdicts = {claim.verdict for claim in own}
        # A claim that was split is as good as its worst part.
        worst = (Verdict.CONTRADICTED, Verdict.INSUFFICIENT, Verdict.SUPPORTED)
        given = next((verdict for verdict in worst if verdict in verdicts), Verdict.INSUFFICIENT)
        citations = [citation for claim in own for citation in claim.citations]
        holds = bool(citations) and all(citation.verdict is Verdict.SUPPORTED for citation in citations)
        yield gold, given, holds


def accuracy(session: probative.Session) -> list[list[str]]:
    """Return the rows of the table of verdicts: one for each report, and one for each set."""
    rows = []
    for reports in report_sets():
        total: Counter[str] = Counter()
        for report, folder in reports.documents.items():
            text = (reports.folder / f"{report}.md").read_text(encoding="utf-8")
            verification = session.verify(text, passages_in(folder))
            counts = counted(judged(reports.folder / "claims.jsonl", report, verification))
            rows.append(_row(f"{report} ({reports.name})", counts))
            total += counts
        if len(reports.documents) > 1:
            rows.append(_row(f"all ({reports.name})", total))
    return rows


def counted(results: Iterable[tuple[dict[str, Any], Verdict, bool]]) -> Counter[str]:
    """Return how many claims and citations there are, and how many were judged rightly."""
    counts: Counter[str] = Counter()
    for gold, given, holds in results:
        right = given.value == gold["verdict"]
        counts.update({"claims": 1, "right": right, given.value: 1, f"{given.value} right": right})
        if gold["cited"]:
            counts.update({"cited": 1, "citations right": holds == gold["citation_holds"]})
    return counts


def _row(name: str, counts: Counter[str]) -> list[str]:
    cells = [f"{counts['right']} of {counts['claims']}"]
    cells += [f"{counts[f'{verdict.value} right']} of {counts[verdict.value]}" for verdict in Verdict]
    return [name, *cells, f"{counts['citations right']} of {counts['cited']}"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=("embedded", "embedded:large"), default="embedded")
    parser.add_argument("--passages", type=int, nargs="*", default=[10_000])
    parser.add_argument("--claims", type=int, default=30)
    parser.add_argument("--reports", action="store_true", help="verify reports with labelled claims too")
    add_keep(parser)
    options = parser.parse_args(arguments)
    settings = load_settings({"cache": False, "model": options.model, "verdict": options.model})
    with probative.Session(settings=settings) as session:
        session.verify("The mill is old.", ["The mill was built in 1790."])
        rows = [speed(session, passages, options.claims) for passages in options.passages]
        columns = ("passages", "claims", "claims a minute", "tokens a claim", "right verdicts")
        tables = [text_table("Speed", columns, rows)] if rows else []
        if options.reports:
            given = [f"{verdict.value}, right" for verdict in Verdict]
            judged_columns = ("report", "verdicts right", *given, "citations judged rightly")
            tables.append(text_table("Claims of reports", judged_columns, accuracy(session)))
    models = {"verdict": options.model, "policy": "embedded"}
    name = "verify" if options.model == "embedded" else "verify-large"
    show(tables, options, __file__, title="What verify costs", name=name, models=models)


if __name__ == "__main__":
    main()
