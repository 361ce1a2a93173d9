"""What an index, its vectors and its store say about themselves, and how to make the index again."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from probative.corpus.documents.files import INDEX_LABEL, STORE, Filters, matches
from probative.errors import InputError, StoreError
from probative.registry import Registry
from probative.types import Value

VECTORS_LABEL = "label.json"
EMBEDDED = "embedded"
"""The store in the folder of the index itself."""
STORES = Registry(
    "store",
    {"milvus": "probative.corpus.stores.milvus:MilvusStore"},
    group="probative.stores",
    others=[EMBEDDED],
)
_CREDENTIALS = re.compile(r"//[^/@]*@")


class IndexLabel(Value):
    """What an index folder says about itself: its format, who made it, and the folder it was made from.

    `include`, `exclude` and `hidden` are the filters that chose the files; `dates` are those that the user
    set, each with the pattern of its sources.
    """

    format: int
    version: str
    folder: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hidden: bool = False
    dates: tuple[tuple[str, str], ...] = ()

    @property
    def filters(self) -> Filters:
        """Which files the index was made from."""
        return Filters(self.include, self.exclude, self.hidden)

    def date_of(self, source: str) -> str | None:
        """Return the date that the user set for a source: that of the last pattern it fits."""
        dates = [date for pattern, date in self.dates if matches(source, pattern)]
        return dates[-1] or None if dates else None


class VectorsLabel(Value):
    """Which encoder made the vectors, and how many there are.

    Every passage with a number below `end` has a row, or is gone. The files of the rows are those of a
    `generation`; `checksums` are the CRC-32 of each.
    """

    encoder: str
    dimensions: int
    rows: int = 0
    end: int = 0
    generation: int = 0
    checksums: tuple[int, int, int] = (0, 0, 0)


class StoreAddress(Value):
    """The kind of a store and where it is, as `milvus:http://localhost:19530`.

    >>> StoreAddress.parse("milvus:http://localhost:19530").place
    'http://localhost:19530'
    >>> StoreAddress.parse("embedded") is None
    True
    """

    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.place}"

    @classmethod
    def parse(cls, text: str | None) -> Self | None:
        """Return the address that a string describes, or None for the embedded store; raises `InputError`."""
        if text is None or text == EMBEDDED:
            return None
        kind, _, place = text.partition(":")
        if kind not in STORES:
            raise STORES.unknown(kind)
        if not place.strip():
            raise InputError(f"the store {text!r} has no address", hint=f"write {kind}:http://HOST:PORT")
        if _CREDENTIALS.search(place):
            raise InputError(
                "the address of a store must not contain a password: it would be written into the index",
                hint="set the variable MILVUS_TOKEN to USER:PASSWORD instead",
            )
        if "://" not in place:  # a file: it must be found from every working folder
            place = str(Path(place).expanduser().absolute())
        return cls(kind=kind, place=place)


class StoreLabel(Value):
    """The store of an index, and the name of its passages there."""

    kind: str
    place: str
    collection: str

    @property
    def address(self) -> StoreAddress:
        return StoreAddress(kind=self.kind, place=self.place)


def rebuild_hint(index: Path, folder: str = "") -> str:
    """Return how to make an index again, from the folder in its label if that can be read."""
    if not folder:
        with suppress(OSError, ValidationError):
            folder = IndexLabel.model_validate_json((index / INDEX_LABEL).read_bytes()).folder
    source = shlex.quote(folder) if folder else "FOLDER"
    return f"make it again: probative index {source} --out {shlex.quote(str(index))} --rebuild"


def read_vectors_label(vectors: Path) -> VectorsLabel | None:
    """Return the label of the vectors in a folder, None if there are none; raises `StoreError`."""
    file = vectors / VECTORS_LABEL
    try:
        return VectorsLabel.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is no label of vectors"
        raise StoreError(
            f"the vectors of the index cannot be used: {file}: {what}", hint=rebuild_hint(vectors.parent)
        ) from error


def read_store_label(index: Path) -> StoreLabel | None:
    """Return the store of an index; None for the embedded one. Raises `StoreError`."""
    try:
        return StoreLabel.model_validate_json((index / STORE).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError) as error:
        raise StoreError(
            f"the store of the index {index} cannot be read: {index / STORE} is damaged",
            hint=f"{rebuild_hint(index)} --store STORE",
        ) from error


def write_label(file: Path, label: Value) -> None:
    """Write a label in one step, for its owner only."""
    new = file.with_name(f".{file.name}")
    new.touch(mode=0o600)
    new.write_text(label.to_json() + "\n", encoding="utf-8")
    new.replace(file)


def write_store_label(index: Path, label: StoreLabel | None) -> None:
    """Write the store of an index, or remove it for the embedded one."""
    try:
        if label is None:
            (index / STORE).unlink(missing_ok=True)
        else:
            write_label(index / STORE, label)
    except OSError as error:
        raise StoreError(
            f"the index {index} cannot be written: {error.strerror or error}", hint="free some space"
        ) from error
