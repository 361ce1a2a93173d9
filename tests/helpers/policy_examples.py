"""Invented examples for the policy, and a tokenizer of their words."""

from __future__ import annotations

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from training.policy.evidence import Evidence
from training.policy.plan import Plan

TOWNS = ["molde", "narvik", "bergen", "voss", "alta", "moss"]
SHIPS = ["lark", "heron", "gull", "tern", "swan", "rook"]
# The settings of a training that takes seconds.
PLAN = Plan(minutes=5, steps=40, decisions=16, candidates=4, rate=3e-3, dropout=0.0, workers=0, every=20)
COLOURS = ["red", "blue", "green", "grey", "black", "white"]


def invented(count: int) -> list[Evidence]:
    """Return questions about the town of a ship.

    Two sentences carry the answer: the ship's builder, and the builder's town. The others are about another
    ship, in other words, so that a tiny encoder learns in seconds which are right.
    """
    random = np.random.default_rng(1)
    rows = []
    for number in range(count):
        ship, other = random.choice(SHIPS, 2, replace=False)
        builder, buyer = random.choice(COLOURS, 2, replace=False)
        texts = [
            f"the {ship} was made by {builder}",
            f"{builder} lives in {random.choice(TOWNS)}",
            f"the {other} was sold to {buyer}",
            f"{buyer} sails to {random.choice(TOWNS)}",
        ]
        order = random.permutation(4)
        gold = frozenset(int(np.flatnonzero(order == place)[0]) for place in (0, 1))
        sentences = tuple(texts[place] for place in order)
        part = "choose" if number % 5 == 0 else "train"
        source = "hotpotqa" if number % 2 else "fever"
        rows.append(Evidence(str(number), f"where was the {ship} made", sentences, gold, source, part))
    return rows


def tokenizer_of(rows: list[Evidence]) -> Tokenizer:
    words = sorted({word for row in rows for text in (row.query, *row.sentences) for word in text.split()})
    vocabulary = {word: 110 + place for place, word in enumerate(words)}
    tokenizer = Tokenizer(WordLevel({**vocabulary, "[UNK]": 100}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    return tokenizer
