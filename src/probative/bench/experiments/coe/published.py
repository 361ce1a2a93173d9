"""The figures of the paper, in percent. Those of tables 1 to 5 are the same in both versions; a single figure
by context has one value for each share: 0, 0.25, 0.5, 0.75.
"""

from __future__ import annotations

from collections.abc import Mapping

from probative.bench.experiment import Settings
from probative.bench.experiments.coe.mixing import SHARES
from probative.errors import InputError

ByContext = Mapping[str, tuple[float, ...]]
Figures = Mapping[str, Mapping[str, ByContext]]
"""By model, data set and context."""
MODELS = ("GPT-3.5", "GPT-4", "Llama2-13B", "Llama3-70B", "Qwen2.5-32B")
DEFAULT_MODEL = "GPT-3.5"
"""The model whose figures stand beside ours, unless the option `published` names another: the appendices have
only this one."""


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


EFFECTIVENESS: Figures = {
    "GPT-3.5": {
        "hotpotqa": {
            "CoE": (91.9, 90.3, 89.9, 88.9),
            "SenP": (77.9, 75.6, 73.1, 65.7),
            "WordP": (79.1, 77.5, 75.4, 74.5),
        },
        "2wikimultihopqa": {
            "CoE": (97.4, 96.9, 96.5, 95.4),
            "SenP": (74.1, 68.2, 66.4, 58.4),
            "WordP": (83.5, 81.2, 82.6, 70.8),
        },
    },
    "GPT-4": {
        "hotpotqa": {
            "CoE": (93.5, 93.4, 91.8, 91.2),
            "SenP": (83.4, 82.3, 82.0, 80.1),
            "WordP": (86.4, 86.4, 86.5, 83.8),
        },
        "2wikimultihopqa": {
            "CoE": (93.7, 94.0, 95.4, 95.9),
            "SenP": (67.7, 70.9, 71.5, 64.9),
            "WordP": (79.4, 80.1, 77.3, 74.4),
        },
    },
    "Llama2-13B": {
        "hotpotqa": {
            "CoE": (89.9, 87.9, 86.4, 85.8),
            "SenP": (87.1, 84.2, 82.8, 79.5),
            "WordP": (88.8, 85.2, 84.0, 82.9),
        },
        "2wikimultihopqa": {
            "CoE": (96.5, 95.9, 93.8, 90.9),
            "SenP": (95.3, 93.7, 91.2, 86.6),
            "WordP": (93.3, 91.9, 90.0, 86.3),
        },
    },
    "Llama3-70B": {
        "hotpotqa": {
            "CoE": (92.5, 92.9, 91.1, 90.5),
            "SenP": (76.8, 74.1, 72.6, 69.8),
            "WordP": (74.5, 76.1, 76.8, 68.3),
        },
        "2wikimultihopqa": {
            "CoE": (95.7, 93.7, 95.9, 93.1),
            "SenP": (79.5, 80.3, 76.7, 72.3),
            "WordP": (73.3, 71.4, 69.6, 67.3),
        },
    },
    "Qwen2.5-32B": {
        "hotpotqa": {
            "CoE": (87.8, 87.2, 86.1, 88.0),
            "SenP": (71.3, 38.6, 37.7, 37.3),
            "WordP": (75.7, 64.9, 64.3, 57.2),
        },
        "2wikimultihopqa": {
            "CoE": (90.7, 91.3, 92.1, 91.9),
            "SenP": (53.1, 29.5, 27.8, 22.2),
            "WordP": (67.0, 49.4, 47.5, 45.9),
        },
    },
}
"""Table 2."""

