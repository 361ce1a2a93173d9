"""Whether the large model's verdicts on the small one's answers teach its certainty more than true labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import probative
from probative.bench.data.questions import Question
from probative.bench.metrics import auroc, calibration_error
from probative.bench.rows import Row
from probative.engine.runner import run_searches
from probative.models.task_prompts import Line
from probative.settings import Settings
from probative.text.prompts import passage_header
from probative.text.sentences import sentences_of
from probative.verdict.judge import judge_claim
from probative.verdict.lines import statement
from training.certainty.collect import KEY, is_chain_of_several
from training.certainty.fit import READER, held_out
from training.row_files import append_rows

# How much the teacher's verdict counts; the label counts the rest.
TARGETS = {"labels": 0.0, "both": 0.5, "teacher": 1.0}
# The share of all questions whose answer may be wrong, where the right ones beside them are counted.
WRONG = 0.05


def teach(
    rows: Sequence[Row], questions: Mapping[tuple[str, str], Question], out: Path, settings: Settings
) -> None:
    """Append what the verdict model of the settings says about each answer, by the passages of its chain."""
    with probative.Session(settings=settings) as session:
        for number, row in enumerate(rows, 1):
            question = questions[row["set"], row["id"]]
            lines = [
                Line(sentence, passage_header(passage))
                for passage in (question.passages[index] for index in row["chain"])
                for sentence in sentences_of(passage)
            ]
            tools = session._tools.for_run()
            claim, texts = statement(question.text, row["answer"]), [line.text for line in lines]
            search = judge_claim(claim, texts, tools, language="en", lines=lines)
            for _, finished in run_searches([search], tools):
                assert finished.result is not None
                chances = finished.result.probabilities
                append_rows(out, [{**{key: row[key] for key in KEY}, "supported": chances.supported}])
            print(f"{number} of {len(rows)}", flush=True)


def compare(rows: Sequence[Row], taught: Sequence[Row]) -> Iterator[str]:
    """Yield how well certainties tell right from wrong answers that were fitted on four fifths of the answers
    that a teacher judged, by each kind of target, and tried on the other fifth.
    """
    verdicts = {tuple(row[key] for key in KEY): float(row["supported"]) for row in taught}
    for title, several in (("one passage", False), ("several passages", True)):
        lesson = [
            row
            for row in rows
            if is_chain_of_several(row) is several and tuple(row[key] for key in KEY) in verdicts
        ]
        right = [bool(row["right"]) for row in lesson]
        if len(set(right)) < 2:
            yield f"{title}: too few answers"
            continue
        yield f"{title}: {len(lesson)} answers"
        for name, share in TARGETS.items():
            targets = [
                {**row, "right": share * verdicts[row["set"], row["id"]] + (1 - share) * bool(row["right"])}
                for row in lesson
            ]
            chances = held_out(targets, READER)
            high = [chance for chance, hit in zip(chances, right, strict=True) if hit]
            low = [chance for chance, hit in zip(chances, right, strict=True) if not hit]
            yield (
                f"  {name:8} AUROC {auroc(high, low):.3f}, calibration error "
                f"{calibration_error(chances, right):.3f}, log loss {log_loss(chances, right):.3f}, "
                f"{100 * right_below(chances, right):.1f}% right where {100 * WRONG:.0f}% are wrong"
            )


def log_loss(chances: Sequence[float], right: Sequence[bool]) -> float:
    """Return the mean of −log of the probability of what is true.

    >>> round(log_loss([0.5, 0.5], [True, False]), 3)
    0.693
    """
    true = [chance if hit else 1.0 - chance for chance, hit in zip(chances, right, strict=True)]
    return -math.fsum(math.log(max(1e-4, chance)) for chance in true) / len(true)


def right_below(chances: Sequence[float], right: Sequence[bool]) -> float:
    """Return the share of right answers among all, taken from the surest on until too many are wrong.

    >>> right_below([0.9, 0.8, 0.1], [True, True, False])
    0.6666666666666666
    """
    hits = wrong = most = 0
    for _, hit in sorted(zip(chances, right, strict=True), key=lambda pair: -pair[0]):
        hits, wrong = hits + hit, wrong + (not hit)
        if wrong <= WRONG * len(right):
            most = hits
    return most / len(right)
