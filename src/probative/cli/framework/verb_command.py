"""The command of a verb, made from its record: one case that is shown, or the cases of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, Signature
from itertools import count
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

from probative.cli.framework.command import OptionGroup, command
from probative.cli.framework.corpus_options import CorpusOptions
from probative.cli.framework.options import (
    BatchOptions,
    JudgedModelOptions,
    ModelOptions,
    RunOptions,
    parse_options,
)
from probative.cli.framework.verb_inputs import Option, method_parameters, options_of, parameter
from probative.engine.methods import check_options
from probative.errors import InputError
from probative.verbs.table import VERBS

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.engine.methods import Method
    from probative.session.session import Session
    from probative.verbs.spec import VerbSpec

COMMANDS = "probative.cli.commands"


@dataclass(frozen=True)
class Extras(OptionGroup):
    """What the command of one verb does beyond the others. Its fields are options.

    The class `Extras` of `probative.cli.commands.VERB` is that of the verb.
    """

    def check(self, call: VerbCall) -> None:
        """Raise `InputError`, or print a hint, before any work is done."""

    def run(self, call: VerbCall) -> None:
        """Run the case or the cases of the call."""
        call.run_cases()

    def finish(self, results: Sequence[Any], verdicts: frozenset[str]) -> None:
        """Use the results before they are printed; `verdicts` are those of --fail-on."""

    def show(self, result: Any, case: Mapping[str, Any]) -> None:
        """Print a result and its cost."""
        from probative.cli.views.usage import show_usage
        from probative.views.terminal import show_result

        show_result(result)
        show_usage(result.usage, getattr(result, "model", None) or getattr(result, "verdict_model", None))


def add_verb(app: typer.Typer, spec: VerbSpec) -> None:
    """Add the command of a verb."""
    models = JudgedModelOptions if spec.command.judged else ModelOptions
    groups: dict[str, type[OptionGroup]] = {}
    if find_spec(f"{COMMANDS}.{spec.name}") is not None:
        groups["extras"] = import_module(f"{COMMANDS}.{spec.name}").Extras
    if spec.command.searches:
        groups["documents"] = CorpusOptions
    groups |= {"batch": BatchOptions, "models": models, "run": RunOptions}
    options = options_of(spec)
    first, *others = options.values()
    parameters = [
        _argument(first),
        *(made for option in others for made in option.parameters()),
        *method_parameters(spec),
        *(Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind) for name, kind in groups.items()),
    ]

    def run_verb(
        *,
        batch: BatchOptions,
        models: ModelOptions,
        run: RunOptions,
        documents: CorpusOptions | None = None,
        extras: Extras | None = None,
        **values: Any,
    ) -> None:
        VerbCall(spec, options, values, batch, models, run, documents, extras or Extras()).execute()

    run_verb.__name__, run_verb.__doc__ = spec.name, f"{spec.help}."
    run_verb.__annotations__ = {made.name: made.annotation for made in parameters}
    run_verb.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    examples = spec.command.examples or (f"probative {spec.name} --in cases.jsonl --out results.jsonl",)
    fail_on = f"Exit with code 3 if a result has one of these verdicts: {', '.join(spec.verdicts)}"
    fail_on += f"; or levels: {', '.join(spec.levels)}" if spec.levels else ""
    helps = {"fail_on": f"{fail_on}. Separate several by commas."} if spec.verdicts else {}
    command(app, spec.name, examples=examples, helps=helps)(run_verb)


def _argument(option: Option) -> Parameter:
    """Return the parameter of the question, claim or text itself."""
    metavar = option.input.metavar or option.name.upper()
    declared = typer.Argument(metavar=metavar, help=option.input.help)
    return parameter(option.name, option.kind, declared)


@dataclass(frozen=True)
class VerbCall:
    """A call of a verb's command: its options, and the `values` that they were given."""

    spec: VerbSpec
    options: Mapping[str, Option]
    values: Mapping[str, Any]
    batch: BatchOptions
    models: ModelOptions
    run: RunOptions
    documents: CorpusOptions | None
    extras: Extras

    def execute(self) -> None:
        """Run the cases of a file, or one case."""
        verdicts, _ = self.verdicts, self._method_options  # a wrong one ends the command before any work
        self.extras.check(self)
        if self.batch.is_used(self._single):
            self._run_file(verdicts)
        else:
            self.extras.run(self)

    @cached_property
    def verdicts(self) -> frozenset[str]:
        """The verdicts and levels of --fail-on; raises `InputError` for one that the verb cannot give."""
        if self.run.fail_on is not None and not self.spec.verdicts:
            raise InputError(f"--fail-on cannot be used: {self.spec.name} gives no verdict")
        chosen = self.run.verdicts(*dict.fromkeys((*self.spec.verdicts, *self.spec.levels)))
        included = (self.spec.included_verdicts.get(verdict, ()) for verdict in chosen)
        return chosen.union(*included)

    @cached_property
    def _fields(self) -> list[Option]:
        """The options that give fields of the case; the first is its argument."""
        fields = self.spec.case.model_fields
        return [
            option
            for name, option in self.options.items()
            if name in fields and name not in self.spec.arguments
        ]

    @property
    def _single(self) -> dict[str, Any]:
        """What only a single case takes, by its spelling."""
        first, *others = self._fields
        argument = (first.input.metavar or first.name.upper()).rstrip(".")
        single = {argument: self.values[first.name]}
        for option in others:
            single |= option.given(self.values)
        return single | {f"--{name}".replace("_", "-"): value for name, value in vars(self.extras).items()}

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments of the verb that were given, and the options of its method."""
        fields = self._fields
        given = {
            name: option.read(self.values)
            for name, option in self.options.items()
            if option not in fields and option.is_given(self.values)
        }
        return {**given, **self._method_options}

    @cached_property
    def _method_options(self) -> dict[str, Any]:
        kind = self.spec.options_of(self._method_name)
        owner = (None if self.spec.options else self._method_name) or self.spec.name
        given = parse_options(self.values.get("option"), owner, kind.model_fields)
        return given if self.spec.options is None else {"options": check_options(kind, given, owner)}

    @property
    def _method_name(self) -> str | None:
        methods = self.spec.methods
        return None if methods is None else self.values.get("method") or next(iter(methods.entries()))

    @property
    def method(self) -> Method | None:
        """The chosen method of a verb that has methods."""
        name, methods = self._method_name, self.spec.methods
        return None if name is None or methods is None else methods.load(name)

    def _run_file(self, verdicts: frozenset[str]) -> None:
        from probative.cli.framework.outcome import run_file

        self._check_required()
        arguments = self._arguments()
        with self._opened(background=False) as corpus:
            searched = {} if corpus is None else {self._corpus_argument: corpus}
            run_file(
                self.spec,
                self.batch,
                self.models,
                self.run,
                verdicts,
                **arguments,
                **searched,
                **_followed(self.spec),
            )

    def run_cases(self) -> None:
        """Run one case, or one for each file of the argument, and print the results."""
        from probative.cli.framework.outcome import check_trace, exit_on_verdicts
        from probative.cli.views.usage import show_dry_run
        from probative.types import total

        self._check_required()
        first = self._fields[0]
        if self.values[first.name] is None and first.reader is None:
            raise InputError(f"there is no {first.name}", hint=self._example)
        check_trace(self.run)
        asked = self.read_first()
        with self.models.session(dry_run=self.run.dry_run) as session:
            done = self.results(session, asked)
        results = [result for result, _ in done]
        if self.run.dry_run and not self.run.json:
            show_dry_run(total(result.usage for result in results))
            return
        self.print_results(done)
        exit_on_verdicts(results, self.run, self.verdicts)

    def read_first(self, **changes: Any) -> Mapping[str, Any]:
        """Return the values of the verb's argument, each with its name; `changes` are other values."""
        first, values = self._fields[0], {**self.values, **changes}
        return first.read(values) if first.reader is not None else {"": values[first.name]}

    def results(
        self, session: Session, asked: Mapping[str, Any], **more: Any
    ) -> list[tuple[Any, Mapping[str, Any]]]:
        """Return the result of each value of the verb's argument, with its case; `more` are further arguments
        of the verb.
        """
        done: list[tuple[Any, Mapping[str, Any]]] = []
        with self._opened(background="corpus" in self.spec.arguments) as corpus:
            searched = {} if corpus is None else {self._corpus_argument: corpus}
            shared = {**self._case(corpus), **self._arguments(), **searched, **_followed(self.spec), **more}
            for name, value in asked.items():
                case = {self._fields[0].name: value, **shared}
                with _progress(self.spec, name if len(asked) > 1 else "") as progress:
                    done.append((getattr(session, self.spec.name)(**case, **progress), case))
        return done

    def print_results(self, done: Sequence[tuple[Any, Mapping[str, Any]]]) -> None:
        """Write the reports of results, each with its case, and print them."""
        from probative.cli.framework.outcome import print_result

        if not self.run.dry_run:
            self.extras.finish([result for result, _ in done], self.verdicts)
        for result, case in done:
            print_result(result, self.run, partial(self._show, result, case, named=len(done) > 1))

    def _case(self, corpus: Corpus | None) -> dict[str, Any]:
        """Return the fields of the case besides the first. Passages that nothing needs to read are none, so
        that no command waits for standard input in vain.
        """
        reads = corpus is None and (self.method is None or self.method.reads_passages)
        case: dict[str, Any] = {}
        for option in self._fields[1:]:
            if option.is_given(self.values) or (option.reader is not None and reads):
                case[option.name] = option.read(self.values)
            elif option.reader is not None:
                case[option.name] = []
        return case

    def _show(self, result: Any, case: Mapping[str, Any], *, named: bool) -> None:
        from probative.cli.views.terminal import print_text

        if named:
            print_text(f"== {result.name} ==")
        self.extras.show(result, case)

    def _check_required(self) -> None:
        for option in self.options.values():
            if option.input.required and self.values[option.parameter] is None:
                raise InputError(f"there is no {option.name}", hint=self._example)

    @property
    def _example(self) -> str:
        """A call with the argument and the first option that names a file."""
        first, *others = self.options.values()
        files = (f" {option.spelling} {option.input.metavar}" for option in others if option.input.metavar)
        return f'probative {self.spec.name} "{first.name}"{next(files, "")}'

    def _opened(self, *, background: bool) -> AbstractContextManager[Corpus | None]:
        if self.documents is None:
            return nullcontext(None)
        return self.documents.open(
            self.models.settings(), background=background, vectors=not self.run.dry_run
        )

    @property
    def _corpus_argument(self) -> str:
        return "corpus" if "corpus" in self.spec.arguments else "passages"


