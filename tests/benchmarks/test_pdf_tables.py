"""The benchmark of tables counts as it says, and the reader gets its pages right."""

from __future__ import annotations

import pytest

import pdf_tables
from pdf_table_drawing import TablePage, Truth
from pdf_table_pages import table_pages, text_pages
from pdf_tables import Extracted, probative, score

TRUTH = Truth(1, ("Boat", "2024 cod", "2024 crab"), (("Gull", "12", ""), ("Tern", "7", "3")), heads=2)
PAGE = TablePage("catch", b"", (TRUTH,))


def test_cells_count_in_their_row_and_column_and_heads_with_the_names_above() -> None:
    head = [["Boat", "2024", ""], ["", "cod", "crab"]]
    whole = score(PAGE, [Extracted(1, [*head, ["Gull", "12", ""], ["Tern", "7", "3"]])])
    assert (whole.cells, whole.heads, whole.of_cells, whole.found, whole.false) == (5, 5, 5, 1, 0)
    shifted = score(PAGE, [Extracted(1, [*head, ["Gull", "12", ""], ["Tern", "", "7"]])])
    assert (shifted.cells, shifted.heads) == (3, 3)
    own = score(PAGE, [Extracted(1, [["Gull", "12", ""], ["Tern", "7", "3"]], ["Boat", "cod", "2024 crab"])])
    assert (own.cells, own.heads) == (5, 3)
    nothing = score(
        PAGE, [Extracted(2, [["Gull", "12"], ["Tern", "7"]]), Extracted(1, [["a", "b"], ["c", "d"]])]
    )
    assert (nothing.cells, nothing.found, nothing.false) == (0, 0, 2)


@pytest.mark.parametrize("page", table_pages(), ids=lambda page: page.name)
def test_every_cell_is_read_with_its_head(page: TablePage) -> None:
    result = score(page, probative(page.data))
    assert (result.cells, result.heads, result.false) == (result.of_cells, result.of_cells, 0)


@pytest.mark.parametrize("page", [*text_pages(), *pdf_tables.layout_pages()], ids=lambda page: page.name)
def test_text_is_no_table(page: TablePage) -> None:
    assert score(page, probative(page.data)).false == 0
