"""Find the files below a folder; what cannot be opened is named, not fatal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote, urlsplit

from probative.errors import InputError
from probative.settings import CACHE_TAG, is_cache
from probative.text.counted import counted
from probative.types import Value

MAX_DEPTH = 100
INDEX_LABEL = "probative-index.json"
"""The file that makes a folder an index: what is in it are no documents."""
CATALOG, WORDS, STORE = "documents.sqlite", "words", "store.json"
"""Other names in an index, by which it is known if its label is lost."""
# How alike names are that may be meant.
_NEAR = 0.75
_HIDDEN = re.compile(r"[.~$]")
# Folders and files that programs leave behind.
_NO_DOCUMENTS = frozenset(("__pycache__", "node_modules", "Thumbs.db", "desktop.ini", "__MACOSX", CACHE_TAG))


class Unread(Value):
    """A file or folder that was not read: its source, a reason of one or two words, and what happened."""

    source: str
    reason: str
    what: str


@dataclass(frozen=True)
class FoundFile:
    """A file below a folder; `size` and `changed` (nanoseconds) tell whether it is still the same."""

    path: Path
    source: str
    size: int
    changed: int


@dataclass(frozen=True)
class Filters:
    """Which files of a folder are documents, by glob patterns on their sources.

    "*" stands for any characters but "/", "**" also for those; a pattern without "/" holds in every folder.

    >>> Filters(include=("*.md",), exclude=("drafts/**",)).takes("minutes/may.md")
    True
    >>> Filters(include=("*.md",), exclude=("drafts/**",)).takes("drafts/may.md")
    False
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False

    def takes(self, source: str) -> bool:
        """Return whether a source is included and not excluded."""
        included = not self.include or any(matches(source, pattern) for pattern in self.include)
        return included and not any(matches(source, pattern) for pattern in self.exclude)


def matches(source: str, pattern: str) -> bool:
    """Return whether a source fits a glob pattern.

    >>> [matches("a/b/may.pdf", pattern) for pattern in ("*.pdf", "a/*.pdf", "a/**/*.pdf")]
    [True, False, True]

    A folder stands for what is below it:

    >>> [matches("a/b/may.pdf", pattern) for pattern in ("a", "a/b/", "./a/b", "b", "may")]
    [True, True, True, True, False]
    """
    pattern = pattern.removeprefix("./")
    anchored = pattern.strip("/") if "/" in pattern.strip("/") else f"**/{pattern.strip('/')}"
    expression = ""
    position = 0
    for match in re.finditer(r"\*\*/|\*\*|\*|\?", anchored):
        expression += re.escape(anchored[position : match.start()])
        expression += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}[match.group()]
        position = match.end()
    expression += re.escape(anchored[position:])
    expression += "(?:/.*)?"
    return re.fullmatch(expression, source, re.DOTALL) is not None


def find_files(folder: str | Path, filters: Filters | None = None) -> Iterator[FoundFile | Unread]:
    """Yield the files below a folder in the order of their names; a link to a folder is followed once.

    A file may be given in place of the folder; it is the only one then. Raises `InputError` if there is
    neither, or if the folder is an index; an index below it is left out. Folders that cannot be opened or are
    marked as a cache, and links that lead nowhere or in a circle, come as `Unread`.
    """
    root = local_path(folder)
    if root.is_file():
        yield from _file(root, root.name)
        return
    if not root.is_dir():
        raise InputError(
            f"there is no folder {str(root)!r}", hint="give a folder with documents, or one document"
        )
    if is_index(root):
        raise InputError(
            f"{str(root)!r} is an index, not a folder of documents",
            hint="give the folder that it was made from; its state: probative index INDEX --state",
        )
    yield from _walk(root, "", filters or Filters(), frozenset())


def is_index(folder: Path) -> bool:
    """Return whether a folder is an index, of any version, or what is left of one."""
    if (folder / INDEX_LABEL).is_file():
        return True
    return (folder / CATALOG).is_file() and any((folder / name).exists() for name in (WORDS, STORE))


def near_source(source: str, sources: Sequence[str]) -> str:
    """Return a hint with the source that may be meant; "" if none is near.

    >>> near_source("may.pdf", ["minutes/may.pdf", "log.txt"]), near_source("lag.txt", ["log.txt"])
    ("did you mean 'minutes/may.pdf'?", "did you mean 'log.txt'?")
    """
    name = source.rpartition("/")[2]
    same = [other for other in sources if other.rpartition("/")[2] == name]
    near = same or get_close_matches(source, sources, n=1, cutoff=_NEAR)
    return f"did you mean {near[0]!r}?" if near else ""


def local_path(place: str | Path) -> Path:
    """Return the path of a local file or folder, which may be given as a file URL; raises `InputError`.

    >>> local_path("file:///data/minutes%20of%20May.pdf").as_posix()
    '/data/minutes of May.pdf'
    """
    if isinstance(place, Path) or "://" not in place:
        return Path(place).expanduser()
    parts = urlsplit(place)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise InputError(
            f"{place} is not a local file", hint="download it first, and give the folder; nothing is fetched"
        )
    path = unquote(parts.path)
    # file:///C:/data on Windows
    return Path(path[1:] if re.match(r"/[A-Za-z]:", path) else path)


def _walk(
    folder: Path, prefix: str, filters: Filters, above: frozenset[tuple[int, int]]
) -> Iterator[FoundFile | Unread]:
    """Yield the files below a folder. `above` are the folders that lead to it."""
    try:
        status = folder.stat()
        identity = (status.st_dev, status.st_ino)
        if identity in above:
            yield Unread(source=prefix, reason="link loop", what=f"{prefix} leads back to a folder above it")
            return
        names = sorted(path.name for path in folder.iterdir())
        if is_index(folder):
            return
    except OSError as error:
        source = prefix or folder.name
        yield Unread(source=source, reason="no access", what=f"{source} cannot be opened: {error.strerror}")
        return
    if above and CACHE_TAG in names and is_cache(folder):
        yield Unread(source=prefix, reason="cache", what=f"{prefix} is marked as a cache ({CACHE_TAG})")
        return
    if len(above) >= MAX_DEPTH:
        yield Unread(source=prefix, reason="too deep", what=f"{prefix} is more than {MAX_DEPTH} folders deep")
        return
    for name in names:
        if name in _NO_DOCUMENTS or (not filters.hidden and _HIDDEN.match(name)):
            continue
        path, source = folder / name, f"{prefix}/{name}" if prefix else name
        if path.is_dir():
            yield from _walk(path, source, filters, above | {identity})
        elif filters.takes(source):
            yield from _file(path, source)


def _file(path: Path, source: str) -> Iterator[FoundFile | Unread]:
    try:
        status = path.stat()
    except OSError:
        reason = "broken link" if path.is_symlink() else "no access"
        yield Unread(source=source, reason=reason, what=f"{source} cannot be opened ({reason})")
        return
    yield FoundFile(path, source, status.st_size, status.st_mtime_ns)


def unread_note(unread: Sequence[Unread], named: int = 3) -> str:
    """Return how many files were not read and why, with the names of the first ones.

    >>> unread_note([Unread(source="a.pdf", reason="scanned", what="a.pdf has 3 pages of images")])
    'not read: 1 file (1 scanned): a.pdf'
    """
    reasons = Counter(item.reason for item in unread)
    kinds = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    names = [item.source for item in unread[:named]]
    if names and len(unread) > len(names):
        names.append(f"and {len(unread) - len(names):,} more")
    return f"not read: {counted(len(unread), 'file')} ({kinds})" + (f": {', '.join(names)}" if names else "")