def _followed(spec: VerbSpec) -> dict[str, Any]:
    """Return the arguments that show what is done once, before the first case."""
    from probative.cli.views.progress import counting_progress

    return {name: counting_progress(f"{step} (once)") for name, step in spec.counters.items()}


@contextmanager
def _progress(spec: VerbSpec, file: str) -> Iterator[dict[str, Any]]:
    """Yield the argument that shows the progress of a case."""
    from probative.cli.views.progress import batch_progress, search_progress

    if spec.parts is None:
        with search_progress() as progress:
            yield {"progress": progress}
        return
    counted = count(1)
    named = f"{spec.parts.name}s of {file}" if file else f"{spec.parts.name}s"
    with batch_progress(named) as show:
        yield {spec.parts.argument: lambda index, part, parts: show(next(counted), 0, parts)}


class VerbGroup(TyperGroup):
    """The commands of the package: those of the verbs, made from their table, and the others."""

    _is_listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands. A verb of another package cannot replace one of ours."""
        others = super().list_commands(ctx)
        return [*(name for name in VERBS.entries() if name not in others), *others]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; that of a verb is made when it is asked for."""
        other = super().get_command(ctx, cmd_name)
        if other is not None or cmd_name not in VERBS.entries():
            return other
        if self._is_listing:
            return TyperCommand(cmd_name, help=f"{VERBS.help(cmd_name)}.")
        app = typer.Typer(add_completion=False)
        add_verb(app, VERBS.load(cmd_name))
        return typer.main.get_command(app)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help with a line for each verb, for which nothing else is imported."""
        self._is_listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._is_listing = False
