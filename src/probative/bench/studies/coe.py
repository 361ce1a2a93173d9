"""The tables 1 to 4 and 6 to 9 of Chain of Evidence: samples, and what a model answers with each context."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations

from probative.bench.families.coe.candidates import MULTIHOP, RGB, TITLES, Candidate
from probative.bench.families.coe.sample import Sample, find_wrong, open_builder
from probative.bench.families.coe.study import (
    CANDIDATES,
    ContextStudy,
    ShareTable,
    ThreeStudies,
    is_judged,
    sample_findings,
)
from probative.bench.families.coe.trials import (
    MISINFORMATION,
    faithfulness_trials,
    misinformation_of,
    robustness_by,
    robustness_trials,
)
from probative.bench.findings import counted, joined, share_text
from probative.bench.metrics import mean
from probative.bench.published import COE, ByContext
from probative.bench.report import Report, Table, TableRow
from probative.bench.rows import Row, rows_of
from probative.bench.statistics import LEVEL, holm, mann_whitney, mean_cell
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import ratio_cell
from probative.errors import InputError, MissingExtraError
from probative.scope.question import Features, Node
from probative.text.words import words


class CoeNoise(ContextStudy):
    """Effectiveness: accuracy with 0, 25, 50 and 75% of irrelevant text, by characters."""

    name = "coe-noise"
    title = "Does a chain of evidence help the model more than incomplete evidence, among irrelevant text?"
    paper_reference = "table 2"
    calls_per_case = 36.0


class CoeFaithfulness(ContextStudy):
    """Faithfulness: the following rate, the share of answers that agree with a context's wrong answer."""

    name = "coe-faithfulness"
    title = "Does the model follow a chain of evidence whose answer is wrong?"
    paper_reference = "table 3"
    study = "faithfulness"
    figure = "following rate"
    calls_per_case = 36.0

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"left_out": wrong.left_out}
        return {"wrong": wrong.answer, "trials": faithfulness_trials(lab, case, sample, wrong)}


class CoeRobustness(ContextStudy):
    """Robustness: accuracy with 0, 25, 50 and 75% of misinformation. The option `misinformation` names one of
    `MISINFORMATION`, or "all" for a table of each.
    """

    name = "coe-robustness"
    title = "Does a chain of evidence help the model against misinformation?"
    paper_reference = "table 4"
    study = "robustness"
    calls_per_case = 36.0

    def check_options(self, settings: Settings) -> None:
        super().check_options(settings)
        kinds_of(settings)

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        wrong = find_wrong(lab, case, sample)
        if wrong.left_out is not None:
            return {"left_out": wrong.left_out}
        texts = misinformation_of(lab, sample, wrong)
        asked = {kind: texts[kind] for kind in kinds_of(lab.settings)}
        if missing := [kind for kind in asked if not asked[kind]]:
            return {"wrong": wrong.answer, "left_out": f"too little misinformation by {', '.join(missing)}"}
        trials = robustness_trials(lab, case, sample, asked)
        return {"wrong": wrong.answer, "misinformation": texts, "trials": trials}

    def published(self, name: str, settings: Settings) -> Mapping[str, ByContext]:
        mixed = super().published(name, settings)
        return {robustness_by(kind): mixed.get(robustness_by(kind), {}) for kind in kinds_of(settings)}


def kinds_of(settings: Settings) -> Sequence[str]:
    """Return the kinds of misinformation that the user asked for; raises InputError."""
    kind = str(settings.option("misinformation", "mixed"))
    if kind not in (*MISINFORMATION, "all"):
        raise InputError(
            f"there is no misinformation {kind!r}", hint=f"use one of {', '.join(MISINFORMATION)}, or all"
        )
    return MISINFORMATION if kind == "all" else (kind,)


class CoeAblation(ThreeStudies):
    """The three studies on HotpotQA with WordP, ERP and IntentP beside CoE."""

    name = "coe-ablation"
    title = "Which feature of a chain of evidence matters most: nodes, relations or intent?"
    paper_reference = "table 6"
    data = drawn_from = ("hotpotqa",)
    needs_judge = True
    contexts = ("CoE", "WordP", "ERP", "IntentP")
    figures = COE.ablation
    calls_per_case = 144.0


