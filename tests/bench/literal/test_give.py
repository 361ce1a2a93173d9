"""Every form of give finds the knowledge that the paper's algorithm, written out literally, finds."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import probative
from give_cost import OURS, ROWS, Script, brute_nearest, literal_cost, made_up, our_cost


class Trigrams(probative.Encoder):
    """Names that share letters are near; no two are equally near."""

    name = "trigrams"
    fingerprint = "trigrams"
    dimensions = 64
    usage = probative.Usage()

    def encode(self, texts: Sequence[str], *, progress: Any = None) -> NDArray[np.float32]:
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            plain = f" {text.casefold()} "
            row[:] = np.random.default_rng(zlib.crc32(plain.encode())).random(self.dimensions)
            for at in range(len(plain) - 2):
                row[zlib.crc32(plain[at : at + 3].encode()) % self.dimensions] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_every_form_finds_the_knowledge_of_algorithm_1(number: int) -> None:
    graph, queries = made_up()
    encoder = Trigrams()
    query = queries[number]
    script = Script([query], encoder)
    triples = [graph.triple(row) for entity in range(graph.entity_count) for row in graph.out_edges(entity)]
    edges = [(one.head, one.relation, one.tail) for one in triples]
    literal = literal_cost(query, edges, brute_nearest(graph, encoder), script)
    ours = {row: our_cost(query, graph, settings, encoder, script) for row, settings in ROWS.items()}
    assert all(literal.knowledge)
    assert {row: cost.knowledge for row, cost in ours.items()} == dict.fromkeys(ROWS, literal.knowledge)
    assert literal.calls >= 8 * ours[OURS].calls
