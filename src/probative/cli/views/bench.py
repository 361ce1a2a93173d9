"""Experiments in the terminal: the list, the plan of a run, and where its reports are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from probative.cli.views.terminal import plain, print_note, print_text
from probative.usage import Usage

if TYPE_CHECKING:
    from probative.bench.compare import Comparison
    from probative.bench.listing import ListedExperiment, Listing
    from probative.bench.plan import Plan
    from probative.bench.render.run_report import RunReport


def show_list(listing: Listing) -> None:
    """Print the experiments, grouped by paper."""
    paper = ""
    for experiment in listing.experiments:
        if experiment.paper != paper:
            paper = experiment.paper
            print_text(f"\n{plain(paper)}" if experiment is not listing.experiments[0] else plain(paper))
        print_text(f"  {plain(experiment.name):<24} {plain(experiment.shown_as)}: {plain(experiment.title)}")
        print_text(f"  {'':<24} {_needs(experiment)}")


def _needs(experiment: ListedExperiment) -> str:
    judge = "; needs a judge model" if experiment.needs_judge else ""
    data = ", ".join(data.name for data in experiment.data) or "none"
    verbs = ", ".join(experiment.verbs)
    return plain(f"data: {data}; model: {verbs}{judge}; about {experiment.calls_per_case:g} calls a case")


def show_plan(plan: Plan) -> None:
    """Print what a run would cost."""
    print_text(f"{plain(plan.experiment)}: {plan.cases:,} cases; would make about {_counted(plan.usage)}")
    if plan.judge_usage.calls:
        print_text(f"the judge: about {_counted(plan.judge_usage)}")
    if plan.money is not None:
        print_text(f"money: about {plan.money:.4g}")
    if plan.trained:
        print_note(plan.trained)
    if plan.by_estimate:
        print_note(
            f"{plan.by_estimate} of {plan.sampled} sampled cases go on only with real answers: their tokens "
            "are not counted, and their calls are the experiment's estimate"
        )


def _counted(usage: Usage) -> str:
    return (
        f"{usage.calls:,} calls, {usage.prompt_tokens + usage.scored_tokens:,} tokens read, at most "
        f"{usage.completion_tokens:,} written"
    )


def show_run(run: RunReport, out: Path) -> None:
    """Print the report, and name the files."""
    from probative.bench.render.markdown import to_markdown

    print_text(to_markdown(run))
    if not (out / "report.html").exists():
        print_note("no report.html: plots need matplotlib: pip install 'probative[eval]'")
    print_note(f"reports: {plain(str(out))}/report.md, report.html, report.json; rows: rows.jsonl")


def show_comparison(comparison: Comparison) -> None:
    """Print the tables of several runs side by side, and the paired tests."""
    from probative.bench.render.markdown import table_markdown

    print_text(f"# {comparison.experiment}: {', '.join(comparison.runs)}\n")
    print_text(f"{comparison.shared_cases:,} cases in common\n")
    for table in (*comparison.tables, comparison.paired):
        print_text("\n".join((f"## {table.title}", "", *table_markdown(table), "")))
