"""Verdicts on published claims: by the verdict model through `judge`, by `prove`, and by the doubts of the
evidence policy.
"""

from __future__ import annotations

from collections.abc import Iterator

from probative.bench.data.claims import Example, VerdictRow, read_claims, read_verdict_rows
from probative.bench.data.files import draw, spread
from probative.bench.data.splits import REPORTED_CLAIMS
from probative.bench.families.evidence import evidence_metrics
from probative.bench.findings import auroc_text, counted, sentences, share_text
from probative.bench.metrics import calibration_error, mean, reliability
from probative.bench.report import Cell
from probative.bench.rows import Groups, Row, Rows, groups_by, row_has, rows_of
from probative.bench.statistics import percent_cell
from probative.bench.study import Case, Lab, Names, Settings, Study
from probative.bench.tables import (
    SECONDS,
    Metric,
    Results,
    TableSpec,
    average,
    column_points,
    line_names,
    plot,
    share,
    told_apart,
)
from probative.bench.word_verdict import support_by_words

# Claims of each set, unless --limit says otherwise.
JUDGED, PROVED = 40, 200
NOTE = (
    "Supported: the share of supported claims that are judged so, in percent, at a probability of 0.5. "
    "Others: the share of other claims that are not. Balanced: the mean of both. AUROC: of the probability "
    "of supported. Three-way: the share of right verdicts, where a set has three labels. Tokens: those that "
    "the verdict model reads for a claim. Calls: those of the verdict model for a claim; in a cascade, those "
    "of both models. Seconds: of all of them. A dash: no claim."
)


_is_true = row_has(label="supported")


def _balanced(rows: Rows) -> Cell:
    shares = [[float(row["right"]) for row in rows if _is_true(row) is true] for true in (True, False)]
    return Cell(value=100 * mean(list(map(mean, shares))) if all(shares) else None, n=len(rows))


_three_way = share(lambda row: row["verdict"] == row["label"])
METRICS: dict[str, Metric] = {
    "supported": share("right", of=_is_true),
    "others": share("right", of=lambda row: not _is_true(row)),
    "balanced": _balanced,
    "AUROC": told_apart("supported", _is_true),
    "three-way": lambda rows: "-" if any(row["binary"] for row in rows) else _three_way(rows),
    "tokens": average("tokens"),
    # Runs of earlier versions have neither.
    "calls": average("calls", of=lambda row: "calls" in row),
    SECONDS: average("seconds", of=lambda row: "seconds" in row),
}


def _by_set(rows: Rows) -> dict[str, float]:
    """Return the balanced accuracy of each set that has one."""
    cells = {name: _balanced(group).value for name, group in sorted(groups_by(rows, "set"))}
    return {name: value for name, value in cells.items() if value is not None}


def _mean_balanced(rows: Rows) -> Cell:
    balanced = list(_by_set(rows).values())
    return Cell(value=mean(balanced) if balanced else None, n=len(rows))


def _chances(rows: Rows) -> tuple[list[float], list[bool]]:
    return [row["supported"] for row in rows], [_is_true(row) for row in rows]


def _agreement(results: Results) -> Iterator[str]:
    """Yield how many verdicts agree with people's, on which sets most and fewest, and the calibration."""
    rows = results.rows
    if not rows:
        return
    text = f"{share_text(percent_cell([float(row['right']) for row in rows]))} claims are judged right"
    by_set = _by_set(rows)
    if len(by_set) > 1:
        low, high = min(by_set, key=by_set.__getitem__), max(by_set, key=by_set.__getitem__)
        text += (
            f"; the balanced accuracy is {mean(list(by_set.values())):.1f} on average over "
            f"{len(by_set)} sets, from {by_set[low]:.1f} ({low}) to {by_set[high]:.1f} ({high})"
        )
    yield f"{text}."
    error = calibration_error(*_chances(rows))
    yield f"The expected calibration error over {counted(len(rows), 'claim')} is {error:.3f}."


