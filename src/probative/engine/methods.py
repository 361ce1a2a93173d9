"""The method of a run by its name, preset and options, and the tools that it gets: models, each opened when
it is first used.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from pydantic import ValidationError

from probative.errors import InputError
from probative.models.contract import LanguageModel
from probative.models.encoder import Encoder
from probative.models.types import reason
from probative.registry import Registry
from probative.types import Value

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


Options = TypeVar("Options", bound=Value)
MAX_SEED = 2**31 - 1


class NoOptions(Value):
    """The options of a method that has none."""


@dataclass(frozen=True)
class Method:
    """A way to carry out a verb: the search that `run` starts, and its options.

    `run` takes what the verb gives to all its methods and, if the method has options, these as `options`. A
    method with `presets` names the default one for a model, by its name and whether it is the tuned reader.
    """

    run: Callable[..., Any]
    options: type[Value] = NoOptions
    presets: Mapping[str, Value] = field(default_factory=dict)
    default_preset: Callable[[str, bool], str] = lambda model, reader: ""
    reads_passages: bool = True
    """Whether a method of `ask` reads passages at all."""
    takes_retriever: bool = False
    """Whether a method of `ask` looks for more passages with a retriever."""
    weighs: bool = False
    """Whether a method of `verify` weighs all sentences; others choose some."""
    long_claim: int | None = None
    """The characters of a claim from which on a method of `prove` takes minutes."""


@dataclass(frozen=True)
class MethodChoice:
    """A method by name with a preset, or with an options object, and the options that differ from it."""

    method: str
    preset: str | None = None
    options: Any = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class ChosenMethod:
    """A method with its options checked."""

    name: str
    method: Method
    options: Any

    @property
    def run(self) -> Callable[..., Any]:
        """The search of the method, with its options bound."""
        run = self.method.run
        return run if self.method.options is NoOptions else partial(run, options=self.options)


class Methods(Registry):
    """The methods of one verb. Another package adds methods with the entry points `probative.VERB_methods`:
    each is a `Method`, or a function for a method without options.

    >>> methods = Methods("prove", {"bm25": "probative.baselines.evidence.by_score:by_bm25"})
    >>> methods.choose(MethodChoice("bm25")).run.__name__
    'by_bm25'
    """

    def __init__(self, verb: str, entries: Mapping[str, str]) -> None:
        super().__init__("method", entries, group=f"probative.{verb}_methods")

    def load(self, name: str) -> Method:
        """Return the method of this name; raises `InputError` for an unknown one."""
        loaded = super().load(name) if isinstance(name, str) else None
        if loaded is None:
            raise self.unknown(str(name))
        return loaded if isinstance(loaded, Method) else Method(loaded)

    def choose(self, choice: MethodChoice, model: str = "", *, reader: bool = False) -> ChosenMethod:
        """Return the method with the options of the preset, or the options object, with the changes applied.

        Without a preset, the model decides: `model` is its name, `reader` whether it is the tuned reader.
        """
        name, method, seed = choice.method, self.load(choice.method), choice.seed
        if not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise InputError(f"seed must be a whole number from 0 to {MAX_SEED}, got {seed!r}")
        start = choice.options
        if not method.presets:
            if choice.preset is not None:
                raise InputError(f"{name} has no presets", hint="its options are given one by one")
            start = method.options() if start is None else start
            if "seed" in method.options.model_fields and choice.options is None:
                start = start.model_copy(update={"seed": choice.seed})
        else:
            preset = choice.preset or method.default_preset(model, reader)
            if not isinstance(preset, str) or preset not in method.presets:
                presets = ", ".join(method.presets)
                raise InputError(f"there is no preset {preset!r}", hint=f"use one of {presets}")
            start = method.presets[preset] if start is None else start
        if not isinstance(start, method.options):
            expected, given = method.options.__name__, type(start).__name__
            raise InputError(f"the options of {name} are {expected}, not {given}")
        return ChosenMethod(
            name, method, check_options(method.options, {**start.model_dump(), **choice.changes}, name)
        )


def check_options(kind: type[Options], values: Mapping[str, Any], method: str) -> Options:
    """Return the options of a method; raises `InputError`.

    >>> check_options(NoOptions, {"depth": 2}, "closed-book")
    Traceback (most recent call last):
    probative.errors.InputError: closed-book has no option 'depth'
      → it has no options at all
    """
    names = ", ".join(kind.model_fields)
    hint = f"the options are {names}" if names else "it has no options at all"
    for name in values:
        if name not in kind.model_fields:
            raise InputError(f"{method} has no option {name!r}", hint=hint)
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        name = str(next(iter(error.errors()[0]["loc"]), ""))
        got = f", got {values[name]!r}" if name in values else ""
        about = kind.model_fields[name].description if name in kind.model_fields else None
        raise InputError(
            f"an option of {method} is wrong: {reason(error)}{got}",
            hint=f"{name}: {about}" if about else hint,
        ) from None
