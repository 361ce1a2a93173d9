"""`annotate` of a session, for one claim, for many, and awaited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from probative.engine.runner import MAX_ACTIVE
from probative.errors import ProbativeError
from probative.session.annotate import AnnotateCase, NumberedText, annotate_verb
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.session.prove import Text, number_sentences

if TYPE_CHECKING:
    from probative.mcse.annotation import Annotation


class AnnotateVerbs(SessionBase):
    """Gold evidence for claims that have none."""

    def annotate(self, claim: str, sentences: Text, *, progress: UsageProgress | None = None) -> Annotation:
        """Ask the model which sentences of a text a claim needs; it reads all of them at once.

        `sentences` is a list, or one text that is split. The named sentences are a draft of gold evidence for
        a person to correct, not a proof: to search for evidence, use `prove`.
        """
        return self._run(annotate_verb(), NumberedText(claim, number_sentences(sentences)), progress)

    def annotate_all(
        self, cases: Iterable[AnnotateCase | Mapping[str, Any]], *, max_active: int = MAX_ACTIVE
    ) -> Iterator[tuple[int, Annotation | ProbativeError]]:
        """Annotate many claims side by side; see `ask_all`."""
        return self._run_all(annotate_verb(), cases, max_active)

    async def annotate_async(self, *arguments: Any, **keywords: Any) -> Annotation:
        """Run `annotate`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.annotate, *arguments, **keywords)
