"""What `doctor` finds in weights that were replaced."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

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
