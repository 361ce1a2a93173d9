"""Train the evidence policy.

    python -m training.policy prepare  --data DIR --tokenizer FOLDER --out policy.npz
    python -m training.policy train    --examples policy.npz --base FOLDER --out FOLDER [--minutes 10]
    python -m training.policy evaluate --examples policy.npz --policy FOLDER
    python -m training.policy export   --policy FOLDER --tokenizer FOLDER --out src/probative/weights/policy
    python -m training.policy parity   --examples policy.npz --policy FOLDER --shipped FOLDER

FOLDER is that of all-MiniLM-L6-v2 (config.json, model.safetensors, tokenizer.json). Training stops after the
minutes given, keeps the weights that chose best on the part for choosing, and continues from its last
checkpoint when it is started again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path


def main() -> None:
    """Parse the command line and run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    prepare = commands.add_parser("prepare", help="tokenise the public sets into one file")
    prepare.add_argument("--data", type=Path, required=True)
    prepare.add_argument("--tokenizer", type=Path, required=True)
    prepare.add_argument("--out", type=Path, required=True)
    prepare.add_argument("--sources", help="some of the sources, separated by commas")
    train = commands.add_parser("train", help="train on it")
    train.add_argument("--examples", type=Path, required=True)
    train.add_argument("--base", type=Path, required=True)
    train.add_argument("--out", type=Path, required=True)
    train.add_argument("--minutes", type=float, default=10.0)
    train.add_argument("--steps", type=int, help="the maximum number of steps")
    train.add_argument("--decisions", type=int, default=48, help="decisions in a step")
    train.add_argument("--candidates", type=int, default=20, help="candidates of a decision")
    train.add_argument("--rate", type=float, default=1e-4, help="highest learning rate")
    train.add_argument("--dropout", type=float, default=0.1)
    train.add_argument("--workers", type=int, default=8, help="processes that draw decisions")
    train.add_argument("--every", type=int, default=400, help="steps between two evaluations")
    train.add_argument("--choosing", type=int, default=150, help="examples of each source in an evaluation")
    train.add_argument("--seed", type=int, default=0)
    train.add_argument("--teachers", default="", help="folders of trained policies to learn from as well")
    train.add_argument("--device", default="cuda")
    evaluate = commands.add_parser("evaluate", help="choose greedily on the part set aside")
    evaluate.add_argument("--examples", type=Path, required=True)
    evaluate.add_argument("--policy", type=Path, required=True)
    evaluate.add_argument("--device", default="cuda")
    export = commands.add_parser("export", help="write it in 8 bits, as the package ships it")
    export.add_argument("--policy", type=Path, required=True)
    export.add_argument("--tokenizer", type=Path, help="folder of tokenizer.json, unless the policy's")
    export.add_argument("--out", type=Path, required=True)
    export.add_argument("--examples", type=Path, help="the examples it was trained on, to count them")
    export.add_argument("--figures", type=Path, help="the output of evaluate")
    parity = commands.add_parser("parity", help="compare what is shipped with what was trained")
    parity.add_argument("--examples", type=Path, required=True)
    parity.add_argument("--policy", type=Path, required=True)
    parity.add_argument("--shipped", type=Path, required=True)
    parity.add_argument("--n", type=int, default=10, help="examples of each source")
    arguments = parser.parse_args()
    if arguments.command == "prepare":
        _prepare(arguments)
    elif arguments.command == "train":
        from training.policy.training import Plan, train_policy

        plan = Plan(**{name: getattr(arguments, name) for name in Plan.__dataclass_fields__})
        print(
            json.dumps(
                train_policy(arguments.examples, arguments.base, arguments.out, plan, arguments.device),
                indent=1,
            )
        )
    elif arguments.command == "export":
        _export(arguments)
    elif arguments.command == "parity":
        from training.policy.parity import compare

        print(
            json.dumps(
                compare(arguments.examples, arguments.policy, arguments.shipped, arguments.n), indent=1
            )
        )
    else:
        _evaluate(arguments)


def _prepare(arguments: argparse.Namespace) -> None:
    from tokenizers import Tokenizer

    from training.policy.examples import make_examples, show
    from training.policy.sources import SOURCES, read_all

    sources = arguments.sources.split(",") if arguments.sources else list(SOURCES)
    evidence = read_all(arguments.data, sources)
    show(f"{len(evidence):,} examples")
    tokenizer = Tokenizer.from_file(str(arguments.tokenizer / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    make_examples(evidence, tokenizer).save(arguments.out)
    counts = {
        name: {
            part: sum(example.source == name and example.part == part for example in evidence)
            for part in ("train", "choose")
        }
        for name in sources
    }
    manifest = {"examples": counts, "sha256": hashlib.sha256(arguments.out.read_bytes()).hexdigest()}
    arguments.out.with_suffix(".json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
    show(json.dumps(manifest))


def _evaluate(arguments: argparse.Namespace) -> None:
    import numpy as np

    from training.policy.evaluation import choose, figures
    from training.policy.examples import Examples
    from training.policy.model import Policy

    examples = Examples.load(arguments.examples)
    policy = Policy.from_folder(arguments.policy).to(arguments.device)
    chosen = choose(policy, examples, np.flatnonzero(examples.choose).tolist())
    print(json.dumps(figures(examples, chosen), indent=1))


def _export(arguments: argparse.Namespace) -> None:
    from training.policy.export import export_policy

    tokenizer = (arguments.tokenizer or arguments.policy) / "tokenizer.json"
    manifest = export_policy(
        arguments.policy, tokenizer, arguments.out, examples=arguments.examples, figures=arguments.figures
    )
    print(f"{manifest['bytes'] / 1e6:.1f} MB in {arguments.out}")


if __name__ == "__main__":
    main()
