"""Keep the reports of runs in docs/bench.

    python docs/tools/keep_report.py RUN... --machine "16 cores of an x86 server, one NVIDIA H200"

RUN is a folder that `probative bench run --out RUN` made. Its report is kept as docs/bench/NAME.json and
NAME.md with the command, the date, the machine and the models; NAME is the name of the folder, unless --name
gives one. A report on a part of the cases (`probative bench report`) needs --unfinished. `make results` puts
the figures into docs/results.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kept_reports import keep_run, this_machine
from probative.errors import ProbativeError

FOLDER = Path(__file__).parents[1] / "bench"


def main(arguments: Sequence[str] | None = None) -> int:
    """Keep the reports and print where they are; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    parser.add_argument("--name", help="the name of the report; for one run only")
    parser.add_argument("--unfinished", action="store_true", help="keep reports on a part of the cases, too")
    parser.add_argument("--machine", default=this_machine(), help="where the runs were made (default: here)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where reports are kept")
    given = parser.parse_args(arguments)
    if given.name and len(given.runs) > 1:
        parser.error("--name is for one run")
    failed = 0
    for run in given.runs:
        try:
            how = {"machine": given.machine, "name": given.name, "unfinished": given.unfinished}
            kept = keep_run(run, given.folder, **how)
            print(f"{given.folder / kept.name}.md")
        except ProbativeError as error:
            print(f"{run}: not kept: {error}", file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
