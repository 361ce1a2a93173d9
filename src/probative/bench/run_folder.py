"""The folder of a run: its manifest, one line for each finished case, the paid calls and the reports."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from probative.batch.manifest import differing
from probative.batch.output import replace_file, writing
from probative.bench.report import RunReport
from probative.bench.rows import Row
from probative.errors import InputError, InUseError
from probative.types import Usage, Value

MANIFEST, JSON, MARKDOWN, HTML = "manifest.json", "report.json", "report.md", "report.html"
_ANOTHER = "name another --out for the new run"
_PACKAGES = ("numpy", "ctranslate2", "torch", "transformers", "scipy")


class Manifest(Value):
    """How a run was made and how far it is.

    Everything up to `data` decides the results: a run with another value does not resume this one. `weights`
    are the fingerprints of all models that were opened. `trained` are the keys of the cases that trained a
    shipped model, by model. `spent` is what was really paid, over all processes that worked on the run, and
    `money` the same in money, if the prices are known; `pid` is the process that works on it now.
    """

    version: str
    experiment: str
    settings: dict[str, Any]
    models: dict[str, str | None]
    fingerprints: dict[str, str]
    prompts: str
    data: dict[str, str]
    weights: dict[str, str] = Field(default_factory=dict)
    trained: dict[str, list[str]] = Field(default_factory=dict)
    packages: dict[str, str] = Field(default_factory=dict)
    started: str
    ended: str | None = None
    pid: int | None = None
    cases: int = 0
    done: int = 0
    failed: int = 0
    spent: Usage = Usage()
    money: str = ""

    @property
    def trained_keys(self) -> set[str]:
        """The keys of all cases that trained a shipped model."""
        return {key for keys in self.trained.values() for key in keys}

    def decisive(self) -> dict[str, Any]:
        """Return what decides the results, by name."""
        return {
            "experiment": self.experiment,
            "prompts": self.prompts,
            **self.settings,
            **self.models,
            **{f"weights of the {name}": value for name, value in self.fingerprints.items()},
            **self.data,
        }


class RunFolder:
    """The files of a run, read and written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest_file = path / MANIFEST
        self.rows_file = path / "rows.jsonl"
        self.calls_file = path / "calls.sqlite"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Create the folder and hold its lock; raises `InUseError` if another process does."""
        from filelock import FileLock, Timeout

        self._check()
        lock = FileLock(self.path / ".lock")
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                manifest = self.manifest()
                process = f" (process {manifest.pid})" if manifest and manifest.pid else ""
                raise InUseError(
                    f"another run{process} is writing to {self.path}",
                    hint="wait until it ends, or name another --out",
                ) from None
        try:
            yield
        finally:
            lock.release()

    def _check(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"--out is not a folder: {self.path}", hint="name a folder for the run")
        if self.path.is_dir() and not self.manifest_file.exists():
            others = [file.name for file in self.path.iterdir() if file.name != ".lock"]
            if others:
                raise InputError(
                    f"{self.path} is not the folder of a run: it has {min(others)}, no manifest.json",
                    hint="name an empty or a new folder",
                )

    def manifest(self) -> Manifest | None:
        """Return the manifest, or None if there is none; raises `InputError` if it cannot be read."""
        try:
            return Manifest.model_validate_json(self.manifest_file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            field = ".".join(map(str, first["loc"]))
            problem = f"{f' at {field}' if field else ''}: {first['msg']}"
        except (ValueError, OSError) as error:
            problem = f": {error}"
        raise InputError(f"{self.manifest_file} cannot be read{problem}", hint=_ANOTHER)

    def opened(self) -> Manifest:
        """Return the manifest; raises `InputError` if the folder is not that of a run."""
        manifest = self.manifest()
        if manifest is None:
            raise InputError(f"{self.path} is not the folder of a run", hint="name a folder that --out made")
        return manifest

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest; a reader sees the old one or the new one."""
        self.write(MANIFEST, json.dumps(manifest.to_dict(), indent=2, ensure_ascii=False) + "\n")

    def resumed(self, manifest: Manifest) -> Manifest:
        """Return the manifest to go on with: the new one, with the start and the weights of an earlier run.

        Raises `InputError` if the folder has a run of another version, or one that was made otherwise.
        """
        before = self.manifest()
        if before is None:
            return manifest
        if before.version != manifest.version:
            raise InputError(
                f"{self.path} has a run of probative {before.version}, this is {manifest.version}",
                hint=f"{_ANOTHER}, or go on with the version that began it",
            )
        if changed := differing(before.decisive(), manifest.decisive()):
            raise InputError(f"{self.path} has a run that was made otherwise: {changed}", hint=_ANOTHER)
        return manifest.model_copy(update={"started": before.started, "weights": before.weights})

    def rows(self) -> dict[str, Row]:
        """Return the finished rows by the key of their case.

        Only reads: another process may be amid a line. What is not a whole line yet is left out.
        """
        return {row["key"]: row for row, _ in self._whole_lines()}

    def mend_rows(self) -> None:
        """Remove what a killed process left of a line; only for the process that holds the lock."""
        whole = b"".join(line + b"\n" for _, line in self._whole_lines())
        if self.rows_file.exists() and whole != self.rows_file.read_bytes():
            replace_file(self.rows_file, whole.decode("utf-8"))

    def _whole_lines(self) -> Iterator[tuple[Row, bytes]]:
        # Bytes: a line may be cut off within a character.
        for line in self.rows_file.read_bytes().split(b"\n") if self.rows_file.exists() else ():
            with suppress(ValueError):
                yield json.loads(line), line

    def append(self, row: Row) -> None:
        """Append a row as one whole line."""
        line = json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"
        with writing(self.rows_file), self.rows_file.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line)

    def write(self, name: str, text: str) -> None:
        """Replace a file of the folder; a reader sees the old one or the new one."""
        replace_file(self.path / name, text)

    def report(self) -> RunReport:
        """Return the report; raises `InputError` if there is none."""
        try:
            return RunReport.model_validate_json((self.path / JSON).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{self.path} has no report yet", hint="end the run with its command") from None
        except ValueError as error:
            raise InputError(f"{self.path / JSON} cannot be read: {error}") from None


def prompts_hash(more: Path | None = None) -> str:
    """Return a hash of every prompt of the package, and of the files of a folder of the user's own."""
    digest = hashlib.sha256()
    root = Path(str(resources.files("probative")))
    files = sorted(file for file in root.rglob("prompts/**/*") if file.suffix == ".txt")
    if more is not None:
        files += sorted(file for file in more.rglob("*") if file.is_file())
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that may change figures."""
    versions = {"python": platform.python_version()}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions
