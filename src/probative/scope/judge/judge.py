"""The second step: which features each passage carries.

A language model is asked in one yes-or-no call for each feature and passage (the paper's way), in one call
for each passage, or in as few calls as the window allows. `words` asks none: it compares words and embeddings
of the texts, or the vectors that a vector store keeps for them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel

from probative.engine.search import Search, ask_objects, encode, generate, try_choose
from probative.errors import ContextError, InputError, OutputError
from probative.models.contract import LanguageModel
from probative.models.types import Completion, Request, Selection
from probative.scope.question import CARRIED, NOT_CARRIED, Feature, Features, Judgements, Strengths
from probative.scope.run import PASSAGES_SHARE, Run, fill_prompt
from probative.text import english
from probative.text.prompts import fenced, numbered
from probative.text.words import bm25, words
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# Texts in one call, however large the window: a longer list makes models skip some.
MAX_TEXTS = 40
# What the number and the line end of a text cost beside its tokens.
_TEXT_FRAME_TOKENS = 8
# The cosine from which on a passage says a node in other words (MiniLM: unrelated texts are below 0.3).
SAME_MEANING = 0.6
# How much better than the average a passage must fit the question to carry the intent, in deviations.
BETTER_FIT = 0.5
# Or the share of the question's words that it must contain, rare words counting more.
NEARLY_ALL = 0.75
# The cosine from which on a passage is related to the question.
RELATED = 0.35


def judge_each(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the judge model about each feature and passage, all at once."""
    requests = [
        Request.user(
            fill_prompt(f"carries_{feature.kind}", feature=feature.text, passage=fenced(passage.whole)),
            max_tokens=8,
        )
        for passage in passages
        for feature in features
    ]
    return (yield from _ask_yes_or_no(run, requests, len(features)))


def _ask_yes_or_no(run: Run, requests: Sequence[Request], width: int) -> Search[Strengths]:
    """Return the strengths, `width` for each passage: probabilities if the model can choose."""
    selections = [Selection(request=request, options=("yes", "no")) for request in requests]
    choices = yield from try_choose(run.tools.judge, selections, step="judgement", by="judge")
    if choices is not None:
        values = [choice.probability("yes") for choice in choices]
    else:
        replies = yield from generate(requests, step="judgement", by="judge")
        values = _yes_values(run, replies)
    return [values[start : start + width] for start in range(0, len(values), width)]


def _yes_values(run: Run, replies: Sequence[Completion]) -> list[float]:
    """Return `CARRIED` for yes, else `NOT_CARRIED`; raises OutputError if no reply is either."""
    answers = [english.read_yes_or_no(reply.text) for reply in replies]
    if unclear := answers.count(None):
        run.note(f"the model said neither yes nor no to {unclear} of {len(answers)} judgements")
    if answers and unclear == len(answers):
        raise OutputError(
            "the model said neither yes nor no to any judgement",
            raw=replies[0].text,
            model=replies[0].model,
            step="judgement",
            finish_reason=replies[0].finish_reason,
            hint="use a larger model, or judge=words, which asks no model",
        )
    return [CARRIED if answer else NOT_CARRIED for answer in answers]


class Carries(BaseModel):
    """The numbers of the features that one text carries, counted from 1."""

    carries: list[int]


