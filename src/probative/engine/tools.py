"""The models that searches use, each opened when it is first needed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder

if TYPE_CHECKING:
    from probative.models.evidence_policy import EvidencePolicy
    from probative.models.verdict import VerdictModel

Name = Literal["model", "judge", "encoder", "policy", "verdict"]


class Tools:
    """Opens the language model, the judge, the encoder, the evidence policy and the verdict model on demand,
    each once.

    Without `judge`, the language model judges; without `policy` or `verdict`, the embedded ones are used.
    With `verdict_by_model`, the judge is asked for verdicts. Safe to share between threads.
    """

    def __init__(
        self,
        model: Callable[[], LanguageModel],
        encoder: Callable[[], Encoder],
        policy: Callable[[], EvidencePolicy] | None = None,
        judge: Callable[[], LanguageModel] | None = None,
        *,
        judge_name: str | None = None,
        verdict: Callable[[], VerdictModel] | None = None,
        verdict_by_model: bool = False,
    ) -> None:
        from probative.models.loading import load_policy, load_verdict

        self._open: dict[str, Callable[[], Any]] = {
            "model": model,
            "encoder": encoder,
            "policy": policy or load_policy,
            "verdict": verdict or load_verdict,
        }
        self.verdict_by_model = verdict_by_model
        if judge is not None:
            self._open["judge"] = judge
        self.judge_name = judge_name
        self._opened: dict[str, Any] = {}
        self._fingerprints: dict[str, str] = {}
        self._opening = threading.RLock()
        self._used: set[str] = set()
        self.weights: dict[str, str] = {}
        """The fingerprints of the tools that this run needed, as they were when the tool was opened: the
        fingerprint of a server changes when its dialect is learned."""

    def _get(self, name: str) -> Any:
        with self._opening:
            if name not in self._opened:
                tool = self._open[name]()
                # A policy of the user's own may have no fingerprint.
                self._fingerprints[name] = getattr(tool, "fingerprint", tool.name)
                self._opened[name] = tool
            self._used.add(name)
            self.weights[name] = self._fingerprints[name]
            return self._opened[name]

    @property
    def opened(self) -> dict[str, str]:
        """The fingerprints of all tools that any run has opened, by name."""
        with self._opening:
            return dict(self._fingerprints)

    @property
    def model(self) -> LanguageModel:
        """The language model that answers."""
        return cast(LanguageModel, self._get("model"))

    @property
    def judge(self) -> LanguageModel:
        """The language model that judges: the one that answers, unless another was given."""
        return cast(LanguageModel, self._get("judge" if "judge" in self._open else "model"))

    @property
    def encoder(self) -> Encoder:
        """The encoder."""
        return cast(Encoder, self._get("encoder"))

    @property
    def policy(self) -> EvidencePolicy:
        """The evidence policy."""
        return cast("EvidencePolicy", self._get("policy"))

    @property
    def verdict(self) -> VerdictModel:
        """The verdict model."""
        if self.verdict_by_model:
            from probative.models.verdict_by_model import ModelVerdict

            self._used.add("verdict")
            return ModelVerdict(self.judge)
        return cast("VerdictModel", self._get("verdict"))

    def fingerprint(self, name: str) -> str | None:
        """Return the fingerprint of a tool, which is opened for that; None for an unknown name."""
        if name not in self._open:
            return None
        self._get(name)
        return self.weights[name]

    def name_if_used(self, name: Name) -> str | None:
        """Return the name of a tool, or None if this run never needed it."""
        if name not in self._used:
            return None
        return self.verdict.name if name == "verdict" else self._get(name).name

    @property
    def limits(self) -> tuple[str, ...]:
        """What the language models of this run turned out not to be able to do."""
        used = [self._get(name) for name in ("model", "judge") if name in self._used]
        return tuple(dict.fromkeys(limit for model in used for limit in model.limits))

    def unused_judge(self) -> str | None:
        """Return the name of a judge that was given and that this run did not need."""
        return self.judge_name if self.judge_name is not None and "judge" not in self._used else None

    def for_run(self) -> Tools:
        """Return the same tools for one more run, which notes by itself which of them it needs."""
        run = copy(self)
        run._used = set()
        run.weights = {}
        return run

    def with_encoder(self, encoder: Encoder) -> Tools:
        """Return the same tools with another encoder for one run; the others are opened once for both."""
        run, shared = self.for_run(), self.for_run()
        run._open = {name: partial(shared._get, name) for name in self._open} | {"encoder": lambda: encoder}
        run._opened, run._fingerprints = {}, {}
        return run
