"""The levels of answers that `report --what ask` measured, by the certainty that ships now.

    python -m training.large.levels study/report_b-large.jsonl --size large --rows runs/report_b
    python -m training.large.levels training/large/study/report_b-large.jsonl --size large

The first keeps of the rows in a folder what levels follow from, the second prints the shares.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from probative.bench.rows import Row
from probative.scope.checks import Signals
from probative.scope.conclude.certainty import certainty_models
from probative.scope.conclude.computation import computation_model, uncomputed
from probative.scope.conclude.verdict import UNCOMPUTED
from probative.scope.run import Size
from training.certainty.collect import is_probable, is_supported
from training.large.report import rows_of, share
from training.row_files import read_rows


def compact(row: Row) -> Row:
    """Return what the levels of a measured answer follow from: its signals, and whether it is right."""
    text = row["answer"] or row["candidate"] or ""
    right = bool(row["accept"]) and bool(row["exact"] or row["agrees"] or row["candidate_exact"])
    kept = {"key": row["key"], "kind": row["kind"], "answerable": bool(row["accept"]), "right": right}
    # Whether a number had to be computed is decided here again.
    eligible = row["eligible"] or (row.get("reason") or "").startswith(UNCOMPUTED)
    kept |= {"level": row["level"], "eligible": eligible, "calls": row["calls"]}
    if row["signals"] is None:
        return kept | {"signals": None}
    read = 0.0 if row["signals"]["computed"] else uncomputed(row["question"], text)
    return kept | {"signals": row["signals"] | {"uncomputed": round(read, 4)}}


def level_of(row: Row, size: Size) -> str:
    """Return the level of a compact row; of an answer in two parts, which has no signals of its own, and of a
    disputed one, the level that was measured.

    >>> level_of({"level": "disputed", "signals": {}}, "small")
    'disputed'
    """
    if row["level"] == "disputed" or row["signals"] is None:
        return str(row["level"])
    if _is_misread(Signals.from_dict(row["signals"])):
        return "not_found"
    if is_supported(row, certainty_models(), size):
        return "supported"
    return "probable" if is_probable(row, certainty_models(), size) else "not_found"


def _is_misread(signals: Signals) -> bool:
    return signals.uncomputed >= computation_model().limit


def levels(rows: Sequence[Row], size: Size) -> Iterator[str]:
    """Yield the shares that the levels are judged by."""
    given = [(row, level_of(row, size)) for row in rows]
    answerable = [(row, level) for row, level in given if row["answerable"]]
    right = [row["right"] and level == "supported" for row, level in answerable]
    yield f"right and supported: {share(right)}"
    silent = [level in ("not_found", "disputed") for _, level in answerable]
    yield f"neither supported nor probable: {share(silent)}"
    wrong = [level == "supported" and not row["right"] for row, level in given]
    yield f"wrong and supported, of all: {share(wrong)}"
    for name in ("supported", "probable"):
        called = [row["right"] for row, level in given if level == name]
        yield f"right, of those called {name}: {share(called)}"
    counts = Counter((level, "right" if row["right"] else "wrong") for row, level in answerable)
    yield ", ".join(f"{count} {level} {right}" for (level, right), count in sorted(counts.items()))
    yield f"calls: {sum(row['calls'] for row in rows) / len(rows):.1f} a question"


def by_kind(rows: Sequence[Row], size: Size) -> Iterator[str]:
    """Yield the share that is right and supported of each kind of answerable questions, and how many of all
    questions of the kind are wrong and supported.
    """
    for kind in sorted({row["kind"] for row in rows}):
        given = [(row, level_of(row, size) == "supported") for row in rows if row["kind"] == kind]
        right = share([bool(row["right"]) and called for row, called in given if row["answerable"]])
        wrong = sum(called and not row["right"] for row, called in given)
        yield f"  {kind}: {right}; {wrong} wrong and supported"


def main() -> None:
    """Keep rows, or print the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="the kept rows")
    parser.add_argument("--size", choices=("small", "large"), required=True, help="the model that answered")
    parser.add_argument("--rows", type=Path, help="a folder that report wrote: keep its rows in the file")
    arguments = parser.parse_args()
    if arguments.rows is not None:
        kept = sorted(map(compact, rows_of(arguments.rows, "ask")), key=lambda row: row["key"])
        arguments.file.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
    rows = read_rows([arguments.file], ["key"])
    for line in (
        *levels(rows, arguments.size),
        "right and supported, by kind:",
        *by_kind(rows, arguments.size),
    ):
        print(line)


if __name__ == "__main__":
    main()
