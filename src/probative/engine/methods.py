"""Methods: the ways to carry out a verb, each found by its name, with the options that it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from pydantic import ValidationError

from probative.errors import InputError
from probative.models.types import reason
from probative.registry import Registry
from probative.types import Value

Options = TypeVar("Options", bound=Value)
MAX_SEED = 2**31 - 1


class NoOptions(Value):
    """The options of a method that has none."""


@dataclass(frozen=True)
class Method:
    """A way to carry out a verb: the search that `run` starts, and its options.

    `run` takes what the verb gives to all its methods and, if the method has options, these as `options`. A
    method with `presets` names the default one for a model, by its name and whether it is the tuned reader.
    """

    run: Callable[..., Any]
    options: type[Value] = NoOptions
    presets: Mapping[str, Value] = field(default_factory=dict)
    default_preset: Callable[[str, bool], str] = lambda model, reader: ""
    reads_passages: bool = True
    """Whether a method of `ask` reads passages at all."""
    takes_retriever: bool = False
    """Whether a method of `ask` looks for more passages with a retriever."""
    weighs: bool = False
    """Whether a method of `verify` weighs all sentences; others choose some."""
    long_claim: int | None = None
    """The characters of a claim from which on a method of `prove` takes minutes."""


@dataclass(frozen=True)
class MethodChoice:
    """A method by name with a preset, or with an options object, and the options that differ from it."""

    method: str
    preset: str | None = None
    options: Any = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class ChosenMethod:
    """A method with its options checked."""

    name: str
    method: Method
    options: Any

    @property
    def run(self) -> Callable[..., Any]:
        """The search of the method, with its options bound."""
        run = self.method.run
        return run if self.method.options is NoOptions else partial(run, options=self.options)


class Methods(Registry):
    """The methods of one verb. Another package adds methods with the entry points `probative.VERB_methods`:
    each is a `Method`, or a function for a method without options.

    >>> methods = Methods("prove", {"bm25": "probative.baselines.evidence.by_score:by_bm25"})
    >>> methods.choose(MethodChoice("bm25")).run.__name__
    'by_bm25'
    """

    def __init__(self, verb: str, entries: Mapping[str, str]) -> None:
        super().__init__("method", entries, group=f"probative.{verb}_methods")

    def load(self, name: str) -> Method:
        """Return the method of this name; raises `InputError` for an unknown one."""
        loaded = super().load(name) if isinstance(name, str) else None
        if loaded is None:
            raise self.unknown(str(name))
        return loaded if isinstance(loaded, Method) else Method(loaded)

    def choose(self, choice: MethodChoice, model: str = "", *, reader: bool = False) -> ChosenMethod:
        """Return the method with the options of the preset, or the options object, with the changes applied.

        Without a preset, the model decides: `model` is its name, `reader` whether it is the tuned reader.
        """
        name, method, seed = choice.method, self.load(choice.method), choice.seed
        if not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise InputError(f"seed must be a whole number from 0 to {MAX_SEED}, got {seed!r}")
        start = choice.options
        if not method.presets:
            if choice.preset is not None:
                raise InputError(f"{name} has no presets", hint="its options are given one by one")
            start = method.options() if start is None else start
            if "seed" in method.options.model_fields and choice.options is None:
                start = start.model_copy(update={"seed": choice.seed})
        else:
            preset = choice.preset or method.default_preset(model, reader)
            if not isinstance(preset, str) or preset not in method.presets:
                presets = ", ".join(method.presets)
                raise InputError(f"there is no preset {preset!r}", hint=f"use one of {presets}")
            start = method.presets[preset] if start is None else start
        if not isinstance(start, method.options):
            expected, given = method.options.__name__, type(start).__name__
            raise InputError(f"the options of {name} are {expected}, not {given}")
        return ChosenMethod(
            name, method, check_options(method.options, {**start.model_dump(), **choice.changes}, name)
        )


def check_options(kind: type[Options], values: Mapping[str, Any], method: str) -> Options:
    """Return the options of a method; raises `InputError`.

    >>> check_options(NoOptions, {"depth": 2}, "closed-book")
    Traceback (most recent call last):
    probative.errors.InputError: closed-book has no option 'depth'
      → it has no options at all
    """
    names = ", ".join(kind.model_fields)
    hint = f"the options are {names}" if names else "it has no options at all"
    for name in values:
        if name not in kind.model_fields:
            raise InputError(f"{method} has no option {name!r}", hint=hint)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        name = str(next(iter(error.errors()[0]["loc"]), ""))
        got = f", got {values[name]!r}" if name in values else ""
        about = kind.model_fields[name].description if name in kind.model_fields else None
        raise InputError(
            f"an option of {method} is wrong: {reason(error)}{got}",
            hint=f"{name}: {about}" if about else hint,
        ) from None
