"""`verify` of a session, for one text, for many, and awaited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from probative.errors import ProbativeError
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.session.corpus_source import opened_corpus
from probative.session.verify import (
    POLICY,
    ClaimDone,
    ClaimProgress,
    VerifyCase,
    verify_options,
    verify_verb,
)
from probative.verify.sources import shared_source

if TYPE_CHECKING:
    from probative.corpus.documents.document import Document
    from probative.verify.verification import Verification, VerifyOptions

# Each text has many claims of its own that are checked side by side.
MAX_TEXTS = 2


class VerifyVerbs(SessionBase):
    """Texts and sources."""

    def verify(
        self,
        text: str | Path | Document,
        passages: Any,
        *,
        method: str = POLICY,
        name: str | None = None,
        options: VerifyOptions | None = None,
        progress: UsageProgress | None = None,
        claim_progress: ClaimProgress | None = None,
        claim_done: ClaimDone | None = None,
        **changes: Any,
    ) -> Verification:
        """Check every claim of a text against sources.

        `text` is plain words or Markdown, a `Document`, or the `Path` of a file of any format that a corpus
        reads; offsets are then characters of its text. `passages` are passages, one text, a `Corpus`, the
        `Path` of a folder or an index, or any retriever: a function of a query and a number. `method` says
        how evidence is chosen: ``policy``, or a method of `prove`. `changes` are fields of `VerifyOptions`.
        `claim_progress` is called with the number of claims that are done, and of all. `claim_done` is called
        with each claim as it is finished: its index, the `CheckedClaim` and the number of all claims; claims
        are checked side by side, so the order is not that of the text. The `results` of a `BudgetError` are
        the claims that were checked, None for the others.
        """
        verb = verify_verb(self._options(options, changes), method, claim_progress, claim_done)
        folder = passages if isinstance(passages, Path) else None
        with opened_corpus(folder, self.settings) as corpus:
            sources = passages if corpus is None else corpus
            case = VerifyCase.model_construct(text=text, passages=sources, name=name)
            return self._run(verb, case, progress)

    def verify_all(
        self,
        cases: Iterable[VerifyCase | Mapping[str, Any]],
        *,
        passages: Any = None,
        method: str = POLICY,
        options: VerifyOptions | None = None,
        max_active: int = MAX_TEXTS,
        **changes: Any,
    ) -> Iterator[tuple[int, Verification | ProbativeError]]:
        """Check many texts side by side; see `ask_all`.

        `passages` are the sources of cases that have none of their own: all that `verify` takes.
        """
        chosen = self._options(options, changes)
        if isinstance(passages, Path):
            return self._verify_folder(chosen, method, passages, cases, max_active)
        shared = None if passages is None else shared_source(passages)
        return self._run_all(verify_verb(chosen, method, shared=shared), cases, max_active)

    def _options(self, options: VerifyOptions | None, changes: Mapping[str, Any]) -> VerifyOptions:
        """Return the options; with a budget, claims are checked one by one, so that whole ones are kept."""
        chosen = verify_options(options, changes)
        return chosen if self.budget is None else chosen.model_copy(update={"max_active": 1})

    def _verify_folder(
        self,
        options: VerifyOptions,
        method: str,
        folder: Path,
        cases: Iterable[VerifyCase | Mapping[str, Any]],
        max_active: int,
    ) -> Iterator[tuple[int, Verification | ProbativeError]]:
        with opened_corpus(folder, self.settings) as corpus:
            yield from self._run_all(verify_verb(options, method, shared=corpus), cases, max_active)

    async def verify_async(self, *arguments: Any, **keywords: Any) -> Verification:
        """Run `verify`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.verify, *arguments, **keywords)
