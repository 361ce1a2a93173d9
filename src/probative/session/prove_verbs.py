"""`prove` of a session, for one claim, for many, and awaited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from probative.engine.runner import MAX_ACTIVE
from probative.errors import ProbativeError
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import DEFAULT_PRESET, McseOptions
from probative.session.asynchronous import run_in_thread
from probative.session.base import SessionBase, UsageProgress
from probative.session.prove import (
    ProveCase,
    SplitCase,
    Text,
    method_options,
    number_sentences,
    prove_verb,
)

if TYPE_CHECKING:
    from probative.mcse.proof import Proof
    from probative.mcse.search import K


class ProveVerbs(SessionBase):
    """Claims and texts."""

    def prove(
        self,
        claim: str,
        sentences: Text,
        k: K = 3,
        *,
        method: str = "mcse",
        preset: str = DEFAULT_PRESET,
        options: McseOptions | LearnedOptions | None = None,
        verdict: bool = True,
        progress: UsageProgress | None = None,
        **changes: Any,
    ) -> Proof:
        """Find the k sentences that together prove a claim, in order, with what each adds.

        `sentences` is a list, or one text that is split. `k` may be ``"auto"``: stop when the next sentence
        adds too little. `preset` is ``fast`` (the default, without look-ahead), ``full`` or ``paper``;
        `changes` are fields of `McseOptions` that differ from it. `method` may name a baseline, or
        ``learned``: the evidence policy alone; `changes` are then fields of `LearnedOptions`. Unless
        `verdict` is false, the verdict model then judges the claim by the chosen sentences.
        """
        verb = prove_verb(method_options(method, preset, options, changes), method, k=k, verdict=verdict)
        case = SplitCase(claim, number_sentences(sentences), k)
        return self._run(verb, case, progress)

    def prove_all(
        self,
        cases: Iterable[ProveCase | Mapping[str, Any]],
        k: K = 3,
        *,
        method: str = "mcse",
        preset: str = DEFAULT_PRESET,
        options: McseOptions | LearnedOptions | None = None,
        verdict: bool = True,
        max_active: int = MAX_ACTIVE,
        **changes: Any,
    ) -> Iterator[tuple[int, Proof | ProbativeError]]:
        """Prove many claims side by side; see `ask_all`. The `k` of a case beats the common one."""
        verb = prove_verb(method_options(method, preset, options, changes), method, k=k, verdict=verdict)
        return self._run_all(verb, cases, max_active)

    async def prove_async(self, *arguments: Any, **keywords: Any) -> Proof:
        """Run `prove`, which takes the same arguments, without blocking the event loop."""
        return await run_in_thread(self.prove, *arguments, **keywords)
