"""Experiments in the terminal: the list, the plan of a run, and where its reports are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from probative.cli.views.terminal import print_note, print_text
from probative.errors import install_command
from probative.models.prices import Money
from probative.types import Usage
from probative.views.terminal import plain

if TYPE_CHECKING:
    from probative.bench.compare import Comparison
    from probative.bench.data.sets import DataCheck, ListedSets
    from probative.bench.plan import Plan
    from probative.bench.registry import ListedExperiment, Listing
    from probative.bench.report import RunReport


def show_list(listing: Listing) -> None:
    """Print the experiments, grouped by paper."""
    paper = ""
    for experiment in listing.experiments:
        if experiment.paper != paper:
            paper = experiment.paper
            print_text(f"\n{plain(paper)}" if experiment is not listing.experiments[0] else plain(paper))
        where = "" if experiment.paper == "ours" else f"{plain(experiment.shown_as)}: "
        print_text(f"  {plain(experiment.name):<24} {where}{plain(experiment.title)}")
        print_text(f"  {'':<24} {_needs(experiment)}")


def show_sets(listed: ListedSets) -> None:
    """Print the data sets."""
    for data_set in listed.sets:
        print_text(f"{plain(data_set.name):<18} {plain(data_set.title)}")
        size = f", {data_set.size}" if data_set.size else ""
        for line in (data_set.licence + size, data_set.source, f"to get it: {data_set.how}"):
            print_text(f"{'':<18} {plain(line)}")


_STATES = {
    "kept": "as in the kept reports",
    "published": "as published",
    "other": "another version, of the right form",
    "missing": "missing",
    "wrong": "cannot be used",
}


def show_data(checked: DataCheck) -> None:
    """Print what the files of data sets are, and how to get those that are missing."""
    for data_set in checked.sets:
        print_text(f"{plain(data_set.name)}{'' if data_set.usable else f': {plain(data_set.how)}'}")
        for file in data_set.files:
            problem = f": {plain(file.problem)}" if file.problem else ""
            print_text(f"  {plain(file.path):<48} {_STATES[file.state]}{problem}")
        if data_set.note:
            print_text(f"  {plain(data_set.note)}")


def _needs(experiment: ListedExperiment) -> str:
    judge = "; needs a judge model" if experiment.needs_judge else ""
    data = ", ".join(data.name for data in experiment.data) or "none"
    verbs = ", ".join(experiment.verbs)
    limit = f"--limit: {experiment.limit_of}"
    return plain(f"data: {data}; model: {verbs}{judge}; {_calls(experiment.calls_per_case)}; {limit}")


def _calls(calls: float) -> str:
    """Return the calls for a case.

    >>> [_calls(calls) for calls in (0.0, 1.0, 1.5, 170_000.0)]
    ['no calls of the model', 'about 1 call a case', 'about 1.5 calls a case', 'about 170,000 calls a case']
    """
    if not calls:
        return "no calls of the model"
    shown = f"{calls:,.0f}" if calls.is_integer() else f"{calls:,.1f}"
    return f"about {shown} {'call' if calls == 1 else 'calls'} a case"


def show_plan(plan: Plan) -> None:
    """Print what a run would cost."""
    cost = _counted(plan.usage, known=plan.by_estimate < plan.sampled)
    cases = f"{plan.cases:,} {'case' if plan.cases == 1 else 'cases'}"
    print_text(f"{plain(plan.experiment)}: {cases}; would make about {cost}")
    if plan.sampled < plan.cases:
        print_text(f"estimated from {plan.sampled} of the cases")
    if plan.by_estimate:
        print_text(
            f"{plan.by_estimate} of {plan.sampled} sampled cases failed with stand-ins for the models: the "
            "experiment's own estimate of calls was added for them"
        )
    if plan.judge_usage.calls:
        print_text(f"the judge: about {_counted(plan.judge_usage, known=True)}")
    if plan.money is not None:
        print_text(f"money: about {Money(plan.money, plan.prices)}")
    if plan.trained:
        print_note(plan.trained)


def _counted(usage: Usage, *, known: bool) -> str:
    """Return calls and tokens, or calls alone where the tokens are not known."""
    calls = f"{usage.calls:,} {'call' if usage.calls == 1 else 'calls'}"
    if not known:
        return f"{calls}; how many tokens is not known"
    return (
        f"{calls}, {usage.prompt_tokens + usage.scored_tokens:,} tokens read and "
        f"{usage.completion_tokens:,} written"
    )


def show_run(run: RunReport, out: Path) -> None:
    """Print the report, say what the run has cost so far, and name the files."""
    from probative.bench.render import to_markdown
    from probative.bench.run_folder import RunFolder

    print_text(to_markdown(run))
    manifest = RunFolder(out).opened()
    if manifest.spent.calls:
        money = f"; money: {manifest.money}" if manifest.money else ""
        print_note(f"cost: {manifest.spent.counted}{money}")
    if not (out / "report.html").exists():
        print_note(f"no report.html: plots need matplotlib: {install_command('eval')}")
    print_note(f"reports: {plain(str(out))}/report.md, report.html, report.json; rows: rows.jsonl")


def show_comparison(comparison: Comparison) -> None:
    """Print the tables of several runs side by side, and the paired tests."""
    from probative.bench.render import table_markdown

    print_text(f"# {comparison.experiment}: {', '.join(comparison.runs)}\n")
    print_text(f"{comparison.shared_cases:,} cases in common\n")
    if comparison.failures:
        print_text(f"{comparison.failures}\n")
    for table in (*comparison.tables, comparison.paired):
        print_text("\n".join((f"## {table.title}", "", *table_markdown(table), "")))
