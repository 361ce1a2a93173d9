"""Probative finds the evidence that carries an answer, and shows why.

>>> import probative
>>> text = "The mill burnt down in 1890. It made flour. The town hall was built four years later."
>>> proof = probative.prove("The town hall dates from 1894.", text, k=2)  # embedded: no key, no server
>>> sorted(proof.indexes)
[0, 2]
"""

__version__ = "0.1.0"

from probative.corpus.corpus import Corpus
from probative.corpus.documents.citation import Citation
from probative.corpus.documents.document import Document
from probative.corpus.documents.files import SearchFilters
from probative.corpus.documents.passages import CorpusPassage
from probative.corpus.index.index_folder import CorpusState, IndexSummary
from probative.corpus.index.searcher import Hit
from probative.corpus.indexing import index_folder
from probative.errors import (
    AuthError,
    BatchError,
    BudgetError,
    CapabilityError,
    ConnectError,
    ContextError,
    EmptyError,
    InputError,
    InUseError,
    MissingExtraError,
    ModelError,
    NotFoundError,
    OutputError,
    OverloadError,
    ProbativeError,
    RateLimitError,
    ReaderCrashError,
    ReadingLimitError,
    ReplyError,
    RequestError,
    ServerError,
    SettingsError,
    SlowServerError,
    StoreError,
    UnreadableError,
    WeightsError,
    WorkerError,
)
from probative.give.options import GiveOptions
from probative.give.reasoning import Reasoning
from probative.give.result import Answers, EntityGroup, Example, GraphVerdict, Knowledge, Member
from probative.give.result import Path as GraphPath
from probative.graph.formats.report import BadLine, ImportReport
from probative.graph.graph import Graph
from probative.mcse.annotation import Annotation
from probative.mcse.evidence_policy import LearnedOptions
from probative.mcse.options import McseOptions
from probative.mcse.proof import Proof
from probative.mcse.result import ProofSentence, RunnerUp
from probative.models import (
    Alternative,
    Budget,
    Capability,
    Choice,
    Completion,
    Encoder,
    LanguageModel,
    Message,
    Models,
    Pair,
    Parsed,
    Prices,
    Request,
    ResponseCache,
    Score,
    Selection,
    generate_objects,
    load_encoder,
    load_model,
    load_models,
)
from probative.scope.features import Features, Node, Relation
from probative.scope.options import ScopeOptions
from probative.scope.result import (
    Answer,
    ChainPassage,
    Check,
    Computation,
    ComputedValue,
    Conflict,
    PassageJudgement,
)
from probative.session.default import (
    annotate,
    annotate_all,
    ask,
    ask_all,
    check,
    check_all,
    judge,
    judge_all,
    prove,
    prove_all,
    reason,
    reason_all,
    verify,
    verify_all,
)
from probative.session.graphs import entity_index
from probative.session.session import Session
from probative.settings import Settings, load_settings
from probative.trace import Call, Observer, Step, Trace, observing, step
from probative.types import Passage, Sentence, Triple, Verdict
from probative.usage import Usage
from probative.verbs.annotate import AnnotateCase
from probative.verbs.ask import AskCase
from probative.verbs.check import CheckCase
from probative.verbs.judge import JudgeCase
from probative.verbs.prove import ProveCase
from probative.verbs.reason import ReasonCase
from probative.verbs.verify import VerifyCase
from probative.verdict.judgement import Judgement, Probabilities
from probative.verify.claims import UncheckedText
from probative.verify.verification import (
    CheckedClaim,
    CitationCheck,
    EvidenceSentence,
    Verification,
    VerifyOptions,
)

__all__ = [
    "Alternative",
    "AnnotateCase",
    "Annotation",
    "Answer",
    "Answers",
    "AskCase",
    "AuthError",
    "BadLine",
    "BatchError",
    "Budget",
    "BudgetError",
    "Call",
    "Capability",
    "CapabilityError",
    "ChainPassage",
    "Check",
    "CheckCase",
    "CheckedClaim",
    "Choice",
    "Citation",
    "CitationCheck",
    "Completion",
    "Computation",
    "ComputedValue",
    "Conflict",
    "ConnectError",
    "ContextError",
    "Corpus",
    "CorpusPassage",
    "CorpusState",
    "Document",
    "EmptyError",
    "Encoder",
    "EntityGroup",
    "EvidenceSentence",
    "Example",
    "Features",
    "GiveOptions",
    "Graph",
    "GraphPath",
    "GraphVerdict",
    "Hit",
    "ImportReport",
    "InUseError",
    "IndexSummary",
    "InputError",
    "JudgeCase",
    "Judgement",
    "Knowledge",
    "LanguageModel",
    "LearnedOptions",
    "McseOptions",
    "Member",
    "Message",
    "MissingExtraError",
    "ModelError",
    "Models",
    "Node",
    "NotFoundError",
    "Observer",
    "OutputError",
    "OverloadError",
    "Pair",
    "Parsed",
    "Passage",
    "PassageJudgement",
    "Prices",
    "Probabilities",
    "ProbativeError",
    "Proof",
    "ProofSentence",
    "ProveCase",
    "RateLimitError",
    "ReaderCrashError",
    "ReadingLimitError",
    "ReasonCase",
    "Reasoning",
    "Relation",
    "ReplyError",
    "Request",
    "RequestError",
    "ResponseCache",
    "RunnerUp",
    "ScopeOptions",
    "Score",
    "SearchFilters",
    "Selection",
    "Sentence",
    "ServerError",
    "Session",
    "Settings",
    "SettingsError",
    "SlowServerError",
    "Step",
    "StoreError",
    "Trace",
    "Triple",
    "UncheckedText",
    "UnreadableError",
    "Usage",
    "Verdict",
    "Verification",
    "VerifyCase",
    "VerifyOptions",
    "WeightsError",
    "WorkerError",
    "annotate",
    "annotate_all",
    "ask",
    "ask_all",
    "check",
    "check_all",
    "entity_index",
    "generate_objects",
    "index_folder",
    "judge",
    "judge_all",
    "load_encoder",
    "load_model",
    "load_models",
    "load_settings",
    "observing",
    "prove",
    "prove_all",
    "reason",
    "reason_all",
    "step",
    "verify",
    "verify_all",
]


def __getattr__(name: str) -> object:
    """Return a function of a verb that another package added to the table of verbs."""
    from probative.session.default import functions_of
    from probative.verbs.table import VERBS

    verb = name.removesuffix("_all")
    if name.startswith("_") or verb not in VERBS.entries():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return functions_of(VERBS.load(verb))[name]
