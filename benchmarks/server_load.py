"""200 clients of a server for a minute: what fails, how long they wait, and whether its memory grows.

    python benchmarks/server_load.py [--clients 200] [--seconds 60] [--pause 1.0] [--runs-at-once 16]

The model is scripted and takes 50 ms. Each client asks, reads its answer, and pauses. The same clients ask
a bare FastAPI route that also waits 50 ms, in turns with the server, so that both meet the same machine. Then
the clients ask without a pause for some seconds, more than the server takes: what it cannot queue it must
refuse with 429, and nothing may fail. Servers are processes of their own; the clients are in this one.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from benchmark_report import add_keep, show, text_table

SERVER = Path(__file__).with_name("server_scripted.py")
LATENCY = 0.05
SENTENCES = ["The Heron was built in Molde.", "Pines grow slowly.", "The Heron sails to Bergen."]
REFUSED = 429


class Server(NamedTuple):
    """A server process and its address."""

    url: str
    process: subprocess.Popen[str]

    @property
    def megabytes(self) -> float:
        """The memory of the process now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * 4096 / 1e6


@contextmanager
def started(*options: str) -> Iterator[Server]:
    """Yield a server that is ready."""
    command = [sys.executable, str(SERVER), "--latency", str(LATENCY), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Server(process.stdout.readline().strip(), process)
    finally:
        process.terminate()
        process.wait()


class Measured:
    """What the clients of one server saw."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.statuses: Counter[str] = Counter()

    @property
    def failures(self) -> int:
        """Requests that got neither an answer nor a deliberate refusal."""
        return sum(count for status, count in self.statuses.items() if status not in ("200", str(REFUSED)))

    def percentile(self, share: float) -> float:
        """Return the time in milliseconds that this share of the answers did not exceed."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")

    def row(self, name: str, seconds: float) -> tuple[str, ...]:
        """Return the row of a table."""
        return (
            name,
            f"{sum(self.statuses.values()):,}",
            f"{self.statuses['200'] / seconds:.0f}",
            f"{self.statuses[str(REFUSED)]:,}",
            str(self.failures),
            *(f"{self.percentile(share):.0f}" for share in (0.5, 0.95, 0.99)),
        )


async def drive(url: str, clients: int, seconds: float, pause: float, measured: Measured) -> None:
    """Let clients ask for some seconds; each begins at another moment of the first pause."""
    numbers = itertools.count()
    end = time.perf_counter() + seconds

    async def client(session: aiohttp.ClientSession, number: int) -> None:
        await asyncio.sleep(pause * number / clients)
        while time.perf_counter() < end:
            body = {"claim": f"The Heron is of Molde, {next(numbers)}.", "sentences": SENTENCES}
            begun = time.perf_counter()
            try:
                async with session.post(f"{url}api/annotate", json=body) as reply:
                    result = json.loads(await reply.read())
                    status = str(reply.status)
            except (aiohttp.ClientError, TimeoutError, ValueError) as error:
                status, result = type(error).__name__, {}
            measured.statuses[status if is_whole(status, result) else f"{status} without its content"] += 1
            if status == "200":
                measured.seconds.append(time.perf_counter() - begun)
            # A refused client is told to come back later; half a second is enough here.
            await asyncio.sleep(0.5 if status == str(REFUSED) else pause)

    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as session:
        await asyncio.gather(*(client(session, number) for number in range(clients)))


def is_whole(status: str, result: dict[str, Any]) -> bool:
    """Return whether a reply has what it must have: the sentence, or the length of the queue."""
    if status == "200":
        return bool(result.get("indexes"))
    return status != str(REFUSED) or result["queue"]["waiting"] > 0


def measure(given: argparse.Namespace) -> None:
    """Run both servers, and print."""
    bare, ours, burst = Measured(), Measured(), Measured()
    slices = max(1, round(given.seconds / given.slice))
    memory: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        options = ["--data", folder, "--runs-at-once", str(given.runs_at_once), "--queue", str(given.queue)]
        options += ["--kept-runs", str(given.kept_runs)]
        with started("--bare") as plain, started(*options) as server:
            for _ in range(slices):
                for address, measured in ((plain.url, bare), (server.url, ours)):
                    asyncio.run(drive(address, given.clients, given.slice, given.pause, measured))
                memory.append(server.megabytes)
            asyncio.run(drive(server.url, given.clients, given.burst, 0.0, burst))
            memory.append(server.megabytes)
    total = slices * given.slice
    rows = [
        bare.row("bare FastAPI route", total),
        ours.row("Probative", total),
        burst.row("Probative, clients without a pause", given.burst),
    ]
    columns = ("server", "requests", "answers/s", "refused (429)", "failures", "p50 ms", "p95 ms", "p99 ms")
    title = f"{given.clients} clients for {total:g} s each, in turns of {given.slice:g} s; a model of 50 ms"
    middle = memory[(slices - 1) // 2]
    memories = [
        ("memory of the server, MB", *(f"{value:.0f}" for value in (memory[0], middle, *memory[-2:])))
    ]
    shown = ("", f"after {given.slice:g} s", "in the middle", f"after {total:g} s", "after the burst")
    failures = bare.failures + ours.failures + burst.failures
    findings = [f"Failures: {failures or 'none'}."]
    for name, measured in (("bare", bare), ("Probative", ours), ("burst", burst)):
        if measured.failures:
            findings.append(f"{name}: {dict(measured.statuses)}")
    show(
        [text_table(title, columns, rows), text_table("Memory", shown, memories)],
        given,
        __file__,
        title="What a server adds to a model, under load",
        findings=findings,
    )
    if failures:
        raise SystemExit(1)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--slice", type=float, default=10.0, help="seconds of a turn")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two requests of a client")
    parser.add_argument("--burst", type=float, default=10.0, help="seconds without a pause")
    parser.add_argument("--runs-at-once", type=int, default=16)
    parser.add_argument("--queue", type=int, default=64)
    parser.add_argument("--kept-runs", type=int, default=500, help="few, so that deleting is measured too")
    add_keep(parser)
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
