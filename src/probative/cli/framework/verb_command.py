"""Run a verb from the command line: many cases from a file, or one that is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from probative.cli.framework.corpus_options import CorpusOptions
from probative.cli.framework.options import BatchOptions, ModelOptions, RunOptions, parse_options
from probative.errors import InputError

if TYPE_CHECKING:
    from probative.corpus.corpus import Corpus
    from probative.types import Value
    from probative.verbs.spec import VerbSpec

ReadCase = Callable[["Corpus | None"], Mapping[str, Any]]
Show = Callable[[Any, Mapping[str, Any]], None]


@dataclass(frozen=True)
class VerbCommand:
    """A call of a verb: the groups of options that all verbs share, and a corpus for those that have one."""

    verb: str
    batch: BatchOptions
    models: ModelOptions
    run: RunOptions
    documents: CorpusOptions | None = None

    @property
    def spec(self) -> VerbSpec:
        """The verb."""
        from probative.verbs.table import VERBS

        return VERBS.load(self.verb)

    def verdicts(self) -> frozenset[str]:
        """Return the verdicts of --fail-on; raises `InputError` for one that the verb cannot give."""
        chosen = self.run.verdicts(*self.spec.verdicts)
        included = (self.spec.included_verdicts.get(verdict, ()) for verdict in chosen)
        return chosen.union(*included)

    def method_options(self, option: list[str] | None, method: str) -> dict[str, Any]:
        """Return the options of a method that were given as NAME=VALUE."""
        methods = self.spec.methods
        known = () if methods is None else methods.load(method).options.model_fields
        return parse_options(option, method, known)

    def execute(
        self,
        single: Mapping[str, Any],
        read: ReadCase,
        arguments: Mapping[str, Any] | None = None,
        show: Show | None = None,
    ) -> None:
        """Run the cases of a file, or one; `single` are the argument and options of one, by their spelling.

        `read` reads its case, as a rule from the file of the second of `single`; a corpus is passed to it if
        there is one.
        """
        if self.is_batch(single):
            self.run_batch(arguments or {})
        else:
            self.run_one(single, read, arguments or {}, show, example=f"{[*single][1]} FILE")

    def is_batch(self, single: Mapping[str, object]) -> bool:
        """Whether a file is run; `single` are the options of a single case, by their spelling."""
        self.verdicts()
        return self.batch.is_used(single)

    def run_batch(self, arguments: Mapping[str, Any]) -> None:
        """Run the cases of a file."""
        from probative.cli.framework.outcome import run_file

        with self._opened(background=False) as corpus:
            found = {} if corpus is None else {self._corpus_argument: corpus}
            run_file(self.spec, self.batch, self.models, self.run, self.verdicts(), **arguments, **found)

    def run_one(
        self,
        single: Mapping[str, Any],
        read: ReadCase,
        arguments: Mapping[str, Any],
        show: Show | None = None,
        finished: Callable[[Any], None] | None = None,
        *,
        example: str,
    ) -> None:
        """Run one case and print it with `show`; `finished` is called with the result before.

        The first of `single` is the question or the claim. `example` ends the command that a hint shows.
        """
        from probative.cli.framework.outcome import check_trace, finish
        from probative.cli.views.progress import encoding_progress, learning_progress, search_progress

        asked, what = next(iter(single.values())), next(iter(self.spec.case.model_fields))
        if asked is None:
            raise InputError(f"there is no {what}", hint=f'probative {self.verb} "{what}" {example}')
        check_trace(self.run)
        verdicts = self.verdicts()
        followed = {"embedding": encoding_progress, "learning": learning_progress}
        own = {name: make() for name, make in followed.items() if name in self.spec.arguments}
        with (
            self.models.session(dry_run=self.run.dry_run) as session,
            self._opened(background=True) as corpus,
        ):
            case = {what: asked, **read(corpus)}
            if corpus is not None:
                case[self._corpus_argument] = corpus
            with search_progress() as progress:
                result: Value = getattr(session, self.verb)(progress=progress, **case, **own, **arguments)
        if finished is not None:
            finished(result)
        finish(result, self.run, lambda: (show or show_with_cost)(result, case), verdicts)

    def _opened(self, *, background: bool) -> AbstractContextManager[Corpus | None]:
        if self.documents is None:
            return nullcontext(None)
        return self.documents.open(self.models.settings(), background=background)

    @property
    def _corpus_argument(self) -> str:
        return "corpus" if "corpus" in self.spec.arguments else "passages"


def show_with_cost(result: Any, _: object = None) -> None:
    """Print a result and its cost."""
    from probative.cli.views.usage import show_usage
    from probative.views.terminal import show_result

    show_result(result)
    show_usage(result.usage, result.model if hasattr(result, "model") else result.verdict_model)
