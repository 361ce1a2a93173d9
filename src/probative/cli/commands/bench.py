"""`probative bench`: the experiments of the papers and ours, with the user's model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from probative.cli.command import command
from probative.cli.exit_codes import ExitCode
from probative.cli.options import RUN, Json, JudgedModelOptions, MethodOption
from probative.errors import InputError


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
    help="Run the papers' experiments with your model: list, NAME, report, compare.",
    epilog="probative bench NAME is short for probative bench run NAME.",
)


def list_experiments(json: Json = False) -> None:
    """List the experiments: paper, table, data, what the model must be able to do, calls for a case."""
    from probative.bench.registry import list_all
    from probative.cli.views.bench import show_list
    from probative.cli.views.terminal import print_json

    listed = list_all()
    print_json(listed) if json else show_list(listed)


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The experiment, as in probative bench list.")],
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="PROBATIVE_DATA", metavar="DIR", help="The folder of the data sets.", rich_help_panel=RUN
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="The folder of the run. The same command again resumes it.",
            rich_help_panel=RUN,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many questions, claims or triples: of each set, unless the list says otherwise.",
            rich_help_panel=RUN,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of random draws.", rich_help_panel=RUN)] = 1,
    repeats: Annotated[
        int,
        typer.Option(min=1, help="How often a case is repeated, where a paper repeats.", rich_help_panel=RUN),
    ] = 3,
    option: MethodOption = None,
    runner: Annotated[
        str,
        typer.Option(
            metavar="RUNNER",
            help="Where cases run: local (this process), local:N (N processes), ray or ray:ADDRESS.",
            rich_help_panel=RUN,
        ),
    ] = "local",
    trained: Annotated[
        str,
        typer.Option(
            metavar="mark|refuse",
            help="If a case trained a shipped model: mark it in the report, or refuse to run.",
            rich_help_panel=RUN,
        ),
    ] = "mark",
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Say what it would cost; call no model, write nothing.", rich_help_panel=RUN
        ),
    ] = False,
    json: Json = False,
    *,
    models: JudgedModelOptions,
) -> None:
    """Run an experiment and write its reports into the folder of the run."""
    from probative.bench.arguments import parse_options
    from probative.bench.experiment import Settings
    from probative.bench.open_models import Models
    from probative.bench.plan import plan_run
    from probative.bench.registry import load_experiment
    from probative.bench.run import run_experiment
    from probative.bench.trained import as_choice
    from probative.cli.views.bench import show_plan, show_run
    from probative.cli.views.progress import batch_progress
    from probative.cli.views.terminal import print_json
    from probative.runners.choice import parse_runner

    experiment = load_experiment(name)
    chosen_runner = parse_runner(runner, models.settings().threads)
    try:
        options = parse_options(option)
    except ValueError as error:
        raise InputError(f"--option: {error}") from None
    chosen = as_choice(trained)
    settings = Settings(
        data=checked_data(data, needed=bool(experiment.data)),
        limit=limit,
        seed=seed,
        repeats=repeats,
        options=options,
    )
    if dry_run:
        with batch_progress(f"{name}, dry run") as progress:
            plan = plan_run(experiment, settings, models.settings(), progress)
        print_json(plan) if json else show_plan(plan)
        return
    if out is None:
        raise InputError("no folder for the run", hint="name it with --out RUN")
    with batch_progress(name) as progress:
        report = run_experiment(
            experiment,
            settings,
            out,
            Models(models.settings()),
            progress,
            trained=chosen,
            runner=chosen_runner,
        )
    print_json(report) if json else show_run(report, out)
    if report.failed:
        raise typer.Exit(ExitCode.FAILED_LINES)


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of the run.")],
    data: Annotated[
        Path | None,
        typer.Option(envvar="PROBATIVE_DATA", metavar="DIR", help="The folder of the data sets."),
    ] = None,
    json: Json = False,
) -> None:
    """Write the report of the cases that a run has finished so far; asks no model."""
    from probative.bench.registry import load_experiment
    from probative.bench.run import report_again
    from probative.bench.run_folder import open_run
    from probative.cli.views.bench import show_run
    from probative.cli.views.terminal import print_json

    folder = open_run(run)
    manifest = folder.manifest()
    assert manifest is not None
    needed = bool(load_experiment(manifest.experiment).data)
    made = report_again(folder, checked_data(data, needed=needed))
    print_json(made) if json else show_run(made, run)


def checked_data(data: Path | None, *, needed: bool) -> Path:
    """Return the data folder; raises `InputError` if none is named and the experiment needs one."""
    if data is None and needed:
        raise InputError("no data folder", hint="name it with --data DIR or the variable PROBATIVE_DATA")
    return data or Path()


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


command(app, "list", examples=("probative bench list", "probative bench list --json"))(list_experiments)
command(
    app,
    "run",
    examples=(
        "probative bench run verdict-sets --data ./data --out runs/verdicts --limit 10",
        "probative bench run verdict-sets --model openai:my-model --data ./data --dry-run",
    ),
)(run)
command(app, "report", examples=("probative bench report runs/verdicts --data ./data",))(report)
command(
    app,
    "compare",
    examples=("probative bench compare runs/small runs/large", "probative bench compare runs/* --json"),
)(compare)
