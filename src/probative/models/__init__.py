"""Language models and encoders: the contract, the backends, and wrappers around any of them."""

from probative.models.budget import Budget, Prices
from probative.models.contract import Capability, LanguageModel
from probative.models.encoder import Encoder
from probative.models.loading import Models, load_encoder, load_model, load_models
from probative.models.response_cache import ResponseCache
from probative.models.structured import Parsed, generate_objects
from probative.models.types import Alternative, Choice, Completion, Message, Pair, Request, Score, Selection

__all__ = [
    "Alternative",
    "Budget",
    "Capability",
    "Choice",
    "Completion",
    "Encoder",
    "LanguageModel",
    "Message",
    "Models",
    "Pair",
    "Parsed",
    "Prices",
    "Request",
    "ResponseCache",
    "Score",
    "Selection",
    "generate_objects",
    "load_encoder",
    "load_model",
    "load_models",
]
