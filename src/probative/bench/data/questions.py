"""Questions with passages from published sets, in one form, each set read in its published format.

Of sets with a split (`probative.bench.data.splits`), the questions are those that figures are reported on.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from probative.bench.data.files import read_json, read_lines, read_rows, single_spaced
from probative.bench.data.pages import COLLECTIONS, Collection, read_collection
from probative.bench.data.splits import MULTIHOP_FILES, in_tuned_quarter, is_kept_sample, multihop_rows
from probative.errors import InputError
from probative.text.sentences import split_sentences
from probative.types import Passage

# Pages that BM25 hands to the methods.
RETRIEVED = 20
POISONED = ("nq", "msmarco")
# Of an answer with several parts, each with several spellings, as many combinations are accepted.
MAX_SPELLINGS = 64
_BIOASQ_TASK = re.compile(r"(?:task|(?<![a-z0-9]))(\d{1,2})b", re.IGNORECASE)
_YES_NO = {"true": "yes", "false": "no"}


@dataclass(frozen=True)
class Question:
    """A question, its answer, its passages (sentences with their page as title), and the indexes of the
    gold ones.

    `titles` are the gold pages where the passages are whole pages that were retrieved. `also` are other
    accepted spellings of the answer. `tuning`: settings were tuned on the question.
    """

    id: str
    text: str
    answer: str
    kind: str
    passages: tuple[Passage, ...]
    gold: frozenset[int]
    titles: frozenset[str] = frozenset()
    also: tuple[str, ...] = ()
    tuning: bool = False

    @property
    def accepted(self) -> tuple[str, ...]:
        """All accepted spellings of the answer."""
        return (self.answer, *self.also)

    @property
    def wanted(self) -> frozenset[int] | frozenset[str]:
        """What the chosen passages should contain: titles of pages, or indexes of sentences."""
        return self.titles or self.gold


def _question(
    identifier: object,
    text: str,
    accepted: Sequence[str],
    kind: str,
    passages: Iterable[str],
    gold: Iterable[str] = (),
) -> Question:
    """Return a question whose passages are texts; `gold` are some of them."""
    texts = [passage for passage in passages if passage.strip()]
    return Question(
        id=str(identifier),
        text=single_spaced(text),
        answer=accepted[0],
        kind=kind,
        passages=tuple(Passage(text=passage) for passage in texts),
        gold=frozenset(index for index, passage in enumerate(texts) if passage in gold),
        also=tuple(accepted[1:]),
    )


def read_questions(data: Path, name: str, *, tuning: bool | None = False) -> list[Question]:
    """Return the questions of HotpotQA or 2WikiMultihopQA with all their sentences, or of 2WikiMultihopQA
    with the pages that BM25 retrieves from a collection.

    Of the dev sample of our kept reports these are the 200 rows that figures are reported on, or (`tuning`)
    that settings were tuned on; all rows, marked, if `tuning` is None. Any other file was tuned on by nobody:
    all its rows are returned, and `tuning` raises `InputError`.
    """
    rows = read_json(data / MULTIHOP_FILES["2wikimultihopqa" if name in COLLECTIONS else name])
    tuned: Sequence[Any] = ()
    if is_kept_sample(rows):
        tuned = multihop_rows(rows, tuning=True)
        rows = rows if tuning is None else multihop_rows(rows, tuning=tuning)
    elif tuning:
        raise InputError(
            f"no setting was tuned on this file of {name}", hint="leave out tuning, or use our dev sample"
        )
    tuned_ids = {row["_id"] for row in tuned}
    questions = [replace(_checked_question(row, name), tuning=row.get("_id") in tuned_ids) for row in rows]
    if name not in COLLECTIONS:
        return questions
    collection = read_collection(data, name)
    return [_with_retrieved(question, collection) for question in questions]


read_hotpotqa = partial(read_questions, name="hotpotqa")
read_2wikimultihopqa = partial(read_questions, name="2wikimultihopqa")


def _with_retrieved(question: Question, collection: Collection) -> Question:
    """Return the question with the pages retrieved for it instead of its own passages."""
    passages = tuple(collection(question.text, RETRIEVED))
    titles = frozenset(question.passages[index].title or "" for index in question.gold)
    gold = frozenset(index for index, passage in enumerate(passages) if passage.title in titles)
    return replace(question, passages=passages, gold=gold, titles=titles)


def _checked_question(row: dict[str, Any], name: str) -> Question:
    try:
        return as_question(row)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"the row {row.get('_id')!r} of {name} is not as published: {type(error).__name__}: {error}",
            hint="context is a list of [title, [sentence, …]], supporting_facts one of [title, number]",
        ) from error


def as_question(row: dict[str, Any]) -> Question:
    """Return the question of a row in the form of HotpotQA."""
    facts = {(title, number) for title, number in row["supporting_facts"]}
    sentences = [
        (sentence.strip(), title, (title, number) in facts)
        for title, page in row["context"]
        for number, sentence in enumerate(page)
        if sentence.strip()
    ]
    return Question(
        id=str(row["_id"]),
        text=str(row["question"]),
        answer=str(row["answer"]),
        kind=str(row["type"]),
        passages=tuple(Passage(text=text, title=title) for text, title, _ in sentences),
        gold=frozenset(index for index, (_, _, is_gold) in enumerate(sentences) if is_gold),
    )


def read_musique(data: Path) -> Iterator[Question]:
    """Yield MuSiQue's questions that have an answer; the passages are its paragraphs."""
    for row in read_rows(data / "musique/train_sample.json"):
        if row.get("answerable", True):
            pages = row["paragraphs"]
            yield Question(
                id=str(row["id"]),
                text=str(row["question"]),
                answer=str(row["answer"]),
                kind=str(row["id"]).split("__")[0],
                passages=tuple(Passage(text=page["paragraph_text"], title=page["title"]) for page in pages),
                gold=frozenset(index for index, page in enumerate(pages) if page.get("is_supporting")),
                also=tuple(map(str, row.get("answer_aliases", ()))),
            )


