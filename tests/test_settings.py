from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from probative import SettingsError, load_model
from probative.server_url import ServerUrl, endpoint
from probative.settings import (
    PROTECTED,
    IgnoredSettingsWarning,
    Settings,
    load_settings,
    user_file,
    write_user_settings,
)
from probative.testing import LoopbackServer


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
    write(tmp_path / "ours.toml", 'home = "mine"\nwheels = "~/w"')
    found = load_settings(environ={}, config=tmp_path / "ours.toml")
    assert found.home_folder == tmp_path / "mine"
    assert found.wheels_folder == Path("~/w").expanduser()


FOREIGN = (
    'base_url = "http://evil.example/v1"\njudge_base_url = "http://evil.example/v1"\n'
    'api_key = "k"\njudge_api_key = "k"\nhome = "."\nwheels = "."\nprompts = "."\n'
    "control_tokens = true\ntimeout = 7\n"
)


@pytest.mark.parametrize("inner", ["", "a/b"])
def test_a_file_found_in_a_folder_cannot_set_addresses_keys_or_folders(tmp_path: Path, inner: str) -> None:
    write(tmp_path / "probative.toml", FOREIGN)
    folder = tmp_path / inner
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.warns(IgnoredSettingsWarning) as notices:
        found = load_settings(environ={"OPENAI_API_KEY": "mine"}, folder=folder)
    assert found == Settings(timeout=7, api_key="mine")
    assert len(notices) == 1
    text = str(notices[0].message)
    assert str(tmp_path / "probative.toml") in text
    assert all(name in text for name in PROTECTED)
    assert all(name in Settings.model_fields for name in PROTECTED)


def test_a_file_that_the_user_names_may_set_everything(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    write(file, FOREIGN)
    write(tmp_path / "work" / "probative.toml", "timeout = 9")
    by_argument = load_settings(environ={}, folder=tmp_path / "work", config=file)
    by_variable = load_settings(environ={"PROBATIVE_CONFIG": str(file)}, folder=tmp_path / "work")
    assert by_argument == by_variable
    assert (by_argument.base_url, by_argument.home_folder) == ("http://evil.example/v1", tmp_path)
    assert by_argument.timeout == 7


def test_the_users_own_file_may_set_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(user_file(), FOREIGN)
    assert load_settings(environ={}).base_url == "http://evil.example/v1"
    monkeypatch.chdir(user_file().parent)
    assert load_settings(environ={}).base_url == "http://evil.example/v1"


def test_a_named_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="does not exist"):
        load_settings(environ={"PROBATIVE_CONFIG": str(tmp_path / "none.toml")})


def test_the_key_of_the_environment_is_not_sent_to_the_server_of_a_foreign_file() -> None:
    with LoopbackServer() as ours, LoopbackServer() as theirs:
        write(Path("probative.toml"), f'base_url = "{theirs.base_url}"\nmodel = "openai:m"')
        with pytest.warns(IgnoredSettingsWarning):
            settings = load_settings(environ={"OPENAI_API_KEY": "mine", "PROBATIVE_BASE_URL": ours.base_url})
        with load_model(settings=settings) as model:
            model.generate(["q"])
        assert (len(ours.bodies), len(theirs.bodies)) == (1, 0)


def test_doctor_and_the_settings_command_show_the_notice() -> None:
    from typer.testing import CliRunner

    from probative.cli.app import app
    from probative.doctor import _files

    write(Path("probative.toml"), 'base_url = "http://evil.example/v1"')
    (_, note) = _files(Settings())
    assert note.state == "note"
    assert "base_url" in note.what
    with pytest.warns(IgnoredSettingsWarning):
        shown = CliRunner().invoke(app, ["settings"], env={"COLUMNS": "300"}).output
    assert "sets base_url: ignored" in shown


def test_credentials_in_an_address_are_masked_wherever_settings_are_shown() -> None:
    address = "https://ann:s3cret@example.org/v1?api_key=k3y&version=2"
    settings = load_settings({"base_url": address, "judge_base_url": address})
    for text in (settings.to_json(), str(settings), repr(settings), str(settings.to_dict())):
        assert "s3cret" not in text
        assert "k3y" not in text
    assert settings.base_url == "https://***@example.org/v1?api_key=***&version=2"
    copied = pickle.loads(pickle.dumps(settings.model_copy(update={"timeout": 1.0})))
    assert endpoint(copied.base_url).login == ("ann", "s3cret")


