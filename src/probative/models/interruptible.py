"""Let Ctrl-C through while an engine computes.

A native call gives Python no chance to handle a signal until it returns, and reading a text of 8,000 tokens
takes a minute. So the main thread has another one make the call and waits for it: waiting can be
interrupted. The call itself goes on in the background until it is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(call: Callable[[], Result]) -> Result:
    """Return what `call` returns; a `KeyboardInterrupt` does not wait for it."""
    if threading.current_thread() is not threading.main_thread():
        return call()  # signals reach the main thread only
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    # A daemon: Python must be able to end although the call does not.
    worker = threading.Thread(target=run, name="probative-engine", daemon=True)
    worker.start()
    worker.join()
    if errors:
        raise errors[0]
    return results[0]
