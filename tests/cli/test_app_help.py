"""What users read first: `--help`, shell completion, and the options that commands share."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command import every_command
from command import run_here as run

from probative.cli.framework.options import ModelOptions, RunOptions
from probative.settings import Settings


def options_of(command: Any) -> set[str]:
    return {name for parameter in command.params for name in parameter.opts if name.startswith("--")}


@pytest.mark.parametrize("words", sorted(every_command()))
def test_every_command_has_examples_that_use_its_own_options(words: str) -> None:
    command = every_command()[words]
    shown = run(*words.split(), "--help", columns=300).stdout
    assert "Examples" in shown
    examples = re.findall(r"^.*probative " + re.escape(words) + r"\b.*$", command.epilog, re.MULTILINE)
    assert examples
    used = {option for example in examples for option in re.findall(r"(?<=\s)--[\w-]+", example)}
    assert used <= options_of(command)


@pytest.mark.parametrize("words", sorted(every_command()))
def test_every_option_is_explained(words: str) -> None:
    for parameter in every_command()[words].params:
        assert parameter.help, f"{words} {parameter.name}"
        assert parameter.help[0].isupper() or parameter.help[0] in "-0" or "," in parameter.help
        assert parameter.help.endswith("."), f"{words} {parameter.name}: {parameter.help}"


VERBS = ("ask", "check", "prove", "reason")


@pytest.mark.parametrize("verb", VERBS)
def test_the_verbs_share_their_options(verb: str) -> None:
    shared = {
        "--model", "--encoder", "--base-url", "--api-key", "--config",
        "--no-cache", "--dry-run", "--json", "--trace", "--fail-on", "--in", "--out", "--limit",
        "--unordered", "--option", "--preset", "--budget-tokens", "--timeout", "--retries",
    }  # fmt: skip
    assert shared <= options_of(every_command()[verb])


def test_no_verb_has_an_option_without_effect() -> None:
    judged = {verb for verb in VERBS if "--judge-model" in options_of(every_command()[verb])}
    seeded = {verb for verb in VERBS if "--seed" in options_of(every_command()[verb])}
    assert (judged, seeded) == ({"ask", "check"}, {"ask", "prove", "reason"})


def test_options_of_settings_are_settings() -> None:
    names = set(ModelOptions.names.split()) - {"config", "no_cache"}
    assert names <= set(Settings.model_fields)
    assert not names & set(RunOptions.__dataclass_fields__)


def test_a_named_file_of_settings_is_used(tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text('base_url = "http://127.0.0.1:9/v1"\ntimeout = 7\n')
    Path("probative.toml").write_text("timeout = 3\n")
    shown = run("settings", "--json", "--config", str(tmp_path / "server.toml")).stdout
    assert '"timeout":7.0' in shown
    assert '"base_url":"http://127.0.0.1:9/v1"' in shown
    assert run("settings", "--config", "nowhere.toml").returncode == 1


@pytest.mark.slow
def test_settings_that_are_ignored_are_told_in_one_line() -> None:
    Path("probative.toml").write_text('base_url = "http://127.0.0.1:9/v1"\n')
    done = subprocess.run(
        [sys.executable, "-m", "probative", "cache", "show"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("probative: note: ")
    assert "sets base_url: ignored" in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete "), ("zsh", "#compdef"), ("fish", "complete ")]
)
def test_a_completion_script_is_printed(shell: str, sign: str) -> None:
    disabled = "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"  # otherwise the shell above pytest is meant
    done = subprocess.run(
        [sys.executable, "-m", "probative", "--show-completion", shell],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", disabled: "1", "PYTHONPATH": ":".join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    assert sign in done.stdout


def test_words_are_completed() -> None:
    environ = {"_PROBATIVE_COMPLETE": "complete_bash", "COMP_WORDS": "probative pro", "COMP_CWORD": "1"}
    assert "prove" in run(**environ).stdout.split()


@pytest.mark.parametrize("words", sorted(every_command()))
def test_what_a_command_takes_is_in_capitals(words: str) -> None:
    arguments = [
        parameter for parameter in every_command()[words].params if parameter.param_type_name == "argument"
    ]
    assert all((argument.metavar or "").isupper() for argument in arguments)
