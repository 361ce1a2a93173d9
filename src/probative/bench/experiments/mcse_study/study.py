"""What the studies of McsE share: their methods and options, their claims, and how one claim is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from probative.bench.experiment import Case, Experiment, Lab, Paper, Settings, Verb
from probative.bench.experiments.mcse_study.claims import Claim, as_cases, draw, hover
from probative.bench.experiments.mcse_study.figures import MCSE
from probative.bench.rows import Row
from probative.engine.methods import MethodChoice
from probative.errors import ContextError, EmptyError, InputError, OutputError
from probative.mcse.options import McseOptions
from probative.session.session import Session
from probative.verbs.prove import METHODS as PROVE_METHODS

ROUGE, BM25, EMBEDDING = "ROUGE", "BM25", "embedding"
PICKS, RERANKS, RANKGPT = "LLM picks", "LLM reranks", "RankGPT"

Arguments = Mapping[str, Any]
"""Keyword arguments of `Session.prove`."""

# The paper's search with its own policy, which reads the whole path.
PAPER: Arguments = {"preset": "paper"}
METHODS: dict[str, Arguments] = {
    ROUGE: {"method": "rouge"},
    BM25: {"method": "bm25"},
    EMBEDDING: {"method": "embedding"},
    PICKS: {"method": "llm-pick"},
    RERANKS: {"method": "llm-rerank"},
    RANKGPT: {"method": "rankgpt"},
    MCSE: PAPER,
    "McsE fast (ours)": {},
    "learned policy (ours)": {"method": "learned"},
}
ONLY_MCSE: Mapping[str, Arguments] = {MCSE: PAPER}
OWN_FAULTS = (OutputError, EmptyError, ContextError)
"""Errors that are the method's own result: it gave nothing for this claim, and would not if asked again."""


def chosen_methods(settings: Settings, methods: Mapping[str, Arguments] = METHODS) -> dict[str, Arguments]:
    """Return the methods that the option `methods` names, separated by commas; all without it.

    Options of mcse (`max_candidates=12`, `trajectories=3`) change every row that runs mcse.

    >>> from pathlib import Path
    >>> sorted(chosen_methods(Settings(Path("."), options={"methods": "BM25,McsE", "lookahead": 1})).items())
    [('BM25', {'method': 'bm25'}), ('McsE', {'lookahead': 1, 'preset': 'paper'})]
    """
    asked = settings.option("methods", None)
    names = list(methods) if asked is None else [name.strip() for name in str(asked).split(",")]
    if unknown := [name for name in names if name not in methods]:
        raise InputError(
            f"there is no method {unknown[0]!r} in this experiment", hint=f"use some of {', '.join(methods)}"
        )
    changes = search_options(settings)
    return {
        name: methods[name] if "method" in methods[name] else {**changes, **methods[name]} for name in names
    }


def check_options(settings: Settings, *own: str) -> None:
    """Raise `InputError` for an option that this experiment does not have, or a value that mcse refuses.

    `own` are the options of the experiment besides those of mcse.

    >>> from pathlib import Path
    >>> check_options(Settings(Path("."), options={"methods": "BM25", "lookahead": 1}), "methods")
    """
    known = (*own, *McseOptions.model_fields)
    if unknown := [name for name in settings.options or {} if name not in known]:
        raise InputError(
            f"this experiment has no option {unknown[0]!r}", hint=f"the options are {', '.join(known)}"
        )
    PROVE_METHODS.choose(MethodChoice("mcse", "paper", None, search_options(settings)))


def search_options(settings: Settings) -> dict[str, Any]:
    """Return the options of mcse among the settings' options; "none" means None."""
    given = {
        name: value for name, value in (settings.options or {}).items() if name in McseOptions.model_fields
    }
    return {name: None if str(value).lower() == "none" else value for name, value in given.items()}


def run_methods(session: Session, claim: Claim, methods: Mapping[str, Arguments], k: int) -> Row:
    """Return the sentences that each method chose, in order, the calls it made, and the failures.

    A method that gave no usable output has no sentences and a line in `failed`; other errors are raised.
    """
    row: Row = claim_row(claim)
    chosen: dict[str, list[int]] = {}
    calls: dict[str, int] = {}
    failed: dict[str, str] = {}
    for name, arguments in methods.items():
        try:
            proof = session.prove(claim.text, claim.sentences, k=k, verdict=False, **arguments)
        except OWN_FAULTS as error:
            chosen[name], failed[name] = [], f"{type(error).__name__}: {error.what}"
            continue
        usage = proof.usage
        # As if no result were kept from one row to the next.
        chosen[name], calls[name] = list(proof.indexes), usage.calls + usage.cached
    row["encoder"] = session.settings.encoder
    return {**row, "chosen": chosen, "calls": calls, "failed": failed}


def claim_row(claim: Claim) -> Row:
    """Return what a row says about its claim."""
    return {
        "id": claim.id,
        "kind": claim.kind,
        "gold": [list(gold) for gold in claim.gold],
        "true": claim.true,
        "sentences": len(claim.sentences),
    }


class McseStudy(Experiment):
    """An experiment that runs claims through several methods: a case is one claim.

    `calls_per_case` of an experiment with McsE is n²(1 + 10(K - 1)) for each chosen sentence, with K = 4 and
    the n of the data: 35 sentences on average in HoVer.
    """

    paper: ClassVar[Paper] = "McsE"
    verbs: ClassVar[frozenset[Verb]] = frozenset({"generate", "score"})
    options: ClassVar[tuple[str, ...]] = ("methods", "titles")
    """The options of the experiment besides those of mcse."""
    limit_of: ClassVar[str] = "claims of each kind"
    compared: ClassVar[Mapping[str, Arguments]] = METHODS
    """The methods that are compared, by the names of their rows."""

    def groups(self, settings: Settings) -> Iterable[Sequence[Claim]]:
        """Return the claims of each group, from which `cases` draws: HoVer's supported claims."""
        return [hover(settings)]

    def methods(self, settings: Settings) -> Mapping[str, Arguments]:
        """Return the methods that are compared, where they depend on the user's options."""
        return self.compared

    def sentences(self, claim: Claim) -> int:
        """Return how many sentences each method chooses: as many as the smallest gold set has."""
        return claim.gold_size

    def chosen(self, settings: Settings) -> dict[str, Arguments]:
        """Return the methods that the user wants, with the user's options; raises `InputError`."""
        return chosen_methods(settings, self.methods(settings))

    def check(self, settings: Settings) -> None:
        """Raise `InputError` for options that the experiment does not have, before it asks anything."""
        check_options(settings, *self.options)
        self.chosen(settings)

    def cases(self, settings: Settings) -> Sequence[Case]:
        """Return the drawn claims, the first of each group first."""
        self.check(settings)
        return as_cases(draw(group, settings) for group in self.groups(settings))

    def run(self, case: Case, lab: Lab) -> Row:
        """Return the sentences that each method chooses."""
        claim: Claim = case.content
        return run_methods(lab.session, claim, self.chosen(lab.settings), self.sentences(claim))
