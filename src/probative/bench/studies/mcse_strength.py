"""Table 2: is the probability of a claim a measure of how strongly a context supports it?"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from probative.bench.families import contexts
from probative.bench.families.claims import Claim, as_cases, draw, hover
from probative.bench.families.mcse import McseStudy, failures
from probative.bench.findings import count_text, joined
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Plot, Series
from probative.bench.rows import Groups, Row, Rows
from probative.bench.statistics import mean_cell
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Metric, Results, TableSpec, column_cells, points

MEASURES = contexts.MEASURES


def _mean(measure: str) -> Metric:
    def metric(values: Rows) -> Cell:
        known = [own[measure] for own in values if own[measure] is not None]
        # Log-probabilities of another model's tokens, and cosines of another encoder, are other units.
        return mean_cell(known).model_copy(update={"comparable": False})

    return metric


def _higher(measure: str) -> Metric:
    """Return the share of claims for which the stronger of two contexts scores higher."""

    def metric(pairs: Rows) -> Cell:
        known = [own[measure] for own in pairs if None not in own[measure]]
        hits = sum(high > low for high, low in known)
        return Cell(value=100 * hits / len(known) if known else None, n=len(known))

    return metric


def _by_context(rows: Rows) -> Groups:
    """Return the values of each kind of context, those of the paper first."""
    known = dict.fromkeys(kind for row in rows for kind in row["values"])
    order = [kind for kind in PUBLISHED.strength if kind in known]
    for kind in dict.fromkeys([*order, *known]):
        yield kind, [row["values"][kind] for row in rows if kind in row["values"]]


def _by_order(rows: Rows) -> Groups:
    """Return, for two contexts, the values of each measure of the stronger and of the weaker one."""
    for above, below in contexts.EXPECTED:
        both = [row["values"] for row in rows if above in row["values"] and below in row["values"]]
        pairs = [{name: (own[above][name], own[below][name]) for name in MEASURES} for own in both]
        yield f"{above} above {below}", pairs


def _ordered(results: Results) -> Iterator[str]:
    """Yield how often each measure puts the stronger context above the weaker one."""
    for name, cells in column_cells(results.tables[1], *MEASURES):
        named = zip(MEASURES, cells, strict=True)
        shares = [f"{cell.value:.0f}% ({measure})" for measure, cell in named if cell.value is not None]
        if shares:
            above, _, below = name.partition(" above ")
            yield (
                f'The context "{above}" scores higher than "{below}" for {joined(shares)} of the '
                f"claims; {count_text(cells)}."
            )


def _plot(results: Results) -> Iterator[Plot]:
    rows = results.tables[0].rows
    series = [
        Series(
            name=name,
            points=points([row.cells[at] for row in rows], published=published),
            published=published,
        )
        for at, name in enumerate(MEASURES[:2])
        for published in (False, True)
    ]
    yield Plot(
        title="Strength of evidence",
        kind="bars",
        x="context",
        y="log-probability a token",
        series=tuple(series),
        ticks=tuple(row.name for row in rows),
    )


class McseStrength(McseStudy):
    """The claim's log-probability a token after each kind of context, and its cosine with the context.

    The option hops takes claims with another number of gold sentences than four.
    """

    name = "mcse-strength"
    title = "Evidence strength under six kinds of context"
    paper_reference = "table 2"
    verbs = frozenset({"score", "encode"})
    calls_per_case = 18.0
    options = ("titles", "hops")
    tables = (
        TableSpec(
            "Mean log-probability of a claim's token, and cosine in percent",
            "context",
            {name: _mean(name) for name in MEASURES},
            _by_context,
            note="Published: Gemma-2b-it, and GTE-large for the embedding, on 4-hop claims.",
            published=PUBLISHED.strength,
        ),
        TableSpec(
            "Claims for which the stronger context scores higher, in percent",
            "contexts",
            {name: _higher(name) for name in MEASURES},
            _by_order,
        ),
    )
    plots = (_plot,)
    findings = (_ordered, failures)

    def option_names(self) -> tuple[str, ...]:
        return self.options  # nothing is searched here, so mcse's have no meaning

    def cases(self, settings: Settings) -> list[Case]:
        """Return the drawn claims, each with its contexts."""
        self.check_options(settings)
        claims = hover(settings)
        hops = int(settings.option("hops", 4))

        def content(claim: Claim) -> contexts.ClaimInContexts:
            others = [text for other in claims if other.id != claim.id for text in other.sentences if text]
            draws = random.Random(f"{settings.seed} contexts {claim.id}")
            return contexts.ClaimInContexts(claim, contexts.make_contexts(claim, others, draws))

        return as_cases([draw([claim for claim in claims if claim.gold_size == hops], settings)], content)

    def run(self, case: Case, lab: Lab) -> Row:
        """Score the claim after each context with both prompts, and embed the contexts."""
        claim = case.content.claim
        values = lab.session.run_search(contexts.measure(case.content))
        return {"id": claim.id, "kind": claim.kind, "values": values}

    def observations(self, rows: Sequence[Row]) -> Sequence[Row]:
        return rows
