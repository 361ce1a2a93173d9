"""A run: one call of a verb, from the queue to its result."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, GetJsonSchemaHandler

from probative.scope.result import Level
from probative.server.base.errors import ErrorDetail
from probative.types import Usage, Value
from probative.verbs.table import VERBS

_MAX_TITLE = 160
CALIBRATE = "calibrate"
"""The runs that are no verb: answers for the labels of a corpus, and its test without labels."""


def run_kinds() -> tuple[str, ...]:
    """Return the verbs of the table at this moment, and what else runs.

    >>> "ask" in run_kinds(), run_kinds()[-1]
    (True, 'calibrate')
    """
    return (*VERBS.entries(), CALIBRATE)


def _checked_verb(name: str) -> str:
    # Each run is checked: to list the verbs asks every installed package for plug-ins, which takes 10 ms.
    if name != CALIBRATE and name not in VERBS:
        raise ValueError(f"there is no verb {name!r}: the verbs are {', '.join(run_kinds())}")
    return name


class _VerbNames:
    """Describes the name of a verb in a JSON schema."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", "enum": list(run_kinds())}


VerbName = Annotated[str, AfterValidator(_checked_verb), _VerbNames()]


class RunState(StrEnum):
    """Where a run stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen."""
        return self in (RunState.DONE, RunState.FAILED, RunState.CANCELLED)


class Run(Value):
    """One call of a verb, or a calibration. `position` is its place in the queue, 0 when it is not waiting.

    `detached` runs go on without a client and after a restart; `restarts` counts how often the server stopped
    while one was under way. `verdict`, `level` and `answer` (a probable one, too) are those of the result;
    `counts` are those of the claims of a verification.
    """

    id: str
    verb: VerbName
    title: str
    state: RunState
    created: str
    started: str | None = None
    finished: str | None = None
    position: int = 0
    detached: bool = False
    restarts: int = 0
    model: str | None = None
    verdict: str | None = None
    level: str | None = None
    answer: str | None = None
    counts: dict[str, int] | None = None
    usage: Usage | None = None
    error: ErrorDetail | None = None
    request: dict[str, Any] | None = None


def now() -> str:
    """Return this moment as ISO 8601, in UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def shortened(title: str) -> str:
    r"""Return a title on one line, cut where it is long.

    >>> shortened("The mill\n  burnt down.")
    'The mill burnt down.'
    """
    line = " ".join(title.split())
    return line if len(line) <= _MAX_TITLE else line[: _MAX_TITLE - 1] + "…"


def summary_of(result: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a run that its result decides.

    >>> summary_of({"verdict": "insufficient", "level": "probable", "candidate": "Riga"})["answer"]
    'Riga'
    """
    counts: dict[str, int] | None = None
    if isinstance(result.get("claims"), list):
        counts = {"supported": 0, "contradicted": 0, "insufficient": 0}
        for claim in result["claims"]:
            counts[claim["verdict"]] = counts.get(claim["verdict"], 0) + 1
    usage, answer = result.get("usage"), result.get("answer")
    if answer is None and result.get("level") == Level.PROBABLE:
        answer = result.get("candidate")
    return {
        "verdict": result.get("verdict"),
        "level": result.get("level"),
        "answer": shortened(answer) if isinstance(answer, str) else None,
        "counts": counts,
        "usage": None if usage is None else Usage.model_validate(usage),
        "model": result.get("model") or result.get("verdict_model"),
    }
