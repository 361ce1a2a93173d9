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
from probative.mcse.result import Proof
from probative.mcse.search import K
from probative.scope.inputs import Retriever
from probative.scope.options import ScopeOptions
from probative.scope.result import Answer, Check
from probative.session.base import SessionBase
from probative.types import Usage
from probative.verbs.annotate import AnnotateCase
from probative.verbs.ask import AskCase, History, Passages
from probative.verbs.check import CheckCase
from probative.verbs.judge import JudgeCase
from probative.verbs.prove import ProveCase
from probative.verbs.reason import GraphLike, ReasonCase
from probative.verbs.sentences import Text
from probative.verbs.spec import Progress, VerbSpec
from probative.verbs.verify import ClaimDone, ClaimProgress, VerifyCase
from probative.verdict.judgement import Judgement
from probative.verify.judged_claims import JudgedClaims
from probative.verify.verification import Verification, VerifyOptions

class Session(SessionBase):
    """Opened models with their cache and budget, and the verbs: `ask`, `prove` and all others of the table.

    `model`, `judge_model` and `encoder` are names or opened objects; what is not given comes from `settings`,
    which default to those in force. Each model is opened when it is first needed, and shared with the other
    sessions of the process. A `judge_model` extracts and judges features where a language model does that;
    the model answers. `verdict` is ``embedded``, the verdict model of the package; ``model``, where the judge
    or the model gives the verdicts; or a `VerdictModel` of your own. `prompts` is a folder of prompts that
    take the place of ours. With `dry_run`, calls and tokens are counted and no model is called.

    Each verb has three methods: `ask` for one case, `ask_all` for many side by side, which yields the index
    of each with its result or its error as they finish, and `ask_async` for an event loop. What `max_active`
    cases ask at a time goes out as one batch; with a budget, one case runs at a time, so that the budget is
    spent on whole results.

    A session may be shared between threads. Its budget covers everything it does; `usage` is what it has
    cost so far. Close it, or use it as a context manager.

    >>> with Session() as session:
    ...     proof = session.prove("Cats sleep.", ["Dogs bark.", "Cats sleep all day."], k=1, method="bm25")
    >>> proof.indexes
    (1,)
    """
    def run_verb(self, spec: VerbSpec, *given: Any, **keywords: Any) -> Any: ...
    def run_verb_all(self, spec: VerbSpec, *given: Any, **keywords: Any) -> Iterator[Any]: ...
    def ask(
        self,
        question: str,
        passages: Passages = ...,
        *,
        history: History = ...,
        method: str = ...,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        retriever: Retriever | Any = ...,
        vectors: NDArray[np.float32] | None = ...,
        corpus: Corpus | str | Path | None = ...,
        seed: int = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Answer:
        """Answer a question from a chain of passages that carries it, or say what is missing.

        A passage is a text, a `Passage` or a dictionary with a `text` and perhaps an `id`, a `title` and a
        `source`. `preset` is ``embedded`` (the evidence policy chooses, the tuned reader answers), ``words`` (no
        call before the answer), ``calls`` (two calls) or ``paper``; the model decides which is the default.
        `changes` are fields of `ScopeOptions` that differ from the preset. A `retriever` is called with a query
        and a number to look for missing features; one of LangChain or LlamaIndex is taken as it is. `vectors` are
        the passages' own, made by the same encoder. `method` may name a baseline. `progress` is called with the
        cost so far.

        `history` are the turns of a conversation before the question, each with a `question` and an `answer`: the
        model rewrites a follow-up so that it stands alone (`Answer.read_as`).

        `corpus` is a folder of documents, an index, or an opened `Corpus`: the passages come from it, and each
        piece of the chain has a citation of its place. A folder is indexed first, or brought up to date.

        >>> import probative
        >>> answer = probative.ask(
        ...     "In which town was the ship built that Ada Berg commanded?",
        ...     ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde.", "Tar is made of pine."],
        ...     max_passages=2,
        ... )
        >>> [passage.index for passage in answer.chain], answer.answer
        ([0, 1], 'Molde')
        """
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
    ) -> Iterator[tuple[int, Answer | ProbativeError]]:
        """Run `ask` for many cases side by side; see `Session`."""
    async def ask_async(
        self,
        question: str,
        passages: Passages = ...,
        *,
        history: History = ...,
        method: str = ...,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        retriever: Retriever | Any = ...,
        vectors: NDArray[np.float32] | None = ...,
        corpus: Corpus | str | Path | None = ...,
        seed: int = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Answer:
        """Run `ask`, which takes the same arguments, without blocking the event loop."""
    def check(
        self,
        question: str,
        knowledge: str | Passages,
        *,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Check:
        """Check whether knowledge is a chain of evidence for a question, and which features are missing.

        `knowledge` is one text, which is judged as a whole, or passages, which are judged one by one and count
        together. See `ask` for the options.

        >>> import probative
        >>> texts = ["Ada Berg commanded the Sea Lark.", "Pines grow."]
        >>> checked = probative.check("Who commanded the Sea Lark?", texts)
        >>> checked.complete, checked.judgements[1].carries
        (True, ())
        """
    def check_all(
        self,
        cases: Iterable[CheckCase | Mapping[str, Any]],
        *,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Check | ProbativeError]]:
        """Run `check` for many cases side by side; see `Session`."""
    async def check_async(
        self,
        question: str,
        knowledge: str | Passages,
        *,
        preset: str | None = ...,
        options: ScopeOptions | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Check:
        """Run `check`, which takes the same arguments, without blocking the event loop."""
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
    ) -> Proof:
        """Find the k sentences that together prove a claim, in order, with what each adds.

        `sentences` is a list, or one text that is split. `k` may be ``"auto"``: stop when the next sentence adds
        too little; the `k` of a case beats the common one. `preset` is ``fast`` (the default, without
        look-ahead), ``full`` or ``paper``; `changes` are fields of `McseOptions` that differ from it. `method`
        may name a baseline, or ``learned``: the evidence policy alone; `changes` are then fields of
        `LearnedOptions`. Unless `verdict` is false, the verdict model then judges the claim by the chosen
        sentences.

        >>> import probative
        >>> proof = probative.prove(
        ...     "Mira's bakery opened before the war.",
        ...     "Mira bakes rye bread. The river is wide. Her bakery opened in 1911. The war began in 1914.",
        ...     k=2,
        ... )
        >>> sorted(proof.indexes)
        [2, 3]
        """
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
    ) -> Iterator[tuple[int, Proof | ProbativeError]]:
        """Run `prove` for many cases side by side; see `Session`."""
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
    ) -> Proof:
        """Run `prove`, which takes the same arguments, without blocking the event loop."""
    def judge(
        self, claim: str, evidence: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Judgement:
        """Judge whether evidence supports a claim, contradicts it, or says too little about it.

        `evidence` is a list of sentences, or one text that is split. The deciding sentences are named by their
        index in it.

        >>> import probative
        >>> from probative.models.verdict import VerdictScores
        >>> from probative.testing import ScriptedVerdict
        >>> scripted = ScriptedVerdict(lambda item: VerdictScores(0.1, 0.8, 0.1, (0.2, 0.8)))
        >>> text = "Ada owns a mill. It was built in 1790."
        >>> judgement = probative.judge("The mill is new.", text, verdict=scripted)
        >>> judgement.verdict.value, judgement.deciding_texts
        ('contradicted', ('It was built in 1790.',))
        """
    def judge_all(
        self, cases: Iterable[JudgeCase | Mapping[str, Any]], *, max_active: int = ...
    ) -> Iterator[tuple[int, Judgement | ProbativeError]]:
        """Run `judge` for many cases side by side; see `Session`."""
    async def judge_async(
        self, claim: str, evidence: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Judgement:
        """Run `judge`, which takes the same arguments, without blocking the event loop."""
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
        judged: JudgedClaims | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Verification:
        """Check every claim of a text against sources.

        `text` is plain words or Markdown, a `Document`, or the `Path` of a file of any format that a corpus
        reads; offsets are then characters of its text. `passages` are passages, one text, a `Corpus`, the `Path`
        of a folder or an index, or any retriever: a function of a query and a number. For many texts, they
        are those of texts without sources of their own. `method` says how evidence is chosen: ``policy``, or a
        method of `prove`. `changes` are fields of `VerifyOptions`. `claim_progress` is called with the number of
        claims that are done, and of all. `claim_done` is called with each claim as it is finished: its index, the
        `CheckedClaim` and the number of all claims; claims are checked side by side, so the order is not that of
        the text. The `results` of a `BudgetError` are the claims that were checked, None for the others. With
        `judged`, claims that were judged before against the same passages or the same state of a corpus are not
        judged again.

        >>> import probative
        >>> text = "The mill burnt down in 1894. It made flour."
        >>> verification = probative.verify(text, ["The mill of Aske made flour. It burnt down in 1890."])
        >>> [(claim.claim, claim.verdict.value) for claim in verification.claims]
        [('The mill burnt down in 1894.', 'contradicted'), ('The mill made flour.', 'supported')]
        """
    def verify_all(
        self,
        cases: Iterable[VerifyCase | Mapping[str, Any]],
        passages: Any = ...,
        *,
        method: str = ...,
        options: VerifyOptions | None = ...,
        claim_progress: ClaimProgress | None = ...,
        claim_done: ClaimDone | None = ...,
        judged: JudgedClaims | None = ...,
        max_active: int = ...,
        **changes: Any,
    ) -> Iterator[tuple[int, Verification | ProbativeError]]:
        """Run `verify` for many cases side by side; see `Session`."""
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
        judged: JudgedClaims | None = ...,
        progress: Callable[[Usage], None] | None = ...,
        **changes: Any,
    ) -> Verification:
        """Run `verify`, which takes the same arguments, without blocking the event loop."""
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
    ) -> Reasoning:
        """Answer a question over a graph in three stages, with the knowledge behind each.

        The form is told from the question if it is not given: choices, yes/no/maybe, or free text. `preset` is
        ``small`` (the default of an embedded model), ``calls`` (of any other: candidates judged in batches) or
        ``paper``; `changes` are fields of `GiveOptions` that differ from it, or a baseline's own. `worked` are
        examples for the prompt instead of ours. `progress` is called with the cost so far, `embedding` with how
        many entities of the graph are encoded, and `learning` with how many edges are read to learn its veracity;
        both happen once.

        >>> import probative
        >>> from probative.testing import ScriptedModel
        >>> graph = [("melatonin", "treats", "jet lag"), ("jet lag", "causes", "insomnia")]
        >>> model = ScriptedModel(generate="yes")
        >>> question = "Does melatonin help insomnia?"
        >>> reasoning = probative.reason(question, graph, model=model, preset="paper", entities=0)
        >>> reasoning.answers.ace, reasoning.groups[2].name
        ('yes', 'jet lag')
        >>> [str(triple) for triple in reasoning.knowledge.expert]
        ['(melatonin, treats, jet lag)', '(jet lag, causes, insomnia)']
        """
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
    ) -> Iterator[tuple[int, Reasoning | ProbativeError]]:
        """Run `reason` for many cases side by side; see `Session`."""
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
    ) -> Reasoning:
        """Run `reason`, which takes the same arguments, without blocking the event loop."""
    def annotate(
        self, claim: str, sentences: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Annotation:
        """Ask the model which sentences of a text a claim needs; it reads all of them at once.

        `sentences` is a list, or one text that is split. The named sentences are a draft of gold evidence for a
        person to correct, not a proof: to search for evidence, use `prove`.

        >>> import probative
        >>> from probative.testing import ScriptedModel
        >>> scripted = ScriptedModel(generate="[2]")
        >>> probative.annotate("The mill is old.", "It rained. The mill dates from 1790.", model=scripted).indexes
        (1,)
        """
    def annotate_all(
        self, cases: Iterable[AnnotateCase | Mapping[str, Any]], *, max_active: int = ...
    ) -> Iterator[tuple[int, Annotation | ProbativeError]]:
        """Run `annotate` for many cases side by side; see `Session`."""
    async def annotate_async(
        self, claim: str, sentences: Text, *, progress: Callable[[Usage], None] | None = ...
    ) -> Annotation:
        """Run `annotate`, which takes the same arguments, without blocking the event loop."""
