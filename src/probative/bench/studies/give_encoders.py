"""Table 7: the encoder that finds the entities near to a queried one."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.families.graph_questions import FIFTY_QUESTIONS, Arm, Asked, StageStudy, give_arm
from probative.bench.families.graph_tables import accuracy_table, by_set
from probative.bench.published import GIVE
from probative.bench.study import Lab, Settings
from probative.models.encoder import Encoder
from probative.session.session import Session

EMBEDDED = "all-MiniLM-L6-v2"
"""The embedded encoder is this model."""


class GiveEncoders(StageStudy):
    """Accuracy of each stage by the encoder. The option "encoders" names them, for example
    ``embedded,hf:sentence-transformers/all-mpnet-base-v2``; by default only the embedded one.
    """

    name = "give-encoders"
    options = ("encoders",)
    title = "Does a larger encoder find better groups of entities?"
    paper_reference = "table 7"
    questions = 50
    tables = (accuracy_table("Encoders that find near entities", by_set(GIVE.encoders), FIFTY_QUESTIONS),)

    def arms_for(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name) for name in encoders_in(settings)]

    def session_for(self, asked: Asked, lab: Lab) -> Session:
        return lab.session.with_encoder(encoders_in(lab.settings)[asked.arm.name])


def encoders_in(settings: Settings) -> dict[str, Encoder | str]:
    """Return the encoders of the option "encoders", names or opened ones, by their names in the paper: those
    of the models without backend and folder.

    >>> from pathlib import Path
    >>> encoders_in(Settings(Path("."), options={"encoders": "embedded, hf:/models/all-mpnet-base-v2/"}))
    {'all-MiniLM-L6-v2': 'embedded', 'all-mpnet-base-v2': 'hf:/models/all-mpnet-base-v2/'}
    """
    given = settings.option("encoders", "embedded")
    encoders = [part.strip() for part in given.split(",")] if isinstance(given, str) else given
    names = (each if isinstance(each, str) else each.name for each in encoders)
    short = (
        EMBEDDED if name == "embedded" else name.rstrip("/").split("/")[-1].split(":")[-1] for name in names
    )
    return dict(zip(short, encoders, strict=True))
