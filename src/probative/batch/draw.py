"""Draw questions at random, ask them over a corpus, and write the file that the user labels."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.batch.manifest import BatchManifest
from probative.batch.output import replace_file
from probative.batch.run import Progress
from probative.batch.verb_files import verb_file
from probative.calibration.kept import answering_settings
from probative.calibration.labels import Draw, answer_row, label_text, read_labels
from probative.calibration.questions import read_questions, write_questions
from probative.errors import InputError
from probative.session.session import Session
from probative.text.labels import counted
from probative.types import Value

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

SMALL_MODELS = ("embedded", "embedded:plain")
AT_ONCE = 16
"""Questions that a model writes in one batch; between two batches, the run can be stopped."""


class DrawnQuestions(Value):
    """A draw whose questions were asked: how many of how many, and what is left to label.

    `counting`: the answers that a limit decides about; only they need a label. `failed` questions have no
    answer: the same call tries them again, and the file is written when there are none.
    """

    file: str
    drawn: int
    pool: int
    counting: int
    labelled: int
    failed: int
    batch: BatchManifest


def draw_questions(
    session: Session,
    corpus: Corpus,
    out: str | Path,
    *,
    questions: str | Path | None = None,
    n: int = 100,
    draw_seed: int = 0,
    progress: Progress | None = None,
    **arguments: Any,
) -> DrawnQuestions:
    """Draw `n` questions without replacement, ask them over the corpus, and write the file of labels.

    `questions` is a file with one on each line; without it, the language model writes them from passages at
    random. `arguments` are those of `ask`. A run that was stopped goes on; a larger `n` with the same
    `draw_seed` adds questions, and no label is lost. The answers are in OUT.answers.jsonl.
    """
    target = Path(out).expanduser()
    if n < 1:
        raise InputError(f"n must be at least 1, got {n}")
    if "min_certainty" in arguments:
        raise InputError("min_certainty cannot be given: calibrating chooses it")
    labels = _labels(target)
    pool = (
        _made(session, corpus, target, n, draw_seed) if questions is None else read_questions(Path(questions))
    )
    shuffled = list(pool)
    random.Random(draw_seed).shuffle(shuffled)  # the first n of a larger draw are those of a smaller one
    drawn = shuffled[:n]
    source, answers = (
        target.with_name(f"{target.name}.questions.jsonl"),
        target.with_name(f"{target.name}.answers.jsonl"),
    )
    lines = (json.dumps({"id": ident, "question": text}, ensure_ascii=False) for ident, text in drawn)
    replace_file(source, "".join(f"{line}\n" for line in lines))
    batch = verb_file(
        "ask",
        source,
        answers,
        session=session,
        progress=progress,
        corpus=corpus,
        min_certainty=0.0,
        **arguments,
    )
    draw = Draw(
        kind="made" if questions is None else "given",
        seed=draw_seed,
        n=len(drawn),
        pool=len(pool),
        pool_hash=hashlib.sha256(json.dumps(pool).encode()).hexdigest()[:16],
        contents=corpus.contents,
        models=batch.weights,
        settings=answering_settings(batch.settings),
    )
    if session.dry_run or batch.failed:
        return _drawn(target, draw, [], {}, batch)
    rows = _rows([ident for ident, _ in drawn], answers)
    if lost := labels.keys() - {draw.mark(row) for row in rows}:
        raise InputError(
            f"{target} has {counted(len(lost), 'label')} of another draw, or of other answers",
            hint="name another --out; its labels are kept",
        )
    replace_file(target, label_text(draw, rows, labels))
    return _drawn(target, draw, rows, labels, batch)


def _drawn(
    target: Path, draw: Draw, rows: list[dict[str, Any]], labels: Mapping[str, bool], batch: BatchManifest
) -> DrawnQuestions:
    return DrawnQuestions(
        file=str(target),
        drawn=draw.n,
        pool=draw.pool,
        counting=sum(row["counts"] for row in rows),
        labelled=len(labels),
        failed=batch.failed,
        batch=batch,
    )


def _labels(file: Path) -> dict[str, bool]:
    """Return the labels that a file has by mark."""
    if not file.exists():
        return {}
    rows = read_labels(file).rows
    return {row.get("mark", ""): row["right"] for row in rows if row.get("right") is not None}


def _made(session: Session, corpus: Corpus, target: Path, n: int, draw_seed: int) -> list[tuple[str, str]]:
    """Return questions that the model wrote; those of an earlier run of the same draw are in a file."""
    if session.model_name in SMALL_MODELS:
        raise InputError(
            f"there are no questions, and {session.model_name} cannot write them",
            hint="name a file with --questions, or a model that writes: embedded:large, hf:… or openai:…",
        )
    file = target.with_name(f"{target.name}.made.jsonl")
    made = read_questions(file) if file.exists() else []
    if len(made) >= n:
        return made[:n]
    written = session.run_search(write_questions(corpus, n, draw_seed, at_once=AT_ONCE))
    texts = list(dict.fromkeys((*(text for _, text in made), *written)))[
        :n
    ]  # a larger n keeps the first ones
    if not texts:
        raise InputError(
            f"{session.model_name} wrote no question that can be used", hint="use --questions FILE"
        )
    pool = [(f"made-{number}", text) for number, text in enumerate(texts, 1)]
    lines = (json.dumps({"id": ident, "question": text}, ensure_ascii=False) for ident, text in pool)
    replace_file(file, "".join(f"{line}\n" for line in lines))
    return pool


def _rows(order: list[str], answers: Path) -> list[dict[str, Any]]:
    """Return what the user sees of each answer, in the order of the draw."""
    records = (json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines())
    by_id = {record["id"]: record for record in records}
    return [answer_row(by_id[ident], ident) for ident in order]
