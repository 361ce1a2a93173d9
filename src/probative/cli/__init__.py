"""The command line. It calls the public surface and owns no logic."""

from __future__ import annotations

import os
import sys

INTERRUPTED = 130


def main() -> None:
    """Run `probative`; an error of ours ends in one clear message and exit code 1, not a traceback."""
    from probative.cli.app import app
    from probative.errors import ProbativeError

    try:
        app()
    except ProbativeError as error:
        print(f"probative: {error}", file=sys.stderr)
        sys.exit(1)
    except SystemExit as ended:  # the framework turns Ctrl-C into this
        if ended.code == INTERRUPTED:
            print("probative: stopped; what was finished is kept, in the cache or in --out", file=sys.stderr)
            sys.stdout.flush()
            os._exit(INTERRUPTED)  # an ordinary end would wait for the engine, which may compute for a minute
        raise
