"""Write the keys of what the shipped models were trained on, next to their weights.

python -m training.keys write --data DIR --out src/probative/weights

`probative bench` marks or refuses a case whose question, claim or document is among them
(`probative.bench.trained`). Run this after each training whose weights are shipped. Texts that we invented
are in no data set and are left out.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from probative.bench.data.claims import read_verdict_rows
from probative.bench.data.splits import question_key
from probative.bench.trained import FILE, document_key, text_key
from training.commands import Commands, print_now
from training.policy import sources
from training.policy.evidence import Evidence
from training.policy.sources.questions import natural_questions
from training.reader import data as reader_data
from training.reader.decisions import DECISIONS
from training.splits import reported_keys
from training.verdict import published
from training.verdict.claims import documents
from training.verdict.data import UNREADABLE
from training.verdict.questions import asked_rows

# The source of the policy whose questions we made.
INVENTED = "2wiki_made"
# Sources of the policy with many claims about one document.
DOCUMENTS = ("multirc", "fever")


def policy_keys(data: Path) -> Iterator[bytes]:
    """Yield the keys of the policy."""
    yield from _evidence_keys(sources.read_all(data, [name for name in sources.SOURCES if name != INVENTED]))
    yield from _before_the_rule(data)


def small_keys(data: Path) -> Iterator[bytes]:
    """Yield the keys of the small model: questions, claims, the questions that claims were made of, and the
    decisions between sentences.
    """
    for row in reader_data.read_rows(data, reader_data.SEED, Counter()):
        if row.source in reader_data.READERS and row.part != "test":
            yield text_key(row.question)
    for (_, part), claims in reader_data.read_claims(data).items():
        if part != "test":
            yield from (text_key(claim.text) for claim in claims)
    yield from _evidence_keys(sources.read_all(data, DECISIONS))
    yield from _before_the_rule(data)
    forbidden = reported_keys(data) | {question_key(row.claim) for row in read_verdict_rows(data)}
    rows = [row for row in published.training_rows(data) if row.source not in UNREADABLE]
    for row in [*rows, *documents(data, random.Random(1))]:
        if question_key(row.claim) not in forbidden:
            yield text_key(row.claim)
    for name in DOCUMENTS:
        yield from (document_key(row.sentences) for row in sources.SOURCES[name](data))
    # Reported ones, too: the shipped weights are older than the rule that leaves them out.
    yield from (text_key(row.question) for row in asked_rows(data))


def _evidence_keys(rows: list[Evidence]) -> Iterator[bytes]:
    for row in rows:
        yield text_key(row.query)
        if row.source in DOCUMENTS:
            yield document_key(row.sentences)


def _before_the_rule(data: Path) -> Iterator[bytes]:
    """Yield Natural Questions with those that are reported on: the shipped weights are older than the rule
    that leaves them out.
    """
    return (text_key(row.query) for row in natural_questions(data))


KEYS: dict[str, Callable[[Path], Iterator[bytes]]] = {
    "policy": policy_keys,
    "small": small_keys,
}


def write(args: argparse.Namespace) -> None:
    """Write the keys of each model."""
    for model, read in KEYS.items():
        keys = sorted(set(read(args.data)))
        (args.out / model / FILE).write_bytes(b"".join(keys))
        print_now(f"{model}: {len(keys):,} keys")


def commands() -> Commands:
    """Return the commands with their options."""
    commands = Commands(__doc__)
    commands.add(write, "data", "out")
    return commands


if __name__ == "__main__":
    commands().run()
