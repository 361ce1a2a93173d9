"""Claims and questions with the sentences that carry them, from public annotated sets, for the policy.

Each set is read in its published form. `part` says what a row may be used for: `train`, `choose` (to choose
settings and when to stop), or it is not given at all: the rows on which Probative's figures are reported, and
every row of a set that is never trained on (WiCE, HoVer), are left out here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Part = Literal["train", "choose"]

# Of a hundred, so many rows are for choosing.
CHOOSE = 8
# Of HotpotQA's and 2WikiMultihopQA's dev samples only the first may be looked at
# (benchmarks/multihop_data.py).
LOOKED_AT = 200
# Of ERASER's documents so many of a hundred may be looked at (benchmarks/evidence_data.py).
TUNED_ON = 40


@dataclass(frozen=True)
class Evidence:
    """A query, the sentences of its text, and which of them carry it: none where nothing does.

    `answer` is the question's, where there is one: the query can be asked with it (as a claim) and without.
    """

    id: str
    query: str
    sentences: tuple[str, ...]
    gold: frozenset[int]
    source: str
    part: Part
    answer: str | None = None


def read_all(data: Path, sources: Iterable[str] | None = None) -> list[Evidence]:
    """Every example of the sources named, or of all; a query that two sources share is taken once."""
    found: dict[str, Evidence] = {}
    for name in sources or SOURCES:
        for example in SOURCES[name](data):
            if len(example.sentences) > 1:
                found.setdefault(f"{_key(example.query)} {example.answer or ''}", example)
    return list(found.values())


def _hotpotqa(data: Path) -> Iterator[Evidence]:
    rows = json.loads((data / "hotpotqa/hotpot_dev_distractor_sample.json").read_text(encoding="utf-8"))
    reported = {_key(row["question"]) for row in rows[LOOKED_AT:]}
    more = _lines(data / "training/hotpotqa_more.jsonl")
    for row in [*rows[:LOOKED_AT], *more]:
        if _key(row["question"]) not in reported:
            yield from _pages(row, row["supporting_facts"], "hotpotqa")
    for row in _lines(data / "training/hotpotqa_paragraph_gold.jsonl"):
        if row.get("supporting_facts_r4c") and _key(row["question"]) not in reported:
            yield from _pages(row, row["supporting_facts_r4c"], "hotpotqa")


def _twowiki(data: Path) -> Iterator[Evidence]:
    rows = json.loads((data / "2wikimultihopqa/dev_sample.json").read_text(encoding="utf-8"))
    reported = {_key(row["question"]) for row in rows[LOOKED_AT:]}
    for row in [*rows[:LOOKED_AT], *_lines(data / "training/2wiki_train.jsonl")]:
        if _key(row["question"]) not in reported:
            yield from _pages(row, row["supporting_facts"], "2wikimultihopqa")


def _musique(data: Path) -> Iterator[Evidence]:
    for row in json.loads((data / "musique/train_sample.json").read_text(encoding="utf-8")):
        texts = [f"{one['title']}: {one['paragraph_text']}" for one in row["paragraphs"]]
        gold = {step["paragraph_support_idx"] for step in row["question_decomposition"]}
        yield _made(row["id"], row["question"], texts, gold, "musique", answer=row["answer"])


def _eraser(name: str) -> Callable[[Path], Iterator[Evidence]]:
    """MultiRC ("question || answer") or FEVER, of the documents that may be looked at."""

    def read(data: Path) -> Iterator[Evidence]:
        base = data / "eraser" / name
        for row in _lines(base / "val.jsonl"):
            groups = row["evidences"]
            document = str(groups[0][0]["docid"])
            if _digest(document) % 100 >= TUNED_ON:
                continue
            texts = (base / "docs" / document).read_text(encoding="utf-8").splitlines()
            gold = {
                number
                for piece in min(groups, key=len)
                for number in range(piece["start_sentence"], piece["end_sentence"])
            }
            query = " ".join(part.strip() for part in str(row["query"]).split("||"))
            yield _made(str(row["annotation_id"]), query, texts, gold, name, key=document)

    return read


def _entailmentbank(data: Path) -> Iterator[Evidence]:
    for row in _lines(data / "training/entailmentbank_task2.jsonl"):
        yield _made(row["id"], row["hypothesis"], row["sentences"], set(row["gold"]), "entailmentbank")


def _fool_me_twice(data: Path) -> Iterator[Evidence]:
    for row in _lines(data / "training/fool_me_twice.jsonl"):
        gold = [piece["text"] for piece in row["gold_evidence"]]
        others = [piece["text"] for piece in row["retrieved_evidence"] if piece["text"] not in gold]
        texts = list(dict.fromkeys([*gold, *others]))
        # In an order of its own: else the gold would always stand first.
        texts.sort(key=lambda text: _digest(row["id"] + text))
        kept = {texts.index(text) for text in gold}
        titled = [f"{row['wikipedia_page']}: {text}" for text in texts]
        yield _made(row["id"], row["text"], titled, kept, "fool_me_twice")


def _selqa(data: Path) -> Iterator[Evidence]:
    for name in ("dev", "test"):
        rows = json.loads((data / f"training/selqa_{name}.json").read_text(encoding="utf-8"))
        for number, row in enumerate(rows):
            yield _made(
                f"selqa-{name}-{number}", row["question"], row["candidates"], set(row["answers"]), "selqa"
            )


def _squad(file: str, source: str) -> Callable[[Path], Iterator[Evidence]]:
    """SQuAD: the sentence that holds the answer's place; nothing where the question cannot be answered."""

    def read(data: Path) -> Iterator[Evidence]:
        for page in json.loads((data / file).read_text(encoding="utf-8"))["data"]:
            for paragraph in page["paragraphs"]:
                spans = sentence_spans(paragraph["context"])
                texts = [paragraph["context"][start:end] for start, end in spans]
                for row in paragraph["qas"]:
                    gold: set[int] = set()
                    if not row.get("is_impossible"):
                        at = row["answers"][0]["answer_start"]
                        gold = {place for place, (start, end) in enumerate(spans) if start <= at < end}
                        if not gold:
                            continue
                    answer = row["answers"][0]["text"] if gold else None
                    yield _made(
                        row["id"],
                        row["question"],
                        texts,
                        gold,
                        source,
                        answer=answer,
                        key=paragraph["context"],
                    )

    return read


