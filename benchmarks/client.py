"""How much time Probative's HTTP client adds: many requests at once to a server that takes 50 ms.

    python benchmarks/client.py [--requests 2000] [--concurrency 64]

Prints, side by side from one run, the time of Probative (without and with its cache), of bare
aiohttp and, where it is installed, of the openai client, each as a multiple of the ideal time:
requests / concurrency x 50 ms. The server is a process of its own on 127.0.0.1.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import probative
from benchmark_report import add_keep, show, text_table

DELAY = 0.05


def messages(index: int) -> list[dict[str, str]]:
    """Return a chat that no other request has."""
    return [{"role": "user", "content": f"Question number {index}: is it so?"}]


def with_probative(base_url: str, requests: int, concurrency: int, home: Path | None) -> float:
    """Return the seconds for the whole batch through `load_model(...).generate`."""
    options = {"home": home, "cache": True} if home is not None else {"cache": False}
    model = probative.load_model("openai:bench", base_url=base_url, concurrency=concurrency, **options)
    asked = [probative.Request.user(messages(i)[0]["content"], max_tokens=16) for i in range(requests)]
    model.generate(asked[:1])
    started = time.perf_counter()
    results = model.generate([request.model_copy(update={"seed": 7}) for request in asked])
    seconds = time.perf_counter() - started
    assert len({result.text for result in results}) == requests, "answers were lost or mixed up"
    model.close()
    return seconds


async def with_aiohttp(base_url: str, requests: int, concurrency: int) -> float:
    """Seconds for the same requests with nothing but aiohttp and json."""
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(index: int) -> None:
            body = json.dumps({"model": "bench", "messages": messages(index), "max_tokens": 16})
            headers = {"Content-Type": "application/json"}
            async with session.post(f"{base_url}/chat/completions", data=body, headers=headers) as response:
                json.loads(await response.read())["choices"][0]["message"]["content"]

        return await drive(one, requests, concurrency)


async def with_openai(base_url: str, requests: int, concurrency: int) -> float:
    """Seconds for the same requests with the openai client."""
    import openai

    client = openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0)

    async def one(index: int) -> None:
        await client.chat.completions.create(model="bench", messages=messages(index), max_tokens=16)

    return await drive(one, requests, concurrency)


async def drive(one: object, requests: int, concurrency: int) -> float:
    """Run `one(index)` for every request, `concurrency` at a time."""
    waiting = iter(range(requests))

    async def work() -> None:
        for index in waiting:
            await one(index)  # type: ignore[operator]

    started = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(concurrency)))
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=64)
    add_keep(parser)
    given = parser.parse_args()
    ideal = given.requests / given.concurrency * DELAY
    server = subprocess.Popen(
        [sys.executable, "-m", "probative.testing", "--delay", str(DELAY)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    size = (given.requests, given.concurrency)
    try:
        with tempfile.TemporaryDirectory() as home:
            rows = [
                ("bare aiohttp", asyncio.run(with_aiohttp(url, *size))),
                ("probative", with_probative(url, *size, None)),
                ("probative, with its cache", with_probative(url, *size, Path(home))),
                ("bare aiohttp again", asyncio.run(with_aiohttp(url, *size))),
            ]
        if importlib.util.find_spec("openai") is not None:
            rows.append(("openai client", asyncio.run(with_openai(url, *size))))
    finally:
        server.kill()
        server.wait()
    bare = min(seconds for name, seconds in rows if name.startswith("bare"))
    cells = [
        (
            name,
            f"{seconds:.2f}",
            f"{seconds / ideal:.2f}",
            f"{seconds / bare:.2f}",
            f"{(seconds - bare) / given.requests * 1000:.3f}",
        )
        for name, seconds in rows
    ]
    columns = ("client", "seconds", "× ideal", "× bare", "ms more a request than bare")
    title = f"{given.requests:,} requests, {given.concurrency} at once, 50 ms each: ideal {ideal:.2f} s"
    show([text_table(title, columns, cells)], given, __file__, title="What the HTTP client adds to a request")


if __name__ == "__main__":
    main()
