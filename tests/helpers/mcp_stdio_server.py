"""A server for tests over standard input and output: scripted models that also print, and a slow judge.

    python mcp_stdio_server.py FOLDER FILE

FILE gets a line for each judgement.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from mcp_world import world
from verifying import by_words

from probative.models.verdict import VerdictItem, VerdictScores
from probative.server.mcp.stdio import serve_stdio


def main(folder: Path, judged: Path) -> None:
    """Serve the small corpus in `folder`."""

    def judge(item: VerdictItem) -> VerdictScores:
        print("a library that prints")
        sys.stdout.flush()
        with judged.open("a") as file:
            file.write("judged\n")
        time.sleep(0.05)
        return by_words(item)

    with world(folder, judge) as made:
        serve_stdio(made.server(runs_at_once=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
