"""Types of the verbs. Made by docs/tools/stubs.py from the table of verbs: do not edit."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.baselines.graphs.options import GiveBaselineOptions
from probative.corpus.corpus import Corpus
from probative.corpus.documents.document import Document
from probative.errors import ProbativeError
from probative.give.options import GiveOptions
from probative.give.query import Form
from probative.give.reasoning import Reasoning
from probative.give.result import Example
from probative.mcse.annotation import Annotation
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import McseOptions
from probative.mcse.proof import Proof
from probative.mcse.search import K
from probative.scope.inputs import Retriever
from probative.scope.options import ScopeOptions
from probative.scope.result import Answer, Check
from probative.session.base import SessionBase
from probative.usage import Usage
from probative.verbs.annotate import AnnotateCase
from probative.verbs.ask import AskCase, Passages
from probative.verbs.check import CheckCase
from probative.verbs.judge import JudgeCase
from probative.verbs.prove import ProveCase
from probative.verbs.reason import GraphLike, ReasonCase
from probative.verbs.sentences import Text
from probative.verbs.spec import Progress, VerbSpec
from probative.verbs.verify import ClaimDone, ClaimProgress, VerifyCase
from probative.verdict.judgement import Judgement
from probative.verify.verification import Verification, VerifyOptions

class Session(SessionBase):
    def run_verb(self, spec: VerbSpec, *given: Any, **keywords: Any) -> Any: ...
    def run_verb_all(self, spec: VerbSpec, *given: Any, **keywords: Any) -> Iterator[Any]: ...
    def ask(
        self,
        question: str,
        passages: Passages = ...,
        *,
        method: str = ...,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        retriever: Retriever | Any = ...,
        vectors: NDArray[np.float32] | None = ...,
        corpus: Corpus | str | Path | None = ...,
        seed: int = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Answer: ...
    def ask_all(
        self,
        cases: Iterable[AskCase | Mapping[str, Any]],
        *,
        method: str = ...,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        retriever: Retriever | Any = ...,
        vectors: NDArray[np.float32] | None = ...,
        corpus: Corpus | str | Path | None = ...,
        seed: int = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Answer | ProbativeError]]: ...
    async def ask_async(
        self,
        question: str,
        passages: Passages = ...,
        *,
        method: str = ...,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        retriever: Retriever | Any = ...,
        vectors: NDArray[np.float32] | None = ...,
        corpus: Corpus | str | Path | None = ...,
        seed: int = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Answer: ...
    def check(
        self,
        question: str,
        knowledge: str | Passages,
        *,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Check: ...
    def check_all(
        self,
        cases: Iterable[CheckCase | Mapping[str, Any]],
        *,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Check | ProbativeError]]: ...
    async def check_async(
        self,
        question: str,
        knowledge: str | Passages,
        *,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Check: ...
    def prove(
        self,
        claim: str,
        sentences: Text,
        k: K = ...,
        *,
        method: str = ...,
        preset: str | None = ...,
        options: McseOptions | LearnedOptions | None = ...,
        verdict: bool = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Proof: ...
    def prove_all(
        self,
        cases: Iterable[ProveCase | Mapping[str, Any]],
        k: K = ...,
        *,
        method: str = ...,
        preset: str | None = ...,
        options: McseOptions | LearnedOptions | None = ...,
        verdict: bool = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Proof | ProbativeError]]: ...
    async def prove_async(
        self,
        claim: str,
        sentences: Text,
        k: K = ...,
        *,
        method: str = ...,
        preset: str | None = ...,
        options: McseOptions | LearnedOptions | None = ...,
        verdict: bool = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Proof: ...
    def judge(
        self, claim: str, evidence: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Judgement: ...
    def judge_all(
        self, cases: Iterable[JudgeCase | Mapping[str, Any]], *, max_active: int = ...
    ) -> Iterator[tuple[int, Judgement | ProbativeError]]: ...
    async def judge_async(
        self, claim: str, evidence: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Judgement: ...
    def verify(
        self,
        text: str | Path | Document,
        passages: Any = ...,
        *,
        name: str | None = ...,
        method: str = ...,
        options: VerifyOptions | None = ...,
        claim_progress: ClaimProgress | None = ...,
        claim_done: ClaimDone | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Verification: ...
    def verify_all(
        self,
        cases: Iterable[VerifyCase | Mapping[str, Any]],
        passages: Any = ...,
        *,
        method: str = ...,
        options: VerifyOptions | None = ...,
        claim_progress: ClaimProgress | None = ...,
        claim_done: ClaimDone | None = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Verification | ProbativeError]]: ...
    async def verify_async(
        self,
        text: str | Path | Document,
        passages: Any = ...,
        *,
        name: str | None = ...,
        method: str = ...,
        options: VerifyOptions | None = ...,
        claim_progress: ClaimProgress | None = ...,
        claim_done: ClaimDone | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Verification: ...
    def reason(
        self,
        question: str,
        graph: GraphLike | None = ...,
        choices: Sequence[str] | None = ...,
        *,
        form: Form | None = ...,
        method: str = ...,
        preset: str | None = ...,
        options: GiveOptions | GiveBaselineOptions | None = ...,
        worked: Sequence[Example | Mapping[str, Any]] | None = ...,
        seed: int = ...,
        embedding: Progress | None = ...,
        learning: Progress | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Reasoning: ...
    def reason_all(
        self,
        cases: Iterable[ReasonCase | Mapping[str, Any]],
        graph: GraphLike | None = ...,
        *,
        method: str = ...,
        preset: str | None = ...,
        options: GiveOptions | GiveBaselineOptions | None = ...,
        worked: Sequence[Example | Mapping[str, Any]] | None = ...,
        seed: int = ...,
        embedding: Progress | None = ...,
        learning: Progress | None = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Reasoning | ProbativeError]]: ...
    async def reason_async(
        self,
        question: str,
        graph: GraphLike | None = ...,
        choices: Sequence[str] | None = ...,
        *,
        form: Form | None = ...,
        method: str = ...,
        preset: str | None = ...,
        options: GiveOptions | GiveBaselineOptions | None = ...,
        worked: Sequence[Example | Mapping[str, Any]] | None = ...,
        seed: int = ...,
        embedding: Progress | None = ...,
        learning: Progress | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Reasoning: ...
    def annotate(
        self, claim: str, sentences: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Annotation: ...
    def annotate_all(
        self, cases: Iterable[AnnotateCase | Mapping[str, Any]], *, max_active: int = ...
    ) -> Iterator[tuple[int, Annotation | ProbativeError]]: ...
    async def annotate_async(
        self, claim: str, sentences: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Annotation: ...
