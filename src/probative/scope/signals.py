"""The signals that say how surely an answer is right, and what each of them is worth.

Each is independent of the others as far as possible: what the reader says about its own answer, what a second
reading says, what the verdict model says about the chain, and what the words show.
"""

from __future__ import annotations

from probative.types import Value


class Signals(Value):
    """What speaks for an answer, each from 0 to 1 apart from `hops`; None if it is not known.

    - `answerable`: 1 − P(unknown) of the reader.
    - `completeness`: the evidence policy's probability that the chain is enough.
    - `probability`: of the answer among the reader's alternatives, and `margin` to the second one.
    - `agreement`: the probability of the same answer when other passages are read.
    - `entailed`, `denied`: the verdict model's probability that the chain supports or contradicts the answer.
    - `fits_kind`: whether the answer is of the kind that is asked for.
    - `names`: the share of the question's names that the chain contains.
    - `words`: the share of the question's other content words that the chain contains.
    - `hops`: the number of passages in the chain.
    - `computed`: whether code computed the answer.
    """

    answerable: float | None = None
    completeness: float | None = None
    probability: float | None = None
    margin: float | None = None
    agreement: float | None = None
    entailed: float | None = None
    denied: float | None = None
    fits_kind: float | None = None
    names: float | None = None
    words: float | None = None
    hops: float | None = None
    computed: float = 0.0
