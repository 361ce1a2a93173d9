"""Cases that trained a shipped model, or that settings were tuned on.

Next to the weights of a shipped model stands the file `trained.keys`: short hashes of the questions, claims
and documents that it was trained on (`python -m training.keys` writes them). So a case is recognised without
the training files, and whatever file of data it comes from. The large model was taught rows of the verdict
model, among which are those of the reader, and has their keys.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Literal, cast, get_args

from probative.bench.data.claims import plain
from probative.bench.data.splits import plain_words, question_key
from probative.errors import InputError
from probative.settings import models_in

Shipped = Literal["small", "policy", "large"]
SHIPPED: tuple[Shipped, ...] = get_args(Shipped)
"""The models whose weights the package ships: the small language model, the policy and the large one."""
SETTINGS = "settings"
"""The mark of cases that settings of the methods were tuned on."""
Marks = Mapping[str, Sequence[str]]
"""The keys of the cases that trained a shipped model, by its name, or that settings were tuned on."""
TrainedChoice = Literal["mark", "refuse"]
"""What happens to a case that trained a shipped model."""

# 40 bits: among 150,000 keys, one text in seven million is taken for another.
KEY_BYTES = 5
FILE = "trained.keys"
# What the contents of cases call the text that is asked.
_ASKED = ("question", "claim", "query", "text", "content")


def text_key(text: str) -> bytes:
    """Return the key of a question or a claim, whatever its punctuation, case and order of words.

    >>> text_key("Is Ada or Bo older?") == text_key("is Bo or Ada older")
    True
    """
    return _key(question_key(plain(text)))


def document_key(sentences: Iterable[str]) -> bytes:
    """Return the key of a document with these sentences."""
    return _key("document " + plain_words(plain(" ".join(sentences))))


def _key(words: str) -> bytes:
    return hashlib.sha256(words.encode()).digest()[:KEY_BYTES]


def keys_in(content: Any) -> Iterator[bytes]:
    """Yield the keys of what a case asks: its question or claim, and the document that it is about.

    `content` has a field `question`, `claim`, `query` or `text`, or contains something that has one; the
    sentences of a document are its field `sentences`.

    >>> from probative.bench.data.questions import ConflictCase
    >>> list(keys_in(ConflictCase("Who sank?", (), ()))) == [text_key("Who sank?")]
    True
    """
    name = next((name for name in _ASKED if hasattr(content, name)), None)
    if name is not None:
        asked = getattr(content, name)
        if isinstance(asked, str):
            yield text_key(asked)
        else:
            yield from keys_in(asked)
        sentences = getattr(content, "sentences", ())
        if sentences:
            yield document_key(sentences)
    elif isinstance(content, tuple | list):
        for part in content:
            yield from keys_in(part)


@cache
def trained_keys(model: Shipped) -> frozenset[bytes]:
    """Return the keys of what a shipped model was trained on."""
    folder = "small" if model == "large" else model
    content = resources.files("probative").joinpath("weights", folder, FILE).read_bytes()
    return frozenset(content[at : at + KEY_BYTES] for at in range(0, len(content), KEY_BYTES))


def trained_cases(asked: Iterable[tuple[str, Any]], models: Iterable[Shipped]) -> dict[str, list[str]]:
    """Return the keys of the cases that trained one of the models, by model.

    `asked` has the key of each case and what it asks.
    """
    keys = [(key, frozenset(keys_in(content))) for key, content in asked]
    marks = {model: [key for key, texts in keys if texts & trained_keys(model)] for model in models}
    return {model: marked for model, marked in marks.items() if marked}


def is_tuned(content: Any) -> bool:
    """Return whether settings were tuned on what a case asks: it, or something in it, has `tuning`.

    >>> from probative.bench.data.claims import Example
    >>> is_tuned(("rag", Example("1", "It sank.", (), (), "True", tuning=True)))
    True
    """
    parts = content if isinstance(content, tuple | list) else (getattr(content, "claim", None),)
    return getattr(content, "tuning", False) or any(is_tuned(part) for part in parts if part is not None)


def used_models(names: Mapping[str, str | None], verbs: Collection[str]) -> tuple[Shipped, ...]:
    """Return the shipped models that a run may use, by the names of its models and the verbs of its
    experiment. A method may use the policy and the verdict model with any language model.

    >>> used_models({"model": "embedded", "verdict": "embedded"}, {"generate"})
    ('small', 'policy')
    >>> used_models({"model": "openai:large", "verdict": "model"}, {"generate"})
    ('policy',)
    >>> used_models({"model": "embedded:large", "verdict": "embedded:large"}, {"judge"})
    ('large',)
    >>> used_models({"model": "openai:large", "verdict": "embedded:cascade"}, {"judge"})
    ('small', 'large')
    """
    only_judges = set(verbs) == {"judge"}
    named = (*models_in(names.get("verdict")), None if only_judges else names.get("model"))
    used = {
        "small": "embedded" in named,
        "policy": not only_judges,
        "large": "embedded:large" in named,
    }
    return tuple(model for model in SHIPPED if used[model])


def as_choice(text: str) -> TrainedChoice:
    """Return what `--trained` names; raises `InputError` for another word."""
    if text not in get_args(TrainedChoice):
        raise InputError(f"--trained must be mark or refuse, got {text!r}")
    return cast(TrainedChoice, text)


def refuse_trained(marks: Marks, cases: int) -> None:
    """Raise `InputError` if a case trained a shipped model."""
    if marks:
        raise InputError(
            f"{describe(marks, cases)}; the first is {next(iter(marks.values()))[0]!r}",
            hint="use --trained mark, which counts them and reports also without them, or take other data",
        )


def describe(marks: Marks, cases: int) -> str:
    """Return how many cases trained which models.

    >>> describe({"small": ["a", "b"], "policy": ["b"]}, 9)
    '2 of 9 cases have a question, claim or document that a shipped model was trained on (small 2, policy 1)'
    """
    keys = {key for marked in marks.values() for key in marked}
    counts = ", ".join(f"{model} {len(marked):,}" for model, marked in marks.items())
    verb = "has" if len(keys) == 1 else "have"
    tuned = " or settings were tuned on" if SETTINGS in marks else ""
    return (
        f"{len(keys):,} of {cases:,} cases {verb} a question, claim or document that a shipped model was "
        f"trained on{tuned} ({counts})"
    )
