"""Run a verb in a thread for callers inside an event loop; a cancelled call stops at its next round."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from probative.types import Usage

Result = TypeVar("Result")


class _CancelledError(Exception):
    """Ends the search of a caller that no longer waits."""


async def run_in_thread(verb: Callable[..., Result], *arguments: Any, **keywords: Any) -> Result:
    """Await `verb(*arguments, **keywords)` without blocking the event loop.

    If the awaiting task is cancelled, the search stops before it asks the models again; what the models
    answered until then is in the cache.
    """
    cancelled = threading.Event()
    progress: Callable[[Usage], None] | None = keywords.pop("progress", None)

    def checked(usage: Usage) -> None:
        if cancelled.is_set():
            raise _CancelledError
        if progress is not None:
            progress(usage)

    try:
        return await asyncio.to_thread(verb, *arguments, progress=checked, **keywords)
    except asyncio.CancelledError:
        cancelled.set()
        raise
