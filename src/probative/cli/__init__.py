"""The command line. It calls the public surface and owns no logic."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `probative`; an error of ours ends in one clear message and exit code 1, not a traceback."""
    from probative.cli.app import app
    from probative.errors import ProbativeError

    try:
        app()
    except ProbativeError as error:
        print(f"probative: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("probative: stopped; finished results are in the cache", file=sys.stderr)
        sys.exit(130)
