"""Every switch of scope, and the presets that set them together."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from probative.types import Value

Extractor = Literal["rules", "model", "model-once", "reader"]
Form = Literal["triples", "described"]
Judge = Literal["each", "passage", "together", "words", "reader"]
Cover = Literal["paper", "exact", "linked", "learned"]
Answering = Literal["written", "picked", "read"]


class ScopeOptions(Value):
    """How features are found, judged and covered, and how the answer is made."""

    extractor: Extractor = Field(
        default="model",
        description="who finds the features: the model in two calls (the paper's), the model in one "
        "(model-once), rules without any model, or the tuned reader in one short call",
    )
    form: Form = Field(
        default="triples",
        description="relations as triples (the paper's second version) or as sentences (its first)",
    )
    judge: Judge = Field(
        default="each",
        description="each: a call for every feature and passage (the paper's); passage: a call for every "
        "passage; together: all passages in one call, or in as few as fit; words: no language model; "
        "reader: as each, in the tuned reader's own short words",
    )
    threshold: float = Field(
        default=0.5, gt=0, lt=1, description="from which probability on a passage carries a feature"
    )
    cover: Cover = Field(
        default="paper",
        description="paper: Algorithm 1; exact: the fewest, then shortest passages that carry the most; "
        "linked: the strongest passages that speak of one another; learned: those that the evidence policy "
        "takes, one after the other, until it says that they are enough",
    )
    most: int = Field(default=4, ge=1, description="linked, learned: most passages taken")
    fewest: int = Field(default=1, ge=1, description="learned: passages taken at least, also beyond enough")
    sure: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="learned: from which probability on the chain counts as complete",
    )
    answering: Answering = Field(
        default="written",
        description="written: the model writes the answer; picked: it chooses among the names, dates and "
        "numbers of the chain, for a small model; read: the tuned reader answers in the fewest words, or "
        "says that the chain does not hold it",
    )
    again: bool = Field(
        default=False,
        description="read, with a learned chain: where the reader finds no answer, the next passage that the "
        "chain leads to is taken as well, up to `most`, and read again",
    )
    compare: bool = Field(
        default=False,
        description="which of two was first or lived longer, or whether both are of one country, is told "
        "without the model where the chain gives the dates or countries of both",
    )
    conflicts: bool = Field(
        default=True, description="look for passages that say something else where the chain says its own"
    )
    answer_anyway: bool = Field(
        default=False, description="answer even if the chain is incomplete or contradicted"
    )
    rounds: int = Field(
        default=2, ge=0, description="how often missing features are looked up again, given a retriever"
    )
    found: int = Field(default=5, ge=1, description="passages taken from the retriever for a missing feature")
    candidates: int = Field(
        default=200, ge=1, description="most passages judged; more are filtered by words and embeddings"
    )


PRESETS: dict[str, ScopeOptions] = {
    "paper": ScopeOptions(),
    "calls": ScopeOptions(extractor="model-once", judge="together", cover="exact"),
    "words": ScopeOptions(extractor="rules", judge="words", cover="linked", answering="picked", compare=True),
    "embedded": ScopeOptions(
        extractor="rules", judge="words", cover="learned", answering="read", again=True, compare=True
    ),
}
"""`paper`: as published. `calls`: two calls before the answer. `words`: none, and an answer that a small
model can give. `embedded`: the evidence policy chooses, and the tuned reader answers."""

# The preset where none is named: of the tuned reader, of any other embedded model, and of all the others.
TUNED_DEFAULT = "embedded"
SMALL_DEFAULT = "words"
DEFAULT = "calls"


def default_preset(model: str, *, reader: bool) -> str:
    """The preset for a model of this name, which is the tuned reader or not.

    >>> default_preset("openai:gpt-4o-mini", reader=False), default_preset("embedded:plain", reader=False)
    ('calls', 'words')
    """
    if reader:
        return TUNED_DEFAULT
    return SMALL_DEFAULT if model.startswith("embedded") else DEFAULT
