"""The models that searches use, each opened when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from probative.models.contract import Encoder, LanguageModel

if TYPE_CHECKING:
    from probative.models.evidence_policy import EvidencePolicy


class Tools:
    """The models that methods use, each opened when it is first needed."""

    def __init__(
        self,
        model: Callable[[], LanguageModel],
        encoder: Callable[[], Encoder],
        policy: Callable[[], EvidencePolicy] | None = None,
    ) -> None:
        self._open_model = model
        self._open_encoder = encoder
        self._open_policy = policy
        self.weights: dict[str, str] = {}
        """The fingerprints of those that were opened, each as it was at first: a server's changes when its
        dialect is learned."""

    @cached_property
    def model(self) -> LanguageModel:
        """The language model."""
        model = self._open_model()
        self.weights["model"] = model.fingerprint
        return model

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder."""
        encoder = self._open_encoder()
        self.weights["encoder"] = encoder.fingerprint
        return encoder

    @cached_property
    def policy(self) -> EvidencePolicy:
        """The evidence policy: the embedded one, unless another was given."""
        from probative.models.evidence_policy import load_policy

        policy = (self._open_policy or load_policy)()
        self.weights["policy"] = getattr(policy, "fingerprint", policy.name)  # one of your own may have none
        return policy

    def fingerprint(self, name: str) -> str | None:
        """Names the weights of the `model`, the `encoder` or the `policy`, which is opened for that; None for
        what is none of them.
        """
        if name in ("model", "encoder", "policy"):
            getattr(self, name)
        return self.weights.get(name)

    def model_name(self) -> str | None:
        """The language model's name, if it was needed."""
        return self.model.name if "model" in self.__dict__ else None

    def policy_name(self) -> str | None:
        """The evidence policy's name, if it was needed."""
        return self.policy.name if "policy" in self.__dict__ else None
