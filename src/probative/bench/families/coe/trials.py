"""Trials of a study: a context with a share of other text, counted in characters, answered by the studied
model in every repeat and judged. The studied model does nothing else in these studies.
"""

from __future__ import annotations

import random
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, product, zip_longest

from probative.bench.families.coe.builder import PACKAGE, run_search
from probative.bench.families.coe.candidates import irrelevant_sentences, open_collection, replace_mentions
from probative.bench.families.coe.sample import Sample, Wrong, open_builder
from probative.bench.judging import judge_answer
from probative.bench.metrics import answer_f1, exact_match, nearest_spelling
from probative.bench.rows import Row
from probative.bench.study import Case, Lab
from probative.engine.methods import Tools
from probative.engine.search import generate_or_empty
from probative.errors import EmptyError
from probative.models.types import Completion, Request
from probative.scope.answer.make import Evidence, make_answer
from probative.scope.inputs import Inputs
from probative.scope.options import ScopeOptions
from probative.scope.result import Answer
from probative.scope.run import start_run
from probative.text.prompts import fenced, fill, read_prompt
from probative.trace import Call, Step
from probative.types import Passage, total

SHARES = (0.0, 0.25, 0.5, 0.75)
"""The shares of the paper's tables 2 to 4."""
ANSWER_TOKENS = 64
TEMPERATURE = 0.7
"""The temperature of a repeat, unless the option `temperature` says another; the paper names none."""
Asked = tuple[tuple[str, ...], int]
"""The texts that an answer is asked from, and the number of the repeat."""
Mixtures = Mapping[str, tuple[Mapping[str, tuple[str, ...]], Sequence[str]]]
"""By study (effectiveness, faithfulness or robustness: the paper's RQ1, RQ2 and RQ3), the contexts and the
text that is mixed into each."""
MISINFORMATION = ("mixed", "replacement", "generation")
"""How misinformation is made: sentences of the evidence with the wrong answer in place of the right one,
sentences that the judge model writes, or both in turn, as in the paper."""


def effectiveness_trials(lab: Lab, case: Case, sample: Sample) -> list[Row]:
    """Return the trials of every context of a sample among irrelevant text."""
    mixtures = {"effectiveness": (sample.contexts, _irrelevant(lab, sample))}
    return _run(lab, case, mixtures, sample.candidate.accepted)


def faithfulness_trials(lab: Lab, case: Case, sample: Sample, wrong: Wrong) -> list[Row]:
    """Return the trials of the wrong contexts; "right" is an answer that follows the context."""
    mixtures = {"faithfulness": (wrong.contexts, _irrelevant(lab, sample))}
    return _run(lab, case, mixtures, (wrong.answer,))


def robustness_trials(
    lab: Lab, case: Case, sample: Sample, misinformation: Mapping[str, Sequence[str]]
) -> list[Row]:
    """Return the trials of every context of a sample among misinformation of each kind."""
    mixtures = {robustness_by(kind): (sample.contexts, texts) for kind, texts in misinformation.items()}
    return _run(lab, case, mixtures, sample.candidate.accepted)


def robustness_by(kind: str) -> str:
    """Return the name of the study of robustness in trials and tables."""
    return "robustness" if kind == "mixed" else f"robustness by {kind}"


def _irrelevant(lab: Lab, sample: Sample) -> list[str]:
    collection = open_collection(lab.settings.data, sample.candidate.set)
    nodes = [node.text for node in sample.features.nodes]
    return irrelevant_sentences(collection, sample.candidate, nodes)


def misinformation_of(lab: Lab, sample: Sample, wrong: Wrong) -> dict[str, list[str]]:
    """Return the misinformation for a sample, by kind. What is written is enough for the largest share, so
    that nothing repeats; a kind of which there is too little is empty. Only the sentences with a replaced
    answer are few and may repeat.
    """
    candidate = sample.candidate
    replaced = list(replace_mentions(candidate.accepted, wrong.answer, candidate.named))
    needed = max(_needed(pieces, max(SHARES)) for pieces in sample.contexts.values())
    written = open_builder(lab, candidate).misinformation(candidate, wrong.answer, needed)
    if _length(written) < needed:
        written = []
    turns = chain.from_iterable(zip_longest(replaced, written)) if written else ()
    mixed = [text for text in turns if text is not None]
    return dict(zip(MISINFORMATION, (mixed, replaced, written), strict=True))


def fill_to_share(pieces: Sequence[str], others: Sequence[str], share: float) -> list[str]:
    """Return texts of `others` such that they are a share of the characters of all texts together.

    The last text is cut at a word. If `others` are too few, they are repeated.

    >>> fill_to_share(["Ten chars."], ["Rain fell.", "Ice too."], 0.5)
    ['Rain fell.']
    >>> fill_to_share(["Ten chars."], ["abc defg hi jklm"], 0.5)
    ['abc defg']
    """
    needed = _needed(pieces, share)
    usable = [other for other in others if other.strip()]
    chosen: list[str] = []
    while usable and needed > 0:
        for other in usable:
            part = other if len(other) <= needed else _cut(other, needed)
            if part:
                chosen.append(part)
            needed = needed - len(part) if part == other else 0
            if needed <= 0:
                break
    return chosen


