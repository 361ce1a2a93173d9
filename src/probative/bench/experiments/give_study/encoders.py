"""Table 7: the encoder that finds the entities near to a queried one."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Lab, Settings
from probative.bench.experiments.give_study.figures import StageStudy
from probative.bench.experiments.give_study.study import Arm, Asked, give_arm
from probative.bench.published import GIVE
from probative.models.encoder import Encoder
from probative.session.session import Session

EMBEDDED = "all-MiniLM-L6-v2"
"""The embedded encoder is this model."""


class Encoders(StageStudy):
    """Accuracy of each stage by the encoder. The option "encoders" names them, for example
    ``embedded,hf:sentence-transformers/all-mpnet-base-v2``; by default only the embedded one.
    """

    name = "give-encoders"
    own_options = ("encoders",)
    title = "Does a larger encoder find better groups of entities?"
    paper_reference = "table 7"
    questions = 50
    table_title = "Encoders that find near entities"
    published = GIVE.encoders

    def arms(self, set_name: str, settings: Settings) -> Sequence[Arm]:
        return [give_arm(settings, name) for name in encoders_in(settings)]

    def session_for(self, asked: Asked, lab: Lab) -> Session:
        return lab.session.with_encoder(encoders_in(lab.settings)[asked.arm.name])


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