class CoeSingleHop(ThreeStudies):
    """Effectiveness, faithfulness and robustness where one sentence can hold the whole answer."""

    name = "coe-single-hop"
    title = "Do the findings hold where one sentence can hold the whole answer?"
    paper_reference = "table 7"
    data = drawn_from = ("rgb",)
    figures = COE.single_hop
    calls_per_case = 108.0


COLUMNS = {1: "one hop", 2: "two hops", 3: "three hops", 4: "four hops or more"}


class CoeHops(ContextStudy):
    """Accuracy by the number of gold sentences; RGB has the questions of one hop. The paper does not say how
    it counts hops.
    """

    name = "coe-hops"
    title = "Does the number of hops change how well a chain of evidence works?"
    paper_reference = "table 8"
    data = (*MULTIHOP, RGB, "2wiki-corpus")
    drawn_from = (*MULTIHOP, RGB)
    contexts = ("CoE",)
    calls_per_case = 12.0

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        published = {COLUMNS[hops]: figures for hops, figures in COE.hops.items()}
        by_hops = [_with_contexts(row, [COLUMNS[min(4, int(row.get("hops", 2)))]]) for row in rows]
        table = ShareTable("Accuracy by hops", "effectiveness", by_hops, tuple(COLUMNS.values()), published)
        return Report(
            tables=tuple(table.tables(judged=is_judged(rows))),
            plots=(table.plot(),),
            findings=(*_by_hops(table), *sample_findings(rows)),
        )


def _with_contexts(row: Row, contexts: Sequence[str]) -> Row:
    """Return a row with its trials once for each of other names of their context."""
    trials = [{**trial, "context": name} for name in contexts for trial in row.get("trials", ())]
    return {**row, "trials": trials}


def _by_hops(table: ShareTable) -> list[str]:
    """Return the accuracy over all shares by hops, and which numbers of hops differ by more than chance."""
    means = {name: values for name in table.contexts if (values := table.values(name))}
    if not means:
        return []
    accuracy = joined(
        f"{100 * mean(values):.1f}% for {name} (n = {len(values)})" for name, values in means.items()
    )
    pairs = list(combinations(means, 2))
    if not pairs:
        return [f"The accuracy is {accuracy}; no other number of hops was asked."]
    try:
        corrected = holm([mann_whitney(means[first], means[second]) for first, second in pairs])
    except MissingExtraError:
        return [f"The accuracy is {accuracy}."]
    apart = [" and ".join(pair) for pair, p in zip(pairs, corrected, strict=True) if p < LEVEL]
    differing = f"{joined(apart)} differ" if apart else "no two numbers of hops differ"
    tests = "by more than chance (Mann-Whitney tests with Holm's correction)"
    return [f"The accuracy is {accuracy}: {differing} {tests}."]


class CoeSamples(ContextStudy):
    """Builds samples and asks the studied model nothing."""

    name = "coe-samples"
    title = "How much gold evidence is a chain of evidence, and what is left of it after perturbation?"
    paper_reference = "table 1"
    data = MULTIHOP
    judged = False
    calls_per_case = 0.0

    def trials(self, case: Case, lab: Lab, sample: Sample) -> Row:
        return {}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        by_set = {name: rows_of(rows, set=name) for name in self.drawn_from}
        findings = [_built(name, by_set[name], self.contexts) for name in by_set if by_set[name]]
        tables = tuple(_samples_table(name, by_set[name], self.contexts) for name in by_set)
        return Report(tables=tables, findings=(*findings, *sample_findings(rows)))


def _built(name: str, rows: Sequence[Row], contexts: Sequence[str]) -> str:
    """Return for how many candidates of a set each context can be built."""
    (_, chains), *others = (
        (context, sum(context in row["contexts"] for row in rows)) for context in contexts
    )
    rest = joined(f"{context} can be built for {n}" for context, n in others)
    return (
        f"{TITLES[name]}: the gold evidence of {share_text(ratio_cell(chains, len(rows)))} candidates is a "
        f"chain of evidence; of these, {rest}."
    )


