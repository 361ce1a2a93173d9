r"""Train the evidence policy.

    python -m training.policy prepare  --data DIR --tokenizer FOLDER --out policy.npz
    python -m training.policy train    --examples policy.npz --base FOLDER --out FOLDER [--minutes 10]
    python -m training.policy evaluate --examples policy.npz --policy FOLDER
    python -m training.policy export   --policy FOLDER --tokenizer FOLDER --out src/probative/weights/policy
    python -m training.policy parity   --examples policy.npz --policy FOLDER --shipped FOLDER
    python -m training.policy reach    --part tune

    python -m training.policy prepare  --data DIR --tokenizer FOLDER --out policy.npz \
        --prompts prompts.npz --model slim.gguf
    python -m training.large measure   --measured prompts.npz --base slim.gguf \
        --adapter adapter.safetensors --out replies
    python -m training.policy name     --examples policy.npz --prompts prompts.npz \
        --replies replies.npz --out named.npz

With the last three, the policy learns from the sentences that the large model names.
FOLDER is that of all-MiniLM-L6-v2 (config.json, model.safetensors, tokenizer.json). Training stops after the
minutes given, keeps the weights that chose best on the part for choosing, and continues from its last
checkpoint when it is started again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from training.commands import Commands, add_settings, settings_from, write_json
from training.policy.plan import Plan

if TYPE_CHECKING:
    from training.policy.evidence import Evidence


def prepare(args: argparse.Namespace) -> None:
    """Tokenise the public sets and our own documents into one file."""
    from tokenizers import Tokenizer

    from training.policy.examples import make_examples, show
    from training.policy.sources import SOURCES, read_all

    sources = args.sources.split(",") if args.sources else list(SOURCES)
    evidence = read_all(args.data, sources)
    show(f"{len(evidence):,} examples")
    tokenizer = Tokenizer.from_file(str(args.tokenizer / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    make_examples(evidence, tokenizer).save(args.out)
    if args.prompts is not None:
        write_prompts(evidence, args)
    counts = {
        name: {
            part: sum(example.source == name and example.part == part for example in evidence)
            for part in ("train", "choose")
        }
        for name in sources
    }
    manifest = {"examples": counts, "sha256": hashlib.sha256(args.out.read_bytes()).hexdigest()}
    write_json(args.out.with_suffix(".json"), manifest)
    show(json.dumps(manifest))


def write_prompts(evidence: Sequence[Evidence], args: argparse.Namespace) -> None:
    """Write what the large model is asked about the examples over our own documents."""
    from probative import InputError
    from training.large.arrays import Arrays
    from training.large.gguf import Gguf
    from training.large.rows import encode_rows, verdict_words
    from training.large.tokens import tokens_of
    from training.policy.named import prompts_of

    if args.model is None:
        raise InputError("the prompts are written in the tokens of a model", hint="add --model")
    tokens = tokens_of(Gguf(args.model))
    rows = list(encode_rows(list(prompts_of(evidence, args.data)), tokens))
    Arrays.of(rows, {"verdicts": verdict_words(tokens)}).save(args.prompts)
    print(f"{args.prompts}: {len(rows):,} questions and claims")


def name(args: argparse.Namespace) -> None:
    """Put the sentences that the large model named in the place of the authors'."""
    from training.large.arrays import Arrays
    from training.policy.examples import Examples
    from training.policy.named import with_named

    examples, prompts = Examples.load(args.examples), Arrays.load(args.prompts)
    with_named(examples, prompts, args.replies, union=args.union).save(args.out)


def train(args: argparse.Namespace) -> None:
    """Train on the examples; continues from the last checkpoint."""
    from training.policy.training import train_policy

    manifest = train_policy(args.examples, args.base, args.out, settings_from(args, Plan), args.device)
    print(json.dumps(manifest, indent=1))


def evaluate(args: argparse.Namespace) -> None:
    """Choose greedily on the part set aside, and print the figures."""
    import numpy as np

    from training.policy.evaluation import choose, figures
    from training.policy.examples import Examples
    from training.policy.model import Policy

    examples = Examples.load(args.examples)
    policy = Policy.from_folder(args.policy).to(args.device)
    chosen = choose(policy, examples, np.flatnonzero(examples.choose).tolist())
    print(json.dumps(figures(examples, chosen), indent=1))


def export(args: argparse.Namespace) -> None:
    """Write the policy in 8 bits, as the package ships it."""
    from training.policy.export import export_policy

    tokenizer = (args.tokenizer or args.policy) / "tokenizer.json"
    manifest = export_policy(args.policy, tokenizer, args.out, examples=args.examples, figures=args.figures)
    print(f"{manifest['bytes'] / 1e6:.1f} MB in {args.out}")


def parity(args: argparse.Namespace) -> None:
    """Compare what is shipped with what was trained."""
    from training.policy.parity import compare

    print(json.dumps(compare(args.examples, args.policy, args.shipped, args.n), indent=1))


def reach(args: argparse.Namespace) -> None:
    """Print how often the shipped policy finds what answers need in documents of our own."""
    from probative import Session
    from training.policy.reach import print_reach

    with Session() as session:
        print_reach(session, args.part, args.every)


def commands() -> Commands:
    """Return the commands with their options."""
    commands = Commands(__doc__)

    command = commands.add(prepare, "data", "tokenizer", "out")
    command.add_argument("--sources", help="some of the sources, separated by commas")
    command.add_argument("--prompts", type=Path, help="also write what the large model is asked, to measure")
    command.add_argument("--model", type=Path, help="with --prompts: its GGUF file")

    command = commands.add(name, "examples", "out")
    command.add_argument("--prompts", type=Path, required=True, help="what prepare wrote for the large model")
    command.add_argument(
        "--replies", type=Path, required=True, help="what training.large measure wrote for them"
    )
    command.add_argument("--union", action="store_true", help="beside the authors' sentences")

    command = commands.add(train, "examples", "out")
    command.add_argument("--base", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    add_settings(command, Plan)
    command.add_argument("--device", default="cuda")

    command = commands.add(evaluate, "examples", "policy")
    command.add_argument("--device", default="cuda")

    command = commands.add(export, "policy", "out")
    command.add_argument("--tokenizer", type=Path, help="folder of tokenizer.json, unless the policy's")
    command.add_argument("--examples", type=Path, help="the examples it was trained on, to count them")
    command.add_argument("--figures", type=Path, help="the output of evaluate")

    command = commands.add(parity, "examples", "policy", "shipped")
    command.add_argument("--n", type=int, default=10, help="examples of each source")

    command = commands.add(reach)
    command.add_argument("--part", choices=("tune", "report_a"), default="tune")
    command.add_argument("--every", type=int, default=1, help="take every so many bundles")
    return commands


if __name__ == "__main__":
    commands().run()
