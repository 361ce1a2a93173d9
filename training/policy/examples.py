"""The policy's examples as arrays: every text is tokenised once; an example refers to its texts by number.

One file (`.npz`) has everything that training needs, so that no text is tokenised on the GPU's machine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from probative.models.evidence_policy import SENTENCE_TOKENS
from training.policy.evidence import Evidence

Ints = NDArray[np.int64]


@dataclass
class Examples:
    """Texts as token numbers, and examples as numbers of texts.

    Text t is `tokens[starts[t]:starts[t + 1]]`. Example e has the query `query[e]`, the answer
    `answer[e]` (-1 for none), and the sentences `sentence[first[e]:first[e + 1]]`, with `gold`, `also` and
    `words` (BM25 with the query, in standard deviations) at the same places.
    """

    tokens: NDArray[np.uint16]
    starts: Ints
    query: Ints
    answer: Ints
    first: Ints
    sentence: Ints
    gold: NDArray[np.bool_]
    also: NDArray[np.bool_]
    words: NDArray[np.float16]
    source: NDArray[np.int8]
    choose: NDArray[np.bool_]
    names: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.query)

    def text(self, number: int, most: int) -> NDArray[np.uint16]:
        """Return the first tokens of a text."""
        start = self.starts[number]
        return self.tokens[start : min(start + most, self.starts[number + 1])]

    def places(self, example: int) -> slice:
        """Return the slice of an example's sentences among all."""
        return slice(int(self.first[example]), int(self.first[example + 1]))

    def save(self, file: Path) -> None:
        """Write all arrays into one file."""
        np.savez_compressed(file, **vars(self))

    @classmethod
    def load(cls, file: Path) -> Examples:
        """Read the file that `save` wrote."""
        with np.load(file) as arrays:
            return cls(**{name: arrays[name] for name in arrays.files})


def make_examples(evidence: Sequence[Evidence], tokenizer: Tokenizer) -> Examples:
    """Return the arrays of some examples."""
    numbers: dict[str, int] = {}

    def number(text: str) -> int:
        return numbers.setdefault(text, len(numbers))

    query = [number(one.query) for one in evidence]
    answer = [-1 if one.answer is None else number(one.answer) for one in evidence]
    sentence = [number(text) for one in evidence for text in one.sentences]
    sizes = [len(one.sentences) for one in evidence]
    also = [place in one.also for one in evidence for place in range(len(one.sentences))]
    gold = [place in one.gold for one in evidence for place in range(len(one.sentences))]
    names = sorted({one.source for one in evidence})
    encoded = tokenizer.encode_batch_fast(list(numbers), add_special_tokens=False)
    lengths = [min(len(one.ids), SENTENCE_TOKENS) for one in encoded]
    tokens = np.fromiter(
        (token for one, length in zip(encoded, lengths, strict=True) for token in one.ids[:length]), np.uint16
    )
    return Examples(
        tokens=tokens,
        starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        query=np.array(query, dtype=np.int64),
        answer=np.array(answer, dtype=np.int64),
        first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        sentence=np.array(sentence, dtype=np.int64),
        gold=np.array(gold, dtype=np.bool_),
        also=np.array(also, dtype=np.bool_),
        words=np.concatenate([_words(one) for one in evidence]).astype(np.float16),
        source=np.array([names.index(one.source) for one in evidence], dtype=np.int8),
        choose=np.array([one.part == "choose" for one in evidence], dtype=np.bool_),
        names=np.array(names),
    )


def _words(example: Evidence) -> NDArray[np.float64]:
    """Return BM25 of each sentence for the query, in standard deviations from the mean."""
    from probative.text.words import words

    asked = set(words(example.query))
    said = [words(sentence) for sentence in example.sentences]
    total = len(said)
    mean = sum(map(len, said)) / total or 1.0
    scores = np.zeros(total)
    for word in asked:
        counts = np.array([one.count(word) for one in said], dtype=np.float64)
        if (holding := np.count_nonzero(counts)) == 0:
            continue
        rarity = np.log(1 + (total - holding + 0.5) / (holding + 0.5))
        lengths = np.array([len(one) for one in said], dtype=np.float64)
        scores += rarity * counts * 2.2 / (counts + 1.2 * (0.6 + 0.4 * lengths / mean))
    spread = scores.std()
    return np.asarray((scores - scores.mean()) / (spread if spread > 1e-9 else 1.0))


def show(message: str) -> None:
    """Print progress on standard error."""
    print(message, file=sys.stderr, flush=True)
