"""Open an `openai:NAME` model or encoder with the settings in force."""

from __future__ import annotations

from probative.errors import InputError
from probative.models.openai import OpenAIEncoder, OpenAIModel
from probative.models.openai.connection import Connection
from probative.settings import Settings


def open_model(name: str, settings: Settings) -> OpenAIModel:
    """The language model of this name on the server that the settings name."""
    return OpenAIModel(_named(name), connection(settings))


def open_encoder(name: str, settings: Settings) -> OpenAIEncoder:
    """The embedding model of this name on the server that the settings name."""
    return OpenAIEncoder(_named(name), connection(settings))


def connection(settings: Settings) -> Connection:
    """How to reach the server."""
    address = {"base_url": settings.base_url} if settings.base_url else {}
    return Connection(
        **address,
        api_key=settings.api_key.get_secret_value() if settings.api_key else None,
        concurrency=settings.concurrency,
        timeout=settings.timeout,
        retries=settings.retries,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
        control_tokens=settings.control_tokens,
    )


def _named(name: str) -> str:
    if not name:
        raise InputError(
            "openai: needs the model's name", hint="write openai:NAME, such as openai:gpt-4o-mini"
        )
    return name
