"""The libraries of the page are the published files that VENDOR.md names."""

from __future__ import annotations

import hashlib
import re
from importlib.resources import files
from pathlib import Path

import pytest

VENDOR = Path(str(files("probative"))) / "server" / "page" / "vendor"
LISTED = {
    name: digest
    for digest, name in re.findall(
        r"^([0-9a-f]{64})  (\S+)$", (VENDOR / "VENDOR.md").read_text("utf-8"), re.M
    )
}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_every_file_is_listed_and_every_listed_file_is_there() -> None:
    there = {path.name for path in VENDOR.iterdir()} - {"VENDOR.md"}
    assert there == set(LISTED) - {"hooks.mjs"}


@pytest.mark.parametrize("name", sorted(set(LISTED) - {"hooks.mjs"}))
def test_the_file_has_the_listed_checksum(name: str) -> None:
    assert sha256((VENDOR / name).read_bytes()) == LISTED[name]


def test_the_import_is_the_only_change_of_hooks() -> None:
    published = (VENDOR / "hooks.js").read_bytes().replace(b'from"./preact.js"', b'from"preact"')
    assert sha256(published) == LISTED["hooks.mjs"]


def test_no_file_of_the_page_names_another_host() -> None:
    page = VENDOR.parent
    own = [
        path for path in page.rglob("*") if path.suffix in {".js", ".css", ".html"} and path.parent != VENDOR
    ]
    assert own
    for path in own:
        assert not re.search(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", path.read_text("utf-8")), path


def test_no_file_of_the_page_writes_markup() -> None:
    page = VENDOR.parent
    forbidden = re.compile(
        r"(?:inner|outer)HTML\s*[+=]|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write"
        r"|\beval\(|new Function"
    )
    for path in page.rglob("*.js"):
        if path.parent != VENDOR:
            code = "\n".join(
                line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("//")
            )
            assert not forbidden.search(code), path