class VerdictSets(Study):
    """Balanced accuracy of supported against the rest, AUROC and calibration, for each set of claims."""

    name = "verdict-sets"
    title = "Are claims judged supported, contradicted or insufficient as people judged them?"
    paper_reference = "results, verdicts"
    limit_of = "claims of each set"
    gathers = False
    data = ("verdict",)
    options = ()
    verbs = frozenset({"judge"})
    calls_per_case = 0.0
    tables = (
        TableSpec("Verdicts by set", "set", METRICS, lambda rows: sorted(groups_by(rows, "set")), note=NOTE),
        TableSpec(
            "All sets",
            "",
            {
                "mean of the balanced accuracies": _mean_balanced,
                "supported or not, of all claims": share("right"),
                **{name: METRICS[name] for name in ("tokens", "calls", SECONDS)},
            },
            lambda rows: [(f"{len({row['set'] for row in rows})} sets", rows)],
            where=lambda row: True,
        ),
    )
    plots = (
        plot(
            "Reliability of the probability of supported",
            "reliability",
            "stated probability",
            "share that is supported",
            lambda results: {"all sets": reliability(*_chances(results.rows))} if results.rows else {},
        ),
    )
    findings = (_agreement,)

    def cases(self, settings: Settings) -> list[Case]:
        """Return `limit` rows of each set (40 without a limit), evenly spread; the limit is a set's."""
        self.check_options(settings)
        sets: dict[str, list[VerdictRow]] = {}
        for row in read_verdict_rows(settings.data):
            sets.setdefault(row.set, []).append(row)
        return [
            Case(f"{name}/{number}", row, name)
            for name, rows in sets.items()
            for number, row in enumerate(spread(rows, settings.limit or JUDGED), 1)
        ]

    def answer(self, case: Case, lab: Lab) -> Row:
        row: VerdictRow = case.content
        judged = lab.session.judge(row.claim, row.evidence)
        return {
            "label": row.label,
            "binary": row.binary,
            "verdict": judged.verdict.value,
            "supported": judged.probabilities.supported,
            "right": (judged.probabilities.supported >= 0.5) == (row.label == "supported"),
            "tokens": judged.usage.prompt_tokens,
            "calls": judged.usage.calls,
            "seconds": judged.usage.seconds,
        }


SETS = ("wice", "fever", "hover")
# Claims of a set with one label, to be told from those with other labels.
PAIRS = (
    ("wice", "supported", ("not_supported",)),
    ("wice", "supported", ("not_supported", "partially_supported")),
    ("fever", "SUPPORTS", ("REFUTES",)),
    ("hover", "SUPPORTED", ("NOT_SUPPORTED",)),
)
_is_contradicted, _is_unsupported = row_has(verdict="contradicted"), row_has(label="not_supported")
DOUBTS = {"nothing carries it (the policy)": "nothing", "the policy and the words": "doubt"}


def _by_pair(rows: Rows) -> Groups:
    """Yield the claims of each pair of labels, with whether they have the first."""
    for name, label, others in PAIRS:
        claims = [row for row in rows_of(rows, set=name) if row["label"] in (label, *others)]
        first = [{**row, "first": row["label"] == label} for row in claims]
        yield f"{name}: {label} from {', '.join(others)}", first


