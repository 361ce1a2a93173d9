"""What the studies of McsE share: methods and options, how a claim is run, columns, tests and findings.

A row has the sentences that each method chose; `McseStudy.observations` makes a row for each method of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from probative.bench.families.arms import read_arms
from probative.bench.families.claims import Claim, as_cases, draw, hover
from probative.bench.families.evidence import Top, claim_f1, overlap_metrics, pairs
from probative.bench.findings import compared, counted, joined
from probative.bench.metrics import overlap
from probative.bench.report import Cell
from probative.bench.rows import Row, Rows, finished_rows, groups_by, rows_of
from probative.bench.statistics import Pair, first_against
from probative.bench.study import Case, Lab, Names, Paper, Settings, Study, Verb
from probative.bench.tables import Finding, Metrics, PairedSpec, Published, Results
from probative.engine.methods import MethodChoice
from probative.errors import ContextError, EmptyError, OutputError, ProbativeError
from probative.mcse.options import McseOptions
from probative.session.session import Session
from probative.verbs.prove import METHODS as PROVE_METHODS

MCSE, EMBEDDING, GTE = "McsE", "embedding", "GTE-large"
BESIDE = (
    "Published beside `embedding` is MPNet-base, or GTE-large where the encoder is GTE; beside `LLM picks` "
    "Gemma-Retriever and beside `LLM reranks` "
    "Gemma-Reranker (Gemma-7b-it); RankGPT is GPT-3.5-turbo and McsE Gemma-2b-it there."
)
SET_TITLES = {"hover": "HoVer", "pubmedqa": "PubMedQA", "covidet": "CovidET"}

Arguments = Mapping[str, Any]
"""Keyword arguments of `Session.prove`."""

ARMS: Mapping[str, Mapping[str, Arguments]] = read_arms("mcse")
PAPER = ARMS["methods"][MCSE]
ONLY_MCSE: Mapping[str, Arguments] = {MCSE: PAPER}
OWN_FAULTS = (OutputError, EmptyError, ContextError)
"""Errors that are the method's own result: it gave nothing for this claim, and would not if asked again."""


def fault_text(error: ProbativeError) -> str:
    """Return an error that is the method's own result, as a row has it."""
    return f"{type(error).__name__}: {error.what}"


def search_options(settings: Settings) -> dict[str, Any]:
    """Return the options of mcse among the settings' options; "none" means None. Raises `InputError` for a
    value that mcse refuses.
    """
    given = {
        name: None if str(value).lower() == "none" else value
        for name, value in (settings.options or {}).items()
        if name in McseOptions.model_fields
    }
    PROVE_METHODS.choose(MethodChoice("mcse", "paper", None, given))
    return given


class McseStudy(Study):
    """A study that runs claims through several methods: a case is one claim.

    `calls_per_case` of a study with McsE is 10n(1 + 10(K - 1)) for each chosen sentence, with 10 proposals,
    K = 4 and the n of the data: 35 sentences on average in HoVer.
    """

    paper: ClassVar[Paper] = "McsE"
    data: ClassVar[tuple[str, ...]] = ("hover",)
    verbs: ClassVar[frozenset[Verb]] = frozenset({"generate", "score"})
    options: ClassVar[tuple[str, ...]] = ("methods", "titles")
    """The options of the study besides those of mcse."""
    limit_of = "claims of each kind"
    arguments: ClassVar[Mapping[str, Arguments]] = ARMS["methods"]
    """The methods that are compared, by the names of their rows."""
    readers: ClassVar[tuple[Callable[[Settings], Sequence[Claim]], ...]] = (hover,)
    """What reads the claims of each group."""
    sentences: ClassVar[int | None] = None
    """How many sentences each method chooses; None: as many as the smallest gold set has."""

    def option_names(self) -> tuple[str, ...]:
        return (*self.options, *McseOptions.model_fields)

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of each group, from which `cases` draws."""
        return [read(settings) for read in self.readers]

    def methods(self, settings: Settings) -> Mapping[str, Arguments]:
        """Return the methods that are compared, where they depend on the user's options."""
        return self.arguments

    def chosen(self, settings: Settings) -> dict[str, Arguments]:
        """Return the methods that the option `methods` names; options of mcse change every one that runs it.

        >>> from pathlib import Path
        >>> McseStudy().chosen(Settings(Path("."), options={"methods": "BM25,McsE", "lookahead": 1}))
        {'BM25': {'method': 'bm25'}, 'McsE': {'lookahead': 1, 'preset': 'paper'}}
        """
        methods, changes = self.methods(settings), search_options(settings)
        names = Names("methods", tuple(methods), tuple(methods)).chosen(settings)
        return {
            name: methods[name] if "method" in methods[name] else {**changes, **methods[name]}
            for name in names
        }

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the drawn claims, the first of each group first."""
        self.check_options(settings)
        self.chosen(settings)
        return as_cases(draw(group, settings) for group in self.groups(settings))

    def run(self, case: Case, lab: Lab) -> Row:
        return run_methods(lab.session, case.content, self.chosen(lab.settings), self.sentences)

    def observations(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return a row for each method, with the sentences that it chose and its calls."""
        return [
            {**row, "method": method, "indexes": chosen, "calls": row.get("calls", {}).get(method)}
            for row in rows
            for method, chosen in row["chosen"].items()
        ]


