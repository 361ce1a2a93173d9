"""Which files of a folder are documents, and which documents of a corpus are searched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from probative.corpus.documents.dates import iso_date, language_code
from probative.errors import InputError
from probative.settings import CACHE_TAG, is_cache
from probative.text.labels import counted
from probative.types import Value

MAX_DEPTH = 100
INDEX_LABEL = "probative-index.json"
"""The file that makes a folder an index: what is in it are no documents."""
CATALOG, WORDS, STORE = "documents.sqlite", "words", "store.json"
"""Other names in an index, by which it is known if its label is lost."""
# How alike names are that may be meant.
_NEAR = 0.75
_HIDDEN = re.compile(r"[.~$]")
_GLOB = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
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

    A pattern that begins with "/" holds at the top alone:

    >>> matches("may.pdf", "/may.pdf"), matches("a/may.pdf", "/may.pdf")
    (True, False)
    """
    pattern = pattern.removeprefix("./").rstrip("/")
    anchored = pattern.lstrip("/") if "/" in pattern else f"**/{pattern}"
    parts = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", anchored)
    expression = "".join(_GLOB.get(part) or re.escape(part) for part in parts)
    return re.fullmatch(f"{expression}(?:/.*)?", source, re.DOTALL) is not None


def find_files(folder: str | Path, filters: Filters | None = None) -> Iterator[FoundFile | Unread]:
    """Yield the files below a folder in the order of their names; a link to a folder is followed once.

    A file may be given in place of the folder; it is the only one then. Raises `InputError` if there is
    neither, or if the folder is an index; an index below it is left out. Folders that cannot be opened or are
    marked as a cache, and links that lead nowhere or in a circle, come as `Unread`.
    """
    root = local_path(folder)
    if root.is_file():
        yield _file(root, root.name)
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


def local_path(path_or_url: str | Path) -> Path:
    """Return the path of a local file or folder, which may be given as a file URL; raises `InputError`.

    >>> local_path("file:///data/minutes%20of%20May.pdf").as_posix()
    '/data/minutes of May.pdf'
    """
    if isinstance(path_or_url, Path) or "://" not in path_or_url:
        return Path(path_or_url).expanduser()
    parts = urlsplit(path_or_url)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise InputError(
            f"{path_or_url} is not a local file",
            hint="download it first, and give the folder; nothing is fetched",
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
            yield _file(path, source)


def _file(path: Path, source: str) -> FoundFile | Unread:
    try:
        status = path.stat()
    except OSError:
        reason = "broken link" if path.is_symlink() else "no access"
        return Unread(source=source, reason=reason, what=f"{source} cannot be opened ({reason})")
    return FoundFile(path, source, status.st_size, status.st_mtime_ns)


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


_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


class SearchFilters(Value):
    """All conditions must hold; one with several values holds if one of them fits.

    `sources` are glob patterns. `since` and `until` are dates as YYYY, YYYY-MM or YYYY-MM-DD, both included;
    a document without a date fits neither. `languages` are ISO 639-1 codes. `metadata` compares values
    without case; in them, `*` stands for any characters.

    >>> filters = SearchFilters(sources=("minutes/*",), since="2024")
    >>> [filters.takes("minutes/may.pdf", date, "en", {}) for date in ("2024-05-02", "2023", None)]
    [True, False, False]
    """

    sources: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    languages: tuple[str, ...] = ()
    metadata: dict[str, str] = Field(default_factory=dict)

    @field_validator("since", "until")
    @classmethod
    def _check_date(cls, date: str | None) -> str | None:
        if date is not None and (not _DATE.fullmatch(date) or iso_date(date) != date):
            raise ValueError(f"a date must be YYYY, YYYY-MM or YYYY-MM-DD, got {date!r}")
        return date

    @field_validator("languages")
    @classmethod
    def _check_languages(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        for language in languages:
            if not language_code(language):
                raise ValueError(f"a language must be a code of two letters such as en, got {language!r}")
        return tuple(language_code(language) for language in languages)

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if self.since and self.until and _prefix(self.since, self.until) > _prefix(self.until, self.since):
            raise ValueError(f"since {self.since} is after until {self.until}")
        return self

    @classmethod
    def of(cls, **values: Any) -> Self:
        """Return the filters with these values; raises `InputError`."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            what = first["msg"].removeprefix("Value error, ")
            raise InputError(f"the filter {where} cannot be used: {what}" if where else what) from None

    def __bool__(self) -> bool:
        """Return whether there is any condition."""
        return self != SearchFilters()

    def takes(self, source: str, date: str | None, language: str, metadata: Mapping[str, str]) -> bool:
        """Return whether a document with these properties is searched."""
        if self.sources and not any(matches(source, pattern) for pattern in self.sources):
            return False
        if self.languages and language not in self.languages:
            return False
        if not self._in_time(date):
            return False
        values = {name.lower(): value.lower() for name, value in metadata.items()}
        return all(
            fnmatchcase(values.get(name.lower(), ""), _value_pattern(value))
            for name, value in self.metadata.items()
        )

    def _in_time(self, date: str | None) -> bool:
        """Return whether a date is between `since` and `until`, as far as each is given."""
        if self.since is None and self.until is None:
            return True
        if date is None:
            return False
        late_enough = self.since is None or _prefix(date, self.since) >= _prefix(self.since, date)
        return late_enough and (self.until is None or _prefix(date, self.until) <= _prefix(self.until, date))


def _value_pattern(value: str) -> str:
    """Return the pattern of a value in which only `*` has a meaning."""
    return re.sub(r"[\[?]", lambda match: f"[{match[0]}]", value.lower())


def _prefix(date: str, other: str) -> str:
    """Return the part of a date that another date says, too: "2024" and "2024-05" compare by the year."""
    return date[: min(len(date), len(other))]
