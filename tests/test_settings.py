from __future__ import annotations

from pathlib import Path

import pytest

from probative import SettingsError
from probative.settings import Settings, load_settings


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_an_option_beats_the_environment_beats_the_nearest_file_beats_the_users(tmp_path: Path) -> None:
    folder = tmp_path / "project" / "inner"
    folder.mkdir(parents=True)
    config = tmp_path / "config" / "probative" / "probative.toml"
    names = ["timeout", "retries", "concurrency", "threads"]
    write(config, "timeout = 1\nretries = 1\nconcurrency = 1\nthreads = 1")
    write(tmp_path / "project" / "probative.toml", "timeout = 2\nretries = 2\nconcurrency = 2")
    environ = {"PROBATIVE_TIMEOUT": "3", "PROBATIVE_RETRIES": "3"}
    found = load_settings({"timeout": 4, "model": None}, environ=environ, folder=folder)
    assert [getattr(found, name) for name in names] == [4, 3, 2, 1]
    assert found.model == Settings().model


def test_only_the_nearest_file_counts(tmp_path: Path) -> None:
    write(tmp_path / "a" / "probative.toml", "retries = 1")
    write(tmp_path / "a" / "b" / "probative.toml", "timeout = 9")
    found = load_settings(environ={}, folder=tmp_path / "a" / "b")
    assert (found.timeout, found.retries) == (9, Settings().retries)


@pytest.mark.parametrize(
    ("given", "environ", "file", "names"),
    [
        ({"retries": -1}, {}, "", ("retries", "an option")),
        ({}, {"PROBATIVE_TIMEOUT": "soon"}, "", ("timeout", "the environment")),
        ({}, {}, "concurrency = 0", ("concurrency", "probative.toml")),
        ({}, {}, "modle = 'x'", ("modle", "probative.toml")),
        ({}, {"PROBATIVE_MODLE": "x"}, "", ("modle", "the environment")),
        ({}, {}, "model = ", ("probative.toml", "cannot be read")),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, given: dict[str, object], environ: dict[str, str], file: str, names: tuple[str, str]
) -> None:
    if file:
        write(tmp_path / "probative.toml", file)
    with pytest.raises(SettingsError) as caught:
        load_settings(given, environ=environ, folder=tmp_path)
    assert all(name in str(caught.value) for name in names)


def test_openais_own_key_variable_is_the_last_resort() -> None:
    environ = {"OPENAI_API_KEY": "theirs"}
    found = load_settings(environ=environ)
    assert found.api_key is not None
    assert found.api_key.get_secret_value() == "theirs"
    ours = load_settings(environ={**environ, "PROBATIVE_API_KEY": "ours"})
    assert ours.api_key is not None
    assert ours.api_key.get_secret_value() == "ours"


def test_every_setting_says_what_it_means() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_every_setting_is_in_the_documentation() -> None:
    text = (Path(__file__).parent.parent / "docs" / "settings.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in Settings.model_fields)


def test_a_relative_path_in_a_file_is_meant_from_that_file(tmp_path: Path) -> None:
    write(tmp_path / "probative.toml", 'home = "mine"\nwheels = "~/w"')
    found = load_settings(environ={}, folder=tmp_path)
    assert found.home_folder == tmp_path / "mine"
    assert found.wheels_folder == Path("~/w").expanduser()
