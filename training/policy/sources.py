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

from training.policy.claims import as_claim

Part = Literal["train", "choose"]

# Of a hundred, so many rows are for choosing.
CHOOSE = 8
# Figures are reported on these rows of HotpotQA's and 2WikiMultihopQA's dev samples
# (bench/data/multihop.py).
REPORTED = slice(200, 400)
# Of ERASER's documents so many of a hundred are never reported on, of the others so many claims are, in the
# order of bench/data/evidence.py.
TUNED_ON = 40
REPORTED_CLAIMS = 200


@dataclass(frozen=True)
class Evidence:
    """A query, the sentences of its text, and which of them carry it: none where nothing does.

    `answer` is the question's, where there is one: the query can be asked with it (as a claim) and without.
    `also` are sentences of other sets that carry the query as well: neither right nor wrong beside the gold.
    """

    id: str
    query: str
    sentences: tuple[str, ...]
    gold: frozenset[int]
    source: str
    part: Part
    answer: str | None = None
    also: frozenset[int] = frozenset()


def read_all(data: Path, sources: Iterable[str] | None = None) -> list[Evidence]:
    """Every example of the sources named, or of all; a query that two sources share is taken once."""
    found: dict[str, Evidence] = {}
    for name in sources or SOURCES:
        for example in SOURCES[name](data):
            if len(example.sentences) > 1:
                form = example.source if example.source in SAME_QUESTIONS else ""
                found.setdefault(f"{_key(example.query)} {example.answer or ''} {form}", example)
    return list(found.values())


def _hotpotqa(data: Path) -> Iterator[Evidence]:
    for row in _hotpot_rows(data):
        yield from _pages(row, row["supporting_facts"], "hotpotqa")


def _hotpotqa_bare(data: Path) -> Iterator[Evidence]:
    """The same without titles: a text need not have any."""
    for row in _hotpot_rows(data):
        yield from _pages(row, row["supporting_facts"], "hotpotqa_bare", titled=False)


def _hotpot_rows(data: Path, more: Iterable[dict[str, Any]] = ()) -> Iterator[dict[str, Any]]:
    """The rows whose gold sentences are known, and more."""
    rows = json.loads((data / "hotpotqa/hotpot_dev_distractor_sample.json").read_text(encoding="utf-8"))
    marked = [
        {**row, "supporting_facts": row["supporting_facts_r4c"]}
        for row in _lines(data / "training/hotpotqa_paragraph_gold.jsonl")
        if row.get("supporting_facts_r4c")
    ]
    taken = _unreported(rows, [*_lines(data / "training/hotpotqa_more.jsonl"), *marked, *more])
    hover = data / "hover/dev_with_text_sample.jsonl"  # its claims are made of questions
    sources = {row["hpqa_id"] for row in _lines(hover)} if hover.exists() else set()
    return (row for row in taken if row["_id"] not in sources)


def _twowiki_rows(data: Path) -> Iterator[dict[str, Any]]:
    rows = json.loads((data / "2wikimultihopqa/dev_sample.json").read_text(encoding="utf-8"))
    return _unreported(rows, _lines(data / "training/2wiki_train.jsonl"))


