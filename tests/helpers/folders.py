"""Read all documents below a folder, for tests."""

from collections.abc import Iterator
from pathlib import Path

from probative.corpus.documents.document import Document
from probative.corpus.documents.files import Unread, find_files
from probative.corpus.reading.limited import read_found


def read_folder(folder: Path) -> Iterator[Document | Unread]:
    """Yield each document below a folder; an `Unread` for each file that cannot be read."""
    for found in find_files(folder):
        (read,) = [found] if isinstance(found, Unread) else read_found([found])
        yield read if isinstance(read, Unread) else read.document
