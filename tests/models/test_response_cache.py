from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from probative import BatchError, ModelError, Request, ResponseCache, StoreError
from probative.models.items import key_of
from probative.models.wrappers import cached
from probative.testing import ScriptedModel


def upper(request: Request) -> str:
    return request.messages[-1].content.upper()


@pytest.fixture
def cache(tmp_path: Path) -> ResponseCache:
    return ResponseCache(tmp_path / "responses.sqlite")


def test_the_same_request_is_asked_once(cache: ResponseCache) -> None:
    inner = ScriptedModel(generate=upper, score=lambda p, c: -1.0, choose=lambda p, o: [3, 1])
    model = cached(inner, cache)
    first = model.generate(["a", "b"])
    second = model.generate(["b", "a"])
    assert [result.text for result in second] == ["B", "A"]
    assert len(inner.asked) == 2
    assert first[0].usage.calls == 1
    assert (second[0].usage.calls, second[0].usage.cached) == (0, 1)
    for _ in range(2):
        assert model.score([("p", "c")])[0].log_probability == -1.0
        assert model.choose(["q"], ["x", "y"])[0].probabilities == (0.75, 0.25)
    assert len(inner.asked) == 4


def test_the_same_request_twice_in_a_batch_is_asked_once(cache: ResponseCache) -> None:
    inner = ScriptedModel(generate=upper)
    results = cached(inner, cache).generate(["a", "a", "b", "a"])
    assert [result.text for result in results] == ["A", "A", "B", "A"]
    assert [result.usage.cached for result in results] == [0, 1, 0, 1]
    assert len(inner.asked) == 2


def test_the_key_covers_the_model_its_weights_and_every_parameter() -> None:
    base = Request.user("q")
    variations = {
        "messages": Request.user("q", system="s").messages,
        "max_tokens": 7,
        "temperature": 0.5,
        "top_p": 0.5,
        "seed": 1,
        "sample": 1,
        "stop": (".",),
        "json_schema": {"type": "object"},
        "alternatives": 3,
    }
    assert variations.keys() == Request.model_fields.keys()
    model = ScriptedModel(generate=upper)
    keys = {key_of(model, "generate", base)}
    keys |= {key_of(model, "generate", base.model_copy(update={k: v})) for k, v in variations.items()}
    keys |= {
        key_of(ScriptedModel(generate=upper, name="other"), "generate", base),
        key_of(model, "choose", base),
    }

    class OtherWeights(ScriptedModel):
        fingerprint = "other"  # type: ignore[assignment]

    keys.add(key_of(OtherWeights(generate=upper), "generate", base))
    assert len(keys) == 1 + len(variations) + 3


def test_a_failure_is_never_kept(cache: ResponseCache) -> None:
    answers = [ModelError("broken"), "fine", "fine at last"]
    model = cached(ScriptedModel(generate=answers), cache)
    with pytest.raises(BatchError):
        model.generate(["a", "b"])
    assert cache.summary().results == 1
    assert [result.text for result in model.generate(["a", "b"])] == ["fine at last", "fine"]


def test_a_result_is_kept_the_moment_it_comes(cache: ResponseCache) -> None:
    """A run that is stopped half-way keeps what was done."""

    def stop_at_third(request: Request) -> str:
        if request.messages[-1].content == "2":
            raise KeyboardInterrupt
        return "done"

    with pytest.raises(KeyboardInterrupt):
        cached(ScriptedModel(generate=stop_at_third), cache).generate(["0", "1", "2", "3"])
    assert cache.summary().results == 2


def test_a_value_that_cannot_be_read_is_asked_again(cache: ResponseCache) -> None:
    inner = ScriptedModel(generate=upper)
    cached(inner, cache).generate(["a"])
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE results SET value = substr(value, 1, 10)")
    connection.close()
    assert cached(inner, cache).generate(["a"])[0].text == "A"
    assert cached(inner, cache).generate(["a"])[0].usage.cached == 1
    assert len(inner.asked) == 2


def test_a_damaged_file_is_a_clear_error_and_can_be_cleared(cache: ResponseCache) -> None:
    cache.path.write_bytes(b"this is no database, and long enough to be looked at as one " * 50)
    with pytest.raises(StoreError, match="is damaged") as caught:
        cached(ScriptedModel(generate=upper), cache).generate(["a"])
    assert "cache clear" in caught.value.hint
    cache.clear()
    assert cached(ScriptedModel(generate=upper), cache).generate(["a"])[0].text == "A"


