"""The methods of the experiment `evidence`, in groups: each has the arguments of `prove`."""

from __future__ import annotations

from typing import Any

PAPER = {"preset": "paper", "policy": "pair"}
# The learned policy in the independent part, with the other weights that training.policy.fusion chose.
LEARNED = {"learned": 1.0, "lexical": 4.0, "lam": 2.0}
# The prior of `fast` that was chosen for the plain model.
PLAIN = {"lexical": 4, "semantic": 1, "proximity": 1.5}

METHODS: dict[str, dict[str, dict[str, Any]]] = {
    "baselines": {
        "ROUGE": {"method": "rouge"},
        "BM25": {"method": "bm25"},
        "embedding": {"method": "embedding"},
    },
    "beam": {"learned, beam of 4": {"method": "learned", "beam": 4}},
    "learned": {
        "learned": {"method": "learned", "lexical": 0},
        "learned + BM25": {"method": "learned"},
    },
    "default": {"mcse (default: fast)": {}},
    "within": {
        "learned within mcse (fast)": LEARNED,
        "learned within mcse (full)": {"preset": "full", "policy": "learned", **LEARNED},
        "learned policy, paper's reward": {**PAPER, "policy": "learned"},
    },
    "cheap": {
        "fast, BM25 off (proximity kept)": {"lexical": 0, "semantic": 0},
        "fast, the plain model's weights": PLAIN,
        "fast, BM25 and embeddings in the prior": {"semantic": 0.5},
        "fast, the subject's words counted": {"ignore_topic": False},
        "fast, without the collaborative part": {"collaborative": False},
        "fast, the plain prompt": {"grounded": False},
        "paper without look-ahead": {**PAPER, "lookahead": 0},
    },
    "plain": {
        "fast": PLAIN,
        "fast, BM25 and embeddings off (proximity kept)": {**PLAIN, "lexical": 0, "semantic": 0},
        "fast, embeddings off": {**PLAIN, "semantic": 0},
        "fast, the subject's words counted": {**PLAIN, "ignore_topic": False},
        "fast, without the collaborative part": {**PLAIN, "collaborative": False},
        "fast, the plain prompt": {**PLAIN, "grounded": False},
        "paper without look-ahead": {**PAPER, "lookahead": 0},
    },
    "llm": {
        "LLM picks": {"method": "llm-pick"},
        "LLM reranks": {"method": "llm-rerank"},
        "RankGPT": {"method": "rankgpt"},
    },
    "search": {
        "mcse full (prior and look-ahead)": {"preset": "full"},
        "paper": PAPER,
        "without the grounding prompt": {**PAPER, "grounded": False},
        "without the collaborative part": {**PAPER, "collaborative": False},
        "without the independent part": {**PAPER, "independent": False},
        "without look-ahead": {**PAPER, "lookahead": 0},
        "random policy": {**PAPER, "policy": "random"},
        "K = 1": {**PAPER, "lookahead": 1},
        "K = 2": {**PAPER, "lookahead": 2},
        "K within k": {**PAPER, "lookahead_within_k": True},
        "N = 1": {**PAPER, "trajectories": 1},
        "N = 5": {**PAPER, "trajectories": 5},
    },
    "path": {"paper, policy over the whole path": {"preset": "paper"}},
}
