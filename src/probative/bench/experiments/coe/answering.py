"""The studied model answers a question from given texts; it does nothing else in these studies."""

from __future__ import annotations

from collections.abc import Sequence

from probative.bench.experiment import Lab
from probative.bench.experiments.coe.model_builder import PACKAGE
from probative.engine.runner import run_searches
from probative.engine.search import Search
from probative.engine.tools import Tools
from probative.errors import BatchError, EmptyError
from probative.models.types import Completion, Request
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.answer.parsed import Reading
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.run import start_run
from probative.text.prompts import fenced, fill, read_prompt
from probative.types import Passage

ANSWER_TOKENS = 64
TEMPERATURE = 0.7
"""The temperature of a repeat, unless the option `temperature` says another; the paper names none."""

Asked = tuple[tuple[str, ...], int]
"""The texts of a context, and the number of the repeat."""


def answer_from(lab: Lab, question: str, asked: Sequence[Asked]) -> list[str]:
    """Return the answers of the studied model from several contexts; an answer it does not give is empty.

    The tuned reader reads in its own form, and always says the same: it is asked once for each context.
    """
    if lab.model.reader:
        contexts = list(dict.fromkeys(texts for texts, _ in asked))
        answers = dict(zip(contexts, _read(lab, question, contexts), strict=True))
        return [answers[texts] for texts, _ in asked]
    prompt = read_prompt(PACKAGE, "answer")
    requests = [
        Request.user(
            fill(prompt, context="\n".join(map(fenced, texts)), question=fenced(question)),
            max_tokens=ANSWER_TOKENS,
            temperature=float(lab.settings.option("temperature", TEMPERATURE)),
            sample=repeat,
            seed=lab.settings.seed,
        )
        for texts, repeat in asked
    ]
    return [_text(reply) for reply in _replies(lab, requests)]


def _replies(lab: Lab, requests: Sequence[Request]) -> list[Completion | EmptyError]:
    """Return the completions; an empty reply comes back as its error, any other error is raised."""
    try:
        return list(lab.model.generate(requests))
    except EmptyError as error:
        if len(requests) == 1:
            return [error]
        raise
    except BatchError as error:
        replies = [error.errors.get(index, result) for index, result in enumerate(error.results)]
        if any(not isinstance(reply, Completion | EmptyError) for reply in replies):
            raise
        return [reply for reply in replies if isinstance(reply, Completion | EmptyError)]


def _text(reply: Completion | EmptyError) -> str:
    """Return the first line of a reply that says something."""
    lines = [] if isinstance(reply, EmptyError) else [line.strip() for line in reply.text.splitlines()]
    return next((line for line in lines if line), "")


def _read(lab: Lab, question: str, contexts: Sequence[tuple[str, ...]]) -> list[str]:
    tools = Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)
    options = ScopeOptions(answering="read", answer_anyway=True)

    def search(texts: Sequence[str]) -> Search[Reading]:
        passages = [Passage(text=text) for text in texts]
        run = start_run(Inputs(question, passages), options, tools)
        return make_answer(run, Evidence(range(len(run.pool.passages))))

    answers = [""] * len(contexts)
    for index, finished in run_searches(map(search, contexts), tools, max_active=1):
        if finished.error is not None:
            raise finished.error
        assert finished.result is not None
        answers[index] = finished.result.answer.text or ""
    return answers
