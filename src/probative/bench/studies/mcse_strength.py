"""Table 2: is the probability of a claim a measure of how strongly a context supports it? Six kinds of
context of a claim with gold sentences, and measures of their support.

Sentences are drawn at random, the same for the same seed and claim. As many sentences are added as the claim
has gold ones, the number m of the paper, mixed with the gold ones at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from probative.bench.families.claims import Claim, as_cases, draw, hover
from probative.bench.families.mcse import McseStudy, failures
from probative.bench.findings import count_text, joined
from probative.bench.published import MCSE as PUBLISHED
from probative.bench.report import Cell, Plot, Series
from probative.bench.rows import Groups, Row, Rows
from probative.bench.statistics import mean_cell
from probative.bench.study import Case, Lab, Settings
from probative.bench.tables import Metric, Results, TableSpec, column_cells, points
from probative.engine.search import Search, encode, score
from probative.mcse.options import McseOptions
from probative.mcse.strength import Strength, finite

NOT_RELATED, NOT_RELEVANT, SUFFICIENT = "not related", "not relevant", "sufficient"
WITH_NOT_RELATED, WITH_NOT_RELEVANT = "with not related", "with not relevant"
PLAIN, GROUNDED, COSINE = MEASURES = ("plain prompt", "grounding prompt", "embedding")


def without(n: int) -> str:
    """Return the name of the context without n of the gold sentences.

    >>> without(1), without(2)
    ('without 1 sentence', 'without 2 sentences')
    """
    return f"without {n} sentence{'s' if n > 1 else ''}"


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


def make_contexts(claim: Claim, others: Sequence[str], draws: random.Random) -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of each kind of context. `others` are sentences of texts about other claims.

    A kind for which the text has no sentences (nothing but evidence in it) is left out.
    """
    evidence = [claim.sentences[index] for index in claim.gold[0]]
    m, related = len(evidence), set(claim.sentences)
    unrelated = _drawn([text for text in others if text not in related], m, draws)
    irrelevant = _drawn([text for text in claim.sentences if text.strip() and text not in evidence], m, draws)
    contexts = {NOT_RELATED: unrelated, NOT_RELEVANT: irrelevant, SUFFICIENT: evidence}
    for n in range(1, m + 1):
        left_out = set(draws.sample(range(m), n))
        contexts[without(n)] = [text for index, text in enumerate(evidence) if index not in left_out]
    for kind, added in ((WITH_NOT_RELATED, unrelated), (WITH_NOT_RELEVANT, irrelevant)):
        contexts[kind] = _mixed(evidence, added, draws) if added else []
    # Only the context without any of the gold sentences may be empty.
    return {kind: tuple(texts) for kind, texts in contexts.items() if texts or kind == without(m)}


def _drawn(texts: Sequence[str], n: int, draws: random.Random) -> list[str]:
    """Return up to n different texts, in the order of the source."""
    different = list(dict.fromkeys(texts))
    indexes = sorted(draws.sample(range(len(different)), min(n, len(different))))
    return [different[index] for index in indexes]


def _mixed(evidence: Sequence[str], added: Sequence[str], draws: random.Random) -> list[str]:
    """Return the evidence in its order with the added texts at random places."""
    mixed = list(evidence)
    for text in added:
        mixed.insert(draws.randint(0, len(mixed)), text)
    return mixed


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


def _mean(measure: str) -> Metric:
    def metric(values: Rows) -> Cell:
        figures = [entry[measure] for entry in values if entry[measure] is not None]
        # Log-probabilities of another model's tokens, and cosines of another encoder, are other units.
        return mean_cell(figures).model_copy(update={"comparable": False})

    return metric


def _higher(measure: str) -> Metric:
    """Return the share of claims for which the stronger of two contexts scores higher."""

    def metric(pairs: Rows) -> Cell:
        figures = [entry[measure] for entry in pairs if None not in entry[measure]]
        hits = sum(high > low for high, low in figures)
        return Cell(value=100 * hits / len(figures) if figures else None, n=len(figures))

    return metric


def _by_context(rows: Rows) -> Groups:
    """Return the values of each kind of context, those of the paper first."""
    measured = dict.fromkeys(kind for row in rows for kind in row["values"])
    published = [kind for kind in PUBLISHED.strength if kind in measured]
    for kind in dict.fromkeys([*published, *measured]):
        yield kind, [row["values"][kind] for row in rows if kind in row["values"]]


def _by_order(rows: Rows) -> Groups:
    """Return, for two contexts, the values of each measure of the stronger and of the weaker one."""
    for above, below in EXPECTED:
        both = [row["values"] for row in rows if above in row["values"] and below in row["values"]]
        pairs = [{name: (entry[above][name], entry[below][name]) for name in MEASURES} for entry in both]
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

        def content(claim: Claim) -> ClaimInContexts:
            others = [text for other in claims if other.id != claim.id for text in other.sentences if text]
            draws = random.Random(f"{settings.seed} contexts {claim.id}")
            return ClaimInContexts(claim, make_contexts(claim, others, draws))

        return as_cases([draw([claim for claim in claims if claim.gold_size == hops], settings)], content)

    def run(self, case: Case, lab: Lab) -> Row:
        """Score the claim after each context with both prompts, and embed the contexts."""
        claim = case.content.claim
        values = lab.session.run_search(measure(case.content))
        return {"id": claim.id, "kind": claim.kind, "values": values}

    def observations(self, rows: Sequence[Row]) -> Sequence[Row]:
        return rows
