"""A folder that may only be read, as one of links: tantivy writes a lock file beside what it reads."""

from __future__ import annotations

import os
import shutil
import weakref
from pathlib import Path
from tempfile import mkdtemp

_LOCKS = ".tantivy-"


class LinkedFolder:
    """A temporary folder with a link to each file of another one, removed with this object.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "meta.json").write_text("{}")
    ...     links = LinkedFolder(Path(folder))
    ...     Path(links.path, "meta.json").read_text()
    '{}'
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.path = Path(mkdtemp(prefix="probative-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        self.refresh()

    def refresh(self) -> None:
        """Add the files that are new since the last time."""
        for file in self._folder.iterdir():
            target = self.path / file.name
            if not file.name.startswith(_LOCKS) and not target.exists():
                try:
                    target.symlink_to(file)
                except OSError:  # some systems let nobody make links
                    shutil.copyfile(file, target)


def needs_links(folder: Path) -> bool:
    """Return whether a folder is there and may only be read."""
    return folder.is_dir() and not os.access(folder, os.W_OK)
