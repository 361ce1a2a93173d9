"""`probative bench`: the experiments of the papers and ours, with the user's model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from probative.cli.commands import bench_data
from probative.cli.commands.bench_data import checked_data, data_option
from probative.cli.framework.command import OptionGroup, command
from probative.cli.framework.exit_codes import ExitCode
from probative.cli.framework.options import Json, JudgedModelOptions, MethodOption, run_option
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.bench.study import Settings


class ExperimentGroup(TyperGroup):
    """`probative bench NAME` is short for `probative bench run NAME`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name; another word is the name of an experiment."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=ExperimentGroup,
    no_args_is_help=True,
    help="Run the papers' experiments with your model: list, NAME, report, compare, data.",
    epilog="probative bench NAME is short for probative bench run NAME.",
)
app.add_typer(bench_data.app, name="data")


@dataclass(frozen=True)
class ExperimentOptions(OptionGroup):
    """Where and how an experiment runs."""

    data: Annotated[Path | None, data_option(rich_help_panel="Run")] = None
    out: Annotated[
        Path | None,
        run_option(metavar="RUN", help="The folder of the run. The same command again resumes it."),
    ] = None
    limit: Annotated[
        int | None,
        run_option(
            min=1, help="How many questions, claims or triples: of each set, unless the list says otherwise."
        ),
    ] = None
    seed: Annotated[int, run_option(help="The seed of random draws.")] = 1
    repeats: Annotated[
        int, run_option(min=1, help="How often a case is repeated, where a paper repeats.")
    ] = 3
    option: MethodOption = None
    runner: Annotated[
        str,
        run_option(
            metavar="RUNNER",
            help="Where cases run: local (this process), local:N (N processes), ray or ray:ADDRESS.",
        ),
    ] = "local"
    trained: Annotated[
        str,
        run_option(
            metavar="mark|refuse",
            help="If a case trained a shipped model: mark it in the report, or refuse to run.",
        ),
    ] = "mark"
    dry_run: Annotated[
        bool, run_option("--dry-run", help="Say what it would cost; call no model, write nothing.")
    ] = False
    json: Json = False

    def settings(self, *, needs_data: bool) -> Settings:
        """Return the settings of the run; raises `InputError` for an option that is not NAME=VALUE."""
        from probative.bench.study import Settings, parse_options

        try:
            options = parse_options(self.option)
        except ValueError as error:
            raise InputError(f"--option: {error}") from None
        data = checked_data(self.data, needed=needs_data)
        return Settings(data, limit=self.limit, seed=self.seed, repeats=self.repeats, options=options)


@command(app, "list", examples=("probative bench list", "probative bench list --json"))
def list_experiments(json: Json = False) -> None:
    """List the experiments: paper, table, data, what the model must be able to do, calls for a case."""
    from probative.bench.registry import list_all
    from probative.cli.views.bench import show_list
    from probative.cli.views.terminal import print_json

    listed = list_all()
    print_json(listed) if json else show_list(listed)


@command(
    app,
    "run",
    examples=(
        "probative bench run verdict-sets --data ./data --out runs/verdicts --limit 10",
        "probative bench run verdict-sets --model openai:my-model --data ./data --dry-run",
    ),
)
def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The experiment, as in probative bench list.")],
    *,
    given: ExperimentOptions,
    models: JudgedModelOptions,
) -> None:
    """Run an experiment and write its reports into the folder of the run."""
    from probative.bench.plan import plan_run
    from probative.bench.registry import load_experiment
    from probative.bench.run import run_experiment
    from probative.bench.trained import as_choice
    from probative.bench.worker import Models
    from probative.cli.views.bench import show_plan, show_run
    from probative.cli.views.progress import batch_progress
    from probative.cli.views.terminal import print_json
    from probative.runners.choice import parse_runner

    experiment, chosen = load_experiment(name), models.settings()
    runner = parse_runner(given.runner, chosen.threads)
    trained = as_choice(given.trained)
    settings = given.settings(needs_data=bool(experiment.data))
    if given.dry_run:
        with batch_progress(f"{name}, dry run") as progress:
            plan = plan_run(experiment, settings, Models(chosen), progress)
        print_json(plan) if given.json else show_plan(plan)
        return
    if given.out is None:
        raise InputError("no folder for the run", hint="name it with --out RUN")
    with batch_progress(name) as progress:
        report = run_experiment(experiment, settings, given.out, Models(chosen), progress, trained, runner)
    print_json(report) if given.json else show_run(report, given.out)
    if report.failed:
        raise typer.Exit(ExitCode.FAILED_LINES)


@command(app, "report", examples=("probative bench report runs/verdicts --data ./data",))
def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of the run.")],
    data: Annotated[Path | None, data_option()] = None,
    json: Json = False,
) -> None:
    """Write the report of the cases that a run has finished so far; asks no model."""
    from probative.bench.registry import load_experiment
    from probative.bench.run import report_again
    from probative.bench.run_folder import RunFolder
    from probative.cli.views.bench import show_run
    from probative.cli.views.terminal import print_json

    folder = RunFolder(run)
    needed = bool(load_experiment(folder.opened().experiment).data)
    made = report_again(folder, checked_data(data, needed=needed))
    print_json(made) if json else show_run(made, run)


@command(
    app,
    "compare",
    examples=("probative bench compare runs/small runs/large", "probative bench compare runs/* --json"),
)
def compare(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUNS", help="The folders of two or more runs of one experiment.")
    ],
    json: Json = False,
) -> None:
    """Compare runs: their tables side by side, and paired tests over the cases they share."""
    from probative.bench.compare import compare_runs
    from probative.cli.views.bench import show_comparison
    from probative.cli.views.terminal import print_json

    comparison = compare_runs(runs)
    print_json(comparison) if json else show_comparison(comparison)
