"""Commands: groups of options that several commands share, and examples in `--help`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields
from inspect import Parameter
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_type_hints

import typer


class OptionGroup:
    """Options that several commands share; as a rule, the fields of a dataclass.

    A command with a parameter of such a type has all the options of the group.
    """

    @classmethod
    def parameters(cls) -> list[Parameter]:
        """Return the options as parameters of a command."""
        hints = get_type_hints(cls, include_extras=True)
        return [
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
            for field in fields(cls)  # type: ignore[arg-type]
        ]


def command(
    app: typer.Typer,
    name: str,
    *,
    examples: tuple[str, ...],
    helps: Mapping[str, str] | None = None,
    **settings: Any,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a function to `app` as a command; `examples` are shown below its options.

    `helps` are helps of options in groups that are special to this command.
    """

    def add(function: Callable[..., None]) -> Callable[..., None]:
        epilog = "\n\n".join(("[bold]Examples[/bold]", *(_example(line) for line in examples)))
        app.command(name, epilog=epilog, **settings)(with_groups(function, helps or {}))
        return function

    return add


def _example(line: str) -> str:
    return "  " + line.replace("[", "\\[")


def with_groups(
    function: Callable[..., None], helps: Mapping[str, str] = MappingProxyType({})
) -> Callable[..., None]:
    """Return a function that has the options of each `OptionGroup` parameter as parameters of its own."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, type[OptionGroup]] = {}
    parameters: list[Parameter] = []
    for name, parameter in inspect.signature(function).parameters.items():
        kind = hints[name]
        if isinstance(kind, type) and issubclass(kind, OptionGroup):
            groups[name] = kind
            parameters += [_with_help(option, helps.get(option.name)) for option in kind.parameters()]
        else:
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=kind))

    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{option.name: values.pop(option.name) for option in group.parameters()})
        function(**values)

    run.__name__ = function.__name__
    run.__doc__ = function.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _with_help(option: Parameter, text: str | None) -> Parameter:
    if text is None:
        return option
    kind, declared = get_args(option.annotation)
    special = copy(declared)
    special.help = text
    return option.replace(annotation=Annotated[kind, special])
