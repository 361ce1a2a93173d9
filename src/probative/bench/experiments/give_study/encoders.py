"""Table 7: the encoder that finds the entities near to a queried one."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Lab, Settings
from probative.bench.experiments.give_study.arms import Arm, give_arm
from probative.bench.experiments.give_study.cells import STAGES, Line, accuracy_table, set_columns
from probative.bench.experiments.give_study.study import ALL_SETS, Asked, GiveStudy, fields_of
from probative.bench.report import Report
from probative.bench.rows import Row
from probative.models.encoder import Encoder
from probative.session.session import Session

EMBEDDED = "all-MiniLM-L6-v2"
"""The embedded encoder is this model."""

# GPT3.5-turbo, 50 questions of each set; None: not to be read in our text of the paper.
PUBLISHED: dict[str, tuple[float | None, ...]] = {
    "GIVE a, paraphrase-albert-small-v2": (None, None, None, 68.0),
    "GIVE a, all-MiniLM-L6-v2": (32.0, 86.0, 76.0, 74.0),
    "GIVE a, all-MiniLM-L12-v2": (24.0, 80.0, 62.0, 72.0),
    "GIVE a, all-mpnet-base-v2": (38.0, None, None, None),
    "GIVE a+c, all-MiniLM-L6-v2": (56.0, 86.0, 74.0, 76.0),
    "GIVE a+c, all-MiniLM-L12-v2": (52.0, 82.0, 62.0, 70.0),
    "GIVE a+c+e, paraphrase-albert-small-v2": (52.0, 84.0, 76.0, 72.0),
    "GIVE a+c+e, all-MiniLM-L6-v2": (52.0, 88.0, 70.0, 76.0),
    "GIVE a+c+e, all-MiniLM-L12-v2": (54.0, None, None, None),
    "GIVE a+c+e, all-mpnet-base-v2": (52.0, 88.0, 60.0, 64.0),
}


class Encoders(GiveStudy):
    """Accuracy of each stage by the encoder. The option "encoders" names them, for example
    ``embedded,hf:sentence-transformers/all-mpnet-base-v2``; by default only the embedded one.
    """

    name = "give-encoders"
    title = "Does a larger encoder find better groups of entities?"
    shown_as = "table 7"
    data = ("pubmedqa", "bioasq", "processbank", "umls", "commonsenseqa", "conceptnet")
    questions = 50

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name) for name in encoders_in(settings)]

    def session_for(self, asked: Asked, lab: Lab) -> Session:
        return lab.session.with_encoder(encoders_in(lab.settings)[asked.arm.name])

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        rows = [fields_of(row) for row in rows]
        sets, arms = self.sets_in(settings), list(encoders_in(settings))
        table = accuracy_table(
            "Encoders that find near entities",
            [Line(f"{name}, {arm}", arm, stage) for stage, name in STAGES.items() for arm in arms],
            set_columns(sets),
            rows,
            {line: [figures[ALL_SETS.index(name)] for name in sets] for line, figures in PUBLISHED.items()},
            "Published: GPT3.5-turbo, 50 questions of each set; figures that our text of the paper does not "
            "show are left out.",
        )
        return Report(tables=(table,))


def encoders_in(settings: Settings) -> dict[str, Encoder | str]:
    """Return the encoders of the option "encoders", names or opened ones, by their names in the paper.

    >>> from pathlib import Path
    >>> encoders_in(Settings(Path("."), options={"encoders": "embedded, hf:models/all-mpnet-base-v2"}))
    {'all-MiniLM-L6-v2': 'embedded', 'all-mpnet-base-v2': 'hf:models/all-mpnet-base-v2'}
    """
    given = settings.option("encoders", "embedded")
    encoders = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
    return {_short(each if isinstance(each, str) else each.name): each for each in encoders}


def _short(name: str) -> str:
    """Return the name of an encoder without its backend and folder.

    >>> _short("hf:/models/all-mpnet-base-v2/"), _short("embedded")
    ('all-mpnet-base-v2', 'all-MiniLM-L6-v2')
    """
    return EMBEDDED if name == "embedded" else name.rstrip("/").split("/")[-1].split(":")[-1]
