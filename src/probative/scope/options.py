"""Every switch of scope, and the presets that set them together."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from probative.values import Value

Extractor = Literal["rules", "model", "model-once"]
Form = Literal["triples", "described"]
Judge = Literal["each", "passage", "together", "words"]
Cover = Literal["paper", "exact", "linked"]
Answering = Literal["written", "picked"]


class ScopeOptions(Value):
    """How features are found, judged and covered, and how the answer is made."""

    extractor: Extractor = Field(
        default="model",
        description="who finds the features: the model in two calls (the paper's), the model in one "
        "(model-once), or rules without any model",
    )
    form: Form = Field(
        default="triples",
        description="relations as triples (the paper's second version) or as sentences (its first)",
    )
    judge: Judge = Field(
        default="each",
        description="each: a call for every feature and passage (the paper's); passage: a call for every "
        "passage; together: all passages in one call, or in as few as fit; words: no language model",
    )
    threshold: float = Field(
        default=0.5, gt=0, lt=1, description="from which probability on a passage carries a feature"
    )
    cover: Cover = Field(
        default="paper",
        description="paper: Algorithm 1; exact: the fewest, then shortest passages that carry the most; "
        "linked: the strongest passages that speak of one another",
    )
    most: int = Field(default=4, ge=1, description="linked: most passages taken")
    answering: Answering = Field(
        default="written",
        description="written: the model writes the answer; picked: it chooses among the names, dates and "
        "numbers of the chain, for a small model",
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
    "words": ScopeOptions(extractor="rules", judge="words", cover="linked", answering="picked"),
}
"""`paper`: as published. `calls`: two calls before the answer. `words`: none, and an answer that a small
model can give."""
