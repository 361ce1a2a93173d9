"""Claims of `training.verdict` as rows: over as much of their evidence as is read at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from probative.models.task_prompts import VERDICTS, Line
from training.large.bundles import read_window
from training.large.rows import LABELS, Row
from training.reader.example import draws
from training.verdict.example import Judged

# The most claims of a source, so that none dominates; long documents are rare, and all of them are taken.
MAX_CLAIMS = 900
MORE_CLAIMS = {
    "vitaminc_real_trainpages": 5000,
    "fever_train_text": 3000,
    "mnli_dev": 3000,
    "written_hostile": 2000,
    "feverous": 2500,
    "fool_me_twice": 2500,
    "hotpotqa_statement": 2500,
    "factcg_cg2c_doc": 2100,
    "snli_devtest": 1500,
    "fused": 1500,
    "edited": 1500,
    "hedged": 1500,
    "written_answer": 2000,
    "written_web": 2000,
    "written_document": 2000,
    "written_news": 2000,
    "checkcovid_train": 2000,
}
# The words of evidence that are read at once, one of which is drawn.
TRAINED_WORDS = (200, 520, 520, 1300)


def claims(judged: Sequence[Judged], seed: int) -> Iterator[Row]:
    """Yield claims of these examples, at most some of each source, without those of bundles."""
    by_source: dict[str, list[Judged]] = defaultdict(list)
    for example in judged:
        if example.part == "train" and not example.source.startswith("bundle_"):
            by_source[example.source].append(example)
    for source, examples in sorted(by_source.items()):
        rng = draws(seed, "claims", source)
        count = MORE_CLAIMS.get(source, MAX_CLAIMS)
        for example in rng.sample(examples, min(count, len(examples))):
            row = claim_row(example, rng.choice(TRAINED_WORDS))
            if row.facts.get("labelled", True):
                yield row


def claim_row(example: Judged, limit: int) -> Row:
    """Return the claim over as much of its evidence as is read at once. It has no label if evidence was left
    out and what decides may be among it.
    """
    window = read_window(example.claim, example.evidence, limit)
    cited = tuple(window.index(index) for index in example.gold if index in window)
    label = LABELS.index(example.label)
    whole = len(window) == len(example.evidence)
    known = whole or label == 2 or (bool(cited) and len(cited) == len(example.gold))
    either = example.binary and label > 0
    lines = tuple(Line(example.evidence[index]) for index in window)
    facts = {} if known else {"labelled": False}
    marked = None if either else cited
    return Row("verdict", example.claim, lines, VERDICTS[label], example.source, marked, either, facts)
