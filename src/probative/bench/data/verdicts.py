"""Claims with evidence and a label: the published sets that the verdict model is trained and measured on.

The files are `verdict/*.jsonl.gz` of the data folder. `eval.jsonl.gz` is never trained on.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TRAIN, OTHER_LANGUAGES, EVALUATION = (
    f"verdict/{name}.jsonl.gz" for name in ("train", "train_other_languages", "eval")
)
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


@dataclass(frozen=True)
class VerdictRow:
    """A claim, the sentences of its evidence, and its label: supported, contradicted or insufficient.

    `gold` are the indexes of the sentences that decide, where that is known. `binary` says that a label other
    than supported only means "not supported".
    """

    set: str
    claim: str
    evidence: tuple[str, ...]
    label: str
    gold: tuple[int, ...] = ()
    binary: bool = False


def read_verdict_rows(data: Path, file: str = EVALUATION) -> Iterator[VerdictRow]:
    """Yield the rows of a file; the title of a page stands before the first sentence."""
    with gzip.open(data / file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield _row(json.loads(line))


def _row(row: dict[str, Any]) -> VerdictRow:
    evidence = [plain(piece) for piece in row["evidence"] if piece.strip()] or [""]
    title = plain(row.get("context_title") or "")
    if title:
        evidence[0] = f"{title}: {evidence[0]}"
    gold = tuple(row.get("gold") or ()) if len(evidence) == len(row["evidence"]) else ()
    binary = bool(row.get("binary"))
    return VerdictRow(row["set"], plain(row["claim"]), tuple(evidence), row["label"], gold, binary)


def plain(text: str) -> str:
    """Return a text without the marks of a treebank's tokenizer.

    >>> plain("The Lark -LRB- 1890 -RRB- , `` a ketch '' , sank .")
    'The Lark (1890), "a ketch", sank.'
    """
    text = _TOKEN.sub(lambda mark: _TOKENS[mark[0]], " ".join(text.split()))
    text = re.sub(r'" ([^"]*?) "', r'"\1"', text)
    text = re.sub(r"([(\[]) ", r"\1", text)
    text = re.sub(r" ([)\],.;:?!%]|'s\b|n't\b)", r"\1", text)
    return text.replace("$ ", "$")
