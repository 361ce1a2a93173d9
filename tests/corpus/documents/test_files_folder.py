"""A folder is walked in order, with filters; what cannot be read is named and stops nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from folders import read_folder

from probative.corpus.documents.document import Document
from probative.corpus.documents.files import Filters, FoundFile, Unread, find_files, local_path
from probative.corpus.index.update import update_index
from probative.errors import InputError, WeightsError
from probative.models.embedded.catalog import STATIC
from probative.models.embedded.store import Store
from probative.settings import mark_cache


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    made = tmp_path / "corpus"
    made.mkdir()
    return made


def write(folder: Path, *sources: str) -> None:
    for source in sources:
        file = folder / source
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("It rained.", encoding="utf-8")


def sources_of(folder: Path, filters: Filters | None = None) -> list[str]:
    return [found.source for found in find_files(folder, filters)]


def test_sources_have_slashes_and_are_in_order(folder: Path) -> None:
    write(
        folder,
        "b.txt",
        "a/c.txt",
        "a/b/d.txt",
        "протокол/мая.txt",
        ".git/x.txt",
        "a/.hidden.txt",
        "~$b.docx",
    )
    assert sources_of(folder) == ["a/b/d.txt", "a/c.txt", "b.txt", "протокол/мая.txt"]
    assert ".git/x.txt" in sources_of(folder, Filters(hidden=True))


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        (("*.md",), (), ["a/one.md", "a/old/two.md", "three.md"]),
        (("a/*.md",), (), ["a/one.md"]),
        (("a/**",), ("*.txt",), ["a/one.md", "a/old/two.md"]),
        ((), ("**/old/**",), ["a/four.txt", "a/one.md", "three.md"]),
        (("?????.md",), (), ["three.md"]),
    ],
)
def test_patterns(
    folder: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    write(folder, "a/one.md", "a/old/two.md", "three.md", "a/four.txt")
    assert sorted(sources_of(folder, Filters(include, exclude))) == sorted(expected)


def test_what_cannot_be_read_is_named_and_the_rest_is_read(folder: Path) -> None:
    write(folder, "a.txt", "z.md")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 cut off")
    (folder / "photo.png").write_bytes(b"GIF89a" + bytes(9))
    (folder / "empty.txt").write_bytes(b"")
    (folder / "data.bin").write_bytes(bytes(99))
    results = {result.source: result for result in read_folder(folder)}
    reasons = {source: result.reason for source, result in results.items() if isinstance(result, Unread)}
    assert reasons == {
        "broken.pdf": "damaged",
        "photo.png": "image",
        "empty.txt": "empty",
        "data.bin": "binary",
    }
    assert [source for source, result in results.items() if isinstance(result, Document)] == ["a.txt", "z.md"]


def test_link_loops_end_and_links_to_folders_are_followed(folder: Path) -> None:
    write(folder, "a/b/c.txt", "elsewhere/d.txt")
    (folder / "a" / "b" / "up").symlink_to(folder / "a", target_is_directory=True)
    (folder / "a" / "linked").symlink_to(folder / "elsewhere", target_is_directory=True)
    (folder / "lost.txt").symlink_to(folder / "nowhere.txt")
    (folder / "self.txt").symlink_to(folder / "self.txt")
    found = list(find_files(folder))
    unread = {item.source: item.reason for item in found if isinstance(item, Unread)}
    assert unread == {"a/b/up": "link loop", "lost.txt": "broken link", "self.txt": "broken link"}
    assert [item.source for item in found if not isinstance(item, Unread)] == [
        "a/b/c.txt",
        "a/linked/d.txt",
        "elsewhere/d.txt",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes in the file system are of Unix")
def test_a_pipe_does_not_block(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    (result,) = read_folder(folder)
    assert isinstance(result, Unread)
    assert result.reason == "no file"


def test_one_file_a_file_url_and_an_empty_folder(folder: Path) -> None:
    assert list(find_files(folder)) == []
    write(folder, "a b.txt")
    assert sources_of(folder / "a b.txt") == ["a b.txt"]
    assert [found.source for found in find_files((folder / "a b.txt").as_uri())] == ["a b.txt"]
    assert [found.source for found in find_files(folder.as_uri())] == ["a b.txt"]


def test_what_is_no_folder_is_an_error(folder: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        list(find_files(folder / "none"))
    with pytest.raises(InputError, match="not a local file"):
        local_path("https://example.org/a.pdf")


def test_a_cache_below_the_folder_is_named_and_not_read(folder: Path) -> None:
    write(folder, "a.txt", "home/weights/model/vocabulary.json", "other/b.txt", "home/c.txt", "target/d.txt")
    mark_cache(folder / "home" / "weights")
    signature = "Signature: 8a477f597d28d172789f06886806bc55"
    (folder / "target" / "CACHEDIR.TAG").write_text(signature, encoding="utf-8")
    (folder / "other" / "CACHEDIR.TAG").write_text("Signature: another", encoding="utf-8")
    found = list(find_files(folder))
    unread = [(entry.source, entry.reason) for entry in found if isinstance(entry, Unread)]
    assert unread == [("home/weights", "cache"), ("target", "cache")]
    files = [entry.source for entry in found if isinstance(entry, FoundFile)]
    assert files == ["a.txt", "home/c.txt", "other/b.txt"]
    # A folder that the user names is read.
    assert sources_of(folder / "target") == ["d.txt"]


def test_documents_of_a_folder_that_became_a_cache_leave_the_index(folder: Path, tmp_path: Path) -> None:
    write(folder, "a.txt", "target/d.txt")
    assert update_index(folder, tmp_path / "index").documents == 2
    mark_cache(folder / "target")
    assert update_index(folder, tmp_path / "index").documents == 1


@pytest.mark.parametrize("old", [[], ["home/weights/old/vocabulary.json"]])
def test_the_weights_are_no_documents(folder: Path, old: list[str]) -> None:
    """The home may be below the corpus, with weights of an older version or none."""
    write(folder, "a.txt", *old)
    with pytest.raises(WeightsError):
        Store(folder / "home/weights").ensure(STATIC, lambda what, part: None, origin=folder / "nothing")
    write(folder, "home/weights/new/vocabulary.json")
    assert [entry.source for entry in find_files(folder) if isinstance(entry, FoundFile)] == ["a.txt"]
