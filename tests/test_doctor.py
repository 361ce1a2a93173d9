"""What `doctor` finds in weights that were replaced, and what it says about the speed of models."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from tiny import ship_large

from probative import doctor
from probative.models.embedded.catalog import CONVERSION, STATIC, Source
from probative.models.embedded.store import MANIFEST, Manifest, Store
from probative.settings import Settings, load_settings

FILES = {"model.bin": b"other weights", "tokenizer.json": b"{}", "facts.json": b"{}"}


def replace_weights(store: Store, source: Source, **facts: object) -> None:
    """Write files in place of a model, with a manifest that vouches for them."""
    folder = store.model_folder(source)
    folder.mkdir(parents=True)
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    manifest = Manifest(
        name=source.name,
        conversion=CONVERSION,
        source_sha256=source.files[source.main_file],
        files={name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in FILES.items()},
    ).model_copy(update=facts)
    (folder / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings().model_copy(update={"home": tmp_path / "new"})


def finding(settings: Settings) -> doctor.Finding:
    """Return what is found about the static encoder."""
    (found,) = (each for each in doctor._weights(settings) if STATIC.title in each.what)
    return found


def test_a_manifest_does_not_vouch_for_itself(settings: Settings) -> None:
    replace_weights(Store(settings.weights_folder), STATIC)
    found = finding(settings)
    assert found.state == "problem"
    assert "model.bin is not what the package makes of the published weights" in found.what
    assert "probative models pull" in found.hint


@pytest.mark.parametrize(
    "facts",
    [{"source_sha256": "0" * 64}, {"adapter_sha256": "1" * 64}, {"conversion": 0}, {"name": "another"}],
)
def test_a_manifest_of_other_weights_is_damage(settings: Settings, facts: dict[str, object]) -> None:
    replace_weights(Store(settings.weights_folder), STATIC, **facts)
    assert "its manifest names other weights than the package" in finding(settings).what


def test_weights_that_the_package_does_not_know_are_taken_as_complete(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = STATIC.model_copy(update={"converted": {"0.0": "another version of the engine"}})
    monkeypatch.setattr("probative.models.embedded.catalog.STATIC", other)
    replace_weights(Store(settings.weights_folder), STATIC)
    assert finding(settings).state == "ok"


@pytest.fixture
def timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The titles of the weights that are here; questions take 4.2 and 35.4 s."""
    ship_large(tmp_path, tmp_path / "wheels", monkeypatch)
    titles = {"tuned SmolLM2-135M-Instruct", "the verdict model", "all-MiniLM-L6-v2", "tuned Tiny Large"}
    seconds = {"embedded": 4.2, "embedded:large": 35.4}
    monkeypatch.setattr(Store, "find", lambda store, source: source.title in titles)
    monkeypatch.setattr(doctor, "question_seconds", lambda name, settings: seconds[name])
    return titles


def test_a_question_is_measured_with_both_models(timed: set[str]) -> None:
    (found,) = doctor._speed(load_settings({"model": "embedded:large"}))
    assert found.what == "a question takes: embedded 4.2 s, embedded:large 35 s (in use)"
    assert "probative models use large, or small" in found.hint


def test_a_model_that_is_not_here_is_not_estimated(timed: set[str]) -> None:
    timed.remove("tuned Tiny Large")
    (found,) = doctor._speed(load_settings())
    assert found.what == "a question takes: embedded 4.2 s (in use)"
    assert found.hint == "embedded:large is not here: probative models pull large   (a download of 1.1 GB)"
    timed.clear()
    assert not list(doctor._speed(load_settings()))


def test_nothing_is_measured_for_a_model_on_a_server(timed: set[str]) -> None:
    assert not list(doctor._speed(load_settings({"model": "openai:a"})))


def test_the_large_model_is_a_problem_only_where_it_is_in_use(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ship_large(tmp_path, tmp_path / "wheels", monkeypatch)

    def found(**names: str) -> list[tuple[str, str]]:
        findings = doctor._weights(settings.model_copy(update=names))
        return [(each.state, each.hint) for each in findings if each.what.startswith("tuned Tiny Large")]

    missing = [("problem", "probative models pull large")]
    assert found() == []
    assert found(model="embedded:large") == found(verdict="embedded:large") == missing
