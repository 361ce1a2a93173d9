"""Table 2: is the probability of a claim a measure of how strongly a context supports it?"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from probative.bench.arguments import check_known
from probative.bench.experiment import Case, Lab, Settings
from probative.bench.experiments.mcse_study.claims import Claim, as_cases, draw, hover
from probative.bench.experiments.mcse_study.contexts import (
    NOT_RELATED,
    NOT_RELEVANT,
    SUFFICIENT,
    WITH_NOT_RELATED,
    WITH_NOT_RELEVANT,
    make_contexts,
    without,
)
from probative.bench.experiments.mcse_study.figures import failure_notes
from probative.bench.experiments.mcse_study.study import McseStudy
from probative.bench.findings import count_text, joined
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Plot, Report, Series, Table, TableRow
from probative.bench.rows import Row, finished_rows
from probative.bench.statistics import mean_cell
from probative.bench.tables import (
    Metric,
    Rows,
    build_table,
    points,
)
from probative.engine.search import Search, encode, score
from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength, finite

PLAIN, GROUNDED, COSINE = "plain prompt", "grounding prompt", "embedding"
MEASURES = (PLAIN, GROUNDED, COSINE)
# What a measure of support should hold, best first: the context above should score higher than the one below.
EXPECTED = (
    (SUFFICIENT, without(1)),
    (without(1), NOT_RELEVANT),
    (SUFFICIENT, NOT_RELEVANT),
    (SUFFICIENT, NOT_RELATED),
    (WITH_NOT_RELATED, NOT_RELATED),
    (WITH_NOT_RELEVANT, NOT_RELEVANT),
)


@dataclass(frozen=True)
class ClaimInContexts:
    """A claim with the sentences of each kind of context."""

    claim: Claim
    contexts: Mapping[str, tuple[str, ...]]


class EvidenceStrength(McseStudy):
    """The claim's log-probability a token after each kind of context, and its cosine with the context."""

    name = "mcse-strength"
    title = "Evidence strength under six kinds of context"
    paper_reference = "table 2"
    data = ("hover",)
    verbs = frozenset({"score", "encode"})
    calls_per_case = 18.0
    options = ("titles", "hops")

    def check(self, settings: Settings) -> None:
        """Raise `InputError` for another option: nothing is searched here, so mcse's have no meaning."""
        check_known(settings, self.options)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return HoVer's claims with four gold sentences, or as many as the option hops says."""
        hops = int(settings.option("hops", 4))
        return [[claim for claim in hover(settings) if claim.gold_size == hops]]

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the drawn claims, each with its contexts."""
        self.check(settings)
        claims = hover(settings)

        def content(claim: Claim) -> ClaimInContexts:
            others = [text for other in claims if other.id != claim.id for text in other.sentences if text]
            draws = random.Random(f"{settings.seed} contexts {claim.id}")
            return ClaimInContexts(claim, make_contexts(claim, others, draws))

        return as_cases((draw(group, settings) for group in self.groups(settings)), content)

    def run(self, case: Case, lab: Lab) -> Row:
        """Score the claim after each context with both prompts, and embed the contexts."""
        given: ClaimInContexts = case.content
        values = lab.session.run_search(measure(given))
        return {"id": given.claim.id, "kind": given.claim.kind, "values": values}

    def report(self, rows: Sequence[Row], settings: Settings) -> Report:
        """Return the means of each kind of context, and how often support is ordered as it should be."""
        good = finished_rows(rows)
        kinds = list(dict.fromkeys(kind for row in good for kind in row["values"]))
        ordered = [kind for kind in PUBLISHED.strength if kind in kinds]
        ordered += [kind for kind in kinds if kind not in PUBLISHED.strength]
        table = Table(
            title="Mean log-probability of a claim's token, and cosine in percent",
            corner="context",
            columns=MEASURES,
            rows=tuple(TableRow(name=kind, cells=_cells(good, kind)) for kind in ordered),
            note="Published: Gemma-2b-it, and GTE-large for the embedding, on 4-hop claims.",
        )
        order = _order_table(good)
        findings = (*_ordered(order), *failure_notes(rows))
        return Report(tables=(table, order), plots=(_plot(table),), findings=findings)


def measure(given: ClaimInContexts) -> Search[dict[str, dict[str, float | None]]]:
    """Return the value of each measure for each kind of context; an empty context has no cosine."""
    claim = given.claim.text
    kinds = list(given.contexts)
    values: dict[str, dict[str, float | None]] = {kind: {} for kind in kinds}
    for name, grounded in ((PLAIN, False), (GROUNDED, True)):
        options = McseOptions(grounded=grounded)
        pairs = [
            Strength(claim, texts, options).pair(tuple(range(len(texts))))
            for texts in given.contexts.values()
        ]
        scores = yield from score(pairs, step=name)
        for kind, scored in zip(kinds, scores, strict=True):
            values[kind][name] = finite(scored) / max(1, len(scored.token_log_probabilities))
    filled = [kind for kind in kinds if given.contexts[kind]]
    vectors = yield from encode([claim, *(" ".join(given.contexts[kind]) for kind in filled)], step="embed")
    cosines = {
        kind: 100 * float(vectors[0] @ vector) for kind, vector in zip(filled, vectors[1:], strict=True)
    }
    for kind in kinds:
        values[kind][COSINE] = cosines.get(kind)
    return values


def _values(rows: Sequence[Row], kind: str, name: str) -> list[float]:
    found = (row["values"].get(kind, {}).get(name) for row in rows)
    return [value for value in found if value is not None]


def _cells(rows: Sequence[Row], kind: str) -> tuple[Cell, ...]:
    published = PUBLISHED.strength.get(kind, (None, None, None))
    # Log-probabilities of another model's tokens, and cosines of another encoder, are other units.
    return tuple(
        mean_cell(_values(rows, kind, name), figure).model_copy(update={"comparable": False})
        for name, figure in zip(MEASURES, published, strict=True)
    )


def _order_table(rows: Sequence[Row]) -> Table:
    """Return for each pair of contexts the share of claims for which the stronger one scores higher."""
    groups = []
    for above, below in EXPECTED:
        both = [row["values"] for row in rows if above in row["values"] and below in row["values"]]
        pairs = [{name: (own[above][name], own[below][name]) for name in MEASURES} for own in both]
        groups.append((f"{above} above {below}", pairs))
    title = "Claims for which the stronger context scores higher, in percent"
    return build_table(title, "contexts", {name: _higher(name) for name in MEASURES}, groups)


def _higher(name: str) -> Metric:
    def metric(rows: Rows) -> Cell:
        known = [row[name] for row in rows if None not in row[name]]
        hits = sum(high > low for high, low in known)
        return Cell(value=100 * hits / len(known) if known else None, n=len(known))

    return metric


def _ordered(table: Table) -> Iterator[str]:
    """Yield how often each measure puts the stronger context above the weaker one."""
    for row in table.rows:
        cells = [cell for cell in row.cells if isinstance(cell, Cell)]
        named = zip(table.columns, cells, strict=True)
        shares = [f"{cell.value:.0f}% ({name})" for name, cell in named if cell.value is not None]
        if shares:
            above, _, below = row.name.partition(" above ")
            yield (
                f'The context "{above}" scores higher than "{below}" for {joined(shares)} of the '
                f"claims; {count_text(cells)}."
            )


def _plot(table: Table) -> Plot:
    series = []
    for number, name in enumerate(MEASURES[:2]):
        cells = [row.cells[number] for row in table.rows]
        series += [
            Series(name=name, points=points(cells, published=published), published=published)
            for published in (False, True)
        ]
    return Plot(
        title="Strength of evidence",
        kind="bars",
        x="context",
        y="log-probability a token",
        series=tuple(series),
        ticks=tuple(row.name for row in table.rows),
    )
