"""`python -m probative.testing` runs the loopback server until standard input ends."""

from __future__ import annotations

import argparse
import sys

from probative.testing.server import LoopbackServer


def main() -> None:
    """Start the server, print its base URL, and wait."""
    parser = argparse.ArgumentParser(description="an OpenAI-compatible server on this machine, for tests")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each reply")
    with LoopbackServer(delay=parser.parse_args().delay) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


main()
