"""A published model of natural language inference as verdict model, for `verdict="hf:NAME"`.

Such a checkpoint reads evidence and a claim together and has a class for each relation between them. Which
class says what is read from the names in its config: entailment, contradiction and neutral, or supported,
refuted and not enough information; with two classes, the second says "not entailed".
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from probative.errors import ModelError
from probative.models.encoder import checked_texts
from probative.models.hf.runtime import (
    Runtime,
    checked_name,
    options_of,
    readable_tokens,
    weights_mark,
)
from probative.models.verdict import (
    CountedVerdict,
    Judging,
    VerdictItem,
    VerdictLimits,
    VerdictScores,
    checked_items,
    too_long,
)
from probative.settings import Settings
from probative.types import Usage, Verdict, total

_CLASSES: dict[Verdict, tuple[str, ...]] = {
    Verdict.SUPPORTED: ("entailment", "entailed", "entails", "supported", "supports", "true", "yes"),
    Verdict.CONTRADICTED: (
        "contradiction",
        "contradicted",
        "contradicts",
        "refuted",
        "refutes",
        "false",
        "no",
    ),
    Verdict.INSUFFICIENT: ("neutral", "notenoughinfo", "nei", "unknown", "insufficient", "unverifiable"),
}
_NOT_ENTAILED = ("notentailment", "notentailed", "notsupported", "unsupported", "notsupport")
BATCH = 8
# The tokens that are read where neither the model nor its tokenizer says how many.
DEFAULT_WINDOW = 512


def open_verdict(name: str, settings: Settings) -> HFVerdict:
    """Return the verdict model `name`, on the device and in the number type of the settings."""
    return HFVerdict(checked_name(name), **options_of(settings))


def verdict_classes(names: Mapping[int, str]) -> dict[Verdict, int]:
    """Return the class of a model that stands for each verdict; raises `ModelError` for other classes.

    >>> verdict_classes({0: "ENTAILMENT", 1: "neutral", 2: "Contradiction"})[Verdict.CONTRADICTED]
    2
    >>> verdict_classes({0: "not_entailment", 1: "entailment"})
    {<Verdict.SUPPORTED: 'supported'>: 1, <Verdict.INSUFFICIENT: 'insufficient'>: 0}
    """
    plain = {number: "".join(filter(str.isalpha, name.lower())) for number, name in names.items()}
    classes = {
        verdict: number
        for verdict, synonyms in _CLASSES.items()
        for number, name in plain.items()
        if name in synonyms
    }
    if len(plain) == 2 and Verdict.SUPPORTED in classes and Verdict.INSUFFICIENT not in classes:
        other = next(number for number in plain if number != classes[Verdict.SUPPORTED])
        if plain[other] in _NOT_ENTAILED:
            classes[Verdict.INSUFFICIENT] = other
    if len(classes) != len(plain) or Verdict.SUPPORTED not in classes:
        raise ModelError(
            f"its classes are {', '.join(names.values())}, which are no verdicts on a claim",
            hint="use a model of natural language inference, with entailment, neutral and contradiction",
        )
    return classes


def _class_names(config: Any) -> dict[int, str]:
    """Return the names of the classes of a model; raises `ModelError` if it is no classifier."""
    if not any("SequenceClassification" in kind for kind in config.architectures or ()):
        raise ModelError(
            f"it is a {', '.join(config.architectures or ['model'])}, no classifier",
            hint="for a language model write --verdict model",
        )
    names: dict[int, str] = config.id2label
    return names


class HFVerdict(CountedVerdict):
    """A sequence classifier from the hub or its cache, or in a folder. What decides is found by reading each
    piece of evidence alone.
    """

    def __init__(self, name: str, *, device: str | None = None, dtype: str | None = None) -> None:
        super().__init__()
        self.name = f"hf:{name}"
        runtime = Runtime(name, device, dtype)
        self._torch, self._device = runtime.torch, runtime.device
        config = runtime.read("AutoConfig", name)
        try:
            self._classes = verdict_classes(_class_names(config))
        except ModelError as error:
            raise ModelError(f"{self.name} cannot judge: {error.what}", hint=error.hint) from None
        self._model, self._tokenizer = runtime.load("AutoModelForSequenceClassification", name)
        self._window = readable_tokens(self._model, self._tokenizer) or DEFAULT_WINDOW
        special = self._tokenizer.num_special_tokens_to_add(pair=True)
        self.limits = VerdictLimits(tokens=self._window - special, with_claim=True)
        names = json.dumps(sorted(config.id2label.items()))
        mark = hashlib.sha256(names.encode()).hexdigest()[:8]
        self._mark = f"{runtime.dtype}:{weights_mark(self._model)}:{mark}"

    @property
    def fingerprint(self) -> str:
        """Identifies these weights, and what its classes say."""
        return f"transformers:{self._mark}"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text."""
        checked = list(checked_texts(texts))
        return [len(ids) for ids in self._tokenizer(checked, add_special_tokens=False)["input_ids"]]

    def judge_each(self, items: Sequence[VerdictItem]) -> list[Judging | ModelError]:
        """Return the scores and the cost of each item, or its error."""
        outcomes = [self._judged(item) for item in checked_items(items)]
        self._count(total(outcome.usage for outcome in outcomes if isinstance(outcome, Judging)))
        return outcomes

    def _judged(self, item: VerdictItem) -> Judging | ModelError:
        """Return the verdict by all evidence together, and how much each piece of it says the same."""
        started = time.perf_counter()
        alone = item.evidence if len(item.evidence) > 1 else ()
        premises = [" ".join(item.evidence), *alone]
        encoded = [self._tokenizer(premise, item.claim, verbose=False) for premise in premises]
        lengths = [len(pair["input_ids"]) for pair in encoded]
        if lengths[0] > self._window:
            return too_long(lengths[0], self._window)
        whole, *pieces = self._probabilities(encoded)
        verdict = max(Verdict, key=lambda each: whole[each])
        shares = [piece[verdict] for piece in pieces] or [1.0]
        scores = VerdictScores(
            whole[Verdict.SUPPORTED],
            whole[Verdict.CONTRADICTED],
            whole[Verdict.INSUFFICIENT],
            tuple(share / sum(shares) for share in shares),
        )
        usage = Usage(calls=1, prompt_tokens=sum(lengths), seconds=time.perf_counter() - started)
        return Judging(scores, usage)

    def _probabilities(self, encoded: Sequence[Any]) -> Iterator[dict[Verdict, float]]:
        """Yield the probability of each verdict for each pair of evidence and claim."""
        for start in range(0, len(encoded), BATCH):
            batch = self._tokenizer.pad(encoded[start : start + BATCH], return_tensors="pt")
            with self._torch.inference_mode():
                logits = self._model(**batch.to(self._device)).logits.float()
            for row in logits.softmax(-1).tolist():
                yield {each: row[self._classes[each]] if each in self._classes else 0.0 for each in Verdict}
