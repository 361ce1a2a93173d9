"""The methods of the experiment `chains`, in groups: each has the arguments of `ask`."""

from __future__ import annotations

from typing import Any

RULES = {"preset": "paper", "extractor": "rules"}
METHODS: dict[str, dict[str, dict[str, Any]]] = {
    "rag": {"RAG top-5": {"method": "rag"}},
    "words": {
        "words, linked (the default)": {"preset": "words"},
        "words, linked, 3 passages": {"preset": "words", "max_passages": 3},
        "words, exact": {"preset": "words", "cover": "exact"},
        "words, cover of the paper": {"preset": "words", "cover": "paper"},
    },
    "followed": {"words, linked, what is missing looked up": {"preset": "words"}},
    "extract": {
        "features by the model (two calls), words, linked": {"preset": "words", "extractor": "model"},
        "features by the model (one call), words, linked": {"preset": "words", "extractor": "model-once"},
    },
    "reader": {
        "features by the reader, words, linked": {"preset": "words", "extractor": "reader"},
        "rules, judged by the reader, linked": {"preset": "words", "judge": "reader"},
    },
    "each": {
        "rules, each, cover of the paper": RULES,
        "rules, each, exact": {**RULES, "cover": "exact"},
        "rules, each, linked": {**RULES, "cover": "linked"},
    },
    "passage": {
        "rules, a call a passage, cover of the paper": {**RULES, "judge": "passage"},
        "rules, a call a passage, exact": {**RULES, "judge": "passage", "cover": "exact"},
        "rules, a call a passage, linked": {**RULES, "judge": "passage", "cover": "linked"},
    },
    "together": {
        "rules, together, cover of the paper": {**RULES, "judge": "together"},
        "rules, together, exact": {**RULES, "judge": "together", "cover": "exact"},
        "rules, together, linked": {**RULES, "judge": "together", "cover": "linked"},
    },
    "calls": {
        "calls, cover of the paper": {"preset": "calls", "cover": "paper"},
        "calls, exact (the preset)": {"preset": "calls"},
        "calls, linked": {"preset": "calls", "cover": "linked"},
    },
    "paper": {
        "paper, cover of the paper (the preset)": {"preset": "paper"},
        "paper, exact": {"preset": "paper", "cover": "exact"},
        "paper, linked": {"preset": "paper", "cover": "linked"},
    },
    "learned": {"words, learned": {"preset": "embedded", "answering": "picked"}},
    "closed": {"closed book": {"method": "closed-book"}},
}
# Groups whose methods ask a language model before the answer.
ASKING = ("extract", "reader", "each", "passage", "together", "calls", "paper", "closed")
# The group that looks up what is missing, where there is a collection of pages.
FOLLOWED = "followed"
