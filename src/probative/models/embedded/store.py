"""The converted weights in the user's cache: made once, whole or not at all, and checked at each load.

A model is a folder with a manifest that lists every file's size and sha256. It is built in a
folder beside it and renamed when complete, under a lock that a second process waits for; so a
process killed at any moment leaves either the old state or the new one, and some scratch that
the next pull removes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from probative.errors import WeightsError
from probative.models.embedded.catalog import Source
from probative.models.embedded.convert import CONVERSION, convert_encoder, convert_language_model
from probative.models.embedded.fetch import fetch, sha256_of
from probative.types import Value

MANIFEST = "manifest.json"
_ESSENTIAL = {"model.bin", "config.json", "vocabulary.json", "tokenizer.json", "facts.json"}
KEPT = "source"

Report = Callable[[str, float], None]
"""Called with what is being done and how much of it is done, 0 to 1."""


class Manifest(Value):
    """What a converted model is made of."""

    name: str
    conversion: int
    source_sha256: str
    adapter_sha256: str = ""
    """Of the adapter that was merged, if one was."""
    files: dict[str, tuple[int, str]]
    """File name → (bytes, sha256)."""


class Weights(Value):
    """A converted model that is complete and unharmed."""

    folder: Path
    manifest: Manifest

    @property
    def fingerprint(self) -> str:
        """Names these weights: a change of the source or of the conversion changes it."""
        return self.manifest.files["model.bin"][1][:16]

    @property
    def bytes(self) -> int:
        """Size on disk."""
        return sum(size for size, _ in self.manifest.files.values())


@contextmanager
def scratch_beside(place: Path, name: str) -> Iterator[tuple[Path, Path]]:
    """Two empty folders beside `place`, one to work in and one to fill; `put_whole` makes the filled one the
    model. Both are gone at the end, whatever happens, and so is what a killed process has left.
    """
    for stale in place.parent.glob(f"{name}.scratch-*"):
        shutil.rmtree(stale, ignore_errors=True)
    scratch = place.parent / f"{name}.scratch-{os.getpid()}"
    try:
        work, made = scratch / "work", scratch / "made"
        work.mkdir(parents=True)
        made.mkdir()
        yield work, made
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def put_whole(made: Path, place: Path, *, name: str, source_sha256: str, adapter_sha256: str = "") -> None:
    """Make the filled folder of `scratch_beside` the model at `place`, with its manifest, in one step."""
    manifest = Manifest(
        name=name,
        conversion=CONVERSION,
        source_sha256=source_sha256,
        adapter_sha256=adapter_sha256,
        files={path.name: (path.stat().st_size, sha256_of(path)) for path in sorted(made.iterdir())},
    )
    (made / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")
    if place.exists():
        place.replace(made.with_name("old"))
    made.replace(place)


class Store:
    """The folder that holds the converted models."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, source: Source) -> Path:
        """Where a model is, or would be."""
        return self.folder / f"{source.name}-{CONVERSION}"

    def kept_source(self, source: Source) -> Path:
        """Where the published file is kept when the user asks for that."""
        return self.folder / KEPT / Path(source.main_file).name

    def find(self, source: Source) -> Weights | None:
        """The model, if it is there and every byte of it is as it was written."""
        found, _ = self.inspect(source)
        return found

    def inspect(self, source: Source) -> tuple[Weights | None, str]:
        """The model if it is whole; otherwise None and what is wrong with it."""
        place = self.place(source)
        if not place.exists():
            return None, "not here yet"
        try:
            manifest = Manifest.from_dict(json.loads((place / MANIFEST).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            return None, f"damaged: its manifest cannot be read ({error})"
        if not manifest.files.keys() >= _ESSENTIAL:
            return None, "damaged: its manifest lacks files"
        for name, (size, sha256) in manifest.files.items():
            file = place / name
            # 139 MB take 0.15 s to hash: cheap enough to be sure at each load.
            if not file.is_file() or file.stat().st_size != size or sha256_of(file) != sha256:
                return None, f"damaged: {name} is not as it was written"
        return Weights(folder=place, manifest=manifest), ""

    def ensure(
        self, source: Source, report: Report, *, origin: Path | None = None, keep: bool = False
    ) -> Weights:
        """The model, fetched and converted if it is missing or damaged.

        `origin` and `keep` are for `probative models pull`: where to take the published files
        from, and whether to keep the published main file beside the converted model.
        """
        found = self.find(source)
        if found is not None and (not keep or self._has_kept(source)):
            return found
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self.folder / f"{source.name}.lock"):
                found = self.find(source)  # another process may have been faster
                if found is None or (keep and not self._has_kept(source)):
                    found = self._build(source, report, origin=origin, keep=keep)
                return found
        except OSError as error:
            raise WeightsError(
                f"the weights cannot be written to {self.folder}: {error}",
                hint="free some space (about 500 MB while converting), or set PROBATIVE_HOME to "
                "another folder",
            ) from error

    def _has_kept(self, source: Source) -> bool:
        """Whether the published file is kept here, unharmed."""
        kept = self.kept_source(source)
        return kept.is_file() and sha256_of(kept) == source.files[source.main_file]

    def _build(self, source: Source, report: Report, *, origin: Path | None, keep: bool) -> Weights:
        with scratch_beside(self.place(source), source.name) as (fetched, made):
            kept = self.kept_source(source)
            if origin is None and self._has_kept(source):
                origin = kept
            main = fetch(
                source, fetched, origin=origin, report=lambda part: report(f"fetch {source.title}", part)
            )
            self._convert(source, main, made, report)
            put_whole(
                made,
                self.place(source),
                name=source.name,
                source_sha256=source.files[source.main_file],
                adapter_sha256=source.adapter_sha256,
            )
            if keep:
                kept.parent.mkdir(exist_ok=True)
                main.replace(kept)
        found, problem = self.inspect(source)
        if found is None:
            raise WeightsError(f"{source.title} was converted, but is {problem}", hint="check the disk")
        return found

    def _convert(self, source: Source, main: Path, into: Path, report: Report) -> None:
        def converted(part: float) -> None:
            report(f"convert {source.title}", part)

        converted(0.0)
        try:
            if source.kind == "language model":
                convert_language_model(main, into, converted, source.adapter)
            else:
                convert_encoder(main.parent, into, converted)
        except (ValueError, KeyError, RuntimeError) as error:
            raise WeightsError(
                f"{source.title} could not be converted: {error!r}",
                hint="check the installed versions with 'probative doctor', and report this",
            ) from error