def damaged_files(content: bytes) -> Iterator[bytes]:
    """Truncated in many places, bytes changed, and a schema that is not UTF-8."""
    yield from (content[:length] for length in (1, 99, 100, 4096, len(content) // 2, len(content) - 1))
    draw = random.Random(1)
    for _ in range(10):
        changed = bytearray(content)
        for _ in range(3000):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        yield bytes(changed)
    yield content.replace(b"NOT NULL", b"NOT \xd7ULL")


def test_every_kind_of_damage_is_a_typed_error_with_its_remedy(cache: ResponseCache, tmp_path: Path) -> None:
    for n in range(100):
        cache.put("generate", "m", {f"k{n}": '{"text": "a"}' * 5})
    cache._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    cache.close()
    for n, content in enumerate(damaged_files(cache.path.read_bytes())):
        damaged = ResponseCache(tmp_path / f"{n}.sqlite")
        damaged.path.write_bytes(content)
        calls: list[Callable[[], object]] = [
            damaged.summary,
            lambda damaged=damaged: damaged.get([f"k{n}" for n in range(100)]),
            lambda damaged=damaged: damaged.put("generate", "m", {"new": "{}"}),
            lambda damaged=damaged: damaged.prune(older_than_days=1),
        ]
        for call in calls:
            with contextlib.suppress(StoreError):
                call()
        damaged.clear()
        assert damaged.summary().results == 0
        damaged.close()


def test_doctor_and_the_cache_command_diagnose_a_truncated_cache(cache: ResponseCache) -> None:
    from typer.testing import CliRunner

    from probative.cli.app import app
    from probative.doctor import examine
    from probative.settings import load_settings

    ours = ResponseCache(load_settings().cache_file)
    for n in range(100):
        ours.put("generate", "m", {f"k{n}": '{"text": "a"}' * 5})
    ours._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ours.close()
    ours.path.write_bytes(ours.path.read_bytes()[:5000])
    shown = CliRunner().invoke(app, ["cache"]).exception
    assert isinstance(shown, StoreError)
    report = examine(load_settings({"model": "hf:", "encoder": "openai:x"}))
    (problem,) = [finding for finding in report.findings if "responses.sqlite" in finding.what]
    assert problem.state == "problem"
    assert "cache clear" in problem.hint


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_only_the_owner_can_read_the_cache(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "new" / "responses.sqlite")
    cache.put("generate", "m", {"k": "{}"})
    assert cache.path.parent.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in cache._files() if file.exists()] == [0o600] * 3
    for file in cache._files():
        file.chmod(0o644)
    again = ResponseCache(cache.path)
    assert again.get(["k"]) == {"k": "{}"}
    assert [file.stat().st_mode & 0o777 for file in cache._files() if file.exists()] == [0o600] * 3


def test_values_are_json(cache: ResponseCache) -> None:
    cached(ScriptedModel(generate=upper), cache).generate(["a"])
    with sqlite3.connect(cache.path) as connection:
        ((value,),) = connection.execute("SELECT value FROM results").fetchall()
    connection.close()
    assert json.loads(value)["text"] == "A"


def test_old_results_and_those_of_one_model_can_be_pruned(cache: ResponseCache) -> None:
    for name in ("one", "two"):
        cached(ScriptedModel(generate=upper, name=name), cache).generate(["a", "b"])
    assert cache.summary().by_model == {"one": 2, "two": 2}
    assert cache.prune(older_than_days=1) == 0
    assert cache.prune(model="one") == 2
    assert cache.prune(older_than_days=-1) == 2
    assert cache.summary().results == 0


def _ask_many(path: Path, start: int, answers: multiprocessing.Queue) -> None:  # type: ignore[type-arg]
    """In another process: 40 of 60 requests, each process its own answers, overlapping with others."""
    model = cached(
        ScriptedModel(
            generate=lambda request: f"{request.messages[-1].content} by {start}", fingerprint="one"
        ),
        ResponseCache(path),
    )
    asked = [f"q{(start * 10 + i) % 60}" for i in range(40)]
    for question in asked:
        model.generate([question])
    answers.put({question: model.generate([question])[0].text for question in asked})


@pytest.mark.slow
def test_processes_on_one_cache_agree(cache: ResponseCache) -> None:
    """Whoever was first, everybody reads the same answer afterwards, and each is there once."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    processes = [context.Process(target=_ask_many, args=(cache.path, n, answers)) for n in range(3)]
    for process in processes:
        process.start()
    said = [answers.get(timeout=120) for _ in processes]
    for process in processes:
        process.join(timeout=60)
        assert process.exitcode == 0
    assert cache.summary().results == 60
    agreed: dict[str, str] = {}
    for answer in said:
        for question, text in answer.items():
            assert agreed.setdefault(question, text) == text


WRITER = """
import sys
from pathlib import Path
from probative import ResponseCache
cache = ResponseCache(Path(sys.argv[1]))
n = 0
while True:
    cache.put("generate", "m", {f"key-{n}": '{"text": "' + "x" * 20000 + '"}'})
    if n == 0:
        print("writing", flush=True)
    n += 1
"""


@pytest.mark.slow
def test_a_writer_killed_half_way_leaves_nothing_broken(cache: ResponseCache) -> None:
    for attempt in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(cache.path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.05 + 0.1 * attempt)  # at some moment of its writing
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        with sqlite3.connect(cache.path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            values = [value for (value,) in connection.execute("SELECT value FROM results")]
        connection.close()
        assert values
        assert {len(json.loads(value)["text"]) for value in values} == {20000}
    cache.put("generate", "m", {"after": "{}"})
    assert cache.get(["after"]) == {"after": "{}"}


def test_many_threads_may_use_a_new_cache_at_once(tmp_path: Path) -> None:
    for attempt in range(8):
        cache = ResponseCache(tmp_path / f"{attempt}.sqlite")
        errors: list[Exception] = []

        def write(number: int, cache: ResponseCache = cache, errors: list[Exception] = errors) -> None:
            try:
                cache.put("score", "m", {f"key {number}": "{}"})
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert cache.summary().results == 8
        cache.close()


def test_an_error_in_one_thread_leaves_the_connections_of_others_open(tmp_path: Path) -> None:
    cache = ResponseCache(tmp_path / "cache.sqlite")
    cache.put("score", "m", {"key": "{}"})
    connection = cache._connection()

    def fail() -> None:
        with pytest.raises(StoreError), cache._guarded() as own:
            own.execute("SELECT nothing FROM nowhere")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    assert cache._connection() is connection
    assert cache.get(["key"]) == {"key": "{}"}
