"""Measure the verbs on our own documents in six genres, which nothing was trained on.

    python -m probative.bench.experiments.own                 # ask: whole documents, and chunks of a genre
    python -m probative.bench.experiments.own --shape chunks --show
    python -m probative.bench.experiments.own --verb judge        # 40 claims with the whole document
    python -m probative.bench.experiments.own --verb prove --part 0/2 --out rows.jsonl
    python -m probative.bench.experiments.own --verb ask --read rows.jsonl

An answer is right if it equals an accepted one (case, articles and punctuation aside), contains one, or
shares most of its words and all its numbers. "wrong and supported" is what a user would believe and should
not: a wrong answer, or any answer to a question that the documents do not answer, with the verdict
`supported`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import probative
from probative.bench.arguments import experiment_parser, show_progress, take_part
from probative.bench.data.own import (
    OwnClaim,
    OwnDocument,
    OwnQuestion,
    chunks,
    read_claims,
    read_documents,
    read_questions,
    whole,
)
from probative.bench.metrics import answer_f1, normalise_answer, wilson_interval
from probative.bench.rows import Row, append_rows, print_cells, print_header, read_rows

SHAPES = ("documents", "chunks")
OUTCOMES = ("right", "wrong and supported", "insufficient", "contradicted")
VERDICTS = ("supported", "contradicted", "insufficient")
_NUMBER = re.compile(
    r"\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|no|not|yes)\b"
)


def is_right(answer: str, accepted: Sequence[str]) -> bool:
    """Return whether an answer is one of the accepted ones, or nearly.

    >>> is_right("about 90 puffs", ["90"]), is_right("18 years old", ["16 years old"])
    (True, False)
    """
    return any(_matches(normalise_answer(answer), normalise_answer(gold)) for gold in accepted)


def _matches(answer: str, gold: str) -> bool:
    if f" {gold} " in f" {answer} ":
        return True
    same_numbers = _NUMBER.findall(answer) == _NUMBER.findall(gold)
    return same_numbers and answer_f1(answer, gold) >= 0.6


def outcome_of(question: OwnQuestion, answer: str | None, verdict: str) -> str:
    """Return which of the outcomes an answer is; silence about an unanswerable question is right."""
    if verdict == "supported" and answer is not None:
        return "right" if question.answers and is_right(answer, question.answers) else "wrong and supported"
    if not question.answers:
        return "right"
    return "contradicted" if verdict == "contradicted" else "insufficient"


def ask_rows(questions: Sequence[OwnQuestion], shape: str) -> Iterator[Row]:
    """Yield the result of each question over whole documents or over the chunks of its genre."""
    documents = read_documents()
    cases = []
    for question in questions:
        document = documents[question.document]
        passages = whole(document) if shape == "documents" else chunks(documents, document.genre)
        cases.append(probative.AskCase(question=question.question, passages=passages))
    for index, answer in probative.ask_all(cases):
        if isinstance(answer, probative.ProbativeError):
            raise answer
        question, document = questions[index], documents[questions[index].document]
        yield {
            "id": question.id,
            "shape": shape,
            "genre": document.genre,
            "kind": question.kind,
            "question": question.question,
            "accepted": list(question.answers),
            "answer": answer.answer,
            "verdict": answer.verdict.value,
            "answerable": answer.answerable,
            "chain": [passage.text for passage in answer.chain],
            "missing": list(answer.missing),
            "notes": list(answer.notes),
            "tokens": answer.usage.tokens,
            "outcome": outcome_of(question, answer.answer, answer.verdict.value),
        }


def claim_rows(claims: Sequence[OwnClaim], verb: str) -> Iterator[Row]:
    """Yield the verdict on each claim, by `judge` or `prove`, over its whole document."""
    documents = read_documents()
    for claim in claims:
        document = documents[claim.document]
        yield {
            "id": claim.id,
            "shape": verb,
            "genre": document.genre,
            "question": claim.claim,
            "gold": list(claim.gold),
            "right": claim.verdict,
            **(_judged(claim, document) if verb == "judge" else _proved(claim, document)),
        }


def _judged(claim: OwnClaim, document: OwnDocument) -> Row:
    judgement = probative.judge(claim.claim, list(document.sentences))
    chances = judgement.probabilities
    return {
        "verdict": judgement.verdict.value,
        "deciding": list(judgement.deciding),
        "probability": chances.of(judgement.verdict),
        "tokens": judgement.usage.tokens,
    }


def _proved(claim: OwnClaim, document: OwnDocument) -> Row:
    proof = probative.prove(claim.claim, list(document.sentences), verdict=True)
    verdict: Any = proof.verdict
    return {
        "verdict": getattr(verdict, "value", str(verdict)),
        "deciding": list(proof.indexes),
        "tokens": proof.usage.tokens,
    }


def show_answers(rows: Sequence[Row], *, each: bool) -> None:
    """Print the outcomes by shape, genre and kind of question."""
    if each:
        for row in rows:
            print(f"{row['outcome']:20} {row['shape']:9} {row['id']:14} {row['question']}")
            accepted = " / ".join(row["accepted"][:2]) or "(not answered)"
            certainty = "" if row["answerable"] is None else f", answerable {row['answerable']:.0%}"
            print(f"{'':20} {row['verdict']}: {row['answer']!r}{certainty}; right: {accepted}")
    print_header(["questions", "n", *OUTCOMES])
    for shape in dict.fromkeys(row["shape"] for row in rows):
        of_shape = [row for row in rows if row["shape"] == shape]
        for field in ("genre", "kind"):
            for value in dict.fromkeys(row[field] for row in of_shape):
                _print_outcomes(f"{shape}, {value}", [row for row in of_shape if row[field] == value])
        _print_outcomes(f"{shape}, all", of_shape)
    wrong = sum(row["outcome"] == "wrong and supported" for row in rows)
    low, high = wilson_interval(wrong, len(rows))
    print(f"\nwrong and supported: {100 * wrong / len(rows):.1f}% [{low:.1f}, {high:.1f}] of {len(rows)}")


def _print_outcomes(name: str, rows: Sequence[Row]) -> None:
    counts = Counter(row["outcome"] for row in rows)
    print_cells([name, str(len(rows)), *(str(counts[outcome]) for outcome in OUTCOMES)])


def show_claims(rows: Sequence[Row], *, each: bool) -> None:
    """Print how often each verdict was given to the claims of each kind, and whether the evidence is gold."""
    if each:
        for row in rows:
            mark = "right" if row["verdict"] == row["right"] else "wrong"
            print(f"{mark:6} {row['id']:14} {row['question']}")
            sentences = f"sentences {row['deciding']}, gold {row['gold']}"
            print(f"{'':6} {row['verdict']}, right: {row['right']}; {sentences}")
    print_header(["claims", "n", *VERDICTS, "a gold sentence cited"])
    for right in VERDICTS:
        of_right = [row for row in rows if row["right"] == right]
        counts = Counter(row["verdict"] for row in of_right)
        cited = sum(bool(set(row["deciding"]) & set(row["gold"])) for row in of_right)
        shown = f"{cited} of {len(of_right)}" if right != "insufficient" else ""
        print_cells([right, str(len(of_right)), *(str(counts[verdict]) for verdict in VERDICTS), shown])
    hits = sum(row["verdict"] == row["right"] for row in rows)
    low, high = wilson_interval(hits, len(rows))
    believed = sum(row["verdict"] == "supported" != row["right"] for row in rows)
    print(f"\nright verdicts: {100 * hits / len(rows):.1f}% [{low:.1f}, {high:.1f}] of {len(rows)}")
    print(f"wrong and supported: {100 * believed / len(rows):.1f}%")


def main() -> None:
    """Run, or read recorded rows, and print the tables."""
    parser = experiment_parser(__doc__)
    parser.add_argument("--verb", choices=("ask", "judge", "prove"), default="ask")
    parser.add_argument("--shape", choices=(*SHAPES, "both"), default="both", help="of the evidence of ask")
    parser.add_argument("--show", action="store_true", help="print every question and claim")
    arguments = parser.parse_args()
    show = show_answers if arguments.verb == "ask" else show_claims
    if arguments.read:
        show(read_rows(arguments.read, ("id", "shape")), each=arguments.show)
        return
    rows: list[Row] = []
    for row in _run(arguments):
        rows.append(row)
        append_rows(arguments.out, [row])
        show_progress(arguments.verb, len(rows), len(rows))
    show(rows, each=arguments.show)


def _run(arguments: Any) -> Iterator[Row]:
    if arguments.verb != "ask":
        yield from claim_rows(take_part(read_claims(), arguments.part), arguments.verb)
        return
    questions = take_part(read_questions(), arguments.part)
    for shape in SHAPES if arguments.shape == "both" else (arguments.shape,):
        yield from ask_rows(questions, shape)


if __name__ == "__main__":
    main()
