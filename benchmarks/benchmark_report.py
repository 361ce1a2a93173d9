"""The report of a benchmark: printed, and with --keep kept beside the reports of experiments."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from probative import __version__
from probative.bench.render import table_markdown
from probative.bench.report import Report, RunReport, Table, TableRow
from probative.bench.reports import PublishedReport, without_paths

sys.path.append(str(Path(__file__).parents[1] / "docs" / "tools"))  # for a benchmark that runs as a script
from kept_reports import this_machine, write_kept

# Settings from the environment that change speed, and belong to the command.
_VARIABLES = ("PROBATIVE_COMPILE", "PROBATIVE_THREADS")


def add_keep(parser: argparse.ArgumentParser) -> None:
    """Add --keep and --machine to the options of a benchmark."""
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the report in this folder, such as docs/bench"
    )
    parser.add_argument("--machine", default=this_machine(), help="for --keep: the machine in words")


def text_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = "") -> Table:
    """Return a table of texts; the first column names the rows."""
    return Table(
        title=title,
        corner=columns[0],
        columns=tuple(columns[1:]),
        rows=tuple(TableRow(name=row[0], cells=tuple(row[1:])) for row in rows),
        note=note,
    )


def show(
    tables: Sequence[Table],
    given: argparse.Namespace,
    file: str,
    *,
    title: str,
    name: str | None = None,
    models: Mapping[str, str | None] | None = None,
    findings: Sequence[str] = (),
) -> None:
    """Print the tables and findings of the benchmark in `file`, and keep them if --keep says where."""
    for table in tables:
        print(f"\n{table.title}\n")
        print("\n".join(table_markdown(table)), flush=True)
    if findings:
        print()
    for finding in findings:
        print(finding)
    if given.keep is None:
        return
    path = Path(file)
    run = RunReport(
        version=__version__,
        experiment=path.stem,
        title=title,
        paper="speed and cost",
        shown_as=f"benchmarks/{path.name}",
        models=dict(models or {}),
        settings={},
        data=(),
        cases=0,
        errors=(),
        notes=(),
        report=Report(tables=tuple(tables), findings=tuple(findings)),
    )
    name = name or path.stem.replace("_", "-")
    kept = PublishedReport(
        name=name,
        command=command_line(path.name, given, sys.argv[1:]),
        date=datetime.now(UTC).date().isoformat(),
        machine=given.machine,
        fingerprints={},
        run=run,
    )
    write_kept(kept, given.keep)
    print(f"\nkept: {given.keep / name}.md", file=sys.stderr)


def command_line(file: str, given: argparse.Namespace, words: Sequence[str]) -> str:
    """Return the command of a benchmark, without where its report is kept, and with DIR for its data.

    >>> given = argparse.Namespace(data=None)
    >>> command_line("graph.py", given, ["--keep", "docs/bench", "--nodes", "10", "--machine=two cores"])
    'python benchmarks/graph.py --nodes 10'
    >>> command_line("graph.py", argparse.Namespace(data=Path("/data")), ["--data=/data", "--nearest"])
    'python benchmarks/graph.py --data DIR --nearest'
    """
    kept: list[str] = []
    left_out = {"--keep", "--machine", "--data"}
    skip = False
    for word in words:
        if skip or word.split("=")[0] in left_out:
            skip = not skip and "=" not in word
            continue
        kept.append(word)
    data = ["--data", "DIR"] if getattr(given, "data", None) else []
    variables = [f"{name}={os.environ[name]}" for name in _VARIABLES if os.environ.get(name)]
    return " ".join([*variables, without_paths(shlex.join(["python", f"benchmarks/{file}", *data, *kept]))])
