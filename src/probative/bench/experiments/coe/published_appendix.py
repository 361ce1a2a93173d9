"""The figures of the paper's tables 1 and 5 to 9; those of the appendices are of GPT-3.5. In percent."""

from __future__ import annotations

from collections.abc import Mapping

from probative.bench.experiments.coe.published import ByContext

SAMPLES = {
    "hotpotqa": {"CoE": (676, 4.0), "SenP": (676, 2.1), "WordP": (676, 4.0)},
    "2wikimultihopqa": {"CoE": (660, 3.4), "SenP": (660, 1.9), "WordP": (660, 3.4)},
}
"""Table 1: samples of 1,000 candidates, and knowledge pieces."""

ABLATION: Mapping[str, ByContext] = {
    "effectiveness": {
        "CoE": (93.0, 93.4, 93.4, 92.6),
        "WordP": (84.1, 84.4, 84.8, 85.6),
        "ERP": (81.1, 81.6, 78.5, 76.9),
        "IntentP": (59.9, 56.5, 54.5, 54.5),
    },
    "faithfulness": {
        "CoE": (87.9, 79.4, 67.4, 62.7),
        "WordP": (85.1, 66.3, 52.0, 47.0),
        "ERP": (69.2, 64.8, 61.4, 58.1),
        "IntentP": (57.3, 54.8, 53.2, 49.0),
    },
    "robustness": {
        "CoE": (93.0, 86.8, 83.3, 77.5),
        "WordP": (84.1, 74.0, 67.4, 60.0),
        "ERP": (81.1, 21.7, 21.2, 19.0),
        "IntentP": (59.9, 53.1, 52.1, 47.8),
    },
}
"""Table 6 (HotpotQA)."""

SINGLE_HOP: Mapping[str, ByContext] = {
    "effectiveness": {
        "CoE": (93.0, 93.4, 93.4, 92.6),
        "SenP": (74.0, 77.9, 80.2, 79.8),
        "WordP": (84.1, 84.4, 84.8, 85.6),
    },
    "faithfulness": {
        "CoE": (87.9, 79.4, 67.4, 62.7),
        "SenP": (55.0, 47.4, 40.4, 32.7),
        "WordP": (85.1, 66.3, 52.0, 47.0),
    },
    "robustness": {
        "CoE": (93.0, 86.8, 83.3, 77.5),
        "SenP": (74.0, 65.1, 65.8, 60.0),
        "WordP": (84.1, 74.0, 67.4, 60.0),
    },
}
"""Table 7 (RGB). The paper has the same figures for CoE and WordP here as in table 6."""

HOPS: Mapping[int, tuple[float, ...]] = {
    1: (93.0, 93.4, 93.4, 92.6),
    2: (91.0, 89.0, 88.0, 88.0),
    3: (94.0, 90.0, 92.0, 92.0),
}
"""Table 8."""

EXTRACTION: ByContext = {
    "as extracted": (91.9, 90.3, 89.9, 88.9),
    "missing node": (91.2, 90.1, 89.2, 87.4),
    "extra node": (91.2, 90.1, 88.4, 87.5),
}
"""Table 9 (HotpotQA)."""

IDENTIFIED = {"as extracted": 676, "missing node": 803, "extra node": 641}
"""Table 9: candidates of 1,000 that were taken for a CoE."""

USABILITY: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]] = {
    "incomplete": {
        "GPT-3.5": {
            "hotpotqa": {"cot-sc": 19.7, "verify-edit": 33.7, "rag": 30.2, "scope": 31.6},
            "2wikimultihopqa": {"cot-sc": 9.3, "verify-edit": 19.0, "rag": 19.9, "scope": 23.9},
        },
        "GPT-4": {
            "hotpotqa": {"cot-sc": 37.9, "verify-edit": 41.5, "rag": 40.5, "scope": 43.0},
            "2wikimultihopqa": {"cot-sc": 30.8, "verify-edit": 32.3, "rag": 32.1, "scope": 36.0},
        },
        "Llama2-13B": {
            "hotpotqa": {"cot-sc": 8.3, "verify-edit": 29.7, "rag": 28.6, "scope": 32.9},
            "2wikimultihopqa": {"cot-sc": 1.8, "verify-edit": 16.7, "rag": 15.8, "scope": 21.1},
        },
        "Llama3-70B": {
            "hotpotqa": {"cot-sc": 27.0, "verify-edit": 32.9, "rag": 32.4, "scope": 35.6},
            "2wikimultihopqa": {"cot-sc": 4.6, "verify-edit": 19.9, "rag": 19.2, "scope": 22.7},
        },
        "Qwen2.5-32B": {
            "hotpotqa": {"cot-sc": 17.9, "verify-edit": 35.7, "rag": 30.6, "scope": 31.6},
            "2wikimultihopqa": {"cot-sc": 4.2, "verify-edit": 23.1, "rag": 20.7, "scope": 21.1},
        },
    },
    "complete": {
        "GPT-3.5": {
            "hotpotqa": {"cot-sc": 19.7, "verify-edit": 33.7, "rag": 68.1, "scope": 76.0},
            "2wikimultihopqa": {"cot-sc": 9.3, "verify-edit": 19.0, "rag": 54.6, "scope": 81.5},
        },
        "GPT-4": {
            "hotpotqa": {"cot-sc": 37.9, "verify-edit": 41.5, "rag": 72.9, "scope": 82.6},
            "2wikimultihopqa": {"cot-sc": 30.8, "verify-edit": 32.3, "rag": 59.3, "scope": 88.6},
        },
        "Llama2-13B": {
            "hotpotqa": {"cot-sc": 8.3, "verify-edit": 29.7, "rag": 64.4, "scope": 74.1},
            "2wikimultihopqa": {"cot-sc": 1.8, "verify-edit": 16.7, "rag": 51.7, "scope": 74.0},
        },
        "Llama3-70B": {
            "hotpotqa": {"cot-sc": 27.0, "verify-edit": 32.9, "rag": 67.8, "scope": 79.5},
            "2wikimultihopqa": {"cot-sc": 4.6, "verify-edit": 19.9, "rag": 49.4, "scope": 80.0},
        },
        "Qwen2.5-32B": {
            "hotpotqa": {"cot-sc": 17.9, "verify-edit": 35.7, "rag": 63.8, "scope": 77.0},
            "2wikimultihopqa": {"cot-sc": 4.2, "verify-edit": 23.1, "rag": 49.4, "scope": 83.8},
        },
    },
}
"""Table 5 by knowledge, model, data set and method: "complete" with RAG and scope is also table 5 of the
first version; the other two methods and "incomplete" are of the second."""

USABILITY_PIECES = {"hotpotqa": {"rag": 5.0, "scope": 4.6}, "2wikimultihopqa": {"rag": 5.0, "scope": 4.8}}
"""The pieces that answers rest on (first version, section 8.4)."""

USABILITY_CALLS = {"cot-sc": 5.0, "scope": 2.0}
"""Calls beyond the base retrieval (second version, finding 9); Verify-and-Edit: at least 2."""
