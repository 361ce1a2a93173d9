"""Any OpenAI-compatible server: hosted, vLLM, SGLang, Ollama, llama.cpp."""

from probative.models.openai.connection import Connection
from probative.models.openai.encoder import OpenAIEncoder
from probative.models.openai.model import OpenAIModel

__all__ = ["Connection", "OpenAIEncoder", "OpenAIModel"]
