"""The store that a user names with `--store`, and the label by which an index finds its store again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from probative.corpus.folder import STORE
from probative.corpus.index.index_label import rebuild_hint
from probative.errors import InputError, StoreError
from probative.registry import Registry
from probative.types import Value

EMBEDDED = "embedded"
"""The store in the folder of the index itself."""
STORES = Registry(
    "store",
    {"milvus": "probative.corpus.stores.milvus:MilvusStore"},
    group="probative.stores",
    others=[EMBEDDED],
)
_CREDENTIALS = re.compile(r"//[^/@]*@")


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
        """Where the store is."""
        return StoreAddress(kind=self.kind, place=self.place)


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


def write_store_label(index: Path, label: StoreLabel | None) -> None:
    """Write the store of an index in one step, or remove it for the embedded one."""
    file = index / STORE
    try:
        if label is None:
            file.unlink(missing_ok=True)
            return
        new = file.with_name(f".{STORE}")
        new.touch(mode=0o600)
        new.write_text(label.to_json() + "\n", encoding="utf-8")
        new.replace(file)
    except OSError as error:
        raise StoreError(
            f"the index {index} cannot be written: {error.strerror or error}", hint="free some space"
        ) from error
