"""Probative finds the evidence that carries an answer, and shows why.

>>> import probative
>>> text = "The mill burnt down in 1890. It made flour. The town hall was built four years later."
>>> proof = probative.prove("The town hall dates from 1894.", text, k=2)  # embedded: no key, no server
>>> sorted(proof.indexes)
[0, 2]
"""

from probative.api.prove import ProveCase, prove, prove_all
from probative.errors import (
    AuthError,
    BatchError,
    BudgetError,
    CapabilityError,
    ConnectError,
    ContextError,
    EmptyError,
    InputError,
    MissingExtraError,
    ModelError,
    NotFoundError,
    OutputError,
    OverloadError,
    ProbativeError,
    RateLimitError,
    ReplyError,
    RequestError,
    ServerError,
    SettingsError,
    SlowServerError,
    StoreError,
    WeightsError,
)
from probative.evidence import Sentence, Verdict
from probative.mcse.found import ProofSentence, RunnerUp
from probative.mcse.options import McseOptions
from probative.mcse.proof import Proof
from probative.models import (
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
from probative.settings import Settings, load_settings
from probative.trace import Call, Step, Trace, step
from probative.usage import Usage

__version__ = "0.1.0"

__all__ = [
    "AuthError",
    "BatchError",
    "Budget",
    "BudgetError",
    "Call",
    "Capability",
    "CapabilityError",
    "Choice",
    "Completion",
    "ConnectError",
    "ContextError",
    "EmptyError",
    "Encoder",
    "InputError",
    "LanguageModel",
    "McseOptions",
    "Message",
    "MissingExtraError",
    "ModelError",
    "Models",
    "NotFoundError",
    "OutputError",
    "OverloadError",
    "Pair",
    "Parsed",
    "Prices",
    "ProbativeError",
    "Proof",
    "ProofSentence",
    "ProveCase",
    "RateLimitError",
    "ReplyError",
    "Request",
    "RequestError",
    "ResponseCache",
    "RunnerUp",
    "Score",
    "Selection",
    "Sentence",
    "ServerError",
    "Settings",
    "SettingsError",
    "SlowServerError",
    "Step",
    "StoreError",
    "Trace",
    "Usage",
    "Verdict",
    "WeightsError",
    "generate_objects",
    "load_encoder",
    "load_model",
    "load_models",
    "load_settings",
    "prove",
    "prove_all",
    "step",
]