def _needed(pieces: Sequence[str], share: float) -> int:
    """Return how many characters of other text are a share of the characters of all texts together."""
    return round(_length(pieces) * share / (1 - share))


def _cut(text: str, limit: int) -> str:
    """Return the words of a text that fit into `limit` characters."""
    if not text[limit].isspace():
        text = text[:limit].rpartition(" ")[0]
    return text[:limit].rstrip()


def share_of(others: Sequence[str], pieces: Sequence[str]) -> float:
    """Return the share of `others` in the characters of both."""
    whole = _length(others) + _length(pieces)
    return _length(others) / whole if whole else 0.0


def _length(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def mix(pieces: Sequence[str], others: Sequence[str], draws: random.Random) -> list[str]:
    """Return all texts in a drawn order; the pieces keep their order among themselves."""
    marks = [True] * len(pieces) + [False] * len(others)
    if others:
        draws.shuffle(marks)
    evidence, added = iter(pieces), iter(others)
    return [next(evidence) if mark else next(added) for mark in marks]


def _run(lab: Lab, case: Case, mixtures: Mixtures, accepted: Sequence[str]) -> list[Row]:
    """Let the studied model answer from every context with every share of other text in every repeat, and
    judge each answer by the accepted ones.

    A repeat draws the order of the texts anew. Equal answers are judged once.
    """
    question, draws = case.content.question, lab.draws(case)
    trials: list[Row] = []
    asked: list[Asked] = []
    for repeat in range(lab.settings.repeats):
        for study, (contexts, texts) in mixtures.items():
            for (context, pieces), share in product(contexts.items(), SHARES):
                others = fill_to_share(pieces, texts, share)
                actual = round(share_of(others, pieces), 3)
                trial = {"study": study, "context": context, "share": share, "actual_share": actual}
                trials.append({**trial, "repeat": repeat})
                asked.append((tuple(mix(pieces, others, draws)), repeat))
    answers = _read(lab, question, asked) if lab.model.reader else _written(lab, question, asked)
    figures = {answer: judged_figures(lab, question, accepted, answer) for answer in dict.fromkeys(answers)}
    return [{**trial, **figures[answer]} for trial, answer in zip(trials, answers, strict=True)]


def judged_figures(lab: Lab, question: str, accepted: Sequence[str], answer: str) -> Row:
    """Return an answer with whether it is right, its exact match and its F1; and the reply of a judge that
    says neither yes nor no.
    """
    gold = nearest_spelling(answer, accepted)
    judged = judge_answer(lab, question, gold, answer)
    return {
        "answer": answer,
        "right": judged.right,
        "em": float(exact_match(answer, gold)),
        "f1": answer_f1(answer, gold),
        **({"reply": judged.raw} if judged.right is None else {}),
    }


def _written(lab: Lab, question: str, asked: Sequence[Asked]) -> list[str]:
    """Return the answers that the studied model writes: the first line that says something."""
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
    replies = run_search(generate_or_empty(requests, step="answer"), _tools(lab))
    return [_first_line(reply) for reply in replies]


def _first_line(reply: Completion | EmptyError) -> str:
    lines = [] if isinstance(reply, EmptyError) else [line.strip() for line in reply.text.splitlines()]
    return next(filter(None, lines), "")


def _read(lab: Lab, question: str, asked: Sequence[Asked]) -> list[str]:
    """Return the answers of the tuned reader, which reads in its own form and always says the same: it is
    asked once for each context.
    """
    tools, options = _tools(lab), ScopeOptions(answering="read", answer_anyway=True)
    answers: dict[tuple[str, ...], str] = {}
    for texts in dict.fromkeys(texts for texts, _ in asked):
        run = start_run(Inputs(question, [Passage(text=text) for text in texts]), options, tools)
        reading = run_search(make_answer(run, Evidence(range(len(run.pool.passages)))), tools)
        answers[texts] = reading.answer.text or ""
    return [answers[texts] for texts, _ in asked]


def _tools(lab: Lab) -> Tools:
    return Tools(lambda: lab.model, lambda: lab.session.sentence_encoder)


def extra_calls(result: Answer, answering: Container[str] = ("answer", "answerable")) -> int:
    """Return the calls of language models beyond retrieving and answering, whether or not a cache answered
    them: all calls without those of the steps `answering` and those of the encoder, the evidence policy and
    the verdict model.
    """
    others = total(
        call.usage
        for step, call in _calls(result.trace)
        if call.verb in ("encode", "weigh", "judge") or step in answering
    )
    return result.usage.calls + result.usage.cached - others.calls - others.cached


def _calls(step: Step | None) -> Iterator[tuple[str, Call]]:
    """Yield the calls of a step and of all steps inside it, with the name of their step."""
    if step is not None:
        yield from ((step.name, call) for call in step.calls)
        for inside in step.steps:
            yield from _calls(inside)
