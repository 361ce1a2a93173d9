r"""The large model: `prepare` rows, run the `study` or `train` one adapter, and `measure` it.

    python -m training.large slim --base qwen2.5-coder-1.5b-instruct-q4_k_m.gguf --out slim.gguf
    python -m training.large prepare --data DIR --base slim.gguf --out trained.npz --measured measured.npz
    python -m training.large study --base slim.gguf --examples trained.npz --measured measured.npz \
        --out runs --runs reference,own
    python -m training.large train --base slim.gguf --examples trained.npz --out runs/long --tokens 16000000
    python -m training.large proofs --data DIR --base small.gguf --out proofs.npz
    python -m training.large measure --base slim.gguf --measured measured.npz --adapter adapter.safetensors \
        --out runs/long
    python -m training.large figures --measured measured.npz runs/*.npz
    python -m training.large calibrate --measured measured.npz runs/long.npz --out calibration.json
    python -m training.large ship --adapter runs/long.safetensors --examples trained.npz \
        --measured measured.npz --out src/probative/weights/large runs/long.npz curves.json runs/long.log.json
    python -m training.large compare runs/reference.json runs/own.json
    python -m training.large documents --add out/*.json
    python -m training.large report --part tune --model embedded:large --out runs/tune --shard 0/8
    python -m training.large report --out runs/tune

`study`, `train` and `measure` need only torch, transformers, tokenizers, safetensors and numpy, and nothing
of the package.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import shutil
import time
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from training.commands import PATHS, Commands, add_settings, print_now, settings_from, write_json
from training.large.arrays import Arrays
from training.large.gguf import Gguf
from training.large.options import STUDY, Options
from training.large.tokens import tokens_of

PATHS |= {"measured": "the rows to measure, by prepare"}


def slim(args: argparse.Namespace) -> None:
    """Copy a GGUF file without its second copy of the embeddings, which training does not need."""
    Gguf(args.base).copy_without({"token_embd.weight"}, args.out)


def prepare(args: argparse.Namespace) -> None:
    """Write the rows to train on and the rows to measure in tokens."""
    from training.large.rows import Row, claims_digest, encode_rows, verdict_words
    from training.large.sources import check_apart, measured_rows, taught_rows, training_rows
    from training.splits import reported_keys

    tokens = tokens_of(Gguf(args.base))
    limits = [int(number) for number in args.words.split(",") if number]
    if args.windows:
        trained = taught_rows(args.data, args.windows, args.seed)
        if args.only_claims:
            trained = [row for row in trained if row.task == "verdict"]
    else:
        trained = training_rows(args.data, args.seed)
    measured = measured_rows(args.data, limits=limits, report=args.report)
    check_apart(trained, measured, reported_keys(args.data))
    words = verdict_words(tokens)

    def write(rows: list[Row], file: Path) -> None:
        counts = Counter(f"{row.task} {row.source}" for row in rows)
        about = {"verdicts": words, "seed": args.seed, "counts": dict(sorted(counts.items()))}
        about |= {"claims": claims_digest(rows), "words": sorted(limits)}
        arrays = Arrays.of(list(encode_rows(rows, tokens)), about)
        arrays.save(file)
        print_now(
            f"{file}: {len(arrays):,} rows, {arrays.lengths.sum():,} tokens, {file.stat().st_size:,} bytes"
        )

    write(trained, args.out)
    write(measured, args.measured)


def proofs(args: argparse.Namespace) -> None:
    """Write decisions between sentences, for `train --proofs`, and beside them their counts and hash."""
    from training.reader.decisions import draw_decisions, make_proofs
    from training.reader.proofs import digest

    made = make_proofs(draw_decisions(args.data, args.seed), tokens_of(Gguf(args.base)))
    made.save(args.out)
    write_json(args.out.with_suffix(".json"), digest(made))
    print_now(f"{args.out}: {len(made.starts):,} texts of decisions, {args.out.stat().st_size:,} bytes")


def study(args: argparse.Namespace) -> None:
    """Train and measure some runs of the study, each on the same rows as far as its settings allow."""
    started = time.perf_counter()
    session = Session(args.base)
    arrays, measured = Arrays.load(args.examples), Arrays.load(args.measured)
    args.out.mkdir(parents=True, exist_ok=True)
    longest = 0.0
    for name in args.runs.split(","):
        begun = time.perf_counter()
        if begun - started + longest > args.limit:
            print_now(f"no time is left for run {name}")
            break
        options = replace(STUDY[name], tokens=args.tokens, seconds=args.seconds)
        print_now(f"run {name}: {options}")
        file = args.out / f"{name}.safetensors"
        session.train(arrays, options, file)
        session.measure(measured, file, args.out / name, args.max_rows, options.headers)
        longest = max(longest, time.perf_counter() - begun)


def train(args: argparse.Namespace) -> None:
    """Train an adapter and write it with its log."""
    args.out.parent.mkdir(parents=True, exist_ok=True)
    session = Session(args.base)
    arrays = Arrays.load(args.examples)
    if args.teacher is not None:
        arrays = arrays.with_teacher(args.teacher)
    session.train(arrays, settings_from(args, Options), args.out, args.state)


def label(args: argparse.Namespace) -> None:
    """Write what a teacher says about the claims among some rows, for `train --teacher`."""
    Session(args.base).label(Arrays.load(args.examples), args.adapter, args.out)


def measure(args: argparse.Namespace) -> None:
    """Measure an adapter, or the plain model."""
    args.out.parent.mkdir(parents=True, exist_ok=True)
    arrays = Arrays.load(args.measured)
    session = Session(args.base)
    session.measure(arrays, args.adapter, args.out, args.max_rows, args.headers, replies=args.replies)


def figures(args: argparse.Namespace) -> None:
    """Write the figures of what was measured next to it, and print them."""
    from training.large.figures import read_figures, summary

    arrays = Arrays.load(args.measured)
    for file in args.files:
        result = read_figures(arrays, file, args.words)
        write_json(file.with_suffix(".json"), result)
        print_now(f"{file.stem}\n{summary(result)}")


def calibrate(args: argparse.Namespace) -> None:
    """Fit the curves of the verdicts on what was measured; write them with the figures of each half."""
    from training.large.calibrate import calibrate
    from training.large.figures import summary

    result = calibrate(Arrays.load(args.measured), args.kept, args.words, args.own, args.against)
    write_json(args.out, result)
    print_now("calibration error of each half: {:.3f}, {:.3f}".format(*result["calibration_error"]))
    print_now(summary(result))


def cascade(args: argparse.Namespace) -> None:
    """Print what both models give together at several limits, by what was measured for each."""
    from probative.verdict.judgement import LARGE, SMALL
    from training.large.cascade import cells, read, table
    from training.row_files import print_cells, print_header

    small = read(SMALL, args.small_measured, args.small, args.words)
    header, *rows = cells(table(small, read(LARGE, args.measured, args.kept, args.words)))
    print_header(header)
    for row in rows:
        print_cells(row)


def ship(args: argparse.Namespace) -> None:
    """Write an adapter into the folder of a model, small or large, with its curves, its figures and how it
    was trained.
    """
    from probative.models.embedded.catalog import LANGUAGE_MODEL, LARGE
    from training.large.figures import read_figures

    arrays, folder = Arrays.load(args.measured), args.out
    folder.mkdir(parents=True, exist_ok=True)
    curves = json.loads(args.curves.read_text(encoding="utf-8"))
    write_json(folder / "calibration.json", {name: curves[name] for name in ("curves", "fitted_on")})
    shutil.copyfile(args.adapter, folder / "adapter.safetensors")
    logs = [json.loads(file.read_text(encoding="utf-8")) for file in args.logs]
    manifest = {
        "adapter_sha256": hashlib.sha256(args.adapter.read_bytes()).hexdigest(),
        "base_sha256": {"small": LANGUAGE_MODEL, "large": LARGE}[folder.name].main_sha256,
        "examples": Arrays.load(args.examples).about,
        "runs": [{name: log[name] for name in ("options", "steps", "tokens", "seconds")} for log in logs],
        "figures": read_figures(arrays, args.kept, args.words),
        "calibrated": {name: value for name, value in curves.items() if name not in ("curves", "fitted_on")},
    }
    write_json(folder / "manifest.json", manifest)


def documents(args: argparse.Namespace) -> None:
    """Add checked bundles of our own documents, and print how many there are and how alike."""
    from statistics import median

    from training.large.documents import PARTS, overlaps, pack, read_documents

    packed = pack(args.add)
    for error in packed["errors"]:
        print_now(error)
    for name, count in packed["counts"].items():
        print_now(f"{name}: {count:,}")
    shares = overlaps([bundle for part in PARTS.values() for bundle in read_documents(part)])
    if shares:
        print_now(
            f"five-word runs that the nearest other document has: median {median(shares):.1%}, "
            f"most {max(shares):.1%}"
        )


def report(args: argparse.Namespace) -> None:
    """Measure verbs and plans on bundles of our own documents, and print the figures of all shards."""
    import probative
    from training.large.report import cited_chains, print_chains, print_report, run_report

    if args.replies:
        if args.measured is None:
            raise probative.InputError(
                "the kept replies say nothing without their rows", hint="add --measured"
            )
        print_chains(cited_chains(args.part or "tune", Arrays.load(args.measured), args.replies))
        return
    if args.part:
        names = {"model": args.model, "verdict": args.model, "device": args.device, "cache": False}
        with probative.Session(settings=probative.load_settings(names)) as session:
            run_report(session, args.part, args.what.split(","), args.out, args.shard, args.limit)
    print_report(args.out)


def plans(args: argparse.Namespace) -> None:
    """Write what the plans in kept replies look up, as rows to measure; with the answers, run the plans."""
    import probative
    from training.large.look_ups import look_up_rows, run_plans
    from training.large.report import print_report, rows_of
    from training.large.rows import encode_rows, verdict_words
    from training.row_files import append_rows

    arrays = Arrays.load(args.measured)
    if args.answers is None:
        if args.base is None:
            raise probative.InputError("the rows are written in the tokens of a model", hint="add --base")
        tokens = tokens_of(Gguf(args.base))
        rows = list(look_up_rows(args.part, arrays, args.replies))
        about = {"verdicts": verdict_words(tokens)}
        Arrays.of(list(encode_rows(rows, tokens)), about).save(args.look_ups)
        print_now(f"{args.look_ups}: {len(rows):,} questions")
        return
    args.out.mkdir(parents=True, exist_ok=True)
    looked_up = Arrays.load(args.look_ups)
    names = {"model": "embedded:large", "verdict": "embedded:large", "cache": False}
    done = {row["key"] for row in rows_of(args.out, "plan")}
    with probative.Session(settings=probative.load_settings(names)) as session:
        for row in run_plans(session, args.part, arrays, args.replies, looked_up, args.answers, done):
            append_rows(args.out / "plan-0.jsonl", [row])
    print_report(args.out)


def compare(args: argparse.Namespace) -> None:
    """Print the main figures of some runs next to each other, as a Markdown table."""
    from training.large.figures import main_figures
    from training.row_files import print_cells, print_header

    columns = {file.stem: main_figures(json.loads(file.read_text(encoding="utf-8"))) for file in args.files}
    print_header(["", *columns])
    for name in dict.fromkeys(name for figures in columns.values() for name in figures):
        values = [figures.get(name) for figures in columns.values()]
        print_cells([name, *("" if value is None else f"{value:.1f}" for value in values)])


class Session:
    """A base model that several runs share: an adapter is trained on it or added to a copy of it."""

    def __init__(self, base: Path) -> None:
        import torch

        from training.large.model import load_model

        started = time.perf_counter()
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        file = Gguf(base)
        self._tokens = tokens_of(file)
        self._model = load_model(
            file, self._device, torch.bfloat16 if self._device.type == "cuda" else torch.float32
        )
        print_now(f"the model is on {self._device} after {time.perf_counter() - started:.0f} s")

    def train(self, arrays: Arrays, options: Options, file: Path, state: Path | None = None) -> None:
        """Train an adapter; write it to `file` and its log next to it."""
        from training.large.train import train
        from training.reader.lora import save_adapter

        adapter, log = train(self._model, arrays, options, print_now, state)
        save_adapter(adapter, file)
        write_json(file.with_suffix(".log.json"), {"options": asdict(options), **log})

    def measure(
        self,
        measured: Arrays,
        adapter: Path | None,
        out: Path,
        max_rows: int,
        headers: bool,
        *,
        replies: bool = True,
    ) -> None:
        """Measure the model with an adapter merged, as it is shipped; write the logits and the replies."""
        from training.large.measure import measure

        started = time.perf_counter()
        arrays = measured if headers else measured.without_headers()
        file = out.with_suffix(".npz")
        measure(self._merged(adapter), arrays, self._tokens, file, max_rows, replies=replies)
        print_now(f"measured in {time.perf_counter() - started:.0f} s")

    def label(self, arrays: Arrays, adapter: Path, out: Path) -> None:
        """Write the logits that the model with an adapter gives the verdicts on all claims."""
        import numpy as np

        from training.large.measure import read_verdicts

        started = time.perf_counter()
        claims = np.flatnonzero(arrays.values("task") == "verdict")
        logits = read_verdicts(self._merged(adapter), arrays, claims)
        np.savez_compressed(out, logits=logits.astype(np.float16), claims=arrays.about["claims"])
        print_now(f"{len(claims):,} claims labelled in {time.perf_counter() - started:.0f} s")

    def _merged(self, adapter: Path | None) -> Any:
        """Return a copy of the model with an adapter added to its weights."""
        from training.large.model import merge_adapter
        from training.reader.lora import load_adapter

        model = copy.deepcopy(self._model)
        if adapter is not None:
            merge_adapter(model, load_adapter(adapter))
        return model


def commands() -> Commands:
    """Return the commands with their options."""
    commands = Commands(__doc__)
    commands.add(slim, "base", "out")

    command = commands.add(prepare, "data", "base", "out", "measured")
    command.add_argument("--seed", type=int, default=20261117, help="of the rows to train on")
    command.add_argument("--windows", type=int, help="so many claims, with a label or without, for a teacher")
    command.add_argument("--only-claims", action="store_true", help="with --windows: what the teacher reads")
    command.add_argument("--words", default="", help="measure windows of so many words: 260,520")
    command.add_argument("--report", action="store_true", help="measure the first report part, too: once")

    command = commands.add(proofs, "data", "base", "out")
    command.add_argument("--seed", type=int, default=20261115)

    command = commands.add(study, "base", "examples", "measured", "out")
    command.add_argument("--runs", default=",".join(STUDY), help=f"some of {', '.join(STUDY)}")
    command.add_argument("--tokens", type=int, default=Options.tokens, help="tokens of each run")
    command.add_argument("--seconds", type=float, default=Options.seconds, help="limit of each training")
    command.add_argument(
        "--limit", type=float, default=1e6, help="seconds of all runs: none starts that would not end"
    )
    command.add_argument("--max-rows", type=int, default=300, help="rows of each verdict set")

    command = commands.add(figures, "measured")
    command.add_argument("files", type=Path, nargs="+", help="what measure or study wrote, .npz")
    command.add_argument("--words", type=int, default=1300, help="words of evidence that are read at once")

    command = commands.add(calibrate, "measured", "out")
    command.add_argument("kept", type=Path, help="what measure or study wrote, .npz")
    command.add_argument("--words", type=int, default=1300, help="words of evidence that are read at once")
    command.add_argument("--own", type=float, default=0.0, help="how much claims of ours count")
    command.add_argument("--against", type=float, default=1.0, help="how much counts what is not supported")

    command = commands.add(cascade, "measured")
    command.add_argument("--small-measured", type=Path, required=True, help="the rows of the small model")
    command.add_argument("small", type=Path, help="what measure wrote for the small model, .npz")
    command.add_argument("kept", type=Path, help="what measure wrote for the large one, .npz")
    command.add_argument("--words", type=int, default=520, help="words of evidence that are read at once")

    command = commands.add(ship, "adapter", "examples", "measured", "out")
    command.add_argument("kept", type=Path, help="what measure wrote for this adapter, .npz")
    command.add_argument("curves", type=Path, help="what calibrate wrote for it")
    command.add_argument("logs", type=Path, nargs="+", help="the logs of its runs, the first one first")
    command.add_argument("--words", type=int, default=1300, help="words of evidence that are read at once")

    command = commands.add(compare)
    command.add_argument("files", type=Path, nargs="+", help="figures of runs")

    command = commands.add(train, "base", "examples", "out")
    add_settings(command, Options)
    command.add_argument("--state", type=Path, help="where a run that is cut short is kept")
    command.add_argument("--teacher", type=Path, help="what a teacher says about the same rows, by label")

    commands.add(label, "base", "examples", "adapter", "out")

    command = commands.add(measure, "base", "measured", "out")
    command.add_argument("--adapter", type=Path, help="without it, the plain model is measured")
    command.add_argument("--max-rows", type=int, default=10**6, help="rows of each verdict set")
    command.add_argument("--headers", action=argparse.BooleanOptionalAction, default=True)
    command.add_argument("--replies", action=argparse.BooleanOptionalAction, default=True)

    command = commands.add(documents)
    command.add_argument("--add", type=Path, nargs="*", default=(), help="bundles, one JSON file each")

    command = commands.add(plans, "measured", "out")
    command.add_argument("--part", choices=("tune", "report_a"), default="tune")
    command.add_argument("--replies", type=Path, required=True, help="what measure wrote, .npz")
    command.add_argument("--look-ups", type=Path, required=True, help="the rows to measure")
    command.add_argument("--base", type=Path, help="whose tokens are written")
    command.add_argument("--answers", type=Path, help="what measure wrote for the look-ups, .npz")

    command = commands.add(report, "out")
    command.add_argument("--measured", type=Path, help="with --replies: the rows to measure, by prepare")
    command.add_argument(
        "--replies", type=Path, help="what measure wrote, .npz: print what the cited passages have, instead"
    )
    command.add_argument(
        "--part",
        choices=("tune", "report_a", "report_b"),
        help="the reports are measured once, at the end; without a part, only the figures are printed",
    )
    command.add_argument(
        "--model", default="embedded:large", choices=("embedded", "embedded:large"), help="it also judges"
    )
    command.add_argument("--what", default="judge,verify,ask,plan", help="some of these")
    command.add_argument("--shard", default="0/1", help="which bundles: 1/8 is the second of every eight")
    command.add_argument("--limit", type=int, help="the most claims, questions and plans; all without it")
    command.add_argument("--device", default="auto", help="auto, cpu or cuda")
    return commands


if __name__ == "__main__":
    commands().run()
