"""A folder is walked in order, with filters; what cannot be read is named and stops nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from probative.corpus.document import Document
from probative.corpus.folder import Filters, Unread, find_files, local_path, read_folder
from probative.errors import InputError


def write(folder: Path, *sources: str) -> None:
    for source in sources:
        file = folder / source
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("It rained.", encoding="utf-8")


def sources_of(folder: Path, filters: Filters | None = None) -> list[str]:
    return [found.source for found in find_files(folder, filters)]


def test_sources_have_slashes_and_are_in_order(tmp_path: Path) -> None:
    write(
        tmp_path,
        "b.txt",
        "a/c.txt",
        "a/b/d.txt",
        "протокол/мая.txt",
        ".git/x.txt",
        "a/.hidden.txt",
        "~$b.docx",
    )
    assert sources_of(tmp_path) == ["a/b/d.txt", "a/c.txt", "b.txt", "протокол/мая.txt"]
    assert ".git/x.txt" in sources_of(tmp_path, Filters(hidden=True))


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
    tmp_path: Path, include: tuple[str, ...], exclude: tuple[str, ...], expected: list[str]
) -> None:
    write(tmp_path, "a/one.md", "a/old/two.md", "three.md", "a/four.txt")
    assert sorted(sources_of(tmp_path, Filters(include, exclude))) == sorted(expected)


def test_what_cannot_be_read_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "a.txt", "z.md")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 cut off")
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(9))
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "data.bin").write_bytes(bytes(99))
    results = {result.source: result for result in read_folder(tmp_path)}
    reasons = {source: result.reason for source, result in results.items() if isinstance(result, Unread)}
    assert reasons == {
        "broken.pdf": "damaged",
        "photo.png": "image",
        "empty.txt": "empty",
        "data.bin": "binary",
    }
    assert [source for source, result in results.items() if isinstance(result, Document)] == ["a.txt", "z.md"]


def test_link_loops_end_and_links_to_folders_are_followed(tmp_path: Path) -> None:
    write(tmp_path, "a/b/c.txt", "elsewhere/d.txt")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a", target_is_directory=True)
    (tmp_path / "a" / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (tmp_path / "lost.txt").symlink_to(tmp_path / "nowhere.txt")
    (tmp_path / "self.txt").symlink_to(tmp_path / "self.txt")
    found = list(find_files(tmp_path))
    unread = {item.source: item.reason for item in found if isinstance(item, Unread)}
    assert unread == {"a/b/up": "link loop", "lost.txt": "broken link", "self.txt": "broken link"}
    assert [item.source for item in found if not isinstance(item, Unread)] == [
        "a/b/c.txt",
        "a/linked/d.txt",
        "elsewhere/d.txt",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes in the file system are of Unix")
def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (result,) = read_folder(tmp_path)
    assert isinstance(result, Unread)
    assert result.reason == "no file"


def test_one_file_a_file_url_and_an_empty_folder(tmp_path: Path) -> None:
    assert list(find_files(tmp_path)) == []
    write(tmp_path, "a b.txt")
    assert sources_of(tmp_path / "a b.txt") == ["a b.txt"]
    assert [found.source for found in find_files((tmp_path / "a b.txt").as_uri())] == ["a b.txt"]
    assert [found.source for found in find_files(tmp_path.as_uri())] == ["a b.txt"]


def test_what_is_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        list(find_files(tmp_path / "none"))
    with pytest.raises(InputError, match="not a local file"):
        local_path("https://example.org/a.pdf")
