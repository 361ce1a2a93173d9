"""The figures of the paper (`published.toml`), and which of them stand beside ours."""

from __future__ import annotations

from probative.bench.experiment import Settings
from probative.bench.experiments.coe.mixing import SHARES
from probative.bench.published import read_published
from probative.errors import InputError
from probative.types import Value

ByContext = dict[str, tuple[float, float, float, float]]
"""By context, a figure for each share of other text."""
ByModel = dict[str, dict[str, ByContext]]
"""By model, data set and context."""
MODELS = ("GPT-3.5", "GPT-4", "Llama2-13B", "Llama3-70B", "Qwen2.5-32B")
DEFAULT_MODEL = "GPT-3.5"
"""The model whose figures stand beside ours, unless the option `published` names another: the appendices have
only this one."""


class CoeFigures(Value):
    """The tables of the paper; the file says what each has."""

    samples: dict[str, dict[str, tuple[int, float]]]
    effectiveness: ByModel
    faithfulness: ByModel
    robustness: ByModel
    usability: dict[str, dict[str, dict[str, dict[str, float]]]]
    usability_pieces: dict[str, dict[str, float]]
    usability_calls: dict[str, float]
    ablation: dict[str, ByContext]
    single_hop: dict[str, ByContext]
    hops: dict[int, tuple[float, float, float, float]]
    extraction: ByContext
    identified: dict[str, int]


PUBLISHED = read_published("probative.bench.experiments.coe", CoeFigures)


def published_model(settings: Settings) -> str:
    """Return the model of the paper whose figures stand beside ours; raises InputError."""
    name = str(settings.option("published", DEFAULT_MODEL))
    if name not in MODELS:
        raise InputError(f"the paper has no model {name!r}", hint=f"use one of {', '.join(MODELS)}")
    return name


def by_share(figures: ByContext) -> dict[tuple[str, float], float]:
    """Return figures by context and share.

    >>> by_share({"CoE": (9.0, 8.0, 7.0, 6.0)})["CoE", 0.5]
    7.0
    """
    return {
        (context, share): value
        for context, row in figures.items()
        for share, value in zip(SHARES, row, strict=True)
    }