def judge_passages(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the judge model about each passage, all at once.

    A passage whose judgement cannot be read carries nothing; raises OutputError if none can be read.
    """
    requests = [
        Request.user(
            fill_prompt("carries_all", features=numbered_features(features), passage=fenced(passage.whole)),
            max_tokens=96,
        )
        for passage in passages
    ]
    replies = yield from ask_objects(requests, Carries, "judgement", by="judge")
    errors = [reply for reply in replies if isinstance(reply, OutputError)]
    if errors and len(errors) == len(replies):
        raise errors[0]
    if errors:
        run.note(f"judgements that could not be read count as carrying nothing: {len(errors)}")
    return [
        strengths_of(features, [] if isinstance(reply, OutputError) else reply.carries) for reply in replies
    ]


def numbered_features(features: Sequence[Feature]) -> str:
    r"""Return the features, numbered from 1, each on a line.

    >>> numbered_features([Feature("intent", "year"), Feature("node", "ferry")])
    '[1] intent: year\n[2] node: ferry'
    """
    return "\n".join(f"[{number}] {feature.name}" for number, feature in enumerate(features, 1))


def strengths_of(features: Sequence[Feature], numbers: Sequence[int] | None) -> list[float]:
    """Return `CARRIED` for each feature whose number is listed, and `NOT_CARRIED` for the others.

    >>> strengths_of([Feature("intent", "year"), Feature("node", "ferry")], [2, 9])
    [-inf, inf]
    """
    listed = numbers or ()
    return [CARRIED if number in listed else NOT_CARRIED for number in range(1, len(features) + 1)]


class TextCarries(Carries):
    """The features that the text with this number carries."""

    text: int


class AllCarry(BaseModel):
    """The features that each of several texts carries."""

    texts: list[TextCarries]


def judge_together(run: Run, features: Sequence[Feature], passages: Sequence[Passage]) -> Search[Strengths]:
    """Ask the judge model about all passages; those without a judgement are asked about once more.

    A passage without a judgement carries nothing; raises OutputError if no reply can be read.
    """
    judged, errors = yield from _ask(run, features, passages, list(range(len(passages))))
    waiting = [row for row in range(len(passages)) if row not in judged]
    if waiting:
        run.note(f"passages that the model left out were asked for again: {len(waiting)}")
        more, more_errors = yield from _ask(run, features, passages, waiting)
        judged, errors = judged | more, errors + more_errors
        waiting = [row for row in waiting if row not in judged]
    if waiting and len(waiting) == len(passages) and errors:
        raise errors[-1]
    if waiting:
        run.note(f"passages without a judgement count as carrying nothing: {len(waiting)}")
    return [strengths_of(features, judged.get(row)) for row in range(len(passages))]


def _ask(
    run: Run, features: Sequence[Feature], passages: Sequence[Passage], rows: Sequence[int]
) -> Search[tuple[dict[int, list[int]], list[OutputError]]]:
    """Return the numbers of the features that each of these passages carries, by its row, and the errors."""
    chunks = _chunks(run.tools.judge, features, passages, rows)
    requests = [_request(features, [passages[row] for row in chunk]) for chunk in chunks]
    replies = yield from ask_objects(requests, AllCarry, "judgement", by="judge")
    judged: dict[int, list[int]] = {}
    for chunk, reply in zip(chunks, replies, strict=True):
        entries = [] if isinstance(reply, OutputError) else reply.texts
        for entry in entries:
            if isinstance(entry, TextCarries) and 1 <= entry.text <= len(chunk):
                judged.setdefault(chunk[entry.text - 1], entry.carries)
    return judged, [reply for reply in replies if isinstance(reply, OutputError)]


def _request(features: Sequence[Feature], passages: Sequence[Passage]) -> Request:
    prompt = fill_prompt(
        "carries_together", features=numbered_features(features), passages=numbered(passages)
    )
    return Request.user(prompt, max_tokens=64 + 32 * len(passages))


def _chunks(
    model: LanguageModel, features: Sequence[Feature], passages: Sequence[Passage], rows: Sequence[int]
) -> list[list[int]]:
    """Return the rows in as few lists as fit into the model's window, each in order."""
    room = None
    if model.window is not None:
        room = int(model.window * PASSAGES_SHARE) - model.count_tokens(numbered_features(features))
    chunks: list[list[int]] = []
    used = 0
    for row in rows:
        size = 0 if room is None else _size(model, passages[row], room)
        if not chunks or len(chunks[-1]) == MAX_TEXTS or (room is not None and used + size > room):
            chunks.append([])
            used = 0
        chunks[-1].append(row)
        used += size
    return chunks


def _size(model: LanguageModel, passage: Passage, room: int) -> int:
    """Return the tokens of a passage in a call; raises ContextError if it does not fit."""
    size = model.count_tokens(passage.whole) + _TEXT_FRAME_TOKENS
    if size > room:
        raise ContextError(
            f"a passage of {size:,} tokens and the features do not fit into the window of {model.name}",
            tokens=size,
            window=model.window or 0,
        )
    return size


class _Text(NamedTuple):
    """What the judge knows of one passage: its words, its cosine with the question and with each feature, and
    its fit to the question (minus infinity if it is unrelated).
    """

    words: frozenset[str]
    cosines: Sequence[float]
    fit: float


def judge_by_words(run: Run, features: Features) -> Search[Judgements]:
    """Judge the candidate passages.

    A passage carries a node if it contains its words, in part or in other words; a relation if it carries
    both nodes and contains the words between them; the intent if it fits the question.
    """
    cosines = yield from _cosines(run, features)
    passages = run.pool.candidates()
    texts = [words(passage.whole) for passage in passages]
    fit = _standardised(bm25(run.question.words, texts)) + _standardised(cosines[:, 0])
    weights = _rarity(texts)
    rows = []
    for row, content in enumerate(map(frozenset, texts)):
        # To fit better than the others means nothing if no passage is related to the question.
        related = bool(run.question.parsed.words & content) or cosines[row, 0] >= RELATED
        text = _Text(
            content,
            [float(cosine) for cosine in cosines[row]],
            float(fit[row]) if related else -math.inf,
        )
        rows.append(_strengths(text, run.question.text, features, weights))
    return Judgements(features, rows, run.options.threshold, relevance=fit.tolist())


def _cosines(run: Run, features: Features) -> Search[NDArray[np.float32]]:
    """Return the cosine of each passage with the question and each feature."""
    import numpy as np

    queries = [run.question.text, *(feature.text for feature in features.listed())]
    vectors = run.pool.vectors()
    if vectors is None:
        texts = [passage.whole for passage in run.pool.candidates()]
        encoded = yield from encode([*queries, *texts], step="judgement")
        query_vectors, passage_vectors = np.array(encoded[: len(queries)]), np.array(encoded[len(queries) :])
    else:
        encoded = yield from encode(queries, step="judgement")
        query_vectors = np.array(encoded)
        passage_vectors = _normalised(vectors, len(run.pool.judged), len(encoded[0]))
    cosines: NDArray[np.float32] = passage_vectors @ query_vectors.T
    return cosines


def _strengths(text: _Text, question: str, features: Features, weights: dict[str, float]) -> list[float]:
    """Return how surely a passage carries the intent, each node and each relation."""
    strengths = [
        _share(feature.text, text.words, weights, text.cosines[column])
        for column, feature in enumerate(features.listed(), 1)
    ]
    strengths[0] = _intent(text, _share(question, text.words, weights, text.cosines[0]))
    column_of = {node.text: column for column, node in enumerate(features.nodes, 1)}
    for column, relation in enumerate(features.relations, 1 + len(features.nodes)):
        head, tail = column_of[relation.head], column_of[relation.tail]
        strengths[column] = min(strengths[head], strengths[tail], strengths[column])
    return strengths


def _share(text: str, content: frozenset[str], weights: dict[str, float], cosine: float) -> float:
    """Return the share of the words of a text in a passage, rare ones counting more, or by equal meaning."""
    named = set(words(text)) or {text.lower()}
    whole = math.fsum(weights.get(word, weights[""]) for word in named)
    shared = math.fsum(weights.get(word, weights[""]) for word in named & content)
    return min(1.0, max(shared / whole, 0.5 + (cosine - SAME_MEANING) if cosine >= SAME_MEANING else 0.0))


def _intent(text: _Text, share: float) -> float:
    """Return how surely a passage has the answer: it fits better than others, or has nearly all the words."""
    better = 1.0 / (1.0 + math.exp(-2.0 * (text.fit - BETTER_FIT))) if math.isfinite(text.fit) else 0.0
    return max(better, share * 0.5 / NEARLY_ALL)


def _rarity(texts: Sequence[Sequence[str]]) -> dict[str, float]:
    """Return how rare each word is among the passages; "" stands for a word that no passage contains."""
    counts = Counter(word for text in texts for word in set(text))
    total = len(texts)
    weights = {word: math.log(1.0 + total / count) for word, count in counts.items()}
    weights[""] = math.log(1.0 + 2.0 * total)
    return weights


def _standardised(values: Any) -> NDArray[np.float64]:
    """Return values in standard deviations from their mean."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    spread = float(array.std())
    centred: NDArray[np.float64] = array - array.mean()
    return centred / spread if spread > 1e-9 else centred


def _normalised(vectors: NDArray[np.float32], count: int, dimensions: int) -> NDArray[np.float32]:
    """Return the vectors of the passages with length 1; raises InputError."""
    import numpy as np

    array = np.asarray(vectors, dtype=np.float32)
    if array.shape != (count, dimensions):
        raise InputError(
            f"{count} passages need vectors of shape ({count}, {dimensions}), got {array.shape}",
            hint="give the vectors that the same encoder made, one for each passage, in their order",
        )
    if not np.isfinite(array).all():
        raise InputError("the vectors contain NaN or infinity")
    if not array.any(axis=1).all():
        raise InputError("a vector is all zeros", hint="give the vector that the encoder made of the text")
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.divide(array, np.maximum(lengths, 1e-12), dtype=np.float32)
    return scaled


_MODEL_JUDGES = {
    "each": judge_each,
    "passage": judge_passages,
    "together": judge_together,
}


def judge(run: Run, features: Features, earlier: Judgements | None = None) -> Search[Judgements]:
    """Judge the candidate passages by the judge that the options name.

    `earlier` are the judgements of the first passages; a language model is asked only about the others.
    """
    if run.options.judge == "words":
        return (yield from judge_by_words(run, features))
    judged = [] if earlier is None else earlier.strengths
    passages = run.pool.candidates()[len(judged) :]
    strengths = yield from _MODEL_JUDGES[run.options.judge](run, features.listed(), passages)
    return Judgements(features, [*judged, *strengths], run.options.threshold)