class Proofs(Study):
    """AUROC of the probability of supported, and how often evidence is said to contradict, over whole
    documents.

    The option "method" names another way to find the evidence, for example bm25. Of FEVER only the first 200
    claims are used: the others come from documents that models were trained on.
    """

    name = "proofs"
    title = "Does the verdict of prove tell supported claims from others?"
    paper_reference = "results, verdicts of prove"
    limit_of = "claims of each set"
    data = SETS
    sets = Names.fixed(SETS)
    options = ("method",)
    verbs = frozenset({"score", "judge"})
    calls_per_case = 30.0
    tables = (
        TableSpec(
            "Supported claims told from others",
            "set and labels",
            {
                "AUROC": told_apart("supported", "first"),
                "first said to be contradicted, %": share(_is_contradicted, of="first"),
                "others said to be contradicted, %": share(_is_contradicted, of=lambda row: not row["first"]),
            },
            _by_pair,
        ),
    )
    plots = (
        plot(
            "AUROC of the probability of supported",
            "bars",
            "set and labels",
            "AUROC",
            lambda results: {str(results.options.get("method", "mcse")): column_points(results, "AUROC")},
            line_names,
        ),
    )
    findings = (sentences("{line}: {0:auroc}.", "AUROC"),)

    def items(self, settings: Settings, name: str) -> list[Example]:
        """Return the claims of a set that no option was chosen on."""
        first = REPORTED_CLAIMS if name == "fever" else max(settings.limit or 0, PROVED)
        reported = [claim for claim in read_claims(settings.data, name) if not claim.tuning][:first]
        return draw(reported, settings.limit or PROVED, settings.seed)

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        method = lab.settings.option("method", "mcse")
        proof = lab.session.prove(claim.claim, list(claim.sentences), 3, method=method, verdict=True)
        return {
            "label": claim.label,
            "verdict": str(getattr(proof.verdict, "value", proof.verdict)),
            "supported": 0.0 if proof.probabilities is None else proof.probabilities.supported,
        }


def _by_doubt(rows: Rows) -> Groups:
    """Yield the rows for each doubt, whose value is `by`."""
    for name, field in DOUBTS.items():
        yield name, [{**row, "by": float(row[field])} for row in rows]


def _told(results: Results) -> Iterator[str]:
    """Yield how well each doubt tells the claims apart."""
    for row in results.tables[1].rows:
        cell, unsupported, others = row.cells
        if isinstance(cell, Cell) and cell.value is not None:
            yield (
                f"{counted(int(str(unsupported)), 'claim')} that nothing supports told from {others} others: "
                f"{auroc_text(cell)} (by: {row.name})."
            )


class Unsupported(Study):
    """Proves each claim of WiCE, on which the policy was never trained, with the evidence policy alone; no
    language model is asked. As many sentences are chosen as are gold, one where none are.

    The second table has the AUROC of claims that WiCE calls not supported against all others, by the policy's
    probability before the first sentence that nothing carries the claim, and by that and the words of the
    chosen sentences together.
    """

    name = "unsupported"
    title = "Does the evidence policy notice claims that nothing supports?"
    paper_reference = "results, claims that nothing supports"
    limit_of = "claims"
    data = ("wice",)
    options = ()
    verbs = frozenset({"weigh"})
    calls_per_case = 0.0
    tables = (
        TableSpec(
            "Evidence on WiCE, as many sentences as gold",
            "method",
            {name: evidence_metrics("gold")[name] for name in ("F1", "all gold", "tokens")},
            lambda rows: [("learned", [row for row in rows if row["gold"]])],
        ),
        TableSpec(
            "Claims that are not supported, against all others",
            "by",
            {
                "AUROC": told_apart("by", _is_unsupported),
                "not supported": lambda rows: str(sum(map(_is_unsupported, rows))),
                "others": lambda rows: str(sum(not _is_unsupported(row) for row in rows)),
            },
            _by_doubt,
        ),
    )
    findings = (_told,)

    def items(self, settings: Settings, name: str) -> list[Example]:
        return draw(read_claims(settings.data, "wice"), settings.limit, settings.seed)

    def answer(self, case: Case, lab: Lab) -> Row:
        claim: Example = case.content
        k = claim.gold_size if claim.gold else 1
        proof = lab.session.prove(claim.claim, claim.sentences, k=k, method="learned", verdict=False)
        nothing = float(proof.stops[0].nothing)
        text = " ".join(claim.sentences[index] for index in proof.indexes)
        return {
            "label": claim.label,
            "gold": [sorted(gold) for gold in claim.gold],
            "indexes": list(proof.indexes),
            "tokens": proof.usage.tokens,
            "nothing": nothing,
            "doubt": 1.0 - (1.0 - nothing) * support_by_words(claim.claim, text),
        }
