"""Commands for verbs that other packages add to the table."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from probative.cli.framework.command import command
from probative.cli.framework.options import BatchOptions, JudgedModelOptions, RunOptions
from probative.cli.framework.verb_command import VerbCommand
from probative.verbs.table import BUILT_IN, VERBS

if TYPE_CHECKING:
    from collections.abc import Callable

    from probative.verbs.spec import VerbSpec

# The types of arguments that an option can have; others can be given only in Python.
OPTION_TYPES = {"str": str, "int": int, "float": float, "bool": bool}


class VerbGroup(TyperGroup):
    """The commands of the package, and one for each verb that was added."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands."""
        return [*super().list_commands(ctx), *(name for name in VERBS.entries() if name not in BUILT_IN)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; that of an added verb is made when it is asked for."""
        found = super().get_command(ctx, cmd_name)
        if found is not None or cmd_name not in VERBS.entries():
            return found
        app = typer.Typer()
        add_verb(app, VERBS.load(cmd_name))
        return typer.main.get_command(app)


def add_verb(app: typer.Typer, spec: VerbSpec) -> None:
    """Add the command of a verb: its first field is the argument, everything else is an option."""
    first, *others = spec.case.model_fields
    parameters = [_parameter(first, str | None, typer.Argument(metavar=first.upper()))]
    for name in others:
        taken: Any = str if spec.case.model_fields[name].annotation is str else list[str]
        parameters.append(_parameter(name, taken | None, typer.Option(f"--{name.replace('_', '-')}")))
    options = []
    for name, argument in spec.arguments.items():
        kind = OPTION_TYPES.get(str(argument.annotation).removesuffix(" | None"))
        if kind is not None and name not in spec.case.model_fields:
            options.append(name)
            parameters.append(_parameter(name, kind | None, typer.Option(f"--{name.replace('_', '-')}")))
    groups = {"batch": BatchOptions, "models": JudgedModelOptions, "run": RunOptions}
    parameters += [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in groups.items()]
    function = _function(spec, [first, *others], options)
    function.__name__, function.__doc__ = spec.name, f"{spec.help}."
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command(app, spec.name, examples=(f"probative {spec.name} --in cases.jsonl --out results.jsonl",))(
        function
    )


def _function(spec: VerbSpec, fields: list[str], options: list[str]) -> Callable[..., None]:
    def run_added(*, batch: BatchOptions, models: JudgedModelOptions, run: RunOptions, **values: Any) -> None:
        from probative.cli.views.terminal import print_json

        call = VerbCommand(spec.name, batch, models, run)
        arguments = {name: values[name] for name in options if values[name] is not None}
        case = {name: values[name] for name in fields if values[name] is not None}
        given = {f"--{name}": values[name] for name in fields}
        if call.is_batch(given):
            call.run_batch(arguments)
        else:
            call.run_one(given, lambda _: case, arguments, lambda result, _: print_json(result), example="")

    return run_added


def _parameter(name: str, kind: Any, declared: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind, declared])
