"""Every sentence of the ten layouts can be quoted from what the reader returns."""

from __future__ import annotations

import pytest

from reading import found, probative, probative_html
from reading_layouts import Layout, layouts
from reading_pages import pages


@pytest.fixture(scope="module")
def made() -> dict[str, Layout]:
    return {layout.name: layout for layout in layouts()}


def test_there_are_ten(made: dict[str, Layout]) -> None:
    assert len(made) == 10


def test_all_sentences_are_found_in_each_layout(made: dict[str, Layout]) -> None:
    assert {name: found(layout, probative(layout.data)) for name, layout in made.items()} == dict.fromkeys(
        made, 1.0
    )


def test_a_reader_that_mixes_columns_finds_less(made: dict[str, Layout]) -> None:
    layout = made["two columns, written by line"]
    mixed = " ".join(reversed(probative(layout.data).split()))
    assert found(layout, mixed) == 0.0


def test_all_sentences_are_found_in_each_page() -> None:
    assert {page.name: found(page, probative_html(page.data)) for page in pages()} == {
        page.name: 1.0 for page in pages()
    }
