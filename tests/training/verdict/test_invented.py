"""Claims that are made for training: invented documents, computed claims, and parts of sentences."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from training.large.rows import LABELS
from training.verdict.blocks import read_blocks, shipped_blocks, written
from training.verdict.computed import computed, draw_things, shown
from training.verdict.example import Judged
from training.verdict.fused import fused, name_of, shortened
from training.verdict.invented import invented

TEXT = (
    "Ada Berg was a miller, and her brother kept the books.",
    "She built the first mill, which had two wheels, in 1842.",
    "In the spring of 1871, Ole Lund was elected mayor of Molde.",
    "The Molde Chapel was closed in 1890, because its roof leaked.",
)


@pytest.mark.parametrize("make", [invented, computed])
def test_made_claims_have_all_labels_and_marks_inside_the_evidence(make: object) -> None:
    rows: list[Judged] = list(make(300, random.Random(7)))  # type: ignore[operator]
    counts = Counter(row.label for row in rows)
    assert len(rows) == 300
    assert all(counts[label] > 40 for label in LABELS)
    for row in rows:
        assert all(0 <= index < len(row.evidence) for index in row.gold)
        assert row.label != "insufficient" or not row.gold
        assert "{" not in row.claim + " ".join(row.evidence)


def test_made_claims_are_the_same_for_the_same_seed() -> None:
    assert list(computed(20, random.Random(3))) == list(computed(20, random.Random(3)))
    assert list(invented(20, random.Random(3))) == list(invented(20, random.Random(3)))


def numbers_of(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def test_comparisons_follow_from_the_numbers() -> None:
    """Read the numbers back from the sentences, and hold "longer than" and the like against them."""
    checked = 0
    for row in computed(2000, random.Random(11)):
        found = re.fullmatch(
            r"(.+?) (?:is|was) (longer|shorter|higher|lower|heavier|lighter) than (.+)\.", row.claim
        )
        if found is None or row.label == "insufficient":
            continue
        first, word, second = found.groups()
        stated = [row.evidence[index] for index in row.gold]
        one, other = (
            numbers_of(next(line for line in stated if name.lower() in line.lower()))[-1]
            for name in (first, second)
        )
        larger = one > other
        right = larger if word in ("longer", "higher", "heavier") else not larger
        assert right == (row.label == "supported"), row
        checked += 1
    assert checked > 50


def test_things_have_different_names_and_numbers() -> None:
    for seed in range(50):
        things = draw_things(random.Random(seed))
        assert len(set(things.names)) == len(set(things.numbers)) == len(things.names)
    assert shown(950, random.Random(1)) == "950"


def test_a_shortened_sentence_has_only_words_of_the_sentence() -> None:
    for sentence in TEXT:
        assert set(shortened(sentence).lower().strip(".").split()) <= set(
            sentence.lower().replace(",", "").strip(".").split()
        )
    assert shortened(TEXT[1]) == "She built the first mill in 1842."
    assert shortened("It rained.") == "It rained."


def test_a_name_stands_for_the_pronoun_only_if_the_sentence_before_begins_with_it() -> None:
    assert name_of(TEXT[0]) == "Ada Berg"
    assert name_of("In 1842 the mill was built.") == ""


def test_mixed_parts_are_not_supported() -> None:
    rows = list(fused([TEXT], 60, random.Random(5)))
    assert {row.label for row in rows} == set(LABELS)
    mixed = [row for row in rows if row.source == "fused_mixed"]
    assert mixed
    for row in mixed:
        assert row.binary
        assert row.claim not in " ".join(row.evidence)


def test_blocks_are_whole_and_their_claims_are_shown_among_other_sentences() -> None:
    blocks = shipped_blocks()
    assert len(blocks) > 300
    for block in blocks:
        assert block.sentences
        assert {label for label, _, _ in block.claims} & {"supported", "contradicted"}
        assert all((label == "insufficient") == (not deciding) for label, deciding, _ in block.claims)
    rows = list(written(random.Random(2), times=1))
    assert len(rows) == sum(len(block.claims) for block in blocks)
    assert not any(re.search(r"\{\w+\}", row.claim + " ".join(row.evidence)) for row in rows)


def test_the_claims_of_a_block_belong_to_one_part() -> None:
    parts: dict[str, set[str]] = {}
    for row in written(random.Random(2), times=2):
        parts.setdefault(row.group, set()).add(row.part)
    assert all(len(part) == 1 for part in parts.values())
    assert {part for own in parts.values() for part in own} == {"train", "validation"}


def test_a_bad_block_is_named() -> None:
    with pytest.raises(ValueError, match="no such sentence"):
        read_blocks("# denial\n+ It is shut.\nC3 It is open.")
    with pytest.raises(ValueError, match="neither"):
        read_blocks("# denial\n+ It is shut.\nIt is open.")