def _nq(data: Path) -> Iterator[Evidence]:
    for number, row in enumerate(_lines(data / "training/nq_gold.jsonl")):
        text = row["ctxs"][0]["text"]
        title = row["ctxs"][0].get("title", "")
        texts = [text[start:end] for start, end in sentence_spans(text)]
        gold = {
            place
            for place, one in enumerate(texts)
            if any(answer.lower() in one.lower() for answer in row["answers"])
        }
        if len(gold) == 1:  # in several, no one knows which was meant
            titled = [f"{title}: {one}" for one in texts]
            yield _made(f"nq-{number}", row["question"], titled, gold, "nq", answer=row["answers"][0])


SOURCES: dict[str, Callable[[Path], Iterator[Evidence]]] = {
    "hotpotqa": _hotpotqa,
    "2wikimultihopqa": _twowiki,
    "musique": _musique,
    "multirc": _eraser("multirc"),
    "fever": _eraser("fever"),
    "entailmentbank": _entailmentbank,
    "fool_me_twice": _fool_me_twice,
    "selqa": _selqa,
    "squad": _squad("training/squad_train_subset.json", "squad"),
    "squad2": _squad("training/squad2_half_dev.json", "squad2"),
    "nq": _nq,
}


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end, plainly: after a stop that a capital or a digit follows.

    >>> [(a, b) for a, b in sentence_spans("It rained. We left.")]
    [(0, 10), (11, 19)]
    """
    spans = []
    start = 0
    for stop in re.finditer(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(\[])", text):
        if stop.start() - start > 1:
            spans.append((start, stop.start()))
            start = stop.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans


def _pages(row: dict[str, Any], facts: Sequence[Sequence[Any]], source: str) -> Iterator[Evidence]:
    """A question with pages of sentences; each sentence has its page's title before it."""
    places: dict[tuple[str, int], int] = {}
    texts: list[str] = []
    for title, sentences in row["context"]:
        for number, sentence in enumerate(sentences):
            if sentence.strip():
                places[title, number] = len(texts)
                texts.append(f"{title}: {sentence.strip()}")
    gold = {places[title, number] for title, number in facts if (title, number) in places}
    if gold:
        yield _made(row["_id"], row["question"], texts, gold, source, answer=row["answer"])


def _made(
    identifier: str,
    query: str,
    sentences: Sequence[str],
    gold: set[int],
    source: str,
    *,
    answer: str | None = None,
    key: str | None = None,
) -> Evidence:
    part: Part = "choose" if _digest(key or query) % 100 < CHOOSE else "train"
    texts = tuple(" ".join(sentence.split()) for sentence in sentences)
    return Evidence(identifier, " ".join(query.split()), texts, frozenset(gold), source, part, answer)


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def _key(text: str) -> str:
    """A query as it is compared: its letters and digits."""
    return "".join(re.findall(r"\w", text.lower()))
