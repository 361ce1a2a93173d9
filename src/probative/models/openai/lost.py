"""A capability that a server turned out not to have: believed for a while, as servers change."""

from __future__ import annotations

import time
from collections.abc import Callable

from probative.errors import CapabilityError
from probative.models.contract import Capability, lacks

# A server behind a load balancer, or one that was restarted, may have tomorrow what it lacks today.
EXPIRES_SECONDS = 600.0


class Lost:
    """Remembers for `EXPIRES_SECONDS` that a model lacks a capability, and why.

    >>> now = 0.0
    >>> lost = Lost("openai:m", Capability.CHOOSE, clock=lambda: now)
    >>> lost.conclude("its server returns no log-probabilities").what
    'openai:m cannot choose: its server returns no log-probabilities'
    >>> lost.error is not None
    True
    >>> now = EXPIRES_SECONDS
    >>> lost.error is None
    True
    """

    def __init__(
        self, model: str, capability: Capability, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._model, self._capability, self._clock = model, capability, clock
        self._error: CapabilityError | None = None
        self._until = 0.0

    @property
    def error(self) -> CapabilityError | None:
        """The error of a call that needs the capability; None if the model may have it."""
        return self._error if self._clock() < self._until else None

    def conclude(self, why: str) -> CapabilityError:
        """Remember that the capability is missing, and return the error."""
        self._error = lacks(self._model, self._capability, why)
        self._until = self._clock() + EXPIRES_SECONDS
        return self._error
