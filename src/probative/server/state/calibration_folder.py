"""What is kept of the calibration of a corpus: what was drawn, the labels, and when its guarantee lapsed.

Labels are in a file of their own, apart from the lines that are drawn: a draw that goes on for minutes and a
user who labels meanwhile do not overwrite each other.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, ValidationError

from probative.calibration.labels import ALPHA, DELTA, Labelled, label_text, read_labels
from probative.errors import StoreError
from probative.server.base.errors import NotThereError
from probative.types import Value

Source = Literal["asked", "given", "made"]
"""Where questions come from: those asked so far, those that a user gives, or those that the model makes."""


Kept = TypeVar("Kept", bound=Value)


class Plan(Value):
    """What is drawn and what shall be guaranteed. `contents` is a hash of the documents, and `model` the name
    of the model that answers; `concluded` says that all labels were there once.
    """

    source: Source
    n: int = Field(ge=1)
    alpha: float = ALPHA
    delta: float = DELTA
    seed: int = 0
    contents: str
    model: str
    concluded: bool = False


class Lapse(Value):
    """Why a guarantee does not hold any more, and when that was noticed."""

    why: str
    noticed: str


class CalibrationFolder:
    """The files of one calibration. It may be shared between threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.drawn = path / "draw.jsonl"
        self.questions = path / "questions.jsonl"
        self._plan, self._labels, self._lapse = path / "plan.json", path / "labels.json", path / "lapse.json"
        self._lock = threading.Lock()

    def plan(self) -> Plan | None:
        """Return what is drawn; None if nothing is."""
        return _read(self._plan, Plan)

    def begin(self, plan: Plan, questions: Sequence[str] | None) -> None:
        """Keep a new plan with its questions; without them, the model makes them."""
        if questions is not None:
            lines = (
                json.dumps({"id": f"q-{number}", "question": text}, ensure_ascii=False)
                for number, text in enumerate(questions, 1)
            )
            self._write(self.questions, "".join(f"{line}\n" for line in lines))
        self.change(plan)

    def change(self, plan: Plan) -> None:
        """Keep a plan in the place of the one before; what was drawn stays."""
        self._write(self._plan, plan.to_json())

    def discard(self) -> None:
        """Remove the draw and its labels; raises `NotThereError`. Damaged files go, too."""
        if not self._plan.exists():
            raise nothing_drawn()
        kept = None
        with suppress(StoreError):
            kept = self.lapse()
        shutil.rmtree(self.path, ignore_errors=True)
        if kept is not None:
            self.notice(kept)

    def read(self) -> Labelled | None:
        """Return the lines that were drawn, with their labels; None before they are answered."""
        if not self.drawn.exists():
            return None
        drawn, labels = read_labels(self.drawn), self.labels()
        return Labelled(drawn.draw, [{**row, "right": labels.get(row["mark"])} for row in drawn.rows])

    def text(self) -> str:
        """Return the file of labels as `probative calibrate --labels` reads it."""
        read = self.read()
        if read is None or read.draw is None:
            raise nothing_drawn()
        rows = [
            {name: value for name, value in row.items() if name not in ("mark", "right")} for row in read.rows
        ]
        return label_text(read.draw, rows, self.labels())

    def labels(self) -> dict[str, bool]:
        """Return the labels by the marks of their lines."""
        try:
            found: dict[str, bool] = json.loads(self._labels.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise StoreError(f"the labels cannot be read: {error}", hint="discard the draw") from None
        return found

    def label(self, mark: str, right: bool | None) -> None:
        """Keep a label; with None, take it back. It is on disk when this returns."""
        with self._lock:
            labels: Mapping[str, bool] = {
                other: said for other, said in self.labels().items() if other != mark
            }
            self._write(self._labels, json.dumps(labels if right is None else {**labels, mark: right}))

    def lapse(self) -> Lapse | None:
        """Return why the guarantee lapsed, if that was noticed."""
        return _read(self._lapse, Lapse)

    def notice(self, lapse: Lapse | None) -> None:
        """Keep why the guarantee lapsed; None: it holds."""
        if lapse is not None:
            self._write(self._lapse, lapse.to_json())
        else:
            self._lapse.unlink(missing_ok=True)

    def _write(self, file: Path, text: str) -> None:
        """Write a file in one step; it is on disk when this returns."""
        new = file.with_name(f".{file.name}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with new.open("w", encoding="utf-8") as written:
                written.write(text)
                written.flush()
                os.fsync(written.fileno())
            new.replace(file)
        except OSError as error:
            raise StoreError(
                f"the calibration cannot be kept: {error.strerror or error}", hint="free some space"
            ) from None


def nothing_drawn() -> NotThereError:
    """Return the error of what needs a draw."""
    return NotThereError("nothing is drawn yet", hint="POST /api/corpora/NAME/calibration draws")


def _read(file: Path, kind: type[Kept]) -> Kept | None:
    try:
        return kind.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError):
        raise StoreError(
            f"{file.name} of the calibration is damaged or of another version", hint="discard the draw"
        ) from None