def read_rgb_questions(data: Path, file: str = "rgb/en_fact.json") -> Iterator[Question]:
    """Yield RGB's English questions; the passages are its true documents, then those without the answer."""
    for row in read_lines(data / file):
        true, accepted = row["positive"], accepted_answers(row["answer"])
        texts = dict.fromkeys([*true, *row["negative"]])
        yield _question(row["id"], row["query"], accepted, "single-hop", texts, gold=true)


read_rgb_chinese = partial(read_rgb_questions, file="rgb/zh_refine.json")


def accepted_answers(answer: str | Sequence[str | Sequence[str]]) -> tuple[str, ...]:
    """Return the accepted spellings of an answer of RGB: a text; or the parts of the answer, each a text or a
    list of spellings. Several parts are joined with commas.

    >>> accepted_answers("Molde"), accepted_answers([["3 May", "May 3"]])
    (('Molde',), ('3 May', 'May 3'))
    >>> accepted_answers(["Ada", ["Bo", "Bob"]])
    ('Ada, Bo', 'Ada, Bob')
    """
    if isinstance(answer, str):
        return (answer,)
    parts = [[part] if isinstance(part, str) else part for part in answer]
    return tuple(", ".join(spelled) for spelled in islice(product(*parts), MAX_SPELLINGS))


def read_poisoned_questions(data: Path) -> Iterator[Question]:
    """Yield PoisonedRAG's questions; the passages are the adversarial texts, and no passage is gold."""
    for name in POISONED:
        for key, row in read_json(data / f"poisonedrag/{name}.json").items():
            yield _question(f"{name} {key}", row["question"], [row["correct answer"]], name, row["adv_texts"])


class ConflictCase(NamedTuple):
    """A question with true passages, followed by false ones, and the accepted spellings of its answer."""

    question: str
    true: tuple[str, ...]
    false: tuple[str, ...]
    answers: tuple[str, ...] = ()


def read_rgb(file: Path) -> list[ConflictCase]:
    """Return RGB's questions. A false passage that repeats a true one is left out."""
    return [
        ConflictCase(
            question=row["query"],
            true=tuple(row["positive"]),
            false=tuple(text for text in row["positive_wrong"] if text not in row["positive"]),
            answers=accepted_answers(row["answer"]),
        )
        for row in read_lines(file)
    ]


def read_poisoned(file: Path) -> list[ConflictCase]:
    """Return PoisonedRAG's questions, which have only false passages."""
    rows = read_json(file).values()
    return [ConflictCase(row["question"], true=(), false=tuple(row["adv_texts"])) for row in rows]


def read_half_poisoned(data: Path, true: Path) -> list[ConflictCase]:
    """Return the questions of PoisonedRAG for which a file has true passages: `bench/own/true_passages.jsonl`
    has some of ours, which name a question by its id and state its right answer in other words.
    """
    sets = {name: read_json(data / f"poisonedrag/{name}.json") for name in POISONED}
    asked = {(name, key): row for name, rows in sets.items() for key, row in rows.items()}
    written = ((asked.get((row["set"], row["id"])), row["passages"]) for row in read_lines(true))
    return [
        ConflictCase(
            row["question"], tuple(texts.values()), tuple(row["adv_texts"]), (row["correct answer"],)
        )
        for row, texts in written
        if row is not None
    ]


