"""Forks, threads, closing in the middle, pickling: what real programs do to a model."""

from __future__ import annotations

import contextlib
import copy
import multiprocessing
import pickle
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from servers import model_at

from probative import (
    BatchError,
    BudgetError,
    ConnectError,
    ContextError,
    EmptyError,
    MissingExtraError,
    ModelError,
    OutputError,
    RequestError,
)
from probative.models.embedded.encoder import EmbeddedEncoder
from probative.models.embedded.language import EmbeddedModel
from probative.models.openai.model import OpenAIModel
from probative.testing import LoopbackServer
from probative.testing.server import default_answer


def in_fork(work: Any) -> Any:
    """What `work()` gives in a forked child, which must end."""
    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=lambda: send.send(work()))
    child.start()
    assert receive.poll(120), "the child hangs"
    result = receive.recv()
    child.join(timeout=60)
    return result


@pytest.mark.slow
def test_a_model_works_in_a_forked_child(embedded: EmbeddedModel, encoder: EmbeddedEncoder) -> None:
    pair = ("Bread is made of", " flour")
    ours = embedded.score([pair])[0].log_probability
    theirs = in_fork(lambda: embedded.score([pair])[0].log_probability)
    assert theirs == pytest.approx(ours, abs=1e-4)
    encoder.encode(["a text"])
    assert in_fork(lambda: encoder.encode(["a text"]).shape) == (1, 384)


def test_a_server_model_works_in_a_forked_child() -> None:
    with LoopbackServer() as server, model_at(server) as model:
        model.generate(["before"])
        assert in_fork(lambda: model.generate(["after"])[0].text) == default_answer("after")
        assert model.generate(["again"])[0].text == default_answer("again")


def test_closing_a_model_ends_the_batch_that_is_under_way() -> None:
    with LoopbackServer(delay=120.0) as server:
        model = model_at(server, timeout=240.0)

        def close_when_asked() -> None:
            end = time.monotonic() + 60
            while not server.bodies and time.monotonic() < end:
                time.sleep(0.01)
            model.close()

        closing = threading.Thread(target=close_when_asked)
        closing.start()
        with pytest.raises((ConnectError, BatchError)):  # the server would answer in two minutes
            model.generate(["a", "b", "c"])
        closing.join()


def test_closing_while_another_thread_begins_hangs_nobody() -> None:
    """Whoever comes first: a result, or an error that says that the model was closed."""
    with LoopbackServer() as server:
        for _ in range(20):
            model = model_at(server, retries=0)
            model.generate(["first"])
            ended = threading.Event()

            def ask(model: OpenAIModel = model, ended: threading.Event = ended) -> None:
                with contextlib.suppress(ConnectError):
                    model.generate(["second"])
                ended.set()

            thread = threading.Thread(target=ask)
            thread.start()
            model.close()
            assert ended.wait(timeout=120), "the sender hangs"
            thread.join()
            model.close()


@pytest.mark.slow
def test_a_forked_child_ends_at_once() -> None:
    code = (
        "import os, sys, time\n"
        "from probative.testing import LoopbackServer\n"
        "from probative import load_model\n"
        "with LoopbackServer() as server:\n"
        "    model = load_model('openai:m', base_url=server.base_url, cache=False)\n"
        "    model.generate(['q'])\n"
        "    started = time.perf_counter()\n"
        "    if os.fork() == 0:\n"
        "        sys.exit(0)\n"
        "    _, status = os.wait()\n"
        "    print('SLOW' if time.perf_counter() - started > 8 else 'SOON', status)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["SOON", "0"]


def test_a_closed_model_can_be_used_again() -> None:
    with LoopbackServer() as server:
        model = model_at(server)
        for prompt in ("one", "two"):
            assert model.generate([prompt])[0].text == default_answer(prompt)
            model.close()


def test_concurrency_holds_for_all_threads_together() -> None:
    with LoopbackServer(delay=0.05) as server, model_at(server, concurrency=3) as model:
        threads = [
            threading.Thread(target=lambda n=n: model.generate([f"{n} {i}" for i in range(6)]))
            for n in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.most_at_once <= 3


@pytest.mark.parametrize(
    "error",
    [
        ContextError("too long", tokens=9, window=5),
        OutputError("bad", raw="r", model="m", step="s", finish_reason="stop"),
        BatchError(["x", None], {1: EmptyError("nothing")}),
        MissingExtraError("hf", "it"),
        BudgetError("spent", results=[1]),
        RequestError("no", status=400, body="b"),
    ],
)
def test_errors_travel_between_processes(error: ModelError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.__dict__.keys() == error.__dict__.keys()
