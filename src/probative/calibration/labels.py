"""The file of a draw: its questions with their answers, which the user labels, and the limit that follows.

The first line says how the questions were drawn and what answered them. Each other line is a question; its
`right` is null until the user writes true or false. Every line has a `mark`, a hash of the draw and of
everything in the line but `right`: so a line that was not drawn, or was changed, is known.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import Field, ValidationError

from probative.calibration.bounds import CheckedLimit, Reached, check_limits, fewest_answers, risk_curve
from probative.calibration.kept import GUARANTEE, KeptGuarantee, keep
from probative.errors import InputError
from probative.models.types import reason
from probative.scope.result import Guarantee
from probative.text.labels import counted
from probative.types import Value

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus

ALPHA = DELTA = 0.05
_DRAW_AGAIN = "draw again with another --out; the labels of this file stay in it"


class Draw(Value):
    """How `n` of the `pool` questions were drawn with `seed`, and what answered them.

    `kind` says where the questions came from, `pool_hash` which they were. `contents` is a hash of the
    documents.
    """

    kind: Literal["given", "made"]
    seed: int
    n: int = Field(ge=1)
    pool: int
    pool_hash: str
    contents: str
    models: dict[str, str]
    settings: dict[str, Any]

    def mark(self, row: Mapping[str, Any]) -> str:
        """Return the mark of a line of this draw. A larger draw of the same seed keeps the marks, also if the
        model makes more questions for it.
        """
        growing = {"pool", "pool_hash"} if self.kind == "made" else set()
        of_draw = self.model_dump(mode="json", exclude={"n", "models", *growing})
        of_row = {name: value for name, value in row.items() if name not in ("right", "mark")}
        content = json.dumps([of_draw, of_row], sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


class Labelled(NamedTuple):
    """The lines of a file, and its draw if it has one. `drawn` are the lines of the draw, by mark."""

    draw: Draw | None
    rows: list[dict[str, Any]]

    @property
    def drawn(self) -> dict[str, dict[str, Any]]:
        """The lines that the draw made and nobody changed, by their marks."""
        if self.draw is None:
            return {}
        return {row["mark"]: row for row in self.rows if row.get("mark") == self.draw.mark(row)}


class Calibration(Value):
    """What labels say about the answers over a corpus.

    - `kind`: ``guarantee``: it is kept with the corpus; ``none``: no limit can be guaranteed, and `reason`
      says why; ``test``: the labelled answers are not a random draw, so nothing is guaranteed.
    - `questions`: those in the file; `supported`: the answers among them that could be supported, `labelled`:
      those of them with a label, `wrong`: those labelled wrong.
    - `limits`: the limits in the order in which they were tested, if there are labels enough.
    - `limit`: the lowest certainty of supported answers that is guaranteed.
    - `needed`: the fewest answers, none wrong, that a guarantee needs; `missing`: how many are missing.
    """

    kind: Literal["guarantee", "test", "none"]
    alpha: float
    delta: float
    questions: int
    supported: int
    labelled: int
    wrong: int
    needed: int
    missing: int = 0
    limits: tuple[CheckedLimit, ...] = ()
    limit: float | None = None
    guarantee: Guarantee | None = None
    reason: str | None = None
    index: str = ""


def calibrate(
    corpus: Corpus, labels: str | Path, *, alpha: float = ALPHA, delta: float = DELTA
) -> Calibration:
    """Choose the limit of *supported* by the labels of a draw, and keep it with the corpus.

    At most the share `alpha` of supported answers is wrong, with confidence 1 − `delta`. If no limit can be
    guaranteed, the result says why, and no guarantee is kept: an earlier one neither.
    """
    check_shares(alpha, delta)
    return conclude(corpus, read_labels(Path(labels)), alpha=alpha, delta=delta, name=str(labels))


def conclude(corpus: Corpus, read: Labelled, *, alpha: float, delta: float, name: str) -> Calibration:
    """Choose the limit by the lines of a draw, and keep it; `name` is that of the draw in errors."""
    result = assess(read, alpha=alpha, delta=delta).model_copy(update={"index": str(corpus.path)})
    made = None
    if result.kind != "test":
        assert read.draw is not None
        if read.draw.contents != corpus.contents:
            raise InputError(
                f"{name} was drawn over other documents than {corpus.path} has now", hint=_DRAW_AGAIN
            )
        if result.guarantee is not None and result.limit is not None:
            made = KeptGuarantee(
                limit=result.limit,
                guarantee=result.guarantee,
                models=read.draw.models,
                settings=read.draw.settings,
                version=corpus.version,
            )
    keep(corpus.path, GUARANTEE, made)
    return result


def assess(read: Labelled, *, alpha: float, delta: float) -> Calibration:
    """Return what labels say, and keep nothing."""
    check_shares(alpha, delta)
    counting = [row for row in read.rows if _counts(row)]
    done = [row for row in counting if row.get("right") is not None]
    result = Calibration(
        kind="none",
        alpha=alpha,
        delta=delta,
        questions=len(read.rows),
        supported=len(counting),
        labelled=len(done),
        wrong=sum(not row["right"] for row in done),
        needed=fewest_answers(alpha, delta),
    )
    if (why := _no_draw(read)) is not None:
        return result.model_copy(update={"kind": "test", "reason": why})
    if (short := _too_few(result)) is not None:
        return short
    assert read.draw is not None
    limits = check_limits(*_certainties(done), alpha, delta)
    return _concluded(result.model_copy(update={"limits": limits}), read.draw)


def curve(read: Labelled, delta: float) -> tuple[Reached, ...]:
    """Return how many labelled answers reach each limit, and how many of these are wrong."""
    return risk_curve(*_certainties([row for row in read.rows if row.get("right") is not None]), delta)


def _certainties(rows: Sequence[Mapping[str, Any]]) -> tuple[list[float], list[bool]]:
    """Return the certainties of the labelled answers that count, and whether each is right."""
    counting = [row for row in rows if _counts(row)]
    return [float(row["certainty"]) for row in counting], [row["right"] for row in counting]


def check_shares(alpha: float, delta: float) -> None:
    """Raise `InputError` for a share that is none."""
    for name, value in (("alpha", alpha), ("delta", delta)):
        if not 0 < value < 1:
            raise InputError(f"{name} must be above 0 and below 1, got {value:g}")


def _too_few(result: Calibration) -> Calibration | None:
    """Return the result of a draw with too few answers or labels, and how many are missing; else None."""
    missing = result.needed - result.supported
    more = math.ceil(result.needed * result.questions / max(result.supported, 1))
    why = (
        f"{result.needed} answers without an error are needed, and {result.supported} could be supported: "
        f"draw about {more:,} questions"
    )
    if missing <= 0:
        missing = result.supported - result.labelled
        why = f"{missing} of the {result.supported} answers that count have no label yet"
    return result.model_copy(update={"missing": missing, "reason": why}) if missing > 0 else None


def _concluded(result: Calibration, draw: Draw) -> Calibration:
    """Return the result with its guarantee, or with why there is none."""
    passed = [each for each in result.limits if each.passed]
    if passed:
        guarantee = Guarantee(alpha=result.alpha, delta=result.delta, n=draw.n, kind=draw.kind)
        changes = {"kind": "guarantee", "limit": passed[-1].limit, "guarantee": guarantee}
        return result.model_copy(update=changes)
    first = result.limits[0]
    more = fewest_answers(result.alpha, result.delta, first.wrong)
    why = (
        f"wrong among the {first.supported} surest answers: {first.wrong}, so {first.bound:.1%} may be; "
        f"as many among {more} equally sure answers would pass"
    )
    return result.model_copy(update={"reason": why})


def _counts(row: Mapping[str, Any]) -> bool:
    """Return whether a line has an answer that its certainty decides about."""
    supported = row["counts"] if "counts" in row else row.get("verdict") == "supported"
    return bool(supported) and row.get("certainty") is not None


def _no_draw(read: Labelled) -> str | None:
    """Return why the lines are not the whole of a random draw; None if they are."""
    if read.draw is None:
        return "the file has no draw: answers that a user chooses are a biased sample"
    drawn = len(read.drawn)
    if len(read.rows) > drawn:
        return f"the file has {counted(len(read.rows) - drawn, 'line')} not drawn, repeated or changed"
    missing = read.draw.n - drawn
    return f"the file lacks {counted(missing, 'drawn line')}" if missing > 0 else None


def read_labels(file: Path) -> Labelled:
    """Return the lines of a file of labels; raises `InputError` for one that cannot be read."""
    rows, draw = [], None
    try:
        text = file.expanduser().read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if isinstance(row, dict) and set(row) == {"draw"}:
                draw = Draw.model_validate(row["draw"])
                continue
        except ValidationError as error:
            raise InputError(f"{file}, line {number}: {reason(error)}", hint=_DRAW_AGAIN) from None
        except ValueError as error:
            raise InputError(f"{file}, line {number} is not JSON: {error}") from None
        rows.append(_checked(row, file, number))
    if not rows:
        raise InputError(f"{file} has no lines", hint="probative calibrate --out FILE draws them")
    return Labelled(draw, rows)


def _checked(row: Any, file: Path, number: int) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise InputError(f"{file}, line {number} is not a JSON object")
    if not isinstance(row.get("right"), bool | None):
        raise InputError(
            f"{file}, line {number}: right must be true, false or null, got {row['right']!r}",
            hint="true: the answer is right; false: it is wrong; null: not labelled yet",
        )
    return row


def answer_row(answer: Mapping[str, Any], ident: str) -> dict[str, Any]:
    """Return the line of an answer, given as `ask --json` prints it, without a label."""
    counts = answer["verdict"] == "supported"
    return {
        "id": ident,
        "question": answer["question"],
        "answer": answer["answer"] if counts else answer["candidate"],
        "cited": [{"text": each["text"], "citation": each["citation"]} for each in answer["cited"]],
        "certainty": answer["certainty"],
        "counts": counts,
    }


def claim_row(claim: Mapping[str, Any], ident: str) -> dict[str, Any]:
    """Return the line of a claim, given as in `verify --json`, without a label: is its verdict right?"""
    deciding = [each for each in claim["evidence"] if each["deciding"]]
    return {
        "id": ident,
        "claim": claim["claim"],
        "verdict": claim["verdict"],
        "cited": [{"text": each["text"], "citation": each["citation"]} for each in deciding],
        "certainty": claim["probabilities"][claim["verdict"]],
        "counts": claim["verdict"] == "supported",
    }


def label_text(draw: Draw, rows: Sequence[Mapping[str, Any]], before: Mapping[str, Any]) -> str:
    """Return the text of a file of labels; `before` are the labels that lines have, by mark."""
    lines = [json.dumps({"draw": draw.to_dict()}, ensure_ascii=False)]
    for row in rows:
        mark = draw.mark(row)
        lines.append(json.dumps({**row, "right": before.get(mark), "mark": mark}, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)
