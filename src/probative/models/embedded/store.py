"""The converted weights in the user's cache: written once, completely or not at all, checked at each load.

A model is a folder with a manifest of the size and sha256 of every file. It is built in a scratch folder and
renamed when it is complete, under a lock that a second process waits for. So a process that is killed at any
moment leaves the old state or the new one, and a scratch folder that the next pull removes.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock

from probative.errors import WeightsError
from probative.models.embedded.catalog import CONVERSION, Source
from probative.models.embedded.convert import (
    FACTS,
    HEAD,
    convert_encoder,
    convert_language_model,
    convert_policy,
    convert_static,
)
from probative.models.embedded.fetch import fetch, sha256_of
from probative.models.embedded.parts import check_space, say_goes_on
from probative.models.embedded.shipped import LARGE_PLAIN, LARGE_TUNED, pull_command
from probative.settings import Settings, is_cache, mark_cache
from probative.types import Value

MANIFEST = "manifest.json"
_STATIC = {"model.bin", "tokenizer.json", FACTS}
_ENGINE = {*_STATIC, "config.json", "vocabulary.json"}
_ESSENTIAL = {
    "language model": _ENGINE,
    "encoder": _ENGINE,
    "static encoder": _STATIC,
    "policy": {*_ENGINE, HEAD},
}
PUBLISHED = "source"
"""The folder of the published files that are kept on request."""
VERIFIED = "verified.json"
# Hashing 139 MB takes 0.15 s: cheap enough to be sure at each load. A larger file is hashed again only if its
# size or its time of change is not the one that was noted when its hash was right.
HASHED_AT_EACH_LOAD = 500_000_000

Report = Callable[[str, float], None]
"""Called with the name of a task and its progress, 0 to 1."""


class Manifest(Value):
    """The files of a converted model and their origin."""

    name: str
    conversion: int
    source_sha256: str
    adapter_sha256: str = ""
    """The sha256 of the merged adapter; empty without one."""
    files: dict[str, tuple[int, str]]
    """File name → (bytes, sha256)."""


class Weights(Value):
    """A converted model that is complete and matches its manifest."""

    folder: Path
    manifest: Manifest

    @property
    def fingerprint(self) -> str:
        """Identifies these weights; another source or conversion gives another fingerprint."""
        return self.manifest.files["model.bin"][1][:16]

    @property
    def bytes(self) -> int:
        """Size on disk."""
        return sum(size for size, _ in self.manifest.files.values())

    @property
    def facts(self) -> dict[str, Any]:
        """What the conversion noted about the model: its window, its dimensions, its first token."""
        facts: dict[str, Any] = json.loads((self.folder / FACTS).read_text(encoding="utf-8"))
        return facts


@contextmanager
def scratch_folders(folder: Path, name: str) -> Iterator[tuple[Path, Path]]:
    """Yield two empty folders next to `folder`: one for temporary files, one for the new model, which
    `install_model` installs. Both are removed at the end, with the remains of processes that were killed.
    """
    for stale in folder.parent.glob(f"{name}.scratch-*"):
        shutil.rmtree(stale, ignore_errors=True)
    scratch = folder.parent / f"{name}.scratch-{os.getpid()}"
    try:
        work, made = scratch / "work", scratch / "made"
        work.mkdir(parents=True)
        made.mkdir()
        yield work, made
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def install_model(made: Path, folder: Path, source: Source) -> None:
    """Add a manifest to the new model of `scratch_folders` and move it to `folder` in one step."""
    manifest = Manifest(
        name=source.name,
        conversion=CONVERSION,
        source_sha256=source.main_sha256,
        adapter_sha256=source.adapter_sha256,
        files={path.name: (path.stat().st_size, sha256_of(path)) for path in sorted(made.iterdir())},
    )
    (made / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
    if folder.exists():
        folder.replace(made.with_name("old"))
    made.replace(folder)


class Store:
    """The folder that holds the converted models."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def model_folder(self, source: Source) -> Path:
        """Return the folder of a model, which may not exist."""
        return self.folder / source.converted_folder

    def kept_source(self, source: Source) -> Path:
        """Return the path of the published file, which is kept on request."""
        return self.folder / PUBLISHED / Path(source.main_file).name

    def growing_folder(self, source: Source) -> Path:
        """Return the folder in which a file that comes in parts grows: one for all adapters of the file."""
        return self.folder / "parts" / source.main_sha256[:16]

    def _lock(self, source: Source) -> FileLock:
        """Return the lock of a model that is built; models that grow from one file have one lock."""
        return FileLock(self.folder / f"{source.main_sha256[:16] if source.parts else source.name}.lock")

    def find(self, source: Source) -> Weights | None:
        """Return the model if it exists and every file matches its hash."""
        return self.inspect(source)[0]

    def inspect(self, source: Source) -> tuple[Weights | None, str]:
        """Return the model if it is complete, otherwise None and the problem."""
        folder = self.model_folder(source)
        if not folder.exists():
            return None, "not here yet"
        try:
            manifest = Manifest.from_dict(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            return None, f"damaged: its manifest cannot be read ({error})"
        origin = (source.name, CONVERSION, source.main_sha256, source.adapter_sha256)
        if (manifest.name, manifest.conversion, manifest.source_sha256, manifest.adapter_sha256) != origin:
            return None, "damaged: its manifest names other weights than the package"
        if not manifest.files.keys() >= _ESSENTIAL[source.kind]:
            return None, "damaged: its manifest has no entry for a required file"
        for name, (size, sha256) in manifest.files.items():
            if not _is_intact(folder / name, size, sha256):
                return None, f"damaged: {name} does not match its hash"
        return Weights(folder=folder, manifest=manifest), ""

    def differs_from_package(self, source: Source, weights: Weights) -> bool:
        """Return whether the package knows the result of the conversion, and these weights differ from it.

        The manifest beside the weights only tells that they are complete: who replaces one replaces both.
        """
        import ctranslate2

        expected = source.converted.get("") or source.converted.get(ctranslate2.__version__)
        return expected is not None and weights.manifest.files["model.bin"][1] != expected

    def ensure(
        self,
        source: Source,
        report: Report,
        *,
        origin: Path | None = None,
        keep: bool = False,
        more: bool = False,
    ) -> Weights:
        """Return the model; it is fetched and converted if it is missing or damaged.

        `origin` is a file or folder with the published files; `keep` keeps the published main file, too. With
        `more`, a file that came in parts stays for the next model that is made of it.
        """
        if self.folder.is_dir() and not is_cache(self.folder):
            mark_cache(self.folder)
        weights = self.find(source)
        if weights is not None and (not keep or self._has_kept(source)):
            return weights
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            mark_cache(self.folder)
            with self._lock(source):
                weights = self.find(source)  # another process may have been faster
                if weights is None or (keep and not self._has_kept(source)):
                    weights = self._build(source, report, origin=origin, keep=keep, more=more)
                return weights
        except OSError as error:
            what, size = (source.title, 200) if source.shipped else ("the weights", 500)
            size = max(size, source.disk_bytes // 10**6)
            raise WeightsError(
                f"{what} cannot be written to {self.folder}: {error}",
                hint=f"free some space (about {size} MB while converting), or set PROBATIVE_HOME to "
                "another folder",
            ) from error

    def _has_kept(self, source: Source) -> bool:
        """Return whether the published file is here and matches its hash."""
        published = self.kept_source(source)
        return published.is_file() and sha256_of(published) == source.main_sha256

    def _build(
        self, source: Source, report: Report, *, origin: Path | None, keep: bool, more: bool
    ) -> Weights:
        def fetching(part: float) -> None:
            if source.shipped is None:
                report(f"fetch {source.title}", part)

        if source.shipped is not None:
            print(f"probative: preparing {source.title} in {self.folder}", file=sys.stderr)
        with scratch_folders(self.model_folder(source), source.name) as (fetched, made):
            published = self.kept_source(source)
            if origin is None and self._has_kept(source):
                origin = published
            growing = self.growing_folder(source)
            if source.parts:
                here = sum(file.stat().st_size for file in growing.glob("*.gguf")) if not origin else 0
                check_space(source, self.folder, here=here)
                say_goes_on(source, growing)
            main = fetch(source, fetched, origin=origin, report=fetching, growing=growing)
            self._convert(source, main, made, report)
            install_model(made, self.model_folder(source), source)
            if keep:
                published.parent.mkdir(exist_ok=True)
                main.replace(published)
            if not more:
                shutil.rmtree(growing, ignore_errors=True)
        weights, problem = self.inspect(source)
        if weights is None:
            raise WeightsError(f"{source.title} was converted, but is {problem}", hint="check the disk")
        return weights

    def _convert(self, source: Source, main: Path, into: Path, report: Report) -> None:
        def converted(part: float) -> None:
            report(f"convert {source.title}", part)

        converted(0.0)
        try:
            match source.kind:
                case "language model":
                    # The small tuned model generates in float32 (see `language`), and is stored for that.
                    numbers = "float16" if source.adapter is not None and not source.parts else "int8"
                    convert_language_model(main, into, converted, source.adapter, numbers=numbers)
                case "encoder":
                    convert_encoder(main.parent, into, converted)
                case "policy":
                    convert_policy(main.parent, into, converted)
                case "static encoder":
                    convert_static(main.parent, into)
        except (ValueError, KeyError, RuntimeError) as error:
            raise WeightsError(
                f"{source.title} could not be converted: {error!r}",
                hint="check the installed versions with 'probative doctor', and report this",
            ) from error


def _is_intact(file: Path, size: int, sha256: str) -> bool:
    """Return whether a file has this size and this hash; for a large file, whether it had it when it was last
    changed.
    """
    if not file.is_file() or (stat := file.stat()).st_size != size:
        return False
    if size < HASHED_AT_EACH_LOAD:
        return sha256_of(file) == sha256
    verified, state = file.with_name(VERIFIED), {"size": size, "mtime": stat.st_mtime_ns, "sha256": sha256}
    with suppress(OSError, ValueError):
        if json.loads(verified.read_text(encoding="utf-8")) == state:
            return True
    if sha256_of(file) != sha256:
        return False
    with suppress(OSError):  # the folder may be read-only: then it is hashed each time
        verified.write_text(json.dumps(state), encoding="utf-8")
    return True


def weights_for(source: Source, settings: Settings) -> Weights:
    """Return the weights of a model in the folder of the settings, as `ready_weights` does."""
    return ready_weights(source, settings.weights_folder, origin=settings.wheels_folder)


def ready_weights(source: Source, folder: Path, *, origin: Path | None = None) -> Weights:
    """Return the weights of a model in `folder`; fetches and converts them, with a message, if need be."""
    store = Store(folder)
    weights, problem = store.inspect(source)
    if weights is not None:
        return weights
    if source.parts and origin is None:
        command = pull_command(LARGE_TUNED if source.adapter else LARGE_PLAIN)
        raise WeightsError(f"{source.title} is {problem}", hint=f"run: {command}   (1.1 GB)")
    if source.shipped is None:
        print(f"probative: {source.title} is {problem}; fetching it into {folder}", file=sys.stderr)
    with showing_progress() as report:
        return store.ensure(source, report, origin=origin)


@contextmanager
def showing_progress() -> Iterator[Report]:
    """Yield a report function that draws a progress bar for each task; a line for each in a log file."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    with Progress(*columns, TimeElapsedColumn(), console=console, disable=not console.is_terminal) as bars:
        tasks: dict[str, TaskID] = {}

        def report(what: str, part: float) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=1.0)
                if not console.is_terminal:
                    console.print(f"  {what} …", highlight=False)
            bars.update(tasks[what], completed=part)

        yield report
