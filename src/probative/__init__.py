"""Probative finds the evidence that carries an answer, and shows why.

import probative

model = probative.load_model()          # embedded: no key, no server
model.score([("Water boils at", " 100 degrees Celsius")])
"""

from importlib.metadata import version as _version

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

__version__ = _version("probative")

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
    "RateLimitError",
    "ReplyError",
    "Request",
    "RequestError",
    "ResponseCache",
    "Score",
    "Selection",
    "ServerError",
    "Settings",
    "SettingsError",
    "SlowServerError",
    "Step",
    "StoreError",
    "Trace",
    "Usage",
    "WeightsError",
    "generate_objects",
    "load_encoder",
    "load_model",
    "load_models",
    "load_settings",
    "step",
]
