"""The settings of one worker of many."""

from __future__ import annotations

from probative.runners.contract import Place
from probative.settings import Settings


def share_of(settings: Settings, place: Place) -> Settings:
    """Return the settings of one worker: its threads, and its share of what a server allows.

    >>> settings = Settings(concurrency=16, requests_per_minute=60)
    >>> share_of(settings, Place(workers=4, threads=2)).requests_per_minute
    15.0
    """
    limits = {
        name: None if limit is None else limit / place.workers
        for name, limit in (
            ("requests_per_minute", settings.requests_per_minute),
            ("tokens_per_minute", settings.tokens_per_minute),
        )
    }
    return settings.model_copy(
        update={
            "threads": settings.threads or place.threads,
            "concurrency": max(1, settings.concurrency // place.workers),
            **limits,
        }
    )
