"""Open an `openai:NAME` model or encoder."""

from __future__ import annotations

from probative.errors import InputError
from probative.models.openai import OpenAIEncoder, OpenAIModel
from probative.models.openai.connection import Connection
from probative.settings import Settings


def open_model(name: str, settings: Settings) -> OpenAIModel:
    """Return the language model `name` on the server of the settings."""
    return OpenAIModel(_checked_name(name), connection(settings))


def open_encoder(name: str, settings: Settings) -> OpenAIEncoder:
    """Return the embedding model `name` on the server of the settings."""
    return OpenAIEncoder(_checked_name(name), connection(settings))


def connection(settings: Settings) -> Connection:
    """Return the connection to the server of the settings."""
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


def _checked_name(name: str) -> str:
    if not name:
        raise InputError(
            "openai: needs the name of a model", hint="write openai:NAME, such as openai:gpt-4o-mini"
        )
    return name
