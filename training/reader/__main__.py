r"""The reader: `prepare` its examples, `train` an adapter for SmolLM2, and `evaluate` it.

    python -m training.reader prepare --data DIR --base SmolLM2.gguf --out reader.npz --report report.npz
    python -m training.reader train --examples reader.npz --base SmolLM2.gguf --out runs/lora --minutes 3
    python -m training.reader evaluate --examples report.npz --base SmolLM2.gguf \
        --adapter runs/lora/adapter.safetensors --part report

All commands need the package on the path; `train` and `evaluate` use only its splits and metrics.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from training.commands import Commands, add_settings, print_now, settings_from, write_json
from training.reader import arrays as reader_arrays
from training.reader.options import Options


def prepare(args: argparse.Namespace) -> None:
    """Build all examples and write them as arrays, with a manifest next to them."""
    from training.reader.data import build, build_report, manifest
    from training.reader.tokens import encoder_of

    started = time.perf_counter()
    encoder = encoder_of(args.base)
    built = build(args.data, args.seed)
    facts = manifest(args.data, built, args.seed)
    arrays = reader_arrays.make_arrays(built.examples, encoder, facts)
    reader_arrays.save(arrays, args.out)
    write_json(args.out.with_suffix(".json"), arrays.facts)
    print(f"{len(arrays)} examples, {len(arrays.tokens):,} tokens, {args.out.stat().st_size / 2**20:.1f} MiB")
    if args.report:
        reported = build_report(args.data, args.seed)
        arrays = reader_arrays.make_arrays(reported, encoder, {"seed": args.seed})
        reader_arrays.save(arrays, args.report)
        print(f"{len(arrays)} examples to report on, {args.report.stat().st_size / 2**20:.1f} MiB")
    if args.proofs:
        from training.reader.decisions import draw_decisions, make_proofs
        from training.reader.proofs import digest

        proofs = make_proofs(draw_decisions(args.data, args.seed), encoder)
        proofs.save(args.proofs)
        write_json(args.proofs.with_suffix(".json"), digest(proofs))
        print(f"{len(proofs.starts)} texts of decisions, {args.proofs.stat().st_size / 2**20:.1f} MiB")
    print(f"{time.perf_counter() - started:.0f} s")


def train(args: argparse.Namespace) -> None:
    """Train, take the best state, reduce it to a low rank if all weights were tuned, and measure it."""
    import torch

    from training.reader.base import base_sha256, load_base
    from training.reader.inputs import input_moments
    from training.reader.loop import Trainer
    from training.reader.lora import save_adapter
    from training.reader.proofs import digest

    options = settings_from(args, Options)
    arrays = reader_arrays.load(args.examples)
    args.out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(load_base(args.base), arrays, options, args.out, print_now)
    if args.resume:
        trainer.resume()
    trainer.run()
    trainer.take_best()
    inputs = None
    if options.full:
        few = trainer.validation[:: max(1, len(trainer.validation) // 600)]
        inputs = input_moments(trainer.model, trainer.tokens, few, trainer.dtype)
        torch.cuda.empty_cache()
    adapter = trainer.adapter(args.to_rank, inputs)
    file = args.out / "adapter.safetensors"
    save_adapter(adapter, file)
    write_json(
        args.out / "manifest.json",
        {
            "options": asdict(options),
            "rank": args.to_rank if options.full else options.rank,
            "steps": trainer.step,
            "seconds": round(trainer.spent),
            "parameters": sum(value.numel() for value in adapter.values()),
            "adapter_sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            "base_sha256": base_sha256(args.base),
            "examples": arrays.facts,
            **({"proofs": digest(trainer.proofs)} if trainer.proofs is not None else {}),
            "figures": _measured(args.base, adapter, arrays, "validation"),
            "history": trainer.history,
        },
    )


def evaluate(args: argparse.Namespace) -> None:
    """Measure the plain model, or the model with an adapter merged into it, on one part of the examples."""
    from training.reader.lora import load_adapter

    adapter = load_adapter(args.adapter) if args.adapter else None
    figures = _measured(args.base, adapter, reader_arrays.load(args.examples), args.part)
    if args.out:
        write_json(args.out, {"part": args.part, "adapter": str(args.adapter or ""), "figures": figures})


def _measured(base: Path, adapter: Any, arrays: reader_arrays.Arrays, part: str) -> dict[str, float]:
    """Return all figures of a part with an adapter merged, as in the embedded engine."""
    import torch

    from training.reader.base import load_base
    from training.reader.example import FORMS, TASKS
    from training.reader.lora import merge
    from training.reader.measure import Tokens, figures, measure

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load_base(base)
    if adapter is not None:
        merge(model, adapter)
    model.to(device)
    tokens = Tokens.on(device, arrays)
    numbers = arrays.where(part=part, tasks=TASKS, forms=FORMS)
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    result = figures(measure(model, tokens, numbers, dtype), arrays)
    for name, value in result.items():
        if not name.startswith("loss") or "keep" in name:
            print_now(f"{name}: {value:.4f}")
    return result


def commands() -> Commands:
    """Return the commands with their options."""
    commands = Commands(__doc__)
    parts = ("validation", "test", "report")

    command = commands.add(prepare, "data", "base", "out")
    command.add_argument("--report", type=Path, help="also write the questions that figures are reported on")
    command.add_argument(
        "--proofs", type=Path, help="also write decisions between sentences, for mcse's score"
    )
    command.add_argument("--seed", type=int, default=20261115)

    command = commands.add(train, "examples", "base", "out")
    command.add_argument("--resume", action="store_true", help="continue from the checkpoint in the folder")
    command.add_argument("--to-rank", type=int, default=24, help="rank that a full tuning is reduced to")
    add_settings(command, Options)

    command = commands.add(evaluate, "examples", "base")
    command.add_argument("--adapter", type=Path, help="without it, the plain model is measured")
    command.add_argument("--part", choices=parts, default="validation")
    command.add_argument("--out", type=Path)
    return commands


if __name__ == "__main__":
    commands().run()
