"""Parts of a collection, and the rows that it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.arguments import parse_part
from training.row_files import append_rows, read_rows


def test_a_part_is_one_of_n() -> None:
    assert parse_part("0/8") == (0, 8)
    with pytest.raises(ValueError, match="got 8/8"):
        parse_part("8/8")


def test_a_line_that_was_cut_off_is_left_out_and_the_last_of_a_key_counts(tmp_path: Path) -> None:
    file = tmp_path / "rows"
    append_rows(file, [{"id": "1", "text": "a\u2028b"}, {"id": "2", "n": 1}])
    append_rows(file, [{"id": "2", "n": 2}])
    with file.open("a") as stream:
        stream.write('{"id": "3", ')
    assert read_rows([file], ("id",)) == [{"id": "1", "text": "a\u2028b"}, {"id": "2", "n": 2}]
    append_rows(None, [{"id": "4"}])
