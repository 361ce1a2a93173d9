"""Rows of shared beginnings: every token must see its own path, the whole of it, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probative.models.hf.prefixes import BRANCHES, ROW, Layout, Member, Row, alone, fill, lay_out, pack
from probative.models.in_process import Sequel


@st.composite
def sequels(draw: st.DrawFn) -> list[Sequel]:
    """Sequences that leave a few trunks at any token; some are the same, some begin others."""
    trunks = draw(st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=24), min_size=1, max_size=3))
    result = []
    for key in range(draw(st.integers(1, 14))):
        trunk = draw(st.sampled_from(trunks))
        ids = trunk[: draw(st.integers(1, len(trunk)))] + draw(
            st.lists(st.integers(0, 3), min_size=1, max_size=8)
        )
        result.append(Sequel(key, ids, draw(st.integers(1, len(ids) - 1))))
    return result


def seen(layout: Layout, row: int, place: int) -> list[int]:
    """The places that one place sees, by the definition of an end."""
    width = layout.ids.shape[1]
    every = range(row * width, place + 1)
    return [other for other in every if place < layout.ends.flat[other]]


@given(sequels(), st.one_of(st.none(), st.integers(4, 40)))
def test_every_token_sees_its_own_path(given_sequels: list[Sequel], longest: int | None) -> None:
    rows = list(pack(given_sequels, longest))
    members = [member for row in rows for member in row.members]
    assert sorted(member.sequel.key for member in members) == list(range(len(given_sequels)))
    layout = lay_out(rows, pad=9, multiple=4)
    width = layout.ids.shape[1]
    assert width % 4 == 0
    paths: dict[int, tuple[int, ...]] = {}
    for nth, row in enumerate(rows):
        assert row.length == sum(member.read for member in row.members)
        assert len(row.members) == 1 or longest is None or row.length <= longest
        first = nth * width
        for place in range(first, first + row.length):
            paths[place] = tuple(layout.ids.flat[other] for other in seen(layout, nth, place))
            assert layout.depths.flat[place] == len(paths[place]) - 1
        of_row = [paths[place] for place in range(first, first + row.length)]
        beginnings = {
            tuple(sequel.ids[:end]) for sequel, _ in row.members for end in range(1, len(sequel.ids) + 1)
        }
        assert len(of_row) == len(beginnings)  # each beginning once
        assert set(of_row) == beginnings
        for place in range(first + row.length, first + width):
            assert seen(layout, nth, place) == [place]
            assert layout.ids.flat[place] == 9
    scored = zip(layout.needed[layout.nth].tolist(), layout.targets.tolist(), strict=True)
    for sequel, _ in members:
        for at in range(sequel.start, len(sequel.ids)):
            place, target = next(scored)
            assert paths[place] == tuple(sequel.ids[:at])
            assert target == sequel.ids[at]
    assert not list(scored)
    assert len(set(layout.needed.tolist())) == len(layout.needed)


@given(sequels(), st.integers(4, 120))
def test_filled_rows_hold_the_same_sequences_and_each_sees_its_own(
    given_sequels: list[Sequel], longest: int
) -> None:
    rows = list(pack(given_sequels, longest))
    filled = fill(rows, longest)
    assert len(filled) <= len(rows)
    assert sum(row.length for row in filled) == sum(row.length for row in rows)
    assert all(row.length <= longest or len(row.members) == 1 for row in filled)
    shortest = sorted(row.length for row in filled)[:2]
    assert len(filled) == 1 or sum(shortest) > longest  # no two would have gone into one
    layout = lay_out(filled)
    scored = zip(layout.needed[layout.nth].tolist(), layout.targets.tolist(), strict=True)
    keys = []
    for nth, row in enumerate(filled):
        for sequel, _ in row.members:
            keys.append(sequel.key)
            for at in range(sequel.start, len(sequel.ids)):
                place, target = next(scored)
                assert [layout.ids.flat[other] for other in seen(layout, nth, place)] == sequel.ids[:at]
                assert layout.depths.flat[place] == at - 1
                assert target == sequel.ids[at]
    assert sorted(keys) == list(range(len(given_sequels)))


def test_what_overflows_a_row_goes_into_another() -> None:
    trunk = list(range(400))
    branches = [Sequel(n, [*trunk, *[500 + n] * 300], 400) for n in range(5)]
    assert [row.length for row in pack(branches)] == [1000, 1000, 700]
    assert all(row.length <= ROW for row in pack(branches))


def test_a_long_passage_is_shared_beyond_a_rows_usual_length() -> None:
    passage = list(range(3 * ROW))
    (row,) = pack([Sequel(n, [*passage, n, n], len(passage)) for n in range(100)])
    assert row.length == 3 * ROW + 200 <= 3 * ROW + 2 + BRANCHES


def test_too_little_in_common_is_not_shared() -> None:
    pair = [Sequel(0, [1, 2, 3], 1), Sequel(1, [1, 2, 4], 1)]
    assert [len(row.members) for row in pack(pair)] == [1, 1]
    same = [Sequel(0, [1, 2], 1), Sequel(1, [1, 2], 1)]
    assert list(pack(same)) == [Row([Member(same[0], 0), Member(same[1], 2)], 2)]
    assert [row.length for row in alone(same)] == [2, 2]
    assert list(pack([])) == []
