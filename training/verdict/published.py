"""The published sets of claims with evidence, as `verdict/*.jsonl.gz` of the data folder has them."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.verdict.example import Judged

TRAIN, OTHER_LANGUAGES, EVALUATION = (
    f"verdict/{name}.jsonl.gz" for name in ("train", "train_other_languages", "eval")
)
# Sets that state no licence: the shipped weights do without them.
NO_LICENCE = ("covidfact_traindev", "nli4ct_train", "nli4ct_dev", "control_dev")
# Words in common nearly give the label away in these: a few rows are enough.
MAX_ROWS = {"conjnli_adv_train": 700, "proofwriter_train": 1500}
LICENCES = {
    "vitaminc": "CC BY-SA 3.0",
    "fever": "CC BY-SA 3.0",
    "snli": "CC BY-SA 4.0",
    "snli_cad": "Apache-2.0",
    "mnli": "mixed, free",
    "rte": "as published with SuperGLUE",
    "sick": "CC BY-NC-SA 3.0 in its first release, CC BY 4.0 in later ones",
    "conjnli": "MIT",
    "exfever": "MIT",
    "checkcovid": "MIT",
    "scifact": "CC BY 4.0 and ODC-By",
    "factcg": "MIT",
    "folio": "CC BY-SA 4.0",
    "proofwriter": "MIT",
    "politihop": "MIT",
}
_TOKENS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-COLON-": ":",
    "``": '"',
    "''": '"',
}
_TOKEN = re.compile("|".join(map(re.escape, _TOKENS)))


def read(data: Path, file: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of the data folder."""
    with gzip.open(data / file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def as_judged(row: dict[str, Any]) -> Judged:
    """Return a row as an example; the title of the page stands before the first sentence."""
    evidence = [plain(piece) for piece in row["evidence"] if piece.strip()] or [""]
    title = plain(row.get("context_title") or "")
    if title:
        evidence[0] = f"{title}: {evidence[0]}"
    gold = tuple(row.get("gold") or ()) if len(evidence) == len(row["evidence"]) else ()
    return Judged(
        plain(row["claim"]), tuple(evidence), row["label"], row["set"], gold, bool(row.get("binary"))
    )


def training_rows(data: Path) -> Iterator[Judged]:
    """Yield the rows that may be trained on: English, then other languages."""
    counts: dict[str, int] = {}
    for file in (TRAIN, OTHER_LANGUAGES):
        for row in read(data, file):
            name = row["set"]
            counts[name] = counts.get(name, 0) + 1
            if name not in NO_LICENCE and counts[name] <= MAX_ROWS.get(name, 10**9):
                yield as_judged(row)


def plain(text: str) -> str:
    """Return a text without the marks of a treebank's tokenizer.

    >>> plain("The Lark -LRB- 1890 -RRB- , `` a ketch '' , sank .")
    'The Lark (1890), "a ketch", sank.'
    """
    text = _TOKEN.sub(lambda found: _TOKENS[found[0]], " ".join(text.split()))
    text = re.sub(r'" ([^"]*?) "', r'"\1"', text)
    text = re.sub(r"([(\[]) ", r"\1", text)
    text = re.sub(r" ([)\],.;:?!%]|'s\b|n't\b)", r"\1", text)
    return text.replace("$ ", "$")
