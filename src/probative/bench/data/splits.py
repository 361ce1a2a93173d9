"""Which rows of each data set figures are reported on, settings are tuned on, and models are trained on.

`training.splits.SPLITS` says it in words for each data set; the functions below are the only code that
decides it. Readers of data take the reported and the tuned rows from here, and trainings leave the reported
ones out. Changing a rule changes published figures.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Rows of the dev samples of HotpotQA and 2WikiMultihopQA, in the order of their files.
MULTIHOP_TUNED, MULTIHOP_REPORTED = slice(0, 200), slice(200, 400)
MULTIHOP_FILES = {
    "hotpotqa": "hotpotqa/hotpot_dev_distractor_sample.json",
    "2wikimultihopqa": "2wikimultihopqa/dev_sample.json",
}
# The samples that these slices belong to, by the digest of all their ids: no other file has such slices.
KEPT_SAMPLES = frozenset(
    {
        "2a8a5486ee09ab7800afb1e9ed2ba7797750d49ef1e878322470355bf7c97aa1",
        "eb018484ff2598309c2653e6eb24ba2749f0b77fd844a10b090286262d7c4440",
    }
)
# ERASER and WiCE: the share of documents (of claims in WiCE), in percent, that settings were tuned on.
TUNED_PERCENT = 40
# ERASER: claims that figures are reported on, in the order of the digests of their ids.
REPORTED_CLAIMS = 200
# BioASQ, ProcessBank, CommonsenseQA: one key in this many may be looked at; PubMedQA has a published test
# part.
TUNED_ONE_IN = 4


def digest(text: str) -> int:
    """Return a number that depends only on the text.

    >>> digest("pier") % 100
    13
    """
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def plain_words(text: str) -> str:
    """Return the words of a text in lower case.

    >>> plain_words("Who built  the Pier, in 1871?")
    'who built the pier in 1871'
    """
    return " ".join(re.findall(r"\w+", text.lower()))


def question_key(question: str) -> str:
    """Return a key that ignores punctuation, case and the order of words.

    >>> question_key("Is Ada or Bo older?") == question_key("is Bo or Ada older")
    True
    """
    return " ".join(sorted(plain_words(question).split()))


def in_tuned_documents(document: str) -> bool:
    """Return whether settings were tuned on a document of ERASER, or on a claim of WiCE."""
    return digest(document) % 100 < TUNED_PERCENT


def in_tuned_quarter(key: str) -> bool:
    """Return whether a question or paragraph with this key belongs to the quarter that may be looked at."""
    return digest(key) % TUNED_ONE_IN == 0


def multihop_rows(rows: Sequence[Any], *, tuning: bool = False) -> Sequence[Any]:
    """Return the rows of a multi-hop dev sample that are reported on, or those that were tuned on."""
    return rows[MULTIHOP_TUNED] if tuning else rows[MULTIHOP_REPORTED]


def is_kept_sample(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether rows are those of a dev sample that our kept reports were made with, by their ids."""
    ids = "\n".join(str(row.get("_id")) for row in rows)
    return hashlib.sha256(ids.encode()).hexdigest() in KEPT_SAMPLES


def reported_claims(claims: Iterable[Any]) -> list[Any]:
    """Return the claims of MultiRC or FEVER that figures are reported on.

    `claims` have `tuning` and `gold` and stand in the order of the digests of their ids.
    """
    return [claim for claim in claims if claim.gold and not claim.tuning][:REPORTED_CLAIMS]