@pytest.mark.parametrize(
    "address",
    [
        "http://u:s3cret@h:99999/v1",
        "u:s3cret@h/v1",
        "http://[::1?token=s3cret",
        "//s3cret@h",
        "h?X-Api-Key=s3cret",
    ],
)
def test_an_address_that_cannot_be_used_is_masked_too(address: str) -> None:
    assert "s3cret" not in ServerUrl(address)


def test_a_file_found_in_a_folder_cannot_name_a_model_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "probative.toml").write_text('model = "hf:./weights"\ntimeout = 7\n', encoding="utf-8")
    with pytest.warns(IgnoredSettingsWarning, match="sets model: ignored, because you"):
        settings = load_settings(folder=tmp_path, environ={})
    assert (settings.model, settings.timeout) == ("embedded", 7.0)
    named = load_settings(config=tmp_path / "probative.toml", environ={})
    assert named.model == "hf:./weights"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'model = "openai:a"\n'),
        ('# mine\nmodel = "x"  # old\ntimeout = 5\n', '# mine\nmodel = "openai:a"  # old\ntimeout = 5\n'),
        ("timeout = 5", 'model = "openai:a"\ntimeout = 5'),
        ('judge_model = "x"\n', 'model = "openai:a"\njudge_model = "x"\n'),
    ],
)
def test_one_setting_of_the_users_file_is_written_and_the_rest_stays(before: str, after: str) -> None:
    write(user_file(), before)
    assert write_user_settings({"model": "openai:a"}) == user_file()
    assert user_file().read_text(encoding="utf-8") == after
    assert load_settings(environ={}).model == "openai:a"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('verdict = "hf:mine"  # sure\ntimeout = 5\n', 'model = "embedded:large"\ntimeout = 5\n'),
        ("timeout = 5\r\nverdict = 'model'", 'model = "embedded:large"\r\ntimeout = 5\r\n'),
    ],
)
def test_a_setting_of_the_users_file_is_removed(before: str, after: str) -> None:
    write(user_file(), "")
    user_file().write_bytes(before.encode())
    write_user_settings({"model": "embedded:large", "verdict": None})
    assert user_file().read_bytes() == after.encode()


def test_a_setting_that_cannot_be_removed_leaves_the_file_as_it_is() -> None:
    before = 'timeout = 5\n"verdict" = "model"\n'
    write(user_file(), before)
    with pytest.raises(SettingsError, match="verdict is not a plain line of it") as caught:
        write_user_settings({"model": "openai:a", "verdict": None})
    assert caught.value.hint == 'write the line model = "openai:a" into it by hand'
    assert user_file().read_text(encoding="utf-8") == before


def test_a_file_that_cannot_be_changed_in_one_line_stays_as_it_is() -> None:
    before = 'timeout = """\nmodel = "x"\n"""\n'
    write(user_file(), before)
    with pytest.raises(SettingsError, match="cannot be changed") as caught:
        write_user_settings({"model": "openai:a"})
    assert 'model = "openai:a"' in caught.value.hint
    assert user_file().read_text(encoding="utf-8") == before


def test_line_ends_links_and_rights_of_the_users_file_stay(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_bytes(b'timeout = 5\r\nmodel = "x"\r\n')
    kept.chmod(0o600)
    user_file().parent.mkdir(parents=True)
    user_file().symlink_to(kept)
    write_user_settings({"model": 'hf:a"b'})
    assert kept.read_bytes() == b'timeout = 5\r\nmodel = "hf:a\\"b"\r\n'
    assert user_file().is_symlink()
    assert kept.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_no_text_is_an_error_and_stays() -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_bytes(b"\xff\xfe")
    with pytest.raises(SettingsError, match="cannot be changed"):
        write_user_settings({"model": "openai:a"})
    assert user_file().read_bytes() == b"\xff\xfe"