FAITHFULNESS: Figures = {
    "GPT-3.5": {
        "hotpotqa": {
            "CoE": (86.1, 85.8, 84.7, 78.4),
            "SenP": (75.6, 76.0, 72.2, 72.0),
            "WordP": (83.1, 79.1, 77.8, 73.7),
        },
        "2wikimultihopqa": {
            "CoE": (85.0, 86.5, 84.2, 83.3),
            "SenP": (58.5, 53.8, 50.0, 45.2),
            "WordP": (57.4, 52.4, 48.8, 44.9),
        },
    },
    "GPT-4": {
        "hotpotqa": {
            "CoE": (86.5, 85.5, 84.0, 78.2),
            "SenP": (52.2, 50.5, 46.8, 43.2),
            "WordP": (59.0, 58.9, 52.7, 50.5),
        },
        "2wikimultihopqa": {
            "CoE": (85.4, 87.2, 90.6, 92.7),
            "SenP": (68.8, 67.0, 65.2, 62.3),
            "WordP": (76.2, 73.2, 76.8, 75.1),
        },
    },
    "Llama2-13B": {
        "hotpotqa": {
            "CoE": (78.2, 77.1, 71.6, 69.1),
            "SenP": (76.9, 74.1, 70.0, 64.5),
            "WordP": (72.9, 67.3, 67.5, 64.8),
        },
        "2wikimultihopqa": {
            "CoE": (91.5, 89.8, 89.1, 84.1),
            "SenP": (89.8, 87.5, 86.8, 81.6),
            "WordP": (88.6, 86.3, 85.1, 82.1),
        },
    },
    "Llama3-70B": {
        "hotpotqa": {
            "CoE": (82.8, 81.6, 78.0, 78.2),
            "SenP": (76.9, 75.1, 71.7, 62.9),
            "WordP": (72.8, 71.9, 68.0, 64.1),
        },
        "2wikimultihopqa": {
            "CoE": (89.7, 89.5, 88.9, 89.8),
            "SenP": (77.1, 72.1, 69.4, 51.4),
            "WordP": (72.1, 70.4, 66.5, 53.7),
        },
    },
    "Qwen2.5-32B": {
        "hotpotqa": {
            "CoE": (90.6, 87.7, 86.3, 85.8),
            "SenP": (68.9, 67.3, 64.1, 62.9),
            "WordP": (79.1, 80.0, 76.5, 74.2),
        },
        "2wikimultihopqa": {
            "CoE": (93.7, 93.6, 93.1, 94.0),
            "SenP": (43.5, 47.2, 47.0, 46.5),
            "WordP": (65.8, 67.3, 68.6, 65.6),
        },
    },
}
"""Table 3."""

ROBUSTNESS: Figures = {
    "GPT-3.5": {
        "hotpotqa": {
            "CoE": (91.9, 81.8, 82.0, 75.7),
            "SenP": (77.9, 62.5, 63.0, 58.9),
            "WordP": (79.1, 64.0, 65.7, 60.8),
        },
        "2wikimultihopqa": {
            "CoE": (97.4, 85.3, 65.5, 55.5),
            "SenP": (74.1, 40.6, 43.4, 29.8),
            "WordP": (83.5, 63.8, 52.3, 30.4),
        },
    },
    "GPT-4": {
        "hotpotqa": {
            "CoE": (93.5, 95.3, 90.7, 86.6),
            "SenP": (83.4, 89.7, 84.6, 75.2),
            "WordP": (86.4, 89.9, 87.4, 78.1),
        },
        "2wikimultihopqa": {
            "CoE": (93.7, 96.5, 90.7, 85.0),
            "SenP": (67.7, 86.0, 78.3, 60.7),
            "WordP": (79.4, 91.9, 84.2, 69.4),
        },
    },
    "Llama2-13B": {
        "hotpotqa": {
            "CoE": (89.9, 74.8, 63.5, 57.0),
            "SenP": (87.1, 70.6, 59.2, 42.1),
            "WordP": (88.8, 67.6, 56.5, 44.9),
        },
        "2wikimultihopqa": {
            "CoE": (96.5, 78.5, 57.9, 49.7),
            "SenP": (95.3, 73.9, 52.0, 34.9),
            "WordP": (93.3, 67.7, 52.7, 41.8),
        },
    },
    "Llama3-70B": {
        "hotpotqa": {
            "CoE": (92.5, 87.4, 82.1, 84.0),
            "SenP": (76.8, 71.3, 64.8, 59.7),
            "WordP": (74.5, 67.3, 62.5, 57.6),
        },
        "2wikimultihopqa": {
            "CoE": (95.7, 93.1, 88.3, 85.6),
            "SenP": (79.5, 72.6, 64.1, 56.5),
            "WordP": (73.3, 61.2, 55.8, 52.4),
        },
    },
    "Qwen2.5-32B": {
        "hotpotqa": {
            "CoE": (87.8, 95.1, 88.5, 83.0),
            "SenP": (71.3, 79.5, 72.3, 66.0),
            "WordP": (75.7, 83.4, 71.7, 67.3),
        },
        "2wikimultihopqa": {
            "CoE": (90.7, 97.4, 92.1, 86.9),
            "SenP": (53.1, 63.5, 40.6, 39.6),
            "WordP": (67.0, 75.4, 64.5, 55.0),
        },
    },
}
"""Table 4."""