def _unreported(rows: list[dict[str, Any]], more: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    reported = {_key(row["question"]) for row in rows[REPORTED]}
    return (row for row in [*rows, *more] if _key(row["question"]) not in reported)


def _twowiki(data: Path) -> Iterator[Evidence]:
    for row in _twowiki_rows(data):
        yield from _pages(row, row["supporting_facts"], "2wikimultihopqa")


def _twowiki_made(data: Path) -> Iterator[Evidence]:
    """Questions put together from 2WikiMultihopQA's triples, with the pages of their facts."""
    from training.reader.hops import two_wiki
    from training.reader.triples import invent

    rows = list(two_wiki(data))
    pages: dict[str, dict[str, None]] = {}
    for row in rows:
        for one in row.sentences:
            pages.setdefault(one.title or "", {})[one.whole] = None
    for made in invent(rows, "train", 7, 600):
        said = [one.whole for one in made.evidence]
        same = [text for one in made.evidence for text in pages[one.title or ""]]
        beside = [one.whole for one in made.others]
        beside.sort(key=lambda text: _digest(made.question + text))
        texts = list(dict.fromkeys([*said, *same, *beside[:24]]))
        texts.sort(key=lambda text: _digest(text + made.question))
        gold = {texts.index(text) for text in said}
        yield _made(made.question, made.question, texts, gold, "2wiki_made", answer=made.answer)


def _multihop_claims(data: Path) -> Iterator[Evidence]:
    """Questions over several pages as claims; of three, one states the answer to another question: what
    settles it is the same.
    """
    for rows in (_hotpot_rows(data), _twowiki_rows(data)):
        before = ""
        for row in rows:
            answer = before if before and _digest(row["question"]) % 3 == 0 else row["answer"]
            before = row["answer"] if row["answer"] not in ("yes", "no") else before
            if claim := as_claim(row["question"], answer):
                stated = {**row, "question": claim, "asked": row["question"]}
                yield from _pages(stated, row["supporting_facts"], "multihop_claims")


def _whole_pages(data: Path) -> Iterator[Evidence]:
    """Questions over several pages where a page is one candidate: passages need not be sentences."""
    more = [
        {**row, "supporting_facts": [(title, 0) for title in row["supporting_titles"]]}
        for row in _lines(data / "hotpotqa/paragraph_level_sample.jsonl")
    ]
    for row in _hotpot_rows(data, more):
        yield from _paragraphs(row, {title for title, _ in row["supporting_facts"]})
    for row in _twowiki_rows(data):
        yield from _paragraphs(row, {title for title, _ in row["supporting_facts"]})


def _paragraphs(row: dict[str, Any], titles: set[str]) -> Iterator[Evidence]:
    texts = [f"{title}: {' '.join(one.strip() for one in text)}" for title, text in row["context"]]
    gold = {place for place, (title, _) in enumerate(row["context"]) if title in titles}
    if gold:
        yield _made(row["_id"], row["question"], texts, gold, "whole_pages", answer=row["answer"])


def _feverous(data: Path) -> Iterator[Evidence]:
    """Claims with the sentences that prove or refute them, among sentences of other claims that share words
    with them.
    """
    import bm25s

    rows = json.loads((data / "feverous/programfc_feverous_dev.json").read_text(encoding="utf-8"))
    gold_of = [[_plain_links(line) for line in row["evidence"].splitlines()] for row in rows]
    texts = list(dict.fromkeys(text for gold in gold_of for text in gold))
    index = bm25s.BM25()
    index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
    claims = bm25s.tokenize([row["claim"] for row in rows], show_progress=False)
    found, _ = index.retrieve(claims, k=24, show_progress=False)
    for row, gold, near in zip(rows, gold_of, found, strict=True):
        pages = {text.split(": ")[0] for text in gold}
        others = [texts[place] for place in near.tolist() if texts[place].split(": ")[0] not in pages]
        shown = [*gold, *others[:16]]
        shown.sort(key=lambda text: _digest(row["claim"] + text))
        kept = {shown.index(text) for text in gold}
        yield _made(str(row["id"]), row["claim"], shown, kept, "feverous")


def _plain_links(line: str) -> str:
    r"""A line "page, tab, sentence" of FEVEROUS with its links as plain words.

    >>> _plain_links("Lark\tThe Lark is a [[Ketch_(boat)|ketch]].")
    'Lark: The Lark is a ketch.'
    """
    title, _, text = line.partition("\t")
    return title + ": " + re.sub(r"\[\[[^\]|]*\|([^\]]*)\]\]", r"\1", text)


def _musique(data: Path) -> Iterator[Evidence]:
    for row in json.loads((data / "musique/train_sample.json").read_text(encoding="utf-8")):
        texts = [f"{one['title']}: {one['paragraph_text']}" for one in row["paragraphs"]]
        gold = {step["paragraph_support_idx"] for step in row["question_decomposition"]}
        yield _made(row["id"], row["question"], texts, gold, "musique", answer=row["answer"])


def _eraser(name: str) -> Callable[[Path], Iterator[Evidence]]:
    """MultiRC ("question || answer") or FEVER, of the documents that may be looked at."""

    def read(data: Path) -> Iterator[Evidence]:
        base = data / "eraser" / name
        rows = sorted(_lines(base / "val.jsonl"), key=lambda row: _digest(str(row["annotation_id"])))
        reported = [row for row in rows if _may_be_reported(row, name)][:REPORTED_CLAIMS]
        unseen = {_document(row) for row in reported}
        for row in rows:
            document = _document(row)
            if document in unseen:
                continue
            texts = (base / "docs" / document).read_text(encoding="utf-8").splitlines()
            sets = sorted(_sets(row), key=len)
            query = " ".join(part.strip() for part in str(row["query"]).split("||"))
            yield _made(
                str(row["annotation_id"]),
                query,
                texts,
                sets[0],
                name,
                key=f"{name} {document}",
                also=set().union(*sets) - sets[0],
            )

    return read


def _document(row: dict[str, Any]) -> str:
    return str(row["evidences"][0][0]["docid"])


def _may_be_reported(row: dict[str, Any], name: str) -> bool:
    """As bench/data/evidence.py chooses: no document that was tuned on; of FEVER, what one sentence
    proves.
    """
    if _digest(_document(row)) % 100 < TUNED_ON:
        return False
    return name != "fever" or min(map(len, _sets(row))) == 1


def _sets(row: dict[str, Any]) -> list[set[int]]:
    """The sets of sentences of which each carries the claim."""
    return [
        {number for piece in group for number in range(piece["start_sentence"], piece["end_sentence"])}
        for group in row["evidences"]
    ]


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


# Other forms of questions that another source has, too.
SAME_QUESTIONS = ("hotpotqa_bare", "whole_pages")
SOURCES: dict[str, Callable[[Path], Iterator[Evidence]]] = {
    "hotpotqa": _hotpotqa,
    "hotpotqa_bare": _hotpotqa_bare,
    "2wikimultihopqa": _twowiki,
    "2wiki_made": _twowiki_made,
    "whole_pages": _whole_pages,
    "musique": _musique,
    "multihop_claims": _multihop_claims,
    "multirc": _eraser("multirc"),
    "fever": _eraser("fever"),
    "feverous": _feverous,
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


def _pages(
    row: dict[str, Any], facts: Sequence[Sequence[Any]], source: str, *, titled: bool = True
) -> Iterator[Evidence]:
    """A question with pages of sentences; each sentence has its page's title before it, or has not."""
    places: dict[tuple[str, int], int] = {}
    texts: list[str] = []
    for title, sentences in row["context"]:
        for number, sentence in enumerate(sentences):
            if sentence.strip():
                places[title, number] = len(texts)
                texts.append(f"{title}: {sentence.strip()}" if titled else sentence.strip())
    gold = {places[title, number] for title, number in facts if (title, number) in places}
    if gold:
        # A claim is for choosing if the question that it was made of is.
        key = row.get("asked")
        yield _made(row["_id"], row["question"], texts, gold, source, answer=row["answer"], key=key)


def _made(
    identifier: str,
    query: str,
    sentences: Sequence[str],
    gold: set[int],
    source: str,
    *,
    answer: str | None = None,
    key: str | None = None,
    also: set[int] | frozenset[int] = frozenset(),
) -> Evidence:
    part: Part = "choose" if _digest(key or query) % 100 < CHOOSE else "train"
    texts = tuple(" ".join(sentence.split()) for sentence in sentences)
    return Evidence(
        identifier, " ".join(query.split()), texts, frozenset(gold), source, part, answer, frozenset(also)
    )


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _digest(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def _key(text: str) -> str:
    """A query as it is compared: its letters and digits."""
    return "".join(re.findall(r"\w", text.lower()))
