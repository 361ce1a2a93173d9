from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from probative import BatchError, ModelError, Request, ResponseCache, StoreError
from probative.models.wrappers.cache import Cached, key_of
from probative.testing import ScriptedModel


def upper(request: Request) -> str:
    return request.messages[-1].content.upper()


@pytest.fixture
def cache(tmp_path: Path) -> ResponseCache:
    return ResponseCache(tmp_path / "responses.sqlite")


def test_the_same_request_is_asked_once(cache: ResponseCache) -> None:
    inner = ScriptedModel(generate=upper, score=lambda p, c: -1.0, choose=lambda p, o: [3, 1])
    model = Cached(inner, cache)
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
    results = Cached(inner, cache).generate(["a", "a", "b", "a"])
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
    model = Cached(ScriptedModel(generate=answers), cache)
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
        Cached(ScriptedModel(generate=stop_at_third), cache).generate(["0", "1", "2", "3"])
    assert cache.summary().results == 2


def test_a_value_that_cannot_be_read_is_asked_again(cache: ResponseCache) -> None:
    inner = ScriptedModel(generate=upper)
    Cached(inner, cache).generate(["a"])
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE results SET value = substr(value, 1, 10)")
    connection.close()
    assert Cached(inner, cache).generate(["a"])[0].text == "A"
    assert Cached(inner, cache).generate(["a"])[0].usage.cached == 1
    assert len(inner.asked) == 2


def test_a_damaged_file_is_a_clear_error_and_can_be_cleared(cache: ResponseCache) -> None:
    cache.path.write_bytes(b"this is no database, and long enough to be looked at as one " * 50)
    with pytest.raises(StoreError, match="cannot be used") as caught:
        Cached(ScriptedModel(generate=upper), cache).generate(["a"])
    assert "cache clear" in caught.value.hint
    cache.clear()
    assert Cached(ScriptedModel(generate=upper), cache).generate(["a"])[0].text == "A"


def test_values_are_json(cache: ResponseCache) -> None:
    Cached(ScriptedModel(generate=upper), cache).generate(["a"])
    with sqlite3.connect(cache.path) as connection:
        ((value,),) = connection.execute("SELECT value FROM results").fetchall()
    connection.close()
    assert json.loads(value)["text"] == "A"


def test_old_results_and_those_of_one_model_can_be_pruned(cache: ResponseCache) -> None:
    for name in ("one", "two"):
        Cached(ScriptedModel(generate=upper, name=name), cache).generate(["a", "b"])
    assert cache.summary().by_model == {"one": 2, "two": 2}
    assert cache.prune(older_than_days=1) == 0
    assert cache.prune(model="one") == 2
    assert cache.prune(older_than_days=-1) == 2
    assert cache.summary().results == 0


def _ask_many(path: Path, start: int, answers: multiprocessing.Queue) -> None:  # type: ignore[type-arg]
    """In another process: 40 of 60 requests, each process its own answers, overlapping with others."""
    model = Cached(
        ScriptedModel(
            generate=lambda request: f"{request.messages[-1].content} by {start}", fingerprint="one"
        ),
        ResponseCache(path),
    )
    asked = [f"q{(start * 5 + i) % 60}" for i in range(40)]
    for question in asked:
        model.generate([question])
    answers.put({question: model.generate([question])[0].text for question in asked})


def test_eight_processes_on_one_cache_agree(cache: ResponseCache) -> None:
    """Whoever was first, everybody reads the same answer afterwards, and each is there once."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    processes = [context.Process(target=_ask_many, args=(cache.path, n, answers)) for n in range(8)]
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
print("writing", flush=True)
n = 0
while True:
    cache.put(f"key-{n}", "generate", "m", '{"text": "' + "x" * 20000 + '"}')
    n += 1
"""


def test_a_writer_killed_half_way_leaves_nothing_broken(cache: ResponseCache) -> None:
    for attempt in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(cache.path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(0.15 + 0.1 * attempt)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        with sqlite3.connect(cache.path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            values = [value for (value,) in connection.execute("SELECT value FROM results")]
        connection.close()
        assert values
        assert {len(json.loads(value)["text"]) for value in values} == {20000}
    cache.put("after", "generate", "m", "{}")
    assert cache.get(["after"]) == {"after": "{}"}
