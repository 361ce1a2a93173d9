"""Fit the certainty of answers on rows that `probative.bench.experiments.certainty --untouched` collected.

    python -m probative.bench.experiments.certainty --data DIR --untouched --out fit.jsonl
    python -m training.certainty fit.jsonl

Writes `src/probative/scope/certainty.json`, and prints how well the certainty tells right from wrong answers
when fitted on four fifths of the rows and tried on the other fifth.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from probative.bench.experiments.certainty import is_supported
from probative.bench.metrics import auroc, calibration_error
from probative.bench.rows import Row, read_rows
from probative.scope.certainty import CertaintyModel, CertaintyModels
from training.certainty.fit import COMMON, FORMS, fit_model, held_out
from training.certainty.thresholds import MIN_PRECISION, choose_thresholds, describe

OUT = Path(__file__).parents[2] / "src/probative/scope/certainty.json"


# Without the reader's own signals, certainty hardly tells right from wrong: less is asked for.
OTHER_PRECISION = 0.78


def fitted(
    rows: Sequence[Row], names: Sequence[str], title: str, source: str, precision: float = MIN_PRECISION
) -> CertaintyModel:
    """Return the model of some signals with its thresholds, and print how good it is on rows held out."""
    chances = held_out(rows, names)
    right = [bool(row["right"]) for row in rows]
    high = [chance for chance, hit in zip(chances, right, strict=True) if hit]
    low = [chance for chance, hit in zip(chances, right, strict=True) if not hit]
    model = choose_thresholds(fit_model(rows, names, source=source), rows, chances, precision)
    print(f"{title}: AUROC {auroc(high, low):.3f}, ECE {calibration_error(chances, right):.3f} (held out)")
    for term in model.terms:
        print(f"  {term.signal:13}{term.weight:+.2f}")
    supported = [is_supported(row, model) for row in rows]
    print(f"  certainty from {model.min_certainty}, entailed from {model.min_entailed}")
    print(f"  on the rows of the fit: {describe(rows, supported)}")
    return model


def main() -> None:
    """Fit both models and write them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", type=Path, nargs="+", help="files of the experiment")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    rows = [row for row in read_rows(arguments.rows, ("set", "id")) if row["signals"] is not None]
    counts = {name: sum(row["set"] == name for row in rows) for name in sorted({row["set"] for row in rows})}
    source = ", ".join(f"{count} of {name}" for name, count in counts.items())
    source += ": questions that the reader was not trained on and no figure is reported on"
    models = CertaintyModels(
        read=fitted(rows, list(FORMS), "the tuned reader", source),
        other=fitted(rows, COMMON, "any other model", source, OTHER_PRECISION),
    )
    arguments.out.write_text(models.model_dump_json(indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
