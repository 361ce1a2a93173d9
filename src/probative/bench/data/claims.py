"""Claims with gold sentences (ERASER, WiCE, HoVer), multi-hop questions taken as claims, and claims with
evidence and a verdict, each read from its published files.

A folder holds `eraser/multirc`, `eraser/fever` (`val.jsonl` and `docs/`), `wice/dev.jsonl`,
`hover/dev_with_text_sample.jsonl` and `verdict/*.jsonl.gz`. `probative.bench.data.splits` says which claims
figures are reported on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probative.bench.data.files import read_lines, single_spaced
from probative.bench.data.questions import read_questions
from probative.bench.data.splits import digest, in_tuned_documents

HOVER = "hover/dev_with_text_sample.jsonl"


@dataclass(frozen=True)
class Example:
    """A claim, the sentences of its text, and the sets of sentences each of which proves it.

    `tuning` is true where settings were chosen on the document; `document` names it, where many claims
    share one.
    """

    id: str
    claim: str
    sentences: tuple[str, ...]
    gold: tuple[frozenset[int], ...]
    label: str
    tuning: bool
    document: str = ""

    @property
    def gold_size(self) -> int:
        """The number of sentences of the smallest gold set."""
        return min(len(gold) for gold in self.gold)


def read_examples(folder: Path, name: str) -> list[Example]:
    """Return the claims of a set that have gold sentences, in the order of the digests of their ids."""
    return [example for example in read_claims(folder, name) if example.gold]


def read_claims(folder: Path, name: str) -> list[Example]:
    """Return all claims of a set, also those that nothing in their text supports, in the same order."""
    return sorted(_READERS[name](folder), key=lambda example: digest(example.id))


def read_eraser(folder: Path, name: str) -> Iterator[Example]:
    """Yield all claims of MultiRC or FEVER as ERASER publishes them, in the order of the file. A claim of
    MultiRC is a question and an answer ("question || answer"), joined to one text.
    """
    base = folder / "eraser" / name
    texts: dict[str, tuple[str, ...]] = {}
    for row in read_lines(base / "val.jsonl"):
        document = str(row["evidences"][0][0]["docid"])
        if document not in texts:
            texts[document] = tuple((base / "docs" / document).read_text(encoding="utf-8").splitlines())
        yield Example(
            id=str(row["annotation_id"]),
            claim=" ".join(part.strip() for part in str(row["query"]).split("||")),
            sentences=texts[document],
            gold=tuple(map(_sentences_of, row["evidences"])),
            label=str(row["classification"]),
            tuning=in_tuned_documents(document),
            document=document,
        )


def _sentences_of(spans: list[dict[str, Any]]) -> frozenset[int]:
    return frozenset(n for span in spans for n in range(span["start_sentence"], span["end_sentence"]))


def _fever(folder: Path) -> Iterator[Example]:
    """Yield the claims that one sentence proves or refutes (one hop)."""
    return (example for example in read_eraser(folder, "fever") if example.gold_size == 1)


def _wice(folder: Path) -> Iterator[Example]:
    for number, row in enumerate(read_lines(folder / "wice" / "dev.jsonl")):
        yield Example(
            id=f"wice-{number}",
            claim=str(row["claim"]),
            sentences=tuple(row["evidence"]),
            gold=tuple(frozenset(gold) for gold in row["supporting_sentences"] if gold),
            label=str(row["label"]),
            tuning=in_tuned_documents(str(row["claim"])),
        )


def _hover(folder: Path, *, titled: bool = False) -> Iterator[Example]:
    for row in read_lines(folder / HOVER):
        pages = [(title, sentence.strip()) for title, page in row["context"] for sentence in page]
        sentences = [sentence for _, sentence in pages]
        yield Example(
            id=str(row["uid"]),
            claim=str(row["claim"]),
            sentences=tuple(f"{title}: {text}" if titled else text for title, text in pages),
            gold=(frozenset(sentences.index(sentence.strip()) for sentence in row["gold_sentences"]),),
            label=str(row["label"]),
            tuning=False,
        )


TITLED = "hover-titled"
"""HoVer with its pages' titles: its claims assume them, but its sentences often do not name them."""
_READERS: dict[str, Callable[[Path], Iterator[Example]]] = {
    "multirc": lambda folder: read_eraser(folder, "multirc"),
    "fever": _fever,
    "wice": _wice,
    "hover": _hover,
    TITLED: lambda folder: _hover(folder, titled=True),
}
MULTIHOP = ("hotpotqa", "2wikimultihopqa")
SETS = (*_READERS, *MULTIHOP)
"""The sets of the experiment `evidence`."""

# The largest k. Smaller k are the first sentences of the same result, since the search is greedy.
DEEPEST = {"multirc": 2, "fever": 1, "wice": 5, "hover": 5, TITLED: 5, "hotpotqa": 1, "2wikimultihopqa": 1}
# The values of k in the table; "gold" is the size of the smallest gold set.
SHOWN: dict[str, tuple[int | str, ...]] = {
    "multirc": (1, 2, "gold"),
    "fever": (1,),
    **dict.fromkeys(("wice", "hover", TITLED), (3, 5, "gold")),
    **dict.fromkeys(MULTIHOP, ("gold",)),
}
# Candidates for the look-ahead, which would take hours over a whole long text.
FILTERED = dict.fromkeys(("wice", "hover", TITLED, *MULTIHOP), 16)
# Nothing about the search was tuned on these, so figures are of all their claims.
UNTUNED = ("wice", "hover", TITLED)


def chosen_examples(data: Path, name: str, n: int | None, tuning: bool) -> list[Example]:
    """Return the first `n` claims (all if None) that figures are reported on, or (`tuning`) were tuned on.

    A multi-hop question is taken as a claim, and each sentence has its page's title: the task is to find the
    evidence, not whether it is true.
    """
    if name not in MULTIHOP:
        claims = read_examples(data, name)
        return [claim for claim in claims if name in UNTUNED or claim.tuning == tuning][:n]
    return [
        Example(
            id=question.id,
            claim=question.text,
            sentences=tuple(passage.whole for passage in question.passages),
            gold=(question.gold,),
            label="True",
            tuning=tuning,
        )
        for question in read_questions(data, name, tuning=tuning)
        if question.gold
    ][:n]


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


def read_verdict_rows(data: Path, file: str = "verdict/eval.jsonl.gz") -> Iterator[VerdictRow]:
    """Yield the rows of a file, by default the one that is never trained on; the title of a page stands
    before the first sentence.
    """
    for row in read_lines(data / file):
        evidence = [plain(piece) for piece in row["evidence"] if piece.strip()] or [""]
        if title := plain(row.get("context_title") or ""):
            evidence[0] = f"{title}: {evidence[0]}"
        gold = tuple(row.get("gold") or ()) if len(evidence) == len(row["evidence"]) else ()
        binary = bool(row.get("binary"))
        yield VerdictRow(row["set"], plain(row["claim"]), tuple(evidence), row["label"], gold, binary)


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


def plain(text: str) -> str:
    """Return a text without the marks of a treebank's tokenizer.

    >>> plain("The Lark -LRB- 1890 -RRB- , `` a ketch '' , sank .")
    'The Lark (1890), "a ketch", sank.'
    """
    text = _TOKEN.sub(lambda mark: _TOKENS[mark[0]], single_spaced(text))
    text = re.sub(r'" ([^"]*?) "', r'"\1"', text)
    text = re.sub(r"([(\[]) ", r"\1", text)
    text = re.sub(r" ([)\],.;:?!%]|'s\b|n't\b)", r"\1", text)
    return text.replace("$ ", "$")
