"""`judge` of a session, for one claim, for many, and awaited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from probative.engine.runner import MAX_ACTIVE
from probative.errors import ProbativeError
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.session.judge import Evidence, JudgeCase, judge_verb, numbered_case

if TYPE_CHECKING:
    from probative.verdict.judgement import Judgement


class JudgeVerbs(SessionBase):
    """Claims and their evidence."""

    def judge(self, claim: str, evidence: Evidence, *, progress: UsageProgress | None = None) -> Judgement:
        """Judge whether evidence supports a claim, contradicts it, or says too little about it.

        `evidence` is a list of sentences, or one text that is split. The deciding sentences are named by
        their index in it.
        """
        return self._run(judge_verb(), numbered_case(claim, evidence), progress)

    def judge_all(
        self, cases: Iterable[JudgeCase | Mapping[str, Any]], *, max_active: int = MAX_ACTIVE
    ) -> Iterator[tuple[int, Judgement | ProbativeError]]:
        """Judge many claims side by side; see `ask_all`."""
        return self._run_all(judge_verb(), cases, max_active)

    async def judge_async(self, *arguments: Any, **keywords: Any) -> Judgement:
        """Run `judge`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.judge, *arguments, **keywords)
