"""The Containerfile: what it copies is there, what it starts exists, and the wheel has all that it needs."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from probative.cli.app import app

ROOT = Path(__file__).parents[2]


class Instruction(NamedTuple):
    name: str
    words: str


def instructions() -> list[Instruction]:
    """Return the instructions of the Containerfile, continued lines joined."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [Instruction(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


INSTRUCTIONS = instructions()
FINAL = INSTRUCTIONS[max(index for index, each in enumerate(INSTRUCTIONS) if each.name == "FROM") :]


def words_of(name: str) -> list[str]:
    return [each.words for each in FINAL if each.name == name]


def copied() -> list[str]:
    """Return the paths that are copied from the context of the build."""
    copies = [shlex.split(each.words) for each in INSTRUCTIONS if each.name == "COPY"]
    return [path for words in copies if not words[0].startswith("--from") for path in words[:-1]]


def test_only_known_instructions_are_used() -> None:
    known = {
        "FROM",
        "ARG",
        "ENV",
        "WORKDIR",
        "COPY",
        "RUN",
        "USER",
        "VOLUME",
        "EXPOSE",
        "HEALTHCHECK",
        "ENTRYPOINT",
    }
    assert {each.name for each in INSTRUCTIONS} == known
    bases = [each.words.split()[0] for each in INSTRUCTIONS if each.name == "FROM"]
    assert all(re.fullmatch(r"docker\.io/library/python:3\.\d+-slim", base) for base in bases)


def test_what_is_copied_exists_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in ignored if line and not line.startswith("#")]
    assert copied()
    for path in copied():
        assert (ROOT / path).exists(), path
        kept = False
        for rule in rules:
            if fnmatch(path, rule.removeprefix("!")):
                kept = rule.startswith("!")
        assert kept, f".dockerignore leaves out {path}"
    assert {rule[1:] for rule in rules if rule.startswith("!")} == set(copied())


def test_the_extras_that_it_installs_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = [each.words.removeprefix("EXTRAS=") for each in INSTRUCTIONS if each.name == "ARG"]
    assert set(extras.split(",")) == {"serve", "mcp"} <= set(project["optional-dependencies"])
    assert any('".[${EXTRAS}]"' in each.words for each in INSTRUCTIONS if each.name == "RUN")
    (named,) = re.findall(r"EXTRAS=([a-z,]+)`", (ROOT / "docs" / "container.md").read_text(encoding="utf-8"))
    assert set(named.split(",")) == {"serve", "mcp", "ocr"} <= set(project["optional-dependencies"])


def test_it_starts_a_server_with_options_that_exist() -> None:
    (entry,) = [json.loads(words) for words in words_of("ENTRYPOINT")]
    group: Any = typer.main.get_command(app)
    assert entry[:2] == ["probative", "serve"]
    known = {flag for part in group.commands["serve"].params for flag in part.opts}
    given = dict(zip(entry[2::2], entry[3::2], strict=True))
    assert set(given) <= known
    assert given["--host"] == "0.0.0.0"  # inside the container; a token is needed
    assert [given["--port"]] == words_of("EXPOSE")
    (volumes,) = [json.loads(words) for words in words_of("VOLUME")]
    assert given["--data"] in volumes
    assert "PROBATIVE_TOKEN" not in "".join(words_of("ENV"))


def test_it_does_not_run_as_root() -> None:
    names = [each.name for each in FINAL]
    assert words_of("USER") == ["probative"]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert "useradd" in words_of("RUN")[0]


def test_the_weights_are_where_the_program_looks_for_them() -> None:
    (home,) = re.findall(r"PROBATIVE_HOME=(\S+)", " ".join(words_of("ENV")))
    pulls = [each.words for each in INSTRUCTIONS if "models pull" in each.words]
    assert len(pulls) == 1
    assert f"PROBATIVE_HOME={home} " in pulls[0]
    assert any(f"{home}/weights {home}/weights" in words for words in words_of("COPY"))


def test_the_health_check_is_a_program_that_asks_the_server() -> None:
    (words,) = words_of("HEALTHCHECK")
    command = json.loads(words[words.index("[") :])
    assert command[:2] == ["python", "-c"]
    compile(command[2], "health", "exec")
    assert f"http://127.0.0.1:{words_of('EXPOSE')[0]}/healthz" in command[2]


@pytest.mark.slow
def test_the_wheel_of_the_copied_files_has_all_that_the_package_has(tmp_path: Path) -> None:
    context = tmp_path / "context"
    context.mkdir()
    for path in copied():
        source = ROOT / path
        if source.is_dir():
            shutil.copytree(source, context / path, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, context)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=context, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(["git", "ls-files", "src/probative"], cwd=ROOT, capture_output=True, text=True)
    assert {path.removeprefix("src/") for path in tracked.stdout.split()} <= names
    assert {"probative/examples/apothecary.tsv"} <= names  # what `probative serve --demo` registers
