"""A real OpenAI-compatible server that we did not write: llama.cpp's, through xllamacpp."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from probative import CapabilityError, LanguageModel, Request, generate_objects, load_model

SERVE = """
import sys
import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_parallel = 2
params.n_ctx = 1024
params.cpuparams.n_threads = 2
params.warmup = False
params.verbosity = -1
server = xllamacpp.Server(params)
print("ADDRESS", server.listening_address, flush=True)
sys.stdin.read()
"""


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(gguf: Path) -> Iterator[str]:
    """The server's base URL. It runs in a process of its own, which ends with its standard input."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(gguf)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("ADDRESS"):
            yield f"{line.split()[1].rstrip('/')}/v1"
            break
    process.kill()
    process.communicate()


@pytest.fixture
def model(address: str) -> Iterator[LanguageModel]:
    with load_model("openai:smollm2", base_url=address, cache=False, concurrency=2) as model:
        yield model


def test_it_answers_with_its_own_usage(model: LanguageModel) -> None:
    results = model.generate([Request.user(f"Name a {what}.", max_tokens=4) for what in ("fruit", "river")])
    assert all(result.text.strip() for result in results)
    assert all(result.usage.prompt_tokens > 5 and result.usage.completion_tokens > 0 for result in results)


def test_its_schema_output_is_used(model: LanguageModel) -> None:
    class Colour(BaseModel):
        colour: str
        warm: bool

    (parsed,) = generate_objects(model, [Request.user("Name a colour.", max_tokens=60)], Colour)
    assert parsed.value.colour


def test_it_chooses_through_top_log_probabilities(model: LanguageModel) -> None:
    (choice,) = model.choose(["Is the sun cold? Answer yes or no."], ["yes", "no"])
    assert sum(choice.probabilities) == pytest.approx(1.0)
    assert 0 < choice.coverage <= 1


def test_it_takes_a_request_for_scores_and_ignores_it_which_is_found_out(model: LanguageModel) -> None:
    with pytest.raises(CapabilityError, match="no log-probabilities of the prompt"):
        model.score([("The sky is", " blue")])
