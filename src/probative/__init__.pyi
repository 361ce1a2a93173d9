"""The public names. Made by docs/tools/stubs.py from the table in `__init__.py`: do not edit."""

from probative.corpus.corpus import Corpus as Corpus
from probative.corpus.documents.document import Citation as Citation
from probative.corpus.documents.document import Document as Document
from probative.corpus.documents.files import SearchFilters as SearchFilters
from probative.corpus.documents.passages import CorpusPassage as CorpusPassage
from probative.corpus.index.index_folder import CorpusState as CorpusState
from probative.corpus.index.index_folder import IndexSummary as IndexSummary
from probative.corpus.index.searcher import Hit as Hit
from probative.corpus.indexing import index_folder as index_folder
from probative.errors import AuthError as AuthError
from probative.errors import BatchError as BatchError
from probative.errors import BudgetError as BudgetError
from probative.errors import CapabilityError as CapabilityError
from probative.errors import ConnectError as ConnectError
from probative.errors import ContextError as ContextError
from probative.errors import EmptyError as EmptyError
from probative.errors import InputError as InputError
from probative.errors import InUseError as InUseError
from probative.errors import MissingExtraError as MissingExtraError
from probative.errors import ModelError as ModelError
from probative.errors import NotFoundError as NotFoundError
from probative.errors import OutputError as OutputError
from probative.errors import OverloadError as OverloadError
from probative.errors import ProbativeError as ProbativeError
from probative.errors import RateLimitError as RateLimitError
from probative.errors import ReaderCrashError as ReaderCrashError
from probative.errors import ReadingLimitError as ReadingLimitError
from probative.errors import ReplyError as ReplyError
from probative.errors import RequestError as RequestError
from probative.errors import ServerError as ServerError
from probative.errors import SettingsError as SettingsError
from probative.errors import SlowServerError as SlowServerError
from probative.errors import StoreError as StoreError
from probative.errors import UnreadableError as UnreadableError
from probative.errors import WeightsError as WeightsError
from probative.errors import WorkerError as WorkerError
from probative.give.options import GiveOptions as GiveOptions
from probative.give.reasoning import Reasoning as Reasoning
from probative.give.result import Answers as Answers
from probative.give.result import EntityGroup as EntityGroup
from probative.give.result import Example as Example
from probative.give.result import GraphVerdict as GraphVerdict
from probative.give.result import Knowledge as Knowledge
from probative.give.result import Member as Member
from probative.give.result import Path as GraphPath
from probative.graph.formats.sources import BadLine as BadLine
from probative.graph.formats.sources import ImportReport as ImportReport
from probative.graph.graph import Graph as Graph
from probative.mcse.annotation import Annotation as Annotation
from probative.mcse.evidence_policy import LearnedOptions as LearnedOptions
from probative.mcse.options import McseOptions as McseOptions
from probative.mcse.result import Proof as Proof
from probative.mcse.result import ProofSentence as ProofSentence
from probative.mcse.result import RunnerUp as RunnerUp
from probative.models import Alternative as Alternative
from probative.models import Budget as Budget
from probative.models import Capability as Capability
from probative.models import Choice as Choice
from probative.models import Completion as Completion
from probative.models import Encoder as Encoder
from probative.models import LanguageModel as LanguageModel
from probative.models import Message as Message
from probative.models import Models as Models
from probative.models import Pair as Pair
from probative.models import Parsed as Parsed
from probative.models import Prices as Prices
from probative.models import Request as Request
from probative.models import ResponseCache as ResponseCache
from probative.models import Score as Score
from probative.models import Selection as Selection
from probative.models import generate_objects as generate_objects
from probative.models import load_encoder as load_encoder
from probative.models import load_model as load_model
from probative.models import load_models as load_models
from probative.scope.options import ScopeOptions as ScopeOptions
from probative.scope.question import Features as Features
from probative.scope.question import Node as Node
from probative.scope.question import Relation as Relation
from probative.scope.result import Answer as Answer
from probative.scope.result import ChainPassage as ChainPassage
from probative.scope.result import Check as Check
from probative.scope.result import Computation as Computation
from probative.scope.result import ComputedValue as ComputedValue
from probative.scope.result import Conflict as Conflict
from probative.scope.result import PassageJudgement as PassageJudgement
from probative.session.default import annotate as annotate
from probative.session.default import annotate_all as annotate_all
from probative.session.default import ask as ask
from probative.session.default import ask_all as ask_all
from probative.session.default import check as check
from probative.session.default import check_all as check_all
from probative.session.default import judge as judge
from probative.session.default import judge_all as judge_all
from probative.session.default import prove as prove
from probative.session.default import prove_all as prove_all
from probative.session.default import reason as reason
from probative.session.default import reason_all as reason_all
from probative.session.default import verify as verify
from probative.session.default import verify_all as verify_all
from probative.session.graphs import entity_index as entity_index
from probative.session.session import Session as Session
from probative.settings import Settings as Settings
from probative.settings import load_settings as load_settings
from probative.trace import Call as Call
from probative.trace import Found as Found
from probative.trace import FoundText as FoundText
from probative.trace import Observer as Observer
from probative.trace import Step as Step
from probative.trace import Trace as Trace
from probative.trace import observing as observing
from probative.trace import step as step
from probative.types import Passage as Passage
from probative.types import Sentence as Sentence
from probative.types import Triple as Triple
from probative.types import Usage as Usage
from probative.types import Verdict as Verdict
from probative.verbs.annotate import AnnotateCase as AnnotateCase
from probative.verbs.ask import AskCase as AskCase
from probative.verbs.check import CheckCase as CheckCase
from probative.verbs.judge import JudgeCase as JudgeCase
from probative.verbs.prove import ProveCase as ProveCase
from probative.verbs.reason import ReasonCase as ReasonCase
from probative.verbs.verify import VerifyCase as VerifyCase
from probative.verdict.judgement import Judgement as Judgement
from probative.verdict.judgement import Probabilities as Probabilities
from probative.verify.claims import UncheckedText as UncheckedText
from probative.verify.judged_claims import JudgedClaims as JudgedClaims
from probative.verify.verification import CheckedClaim as CheckedClaim
from probative.verify.verification import CitationCheck as CitationCheck
from probative.verify.verification import EvidenceSentence as EvidenceSentence
from probative.verify.verification import Verification as Verification
from probative.verify.verification import VerifyOptions as VerifyOptions

__version__: str
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
    "Found",
    "FoundText",
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
    "JudgedClaims",
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
