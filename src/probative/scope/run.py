"""One run of scope on one question: what every step may use, with the passages given or looked up,
judged, and split at sentence ends where they are too long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from probative.engine.methods import Tools
from probative.models.contract import LanguageModel
from probative.models.task_prompts import TRAINED_TOKENS
from probative.scope.inputs import Inputs, as_passages, clean_passage, distinct_passages
from probative.scope.options import ScopeOptions
from probative.scope.question import Question, read_question
from probative.settings import TUNED_MODELS
from probative.text.prompts import fill, read_examples, read_prompt
from probative.text.sentences import split_sentences
from probative.text.words import nearest
from probative.types import Passage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# The share of the window that passages may fill; the rest is for the prompt, the features and the answer.
PASSAGES_SHARE = 0.6
# A part is at most this share of the room, so that a chain of four parts fits into one prompt.
PART_SHARE = 0.25
# A shorter passage fits every model's window: the model need not be opened to know it.
SHORT_BYTES = 2_000
Splitter = Callable[[Passage], list[Passage]]


def keep_whole(passage: Passage) -> list[Passage]:
    """Return the passage as its only part."""
    return [passage]


def splitter_for(open_models: Callable[[], Sequence[LanguageModel]]) -> Splitter:
    """Return a function that splits passages longer than the room in the smallest window of some models.

    `open_models` is called only for a passage that may be too long.
    """

    def split(passage: Passage) -> list[Passage]:
        if len(passage.text.encode()) <= SHORT_BYTES:
            return [passage]
        windows = [(_readable(model), model) for model in open_models() if model.window is not None]
        if not windows:
            return [passage]
        window, model = min(windows, key=lambda entry: entry[0])
        room = int(window * PASSAGES_SHARE)
        if model.count_tokens(passage.whole) <= room:
            return [passage]
        return split_passage(passage, max(1, int(room * PART_SHARE)), model.count_tokens)

    return split


def _readable(model: LanguageModel) -> int:
    """Return the tokens that a model reads well at once: for the tuned reader, as many as in its training."""
    window = model.window or TRAINED_TOKENS
    return min(window, TRAINED_TOKENS) if model.reader else window


def split_passage(passage: Passage, max_tokens: int, count_tokens: Callable[[str], int]) -> list[Passage]:
    """Split a passage at sentence ends into parts of at most `max_tokens` tokens.

    A part keeps the id, title and source. Its `start` and `end` are characters of the source, or of the
    passage's own text if the passage does not say where it starts.

    >>> whole = Passage(text="It rained. The match was off. We left.", id="a")
    >>> [(part.text, part.start, part.id) for part in split_passage(whole, 6, lambda text: len(text.split()))]
    [('It rained. The match was off.', 0, 'a'), ('We left.', 30, 'a')]
    """
    offset = passage.start or 0
    parts: list[tuple[int, int]] = []
    spans = ((sentence.start or 0, sentence.end or 0) for sentence in split_sentences(passage.text))
    pieces = (piece for span in spans for piece in _halves(passage.text, span, max_tokens, count_tokens))
    for start, end in pieces:
        if parts and count_tokens(passage.text[parts[-1][0] : end]) <= max_tokens:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return [
        passage.model_copy(
            update={"text": passage.text[start:end], "start": offset + start, "end": offset + end}
        )
        for start, end in parts
    ]


def _halves(
    text: str, span: tuple[int, int], max_tokens: int, count_tokens: Callable[[str], int]
) -> Iterator[tuple[int, int]]:
    """Yield a span, or its halves, cut at a space if there is one, until each has at most `max_tokens`."""
    start, end = span
    if end - start <= 1 or count_tokens(text[start:end]) <= max_tokens:
        yield span
        return
    middle = (start + end) // 2
    space = text.rfind(" ", start + 1, middle)
    cut = space + 1 if space > start else middle
    yield from _halves(text, (start, cut), max_tokens, count_tokens)
    yield from _halves(text, (cut, end), max_tokens, count_tokens)


class Pool:
    """Passages that grow with every retrieval.

    `originals` are the passages as the caller counts them. `passages` are the same, with the parts of a
    passage that was too long in its place; `origins` has the index of the original of each. `judged` are the
    indexes (into `passages`) of those that are judged, in their order.
    """

    def __init__(
        self,
        passages: Sequence[Passage] = (),
        vectors: NDArray[np.float32] | None = None,
        split: Splitter = keep_whole,
    ) -> None:
        self.originals: list[Passage] = []
        self.passages: list[Passage] = []
        self.origins: list[int] = []
        self.judged: list[int] = []
        self._split = split
        for passage in passages:
            self._append(passage)
        self._vectors = vectors

    def judge_only(self, originals: Sequence[int]) -> None:
        """Judge all parts of these originals, in their order."""
        chosen = set(originals)
        self.judged = [index for index, origin in enumerate(self.origins) if origin in chosen]

    def candidates(self) -> list[Passage]:
        """Return the passages that are judged."""
        return self.at(self.judged)

    def at(self, indexes: Sequence[int]) -> list[Passage]:
        """Return the passages with these indexes."""
        return [self.passages[index] for index in indexes]

    def vectors(self) -> NDArray[np.float32] | None:
        """Return the vectors of the judged passages, if the caller gave vectors for all of them."""
        if self._vectors is None:
            return None
        import numpy as np

        rows = [self.origins[index] for index in self.judged]
        return np.asarray(self._vectors, dtype=np.float32)[rows]

    def add(self, values: Sequence[Any], limit: int | None = None) -> int:
        """Add passages with a new text, at most `limit`, judge them too, and return their number."""
        texts = {passage.text.lower() for passage in self.originals}
        added = 0
        for passage in as_passages(list(values or [])):
            if added == limit:
                break
            text = clean_passage(passage).text.lower()
            if text and text not in texts:
                texts.add(text)
                self.judged += self._append(passage)
                self._vectors = None  # the new passages have none
                added += 1
        return added

    def _append(self, passage: Passage) -> list[int]:
        """Add a passage with its parts and return the indexes of the parts."""
        origin = len(self.originals)
        self.originals.append(clean_passage(passage))
        parts = [clean_passage(part) for part in self._split(passage)]
        first = len(self.passages)
        self.passages += parts
        self.origins += [origin] * len(parts)
        return list(range(first, first + len(parts)))


PACKAGE = "probative.scope"
Size = Literal["small", "large"]
# The paper shows five worked examples.
_NUMBERS = ("One", "Two", "Three", "Four", "Five")


@dataclass(frozen=True)
class Run:
    """The question, the passages, the options and the models of a run, and its notes for the reader.

    `excerpts` are the parts of long passages that the reader reads, by the index of the passage in the pool.
    """

    question: Question
    pool: Pool
    options: ScopeOptions
    tools: Tools
    notes: list[str] = field(default_factory=list)
    excerpts: dict[int, Passage] = field(default_factory=dict)

    def note(self, text: str) -> None:
        """Add a note to the result."""
        self.notes.append(text)

    def passages_to_read(self, indexes: Sequence[int]) -> list[Passage]:
        """Return the passages with these indexes, or their excerpts."""
        return [self.excerpts.get(index, self.pool.passages[index]) for index in indexes]

    @property
    def has_reader(self) -> bool:
        """Whether the tuned reader answers."""
        return self.options.answering == "read" and self.tools.model.reader

    @property
    def reader_size(self) -> Size | None:
        """The size of the tuned reader; None if another model answers."""
        if not self.has_reader:
            return None
        return "large" if self.tools.model.name == TUNED_MODELS[1] else "small"


def start_run(inputs: Inputs, options: ScopeOptions, tools: Tools, *, split: bool = True) -> Run:
    """Parse the question once and clean the passages; raises InputError.

    With `split`, passages longer than the model's window are split into several.
    """
    inputs.check()
    question = read_question(inputs.question)
    models = ("model",) if options.judge == "words" else ("model", "judge")
    splitter = splitter_for(lambda: [getattr(tools, name) for name in models]) if split else keep_whole
    pool = Pool(inputs.passages, inputs.vectors, splitter)
    return Run(question, pool, options, tools)


def select_candidates(run: Run, limit: int | None = None) -> None:
    """Leave out empty and repeated passages; of more than `limit`, judge those most like the question."""
    pool = run.pool
    pool.judge_only(distinct_passages(pool.originals, run.note))
    count = len(pool.judged)
    if limit is not None and count > limit:
        rows = nearest(run.question.words, [passage.whole for passage in pool.candidates()], limit)
        pool.judged = [pool.judged[row] for row in rows]
        run.note(f"{limit} of {count} passages were judged, those that share most words with the question")


def fill_prompt(name: str, **parts: str) -> str:
    """Return the prompt called `name` with its placeholders filled.

    >>> fill_prompt("pick", passages="{question}", question="Why?").splitlines()[0]
    '{question}'
    """
    return fill(read_prompt(PACKAGE, name), **parts)


def worked_examples(name: str, n: int) -> str:
    """Return the first n worked examples of the prompt called `name`, with a heading.

    >>> worked_examples("features", 1).splitlines()[0]
    'One example.'
    """
    blocks = read_examples(PACKAGE, name, n)
    heading = f"{_NUMBERS[len(blocks) - 1]} example{'s' if len(blocks) > 1 else ''}."
    return "\n\n".join([heading, *blocks])