def read_conflicts(data: Path) -> Iterator[Question]:
    """Yield ConflictQA's questions (yes or no); the passages are the evidence of both sides.

    Which of the two is true depends on what the asked model answered, so no passage is gold.
    """
    file = data / "conflictqa/conflictQA-strategyQA-chatgpt.json"
    for number, row in enumerate(read_lines(file), 1):
        sides = (row["parametric_memory_aligned_evidence"], row["counter_memory_aligned_evidence"])
        truth = [_YES_NO.get(answer.casefold(), answer) for answer in row["ground_truth"]]
        yield _question(number, row["question"], truth, "conflict", filter(None, sides))


def read_pubmedqa(data: Path) -> Iterator[Question]:
    """Yield the questions (yes, no or maybe) of PubMedQA's test part with their abstracts."""
    tested = read_json(data / "pubmedqa/test_ground_truth.json")
    for key, row in read_json(data / "pubmedqa/ori_pqal.json").items():
        if key in tested:
            yield _question(key, row["QUESTION"], [tested[key]], "yes-no", row["CONTEXTS"])


def bioasq_rows(data: Path, tasks: Container[int] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the questions of BioASQ as they are published: of all files, or of the test sets of some tasks,
    which the name of a file or of its folder tells (`Task2B…/2B1_golden.json`, `phaseB_2b_01.json`).
    """
    folder = data / "bioasq"
    for file in sorted(folder.glob("**/*.json")):
        if tasks is None or bioasq_task(file.relative_to(folder).as_posix()) in tasks:
            yield from read_json(file)["questions"]


def bioasq_task(name: str) -> int | None:
    """Return the number of the task that a file is a test set of; None if its name tells none.

    >>> [bioasq_task(name) for name in ("Task3BGolden/3B1_golden.json", "phaseB_2b_01.json", "4b.json")]
    [3, 2, 4]
    >>> bioasq_task("BioASQ-training4b/trainset.json"), bioasq_task("golden.json")
    (None, None)
    """
    task = _BIOASQ_TASK.search(name)
    return None if task is None or "train" in name.lower() else int(task[1])


def read_bioasq(data: Path) -> Iterator[Question]:
    """Yield BioASQ's yes/no questions and its factoid questions with their snippets, each question once."""
    seen: set[str] = set()
    for row in bioasq_rows(data):
        text, accepted = single_spaced(row["body"]), _bioasq_answers(row)
        snippets = dict.fromkeys(snippet["text"] for snippet in row.get("snippets", ()))
        if accepted and snippets and not in_tuned_quarter(text.casefold()) and text not in seen:
            seen.add(text)
            yield _question(row["id"], text, accepted, row["type"], snippets)


def _bioasq_answers(row: dict[str, Any]) -> list[str]:
    """Return the accepted answers of a yes/no or factoid question, and none for the other types."""
    answer = row.get("exact_answer", [])
    if row["type"] == "yesno":
        return [answer.lower()]
    if row["type"] != "factoid":
        return []
    entities = [answer] if isinstance(answer, str) else answer
    return [text for entity in entities for text in ([entity] if isinstance(entity, str) else entity)]


class ProcessQuestion(NamedTuple):
    """A question of ProcessBank, its paragraph, its two choices and the right one."""

    id: str
    text: str
    paragraph: str
    choices: tuple[str, str]
    right: str


def processbank_questions(data: Path) -> Iterator[ProcessQuestion]:
    """Yield ProcessBank's questions as they are published."""
    for file in sorted((data / "processbank/qa").iterdir(), key=lambda file: file.name):
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
        paragraph = single_spaced(root.findtext("text") or file.name)
        for index, row in enumerate(root.iter("question")):
            text, first, second = (single_spaced(row.findtext(tag) or "") for tag in ("q", "a0", "a1"))
            right = (first, second)[int(row.findtext("correct") or 0)]
            yield ProcessQuestion(f"{file.stem}:{index}", text, paragraph, (first, second), right)


def read_processbank(data: Path) -> Iterator[Question]:
    """Yield ProcessBank's questions with the sentences of their paragraph; the answer is the right choice."""
    for row in processbank_questions(data):
        if not in_tuned_quarter(row.paragraph):
            sentences = [sentence.text for sentence in split_sentences(row.paragraph)]
            yield _question(row.id, row.text, [row.right], "process", sentences)
