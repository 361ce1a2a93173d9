"""What the experiments of the study share: their options, their claims, and how one claim is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from probative.bench.experiment import Case, Experiment, Lab, Paper, Settings, Verb
from probative.bench.experiments.mcse_study.claims import Claim, as_cases, draw, hover
from probative.bench.experiments.mcse_study.methods import (
    METHODS,
    Arguments,
    check_options,
    chosen_methods,
    run_methods,
)
from probative.bench.rows import Row


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
