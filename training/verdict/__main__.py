r"""The verdict model: `prepare` its examples, `train` an adapter for SmolLM2, `measure` it.

python -m training.verdict prepare --data DIR --base SmolLM2.gguf --out verdict.npz \
        --measured measured.npz
python -m training.verdict train --examples verdict.npz --base SmolLM2.gguf --out runs/verdict --minutes 6
python -m training.verdict measure --examples measured.npz --base SmolLM2.gguf \
        --adapter runs/verdict/adapter.safetensors --out logits.npz
python -m training.verdict report --data DIR --examples measured.npz --logits logits.npz
"""

from __future__ import annotations

import argparse
import hashlib
import random
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from training.commands import Commands, add_settings, print_now, settings_from, write_json
from training.verdict.arrays import Arrays, Encode, make_arrays, measured_units, training_units
from training.verdict.options import Options

# Validation rows are the last of the measured ones; at most this many of a source.
MAX_VALIDATION = 120


def prepare(args: argparse.Namespace) -> None:
    """Build the examples, and the windows of the evaluation and of the validation rows."""
    from probative.bench.data.claims import read_verdict_rows
    from probative.verdict.claim import claim_parts
    from training.verdict.bundles import bundles
    from training.verdict.data import build, manifest, own
    from training.verdict.published import as_judged

    started = time.perf_counter()
    encode = encoder(args.base)
    rows = (own if args.own else build)(args.data, args.seed)
    arrays = make_arrays(list(training_units(rows, encode)), encode, manifest(args.data, rows, args.seed))
    arrays.save(args.out)
    size = args.out.stat().st_size / 2**20
    print_now(f"{len(arrays)} windows, {len(arrays.tokens):,} tokens, {size:.1f} MiB")
    if args.measured is None:
        return
    counts: dict[str, int] = {}
    measured = [as_judged(row) for row in read_verdict_rows(args.data)]
    reported = len(measured)
    for row in rows:
        if row.part == "validation" and counts.get(row.source, 0) < MAX_VALIDATION:
            counts[row.source] = counts.get(row.source, 0) + 1
            measured.append(row)
    measured += bundles(args.data, random.Random(args.seed), kept=True)
    units = measured_units(measured, encode, claim_parts)
    arrays = make_arrays(list(units), encode, {"reported": reported})
    arrays.save(args.measured)
    size = args.measured.stat().st_size / 2**20
    print_now(f"{len(arrays)} windows to measure, {len(arrays.tokens):,} tokens, {size:.1f} MiB")
    print_now(f"{time.perf_counter() - started:.0f} s")


def encoder(base: Path) -> Encode:
    """Return the function from texts to token ids; control tokens in a text stay text."""
    from training.reader.tokens import encoder_of

    tokenizer = encoder_of(base)._text

    def encode(texts: Sequence[str]) -> list[list[int]]:
        return [encoded.ids for encoded in tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    return encode


def train(args: argparse.Namespace) -> None:
    """Train an adapter and write it with a manifest."""
    from training.reader.base import base_sha256, load_base
    from training.reader.lora import save_adapter
    from training.verdict.loop import Trainer
    from training.verdict.report import quick_figures

    options = settings_from(args, Options)
    arrays = Arrays.load(args.examples)
    if args.more is not None:
        arrays = arrays.joined(Arrays.load(args.more), options.share, options.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    started = time.perf_counter()
    trainer = Trainer(load_base(args.base), arrays, options, print_now)
    trainer.run()
    file = args.out / "adapter.safetensors"
    save_adapter(trainer.adapter(), file)
    validation = np.flatnonzero(arrays.validation)
    figures = quick_figures(arrays, validation, *trainer.reader.scores(validation))
    for name, value in figures.items():
        print_now(f"{name}: {value:.4f}")
    write_json(
        args.out / "manifest.json",
        {
            "options": asdict(options),
            "steps": trainer.steps,
            "seconds": round(time.perf_counter() - started),
            "adapter_sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "base_sha256": base_sha256(args.base),
            "examples": arrays.facts,
            "validation": figures,
            "history": trainer.history,
        },
    )


def measure(args: argparse.Namespace) -> None:
    """Read all windows with the adapter merged, as it is shipped, and write their logits."""
    from training.reader.base import load_base
    from training.reader.lora import load_adapter, merge
    from training.verdict.loop import Reader

    arrays = Arrays.load(args.examples)
    model = load_base(args.base)
    merge(model, load_adapter(args.adapter))
    said, decided = Reader(model.eval(), arrays).scores(np.arange(len(arrays)))
    np.savez_compressed(args.out, said=said.astype(np.float16), decided=decided.astype(np.float16))
    print_now(f"{len(arrays)} windows read")


def report(args: argparse.Namespace) -> None:
    """Print the figures of the evaluation sets, and write them and the calibration."""
    from training.verdict import report as reports

    figures = reports.report(args.data, Arrays.load(args.examples), args.logits)
    reports.print_report(figures)
    if args.out:
        write_json(args.out, figures)
    if args.curve:
        reports.draw_reliability(figures, args.curve)
    if args.calibration:
        reports.write_calibration(figures, args.logits, args.calibration)


def commands() -> Commands:
    """Return the commands with their options."""
    commands = Commands(__doc__)

    command = commands.add(prepare, "data", "base", "out")
    command.add_argument("--measured", type=Path, help="write the windows to measure, too")
    command.add_argument("--own", action="store_true", help="only the examples over texts of our own")
    command.add_argument("--seed", type=int, default=20261116)

    command = commands.add(train, "examples", "base", "out")
    command.add_argument("--more", type=Path, help="other examples, of which a share is trained on, too")
    add_settings(command, Options)

    commands.add(measure, "examples", "base", "adapter", "out")

    command = commands.add(report, "data", "examples")
    command.add_argument("--logits", type=Path, required=True, help="the output of measure")
    command.add_argument("--out", type=Path, help="write the figures, too")
    command.add_argument("--curve", type=Path, help="draw the reliability as SVG")
    command.add_argument("--calibration", type=Path, help="write the calibration that is shipped")
    return commands


if __name__ == "__main__":
    commands().run()
