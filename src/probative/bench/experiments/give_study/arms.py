"""The arms of an experiment: the methods and options that are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from probative.baselines.graphs.options import GiveBaselineOptions
from probative.bench.experiment import Settings
from probative.errors import InputError
from probative.give.options import PRESETS, GiveOptions

METHOD_NAMES = {
    "direct": "I/O prompt",
    "cot": "CoT",
    "rag": "RAG",
    "tog": "ToG",
    "graphrag": "GraphRAG",
    "give": "GIVE",
}
"""The paper's names of the methods, in the order of its tables."""

# RAG encodes every triple of UMLS (5,877), and of a larger graph only those near to the question.
MAX_ENCODED_EDGES = 6_000


@dataclass(frozen=True)
class Arm:
    """A method with its options: `keywords` are arguments of `Session.reason`."""

    name: str
    keywords: Mapping[str, Any] = field(default_factory=dict)

    @property
    def staged(self) -> bool:
        """Whether the arm answers in stages, as give does."""
        return "method" not in self.keywords


def give_arm(settings: Settings, name: str = "GIVE", **changes: Any) -> Arm:
    """Return an arm of give: the preset `paper`, or that of the option "preset", with the user's options and
    the changes of this arm.

    >>> from pathlib import Path
    >>> give_arm(Settings(Path("."), options={"examples": 1}), "GIVE p=1", entities=1).keywords
    {'preset': 'paper', 'examples': 1, 'entities': 1}
    """
    preset = settings.option("preset", "paper")
    return Arm(name, {"preset": preset, **_own(settings, GiveOptions.model_fields), **changes})


def baseline_arm(settings: Settings, method: str) -> Arm:
    """Return an arm of a baseline, with the user's options. It answers as give's preset does, written or
    chosen, so that the methods differ only in what they know.

    >>> from pathlib import Path
    >>> baseline_arm(Settings(Path("."), seed=4), "tog")
    Arm(name='ToG', keywords={'method': 'tog', 'seed': 4})
    >>> baseline_arm(Settings(Path("."), options={"preset": "small"}), "tog").keywords["answering"]
    'chosen'
    """
    own = _own(settings, GiveBaselineOptions.model_fields)
    limits = {"max_encoded_edges": MAX_ENCODED_EDGES} if method == "rag" else {}
    preset = PRESETS.get(str(settings.option("preset", "paper")), PRESETS["paper"])
    answering = {"answering": preset.answering} if preset.answering != "written" else {}
    keywords = {"method": method, "seed": settings.seed, **limits, **answering, **own}
    return Arm(METHOD_NAMES[method], keywords)


def method_arms(settings: Settings, methods: Sequence[str]) -> list[Arm]:
    """Return an arm for each method, or for those of them that the option "methods" names."""
    wanted = names_in(settings.option("methods", methods))
    unknown = [method for method in wanted if method not in METHOD_NAMES]
    if unknown:
        raise InputError(f"there is no method {unknown[0]!r}", hint=f"use some of {', '.join(METHOD_NAMES)}")
    return [
        give_arm(settings) if method == "give" else baseline_arm(settings, method)
        for method in methods
        if method in wanted
    ]


METHOD_OPTIONS = ("preset", *dict.fromkeys((*GiveOptions.model_fields, *GiveBaselineOptions.model_fields)))
"""The options that go to every arm."""


def names_in(value: str | int | Sequence[str]) -> list[str]:
    """Return the names in a list, or in a text with commas between them; a number is one name.

    >>> names_in("rag, tog"), names_in(("rag",)), names_in(10)
    (['rag', 'tog'], ['rag'], ['10'])
    """
    parts = str(value).split(",") if isinstance(value, str | int) else value
    return [part.strip() for part in parts if part.strip()]


def _own(settings: Settings, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the user's options that a method has."""
    return {name: value for name, value in (settings.options or {}).items() if name in fields}
