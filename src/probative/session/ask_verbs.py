"""`ask` and `check` of a session, each for one case, for many, and awaited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.engine.runner import MAX_ACTIVE
from probative.errors import ProbativeError
from probative.scope.options import ScopeOptions
from probative.session.ask import AskCase, CheckCase, Passages, ask_verb, check_verb, scope_options
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.session.corpus_source import opened_corpus
from probative.session.method_choice import MethodChoice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from probative.corpus.corpus import Corpus
    from probative.scope.inputs import Retriever
    from probative.scope.result import Answer, Check


class AskVerbs(SessionBase):
    """Questions to passages."""

    def ask(
        self,
        question: str,
        passages: Passages = (),
        *,
        method: str = "scope",
        preset: str | None = None,
        options: ScopeOptions | None = None,
        retriever: Retriever | Any = None,
        vectors: NDArray[np.float32] | None = None,
        corpus: Corpus | str | Path | None = None,
        seed: int = 0,
        progress: UsageProgress | None = None,
        **changes: Any,
    ) -> Answer:
        """Answer a question from a chain of passages that carries it, or say what is missing.

        A passage is a text, a `Passage` or a dictionary with a `text` and perhaps an `id`, a `title` and a
        `source`. `preset` is ``embedded`` (the evidence policy chooses, the tuned reader answers), ``words``
        (no call before the answer), ``calls`` (two calls) or ``paper``; the model decides which is the
        default. `changes` are fields of `ScopeOptions` that differ from the preset. A `retriever` is called
        with a query and a number to look for missing features; one of LangChain or LlamaIndex is taken as it
        is. `vectors` are the passages' own, made by the
        same encoder. `method` may name a baseline. `progress` is called with the cost so far.

        `corpus` is a folder of documents, an index, or an opened `Corpus`: the passages come from it, and
        each piece of the chain has a citation of its place. A folder is indexed first, or brought up to date.
        """
        choice = MethodChoice(method, preset, options, changes, seed)
        unchecked: Any = passages  # `as_passages` checks them, and says which one is wrong
        case = AskCase.model_construct(question=question, passages=unchecked)
        with opened_corpus(corpus, self.settings, background=True) as opened:
            verb = ask_verb(choice, self._scope_options(choice), retriever, vectors, opened)
            return self._run(verb, case, progress)

    def ask_all(
        self,
        cases: Iterable[AskCase | Mapping[str, Any]],
        *,
        method: str = "scope",
        preset: str | None = None,
        options: ScopeOptions | None = None,
        retriever: Retriever | Any = None,
        corpus: Corpus | str | Path | None = None,
        seed: int = 0,
        max_active: int = MAX_ACTIVE,
        **changes: Any,
    ) -> Iterator[tuple[int, Answer | ProbativeError]]:
        """Answer many questions side by side; yields each index with its answer or its error, as they finish.

        What `max_active` questions ask at a time goes out as one batch; with a budget, one question runs at a
        time, so that the budget is spent on whole answers. With a `corpus`, a case needs no passages.
        """
        choice = MethodChoice(method, preset, options, changes, seed)
        chosen = self._scope_options(choice)
        if corpus is None:
            return self._run_all(ask_verb(choice, chosen, retriever), cases, max_active)
        return self._ask_corpus(choice, chosen, retriever, corpus, cases, max_active)

    def _ask_corpus(
        self,
        choice: MethodChoice,
        options: ScopeOptions,
        retriever: Retriever | None,
        corpus: Corpus | str | Path,
        cases: Iterable[AskCase | Mapping[str, Any]],
        max_active: int,
    ) -> Iterator[tuple[int, Answer | ProbativeError]]:
        with opened_corpus(corpus, self.settings) as opened:
            yield from self._run_all(ask_verb(choice, options, retriever, None, opened), cases, max_active)

    async def ask_async(self, *arguments: Any, **keywords: Any) -> Answer:
        """Run `ask`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.ask, *arguments, **keywords)

    def check(
        self,
        question: str,
        knowledge: str | Passages,
        *,
        preset: str | None = None,
        options: ScopeOptions | None = None,
        progress: UsageProgress | None = None,
        **changes: Any,
    ) -> Check:
        """Check whether knowledge is a chain of evidence for a question, and which features are missing.

        `knowledge` is one text, which is judged as a whole, or passages, which are judged one by one and
        count together. See `ask` for the options.
        """
        verb = check_verb(self._scope_options(MethodChoice("scope", preset, options, changes)))
        unchecked: Any = knowledge
        return self._run(verb, CheckCase.model_construct(question=question, knowledge=unchecked), progress)

    def check_all(
        self,
        cases: Iterable[CheckCase | Mapping[str, Any]],
        *,
        preset: str | None = None,
        options: ScopeOptions | None = None,
        max_active: int = MAX_ACTIVE,
        **changes: Any,
    ) -> Iterator[tuple[int, Check | ProbativeError]]:
        """Check many questions side by side; see `ask_all`."""
        verb = check_verb(self._scope_options(MethodChoice("scope", preset, options, changes)))
        return self._run_all(verb, cases, max_active)

    async def check_async(self, *arguments: Any, **keywords: Any) -> Check:
        """Run `check`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.check, *arguments, **keywords)

    def _scope_options(self, choice: MethodChoice) -> ScopeOptions:
        return scope_options(choice, model=self._model, settings=self.settings)
