"""Gold sentences for data without them, as the paper made them: a strong model names them (appendix D).

People then correct them: `probative annotate` writes the file, and `--option gold=FILE` reads it back.
Without a file, the judge model annotates during the run, and the report says so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from probative.bench.data.files import read_lines
from probative.bench.experiment import Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim
from probative.errors import InputError


def with_gold(claim: Claim, lab: Lab) -> tuple[Claim, str]:
    """Return the claim with gold sentences, and who named them: "data", "file" or the judge's name.

    A claim that nobody annotated stays without gold; then the source is "nobody".
    """
    if claim.gold:
        return claim, "data"
    if (file := gold_file(lab.settings)) is not None:
        indexes = _read_gold(file).get(claim.id)
        return (replace(claim, gold=(indexes,)), "file") if indexes else (claim, "nobody")
    if lab.judge is None:
        return claim, "nobody"
    annotation = lab.judge.annotate(claim.text, claim.sentences)
    if not annotation.indexes:
        return claim, "nobody"
    return replace(claim, gold=(tuple(sorted(annotation.indexes)),)), annotation.model


def gold_file(settings: Settings) -> Path | None:
    """Return the file that the option `gold` names."""
    name = settings.option("gold", None)
    return None if name is None else Path(name)


@cache
def _read_gold(file: Path) -> dict[str, tuple[int, ...]]:
    if not file.exists():
        raise InputError(f"there is no file {file}", hint="write it with: probative annotate --in … --out …")
    return {str(line["id"]): tuple(line["indexes"]) for line in read_lines(file) if line.get("indexes")}
