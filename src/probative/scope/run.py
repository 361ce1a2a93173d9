"""One run of scope on one question: what every step may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from probative.engine.tools import Tools
from probative.scope.inputs import Inputs, distinct_passages
from probative.scope.options import ScopeOptions
from probative.scope.pool import Pool, keep_whole, splitter_for
from probative.scope.question import Question, read_question
from probative.settings import TUNED_MODELS
from probative.text.prompts import fill, read_examples, read_prompt
from probative.text.words import nearest
from probative.types import Passage

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
