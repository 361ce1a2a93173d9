"""Get a data set: download its published files, or take them from where the user has them, and put them where
they are read.
"""

from __future__ import annotations

import http.client
import importlib
import shutil
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO
from urllib.parse import urlsplit

from probative.bench.data.archives import parts
from probative.bench.data.sets import DataFile, DataSet, SetCheck, inspect_set
from probative.errors import InputError

Progress = Callable[[str, float], None]
"""Called with the name of a step and the share of it that is done, 0 to 1."""
TIMEOUT = 60.0
_BLOCK = 1 << 20
_SUFFIXES = {"folder.json": ".json", "folder.xml": ""}


def get_set(
    data: Path, data_set: DataSet, origin: Path | None = None, progress: Progress = lambda step, share: None
) -> SetCheck:
    """Put the files of a set into the data folder, and return what they are; files that are there are kept.

    `origin` is what the user downloaded: a file, a folder or an archive. Without it, the files are
    downloaded. Raises `InputError` if that is not possible; its hint says what to put where.
    """
    data.mkdir(parents=True, exist_ok=True)
    note = ""
    with TemporaryDirectory(dir=data, prefix=".get-") as folder:
        getter = Getter(data, data_set, origin, progress, Path(folder))
        if data_set.made_by:
            if not all((data / file.path).exists() for file in data_set.files):
                module, _, function = data_set.made_by.partition(":")
                note = getattr(importlib.import_module(module), function)(getter)
        else:
            for file in data_set.files:
                getter.place(file)
    return inspect_set(data, data_set).model_copy(update={"note": note})


@dataclass
class Getter:
    """Puts the files of a set into the data folder; an archive is downloaded once, into `downloads`."""

    data: Path
    data_set: DataSet
    origin: Path | None
    progress: Progress
    downloads: Path
    downloaded: dict[str, Path] = field(default_factory=dict)

    def place(self, file: DataFile) -> Path:
        """Return where a file is in the data folder, after it was put there: from what the user gives, if it
        is in it, otherwise downloaded. What the user gives is added to a folder that is there already.
        """
        target, whole = self.data / file.path, self.downloads / "whole"
        if target.exists() and not (file.is_folder and self.origin is not None):
            return target
        copy = _copy_folder if file.is_folder else _copy_file
        if not (self.origin is not None and copy(self.origin, file, whole)):
            if self.origin is not None and not file.url:
                raise self.error(f"{self.origin} has no {_name_in(file)}")
            if not copy(self._download(file), file, whole):
                raise self.error(f"{file.url} has no {_name_in(file)}")
        target.parent.mkdir(parents=True, exist_ok=True)
        if whole.is_dir():
            shutil.copytree(whole, target, dirs_exist_ok=True)
            shutil.rmtree(whole)
        else:
            whole.replace(target)
        return target

    def _download(self, file: DataFile) -> Path:
        if not file.url:
            raise self.error(f"{self.data_set.name} cannot be downloaded")
        address = urlsplit(file.url)
        if file.url not in self.downloaded:
            path = self.downloads / str(len(self.downloaded)) / PurePosixPath(address.path).name
            path.parent.mkdir()
            try:
                if address.scheme not in ("http", "https"):
                    raise ValueError(f"{address.scheme} is not http or https")
                with urllib.request.urlopen(file.url, timeout=TIMEOUT) as reply:  # noqa: S310
                    self._write(reply, path, int(reply.headers.get("Content-Length") or 0))
            except (OSError, ValueError, http.client.HTTPException) as error:
                raise self.error(f"{file.url} could not be downloaded: {error}") from None
            self.downloaded[file.url] = path
        return self.downloaded[file.url]

    def _write(self, reply: IO[bytes], path: Path, size: int) -> None:
        written = 0
        with path.open("wb") as out:
            while block := reply.read(_BLOCK):
                written += out.write(block)
                self.progress(f"download {path.name}", written / size if size else 0.0)
        if size > written:
            raise ValueError(f"the connection ended after {written:,} of {size:,} bytes")

    def error(self, what: str) -> InputError:
        """Return an error whose hint says how to get the set."""
        paths = ", ".join(str(self.data / file.path) for file in self.data_set.raw or self.data_set.files)
        steps = self.data_set.steps or "download it on another machine, then give it with --from"
        hint = f"{steps}. Source: {self.data_set.source}. It belongs at {paths}"
        return InputError(what, hint=hint)


def _name_in(file: DataFile) -> str:
    """Return the name of a file in the archive or folder that is published."""
    name = PurePosixPath(urlsplit(file.url).path).name
    is_archive = name.endswith((".zip", ".tar", ".gz", ".tgz", ".bz2")) and not file.path.endswith(name)
    return file.published_as or (name if name and not is_archive else PurePosixPath(file.path).name)


def _copy_file(source: Path, file: DataFile, target: Path) -> bool:
    """Copy the part with the name of a file; returns whether it was found."""
    names = {_name_in(file), PurePosixPath(file.path).name}
    if file.format == "any":  # an archive that is read as it is
        found = next((path for path in (source, *(source / name for name in names)) if path.is_file()), None)
        if found is not None:
            shutil.copyfile(found, target)
        return found is not None
    for name, stream in parts(source):
        if PurePosixPath(name).name in names:
            with target.open("wb") as out:
                shutil.copyfileobj(stream, out)
            return True
    return False


def _copy_folder(source: Path, file: DataFile, target: Path) -> bool:
    """Copy the files of a folder out of the parts of a folder or an archive; returns whether there were any.

    Where a set has files in folders, those of an archive come into a folder named after it.
    """
    inside, suffix = file.published_as.strip("/"), _SUFFIXES.get(file.format)
    for name, stream in parts(source):
        path = PurePosixPath(name)
        if (inside and inside not in path.parts[:-1]) or (suffix is not None and path.suffix != suffix):
            continue
        folder = path.parent.name or source.name.split(".")[0]
        out = target / folder / path.name if "/" in file.pattern else target / path.name
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("wb") as written:
            shutil.copyfileobj(stream, written)
    return target.exists()
