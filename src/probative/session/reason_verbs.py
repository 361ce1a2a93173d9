"""`reason` of a session, for one question, for many, and awaited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from probative.engine.runner import MAX_ACTIVE
from probative.engine.tools import Tools
from probative.errors import ProbativeError
from probative.give.options import GiveOptions
from probative.give.query import Form, make_query
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.session.graph_source import dry_run_encoder, graph_source
from probative.session.method_choice import MethodChoice
from probative.session.reason import (
    GraphLike,
    ReasonCase,
    as_examples,
    reason_options,
    reason_verb,
)
from probative.session.verb import Verb

if TYPE_CHECKING:
    from probative.baselines.graphs.options import GiveBaselineOptions
    from probative.give.reasoning import Reasoning
    from probative.give.result import Example


class ReasonVerbs(SessionBase):
    """Questions to a graph."""

    def reason(
        self,
        question: str,
        graph: GraphLike,
        choices: Sequence[str] | None = None,
        *,
        form: Form | None = None,
        method: str = "give",
        preset: str | None = None,
        options: GiveOptions | GiveBaselineOptions | None = None,
        worked: Sequence[Example | Mapping[str, Any]] | None = None,
        seed: int = 0,
        progress: UsageProgress | None = None,
        embedding: Callable[[int, int], None] | None = None,
        learning: Callable[[int, int], None] | None = None,
        **changes: Any,
    ) -> Reasoning:
        """Answer a question over a graph in three stages, with the knowledge behind each.

        The form is told from the question if it is not given: choices, yes/no/maybe, or free text. `preset`
        is ``small`` (the default of an embedded model), ``calls`` (of any other: candidates judged in
        batches) or ``paper``; `changes` are fields of `GiveOptions` that differ from it, or a baseline's own.
        `worked` are examples for the prompt instead of ours. `progress` is called with the cost so far,
        `embedding` with how many entities of the graph are encoded, and `learning` with how many edges are
        read to learn its veracity; both happen once.
        """
        choice = MethodChoice(method, preset, options, changes, seed)
        verb, tools = self._reason_verb(graph, choice, worked, embedding, learning)
        return self._run(verb, make_query(question, choices, form), progress, tools)

    def reason_all(
        self,
        cases: Iterable[ReasonCase | Mapping[str, Any]],
        graph: GraphLike,
        *,
        method: str = "give",
        preset: str | None = None,
        options: GiveOptions | GiveBaselineOptions | None = None,
        worked: Sequence[Example | Mapping[str, Any]] | None = None,
        seed: int = 0,
        max_active: int = MAX_ACTIVE,
        embedding: Callable[[int, int], None] | None = None,
        learning: Callable[[int, int], None] | None = None,
        **changes: Any,
    ) -> Iterator[tuple[int, Reasoning | ProbativeError]]:
        """Answer many questions over one graph side by side; see `ask_all`."""
        choice = MethodChoice(method, preset, options, changes, seed)
        verb, tools = self._reason_verb(graph, choice, worked, embedding, learning)
        return self._run_all(verb, cases, max_active, tools)

    async def reason_async(self, *arguments: Any, **keywords: Any) -> Reasoning:
        """Run `reason`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.reason, *arguments, **keywords)

    def _reason_verb(
        self,
        graph: GraphLike,
        choice: MethodChoice,
        worked: Sequence[Example | Mapping[str, Any]] | None,
        embedding: Callable[[int, int], None] | None,
        learning: Callable[[int, int], None] | None,
    ) -> tuple[Verb[Any, Any, Reasoning], Tools]:
        options = reason_options(choice, model=self._model, settings=self.settings)
        examples = as_examples(worked)
        opened = self._graphs.open(graph)
        tools, stand_in = self._tools.for_run(), False
        if self.dry_run and self._encoder is None:
            encoder = dry_run_encoder(opened, self._opener)
            stand_in = encoder is None
            if encoder is not None:
                tools = tools.with_encoder(encoder)
        source = graph_source(opened, tools, self._opener, embedding, stand_in=stand_in, learning=learning)
        verb = reason_verb(source, options, choice.method, worked=examples, dry_run=self.dry_run)
        return verb, tools
