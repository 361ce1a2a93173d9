"""The options of scope and its presets."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from probative.types import Value

Extractor = Literal["rules", "model", "model-once", "reader"]
Form = Literal["triples", "described"]
Judge = Literal["each", "passage", "together", "words"]
Cover = Literal["paper", "exact", "linked", "learned", "read"]
Decoding = Literal["constrained", "free"]
Planning = Literal["rules", "model"]
Answering = Literal["written", "picked", "read"]


class ScopeOptions(Value):
    """How features are found, judged and covered, and how the answer is made."""

    extractor: Extractor = Field(
        default="model",
        description="how features are found: model: two model calls (the paper's way); model-once: one call; "
        "rules: no model; reader: one short call of the tuned reader",
    )
    form: Form = Field(
        default="triples",
        description="how relations are written: triples (the paper's second version) or described: sentences "
        "(its first version)",
    )
    examples: int = Field(
        default=2, ge=1, le=5, description="worked examples in the extraction prompts; the paper has 5"
    )
    max_nodes: int | None = Field(
        default=10, ge=1, description="the most nodes of a model's extraction; None: all (as in the paper)"
    )
    max_relations: int | None = Field(
        default=10,
        ge=1,
        description="the most relations of a model's extraction; None: all (as in the paper)",
    )
    judge: Judge = Field(
        default="each",
        description="how passages are judged: each: one call per feature and passage (the paper's way); "
        "passage: one call per passage; together: all passages in one call, or as few as fit the window; "
        "words: no language model",
    )
    threshold: float = Field(
        default=0.5, gt=0, lt=1, description="the lowest probability at which a passage carries a feature"
    )
    cover: Cover = Field(
        default="paper",
        description="how the chain is chosen: paper: Algorithm 1; exact: the fewest, then shortest passages "
        "that carry the most features; linked: the strongest passages that name one another; learned: the "
        "passages that the evidence policy takes until it says that they are enough; read: the passages that "
        "the large reader cites, which reads as many as it can at once",
    )
    max_passages: int = Field(
        default=4, ge=1, description="linked, learned: the largest number of passages in the chain"
    )
    min_passages: int = Field(
        default=1, ge=1, description="learned: the smallest number of passages in the chain"
    )
    min_completeness: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="learned, read: the lowest probability at which the chain counts as complete",
    )
    answering: Answering = Field(
        default="written",
        description="how the answer is made: written: the model writes it; picked: the model chooses one of "
        "the names, dates and numbers in the chain (for a small model); read: the tuned reader answers in a "
        "few words, or says that the chain does not contain the answer",
    )
    decoding: Decoding = Field(
        default="constrained",
        description="read: constrained: only what stands in the chain, or yes or no, can "
        "be the answer; free: whatever the reader writes",
    )
    min_certainty: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="the lowest certainty at which an answer counts as supported; by default the one "
        "that was fitted with the certainty",
    )
    extend_if_unanswered: bool = Field(
        default=False,
        description="read with a learned chain: if the reader finds no answer, add the next passage that the "
        "chain leads to, up to `max_passages`, and read again",
    )
    compare: bool = Field(
        default=False,
        description="comparison, counting and arithmetic by a plan: each value is looked up by itself, and "
        "code computes with them; a value that is missing makes the answer insufficient",
    )
    planning: Planning = Field(
        default="rules",
        description="compare: who writes the plan: rules, or the model (and rules if its reply is no plan)",
    )
    parts: bool = Field(
        default=True, description="answer each part of a question that asks for two things by itself"
    )
    min_sources: int = Field(
        default=1,
        ge=1,
        description="how many independent sources must each state the answer; from 2 on, each source is also "
        "read alone",
    )
    robustness: bool = Field(
        default=False,
        description="read each source alone, and say how many state the answer and how many would have to "
        "lie to change it",
    )
    conflicts: bool = Field(default=True, description="detect passages that contradict the chain")
    answer_anyway: bool = Field(
        default=False,
        description="answer even if the chain is incomplete or contradicted (as the paper does); a model "
        "that writes is then not offered `unknown`, and if it still says so it is asked once more without "
        "texts",
    )
    answer_without_chain: bool = Field(
        default=False,
        description="let the model answer even if no passage carries anything (as the paper does)",
    )
    whole_knowledge: bool = Field(
        default=False, description="check: judge all passages as one text (as the paper does), not one by one"
    )
    rounds: int = Field(
        default=2, ge=0, description="with a retriever: how many times missing features are looked up"
    )
    per_query: int = Field(
        default=5, ge=1, description="with a retriever: new passages taken for each missing feature"
    )
    candidates: int | None = Field(
        default=200,
        ge=1,
        description="the largest number of passages judged; words select among more; None: all (as in the "
        "paper)",
    )


PRESETS: dict[str, ScopeOptions] = {
    "paper": ScopeOptions(
        examples=5,
        max_nodes=None,
        max_relations=None,
        parts=False,
        conflicts=False,
        answer_anyway=True,
        answer_without_chain=True,
        whole_knowledge=True,
        rounds=0,
        candidates=None,
    ),
    "calls": ScopeOptions(extractor="model-once", judge="together", cover="exact"),
    "words": ScopeOptions(extractor="rules", judge="words", cover="linked", answering="picked", compare=True),
    "embedded": ScopeOptions(
        extractor="rules",
        judge="words",
        cover="learned",
        answering="read",
        extend_if_unanswered=True,
        compare=True,
    ),
    "large": ScopeOptions(
        extractor="rules",
        judge="words",
        cover="read",
        answering="read",
        compare=True,
        planning="model",
    ),
}
"""`paper`: the paper's extraction, judgement and Algorithm 1, and an answer in every case; docs/papers.md
lists what remains different. `calls`: two calls before the answer. `words`: no call before the answer, which
a small model can give. `embedded`: the evidence policy chooses and the tuned reader answers. `large`: the
large reader chooses what it answers from."""

# The preset used when none is named: for the tuned readers, any other embedded model, and all other models.
TUNED_DEFAULT, LARGE_DEFAULT = "embedded", "large"
SMALL_DEFAULT = "words"
DEFAULT = "calls"


def default_preset(model: str, *, reader: bool) -> str:
    """Return the preset for the model named `model`; `reader` says whether it is the tuned reader.

    >>> default_preset("openai:gpt-4o-mini", reader=False), default_preset("embedded:plain", reader=False)
    ('calls', 'words')
    """
    if reader:
        return LARGE_DEFAULT if model == "embedded:large" else TUNED_DEFAULT
    return SMALL_DEFAULT if model.startswith("embedded") else DEFAULT