def _samples_table(name: str, rows: Sequence[Row], contexts: Sequence[str]) -> Table:
    lines = []
    for context in contexts:
        built = [row["contexts"][context] for row in rows if context in row["contexts"]]
        samples, pieces = COE.samples[name][context]
        unnoticed = sum(context in row["unnoticed"] for row in rows)
        cells = (
            str(len(built)),
            ratio_cell(len(built), len(rows), 100 * samples / CANDIDATES),
            mean_cell([float(len(texts)) for texts in built], pieces),
            "-" if context == "CoE" else str(unnoticed),
        )
        lines.append(TableRow(name=context, cells=cells))
    return Table(
        title=f"{TITLES[name]}: samples of {counted(len(rows), 'candidate')}",
        corner="context",
        columns=("samples", "% of candidates", "pieces", "still a CoE by discrimination"),
        rows=tuple(lines),
        note="A context that fails its check is not built; the findings say why. A candidate can be used if "
        "all its contexts are built.",
    )


KINDS = tuple(COE.extraction)


class CoeExtraction(ContextStudy):
    """Candidates that are taken for a chain of evidence with the features as extracted, without a node, and
    with a word of the intent as a further node.
    """

    name = "coe-extraction"
    title = "How much do errors of extraction change what counts as a chain of evidence?"
    paper_reference = "table 9"
    data = drawn_from = ("hotpotqa",)
    calls_per_case = 12.0

    def answer(self, case: Case, lab: Lab) -> Row:
        candidate: Candidate = case.content
        builder = open_builder(lab, candidate)
        features = builder.features(candidate.question)
        identified = [
            kind
            for kind, changed in changed_features(features, candidate.question, lab.draws(case)).items()
            if not builder.missing(candidate.question, changed, candidate.pieces)
        ]
        sample = Sample(candidate=candidate, features=features, contexts={"CoE": candidate.pieces})
        rest = self.trials(case, lab, sample) if identified else {"left_out": "not a CoE"}
        return {**sample.row(lab), "identified": identified, **rest}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        # The trials of a candidate count for every kind of error with which it was identified.
        by_kind = [_with_contexts(row, row.get("identified", ())) for row in rows]
        table = ShareTable("Accuracy by kind of error", "effectiveness", by_kind, KINDS, COE.extraction)
        identified, finding = _identified([row["identified"] for row in rows if "identified" in row])
        return Report(
            tables=(identified, *table.tables(judged=is_judged(rows))),
            plots=(table.plot(),),
            findings=(finding, *sample_findings(rows)),
        )


def changed_features(features: Features, question: str, draws: random.Random) -> dict[str, Features]:
    """Return the features as extracted, without a drawn node, and with a word that intent and question share.

    >>> features = Features(intent="harbour of a ferry", nodes=(Node(text="Ole Brandt"),))
    >>> changed = changed_features(features, "In which harbour was it built?", random.Random(1))
    >>> [[node.text for node in kind.nodes] for kind in changed.values()]
    [['Ole Brandt'], [], ['Ole Brandt', 'harbour']]
    """
    names = [node.text for node in features.nodes]
    dropped = draws.choice(names) if names else None
    nodes = tuple(node for node in features.nodes if node.text != dropped)
    relations = tuple(edge for edge in features.relations if dropped not in (edge.head, edge.tail))
    fewer = features.model_copy(update={"nodes": nodes, "relations": relations})
    in_question = set(words(question))
    shared = [word for word in words(features.intent) if word in in_question] or words(features.intent)[:1]
    extra = [Node(text=word) for word in shared[:1] if word not in names]
    more = features.model_copy(update={"nodes": (*features.nodes, *extra)})
    return dict(zip(KINDS, (features, fewer, more), strict=True))


def _identified(rows: Sequence[Sequence[str]]) -> tuple[Table, str]:
    """Return how many candidates are taken for a chain of evidence with each kind of error, as a table and as
    a sentence; `rows` are the kinds of each candidate.
    """
    cells = tuple(
        ratio_cell(sum(kind in row for row in rows), len(rows), 100 * COE.identified[kind] / CANDIDATES)
        for kind in KINDS
    )
    title = "Candidates taken for a chain of evidence"
    line = TableRow(name="identified", cells=cells)
    texts = joined(f"{share_text(cell)} ({kind})" for kind, cell in zip(KINDS, cells, strict=True))
    return Table(title=f"{title}, percent", corner="", columns=KINDS, rows=(line,)), f"{title}: {texts}."
