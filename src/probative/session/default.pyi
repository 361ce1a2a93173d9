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
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.verdict import VerdictModel
from probative.scope.inputs import Retriever
from probative.scope.options import ScopeOptions
from probative.scope.result import Answer, Check
from probative.session.session import Session
from probative.settings import Settings
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

def close_default_sessions() -> None: ...
def default_session(settings: Settings, *, dry_run: bool = ...) -> Session: ...
def functions_of(spec: VerbSpec) -> dict[str, Callable[..., Any]]: ...
def ask(
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
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Answer: ...
def ask_all(
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
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Iterator[tuple[int, Answer | ProbativeError]]: ...
def check(
    question: str,
    knowledge: str | Passages,
    *,
    preset: str | None = ...,
    options: ScopeOptions | None = ...,
    progress: Callable[[Usage], None] | None = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Check: ...
def check_all(
    cases: Iterable[CheckCase | Mapping[str, Any]],
    *,
    preset: str | None = ...,
    options: ScopeOptions | None = ...,
    max_active: int = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Iterator[tuple[int, Check | ProbativeError]]: ...
def prove(
    claim: str,
    sentences: Text,
    k: K = ...,
    *,
    method: str = ...,
    preset: str | None = ...,
    options: McseOptions | LearnedOptions | None = ...,
    verdict: bool = ...,
    progress: Callable[[Usage], None] | None = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Proof: ...
def prove_all(
    cases: Iterable[ProveCase | Mapping[str, Any]],
    k: K = ...,
    *,
    method: str = ...,
    preset: str | None = ...,
    options: McseOptions | LearnedOptions | None = ...,
    verdict: bool = ...,
    max_active: int = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Iterator[tuple[int, Proof | ProbativeError]]: ...
def judge(
    claim: str,
    evidence: Text,
    *,
    progress: Callable[[Usage], None] | None = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
) -> Judgement: ...
def judge_all(
    cases: Iterable[JudgeCase | Mapping[str, Any]],
    *,
    max_active: int = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
) -> Iterator[tuple[int, Judgement | ProbativeError]]: ...
def verify(
    text: str | Path | Document,
    passages: Any = ...,
    *,
    name: str | None = ...,
    method: str = ...,
    options: VerifyOptions | None = ...,
    claim_progress: ClaimProgress | None = ...,
    claim_done: ClaimDone | None = ...,
    progress: Callable[[Usage], None] | None = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Verification: ...
def verify_all(
    cases: Iterable[VerifyCase | Mapping[str, Any]],
    passages: Any = ...,
    *,
    method: str = ...,
    options: VerifyOptions | None = ...,
    claim_progress: ClaimProgress | None = ...,
    claim_done: ClaimDone | None = ...,
    max_active: int = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Iterator[tuple[int, Verification | ProbativeError]]: ...
def reason(
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
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Reasoning: ...
def reason_all(
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
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
    **changes: Any,
) -> Iterator[tuple[int, Reasoning | ProbativeError]]: ...
def annotate(
    claim: str,
    sentences: Text,
    *,
    progress: Callable[[Usage], None] | None = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
) -> Annotation: ...
def annotate_all(
    cases: Iterable[AnnotateCase | Mapping[str, Any]],
    *,
    max_active: int = ...,
    model: LanguageModel | str | None = ...,
    judge_model: LanguageModel | str | None = ...,
    encoder: Encoder | str | None = ...,
    verdict: VerdictModel | str | None = ...,
    settings: Settings | None = ...,
    dry_run: bool = ...,
) -> Iterator[tuple[int, Annotation | ProbativeError]]: ...