def run_methods(session: Session, claim: Claim, methods: Mapping[str, Arguments], k: int | None) -> Row:
    """Return the sentences that each method chose, in order, the calls it made, and the failures.

    A method that gave no usable output has no sentences and a line in `failed`; other errors are raised.
    """
    chosen: dict[str, list[int]] = {}
    calls: dict[str, int] = {}
    failed: dict[str, str] = {}
    for name, arguments in methods.items():
        try:
            proof = session.prove(
                claim.text, claim.sentences, k=k or claim.gold_size, verdict=False, **arguments
            )
        except OWN_FAULTS as error:
            chosen[name], failed[name] = [], fault_text(error)
            continue
        # As if no result were kept from one row to the next.
        chosen[name], calls[name] = list(proof.indexes), proof.usage.calls + proof.usage.cached
    encoder = session.settings.encoder
    return {**claim_row(claim), "encoder": encoder, "chosen": chosen, "calls": calls, "failed": failed}


def claim_row(claim: Claim) -> Row:
    """Return what a row says about its claim."""
    return {
        "id": claim.id,
        "kind": claim.kind,
        "gold": [list(gold) for gold in claim.gold],
        "true": claim.true,
        "sentences": len(claim.sentences),
    }


def top_metrics(tops: Sequence[Top]) -> Metrics:
    """Return precision, recall and F1 for several numbers of sentences, side by side."""
    return {f"top {top} {name}": metric for top in tops for name, metric in overlap_metrics(top).items()}


def mean_calls(rows: Rows) -> Cell:
    """Return the mean number of calls for a claim, also those answered from the cache."""
    counts = [row["calls"] for row in rows if row["calls"] is not None]
    return Cell(value=sum(counts) / len(counts), n=len(counts)) if counts else Cell(value=None, n=0)


def by_encoder(figures: Published) -> Callable[[Rows], Published]:
    """Return the published figures for rows: embeddings by GTE have their own."""

    def published(rows: Rows) -> Published:
        by_gte = any("gte" in str(row.get("encoder")).lower() for row in rows)
        return {**figures, EMBEDDING: figures.get(GTE, ())} if by_gte else figures

    return published


def mcse_against(methods: Sequence[str]) -> list[Pair]:
    """Return McsE against every other method."""
    return first_against(MCSE, methods)


def f1_tests(tops: Mapping[str, Top], pairs: Any = mcse_against, by: Any = None) -> PairedSpec:
    """Return paired tests of the F1 of a claim, by default of McsE against every other method."""
    return PairedSpec(
        "Paired tests, F1 of a claim",
        {name: claim_f1(top) for name, top in tops.items()},
        pairs,
        by=by,
        case="id",
        note="Differences are those of the mean F1 of a claim; the tables above have F1 over all sentences.",
    )


f1_finding = compared("F1", "claim")


def best_f1(tops: Sequence[Top], kinds: Mapping[str, str]) -> Finding:
    """Return the finding on which method has the highest F1 on each kind of claims, of those with two."""

    def finding(results: Results) -> Iterator[str]:
        for kind, title in kinds.items():
            for top in tops:
                yield from _best(rows_of(results.rows, kind=kind), title, top)

    return finding


def _best(rows: Rows, title: str, top: Top) -> Iterator[str]:
    groups = groups_by(rows, "method")
    scored = {name: chosen for name, some in groups if (chosen := pairs(some, top))}
    if len(scored) < 2:
        return
    f1 = {name: overlap(chosen).f1 for name, chosen in scored.items()}
    high, n = max(f1.values()), len(next(iter(scored.values())))
    best = [name for name in f1 if f1[name] == high]
    lower = [value for value in f1.values() if value < high]
    many = "as many sentences as gold" if top == "gold" else f"top {top}"
    yield (
        f"{title}, {many}: {joined(best)} {'has' if len(best) == 1 else 'have'} the highest F1 "
        f"({high:.1f}, n = {n}){f'; the next has {max(lower):.1f}' if lower else ''}."
    )


def failures(results: Results) -> Iterator[str]:
    """Yield sentences on claims that ended with an error, and on methods that gave nothing."""
    rows, good = results.all_rows, finished_rows(results.all_rows)
    if errors := len(rows) - len(good):
        yield f"{errors} of {counted(len(rows), 'claim')} ended with an error, and are in no figure."
    counts = Counter(method for row in good for method in row.get("failed", {}))
    for method, count in counts.items():
        claims = f"{count} of {counted(len(good), 'claim')}"
        yield f"{method} gave no usable output for {claims}: counted as missed."
