"""The options of a question in the chain, who has the role in each, and questions to the model about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.engine.search import Search, generate_or_empty
from probative.errors import EmptyError
from probative.models.contract import Capability
from probative.models.reader_prompts import ask_answer
from probative.models.types import Request
from probative.scope.answer.candidates import first_line
from probative.scope.compute.evidence import ChainEvidence, ChainSentence, plain_name
from probative.scope.run import Run, fill_prompt
from probative.text import english
from probative.text.analysis import Decomposition
from probative.text.names import mentions, without_brackets
from probative.text.prompts import numbered
from probative.text.words import words
from probative.types import Passage

REPLY_TOKENS = 32
AttributeQuestion = tuple[str, Sequence[ChainSentence]]
"""A question about one option, and the sentences that may answer it."""


@dataclass(frozen=True)
class Subject:
    """An option, whose value counts for it (the director of a film, or the option itself), the sentences
    about that, and the passages that lead from the option to it.
    """

    option: str
    name: str
    sentences: tuple[ChainSentence, ...]
    leading: tuple[int, ...] = ()


def ask_each(run: Run, questions: Sequence[AttributeQuestion]) -> Search[list[str | None]]:
    """Return the model's reply to each question, without its frame; None where it finds no answer."""
    if not questions or Capability.GENERATE not in run.tools.model.capabilities:
        return [None] * len(questions)
    requests = [_request(run, text, sentences) for text, sentences in questions]
    replies = yield from generate_or_empty(requests, step="values")
    return [
        None
        if isinstance(reply, EmptyError) or reply.finish_reason == "dry-run"
        else english.read_answer(first_line(reply.text))
        for reply in replies
    ]


def _request(run: Run, question: str, sentences: Sequence[ChainSentence]) -> Request:
    """Return the reader's own prompt, or for another model a prompt that asks for a short answer."""
    passages = [Passage(text=sentence.text, title=sentence.title) for sentence in sentences]
    if run.tools.model.reader:
        return ask_answer(question, passages)
    prompt = fill_prompt("value", passages=numbered(passages), question=question)
    return Request.user(prompt, max_tokens=REPLY_TOKENS)


def find_options(run: Run, parts: Decomposition, evidence: ChainEvidence) -> tuple[str, ...]:
    """Return the options: the titles of the chain that the question names if they are at least as many as
    the options that its words give, otherwise those.
    """
    titles = english.named_titles(run.question.text, evidence.titles)
    if len(titles) != len(parts.options) and english.has_text_after_options(run.question.text, titles):
        return ()  # "A or B, after the war": what follows the options may change what is compared
    if parts.task in ("age", "limit", "amount"):
        return tuple(_title_in(option, titles) for option in parts.options)
    fits = len(titles) == 2 or (len(titles) > 2 and len(titles) == len(parts.options))
    return (
        tuple(titles) if fits and all(_belongs(option, titles) for option in parts.options) else parts.options
    )


def _belongs(option: str, titles: Sequence[str]) -> bool:
    """Return whether an option is a title, contains one, or is a piece of one that has a comma in it."""
    low = plain_name(option)
    return any(low in title.lower() or mentions(option, plain_name(title)) for title in titles)


def _title_in(option: str, titles: Sequence[str]) -> str:
    """Return the only title that an option contains, or the option."""
    inside = [title for title in titles if mentions(option, plain_name(title))]
    return inside[0] if len(inside) == 1 else option


def find_subjects(
    run: Run, parts: Decomposition, options: Sequence[str], evidence: ChainEvidence
) -> Search[list[Subject]]:
    """Return the subject of each option; without sentences if the chain does not lead to it."""
    kinds = english.asked_kinds(run.question.text)
    direct = [
        Subject(
            option, option, tuple(evidence.about(option, [name for name in options if name != option], kinds))
        )
        for option in options
    ]
    if parts.role is None:
        return direct
    named = [_by_rule(subject, parts.role, options, evidence) for subject in direct]
    asked = [index for index, names in enumerate(named) if not names and direct[index].sentences]
    questions = [
        (parts.role_question.replace("{}", direct[index].option), direct[index].sentences) for index in asked
    ]
    replies = yield from ask_each(run, questions)
    for index, reply in zip(asked, replies, strict=True):
        content = set(words(reply or ""))
        if reply and content and any(content <= set(words(entry.text)) for entry in direct[index].sentences):
            named[index] = [reply]
    return [_with_role(subject, names, evidence) for subject, names in zip(direct, named, strict=True)]


def _by_rule(subject: Subject, role: str, options: Sequence[str], evidence: ChainEvidence) -> list[str]:
    """Return the pages of the chain whose subject had the role, as the sentences about the option say."""
    plain = {plain_name(option) for option in options}
    return [
        title
        for title in dict.fromkeys(evidence.titles)
        if plain_name(title) not in plain
        and any(english.had_role(without_brackets(title), role, entry.text) for entry in subject.sentences)
    ]


def _with_role(subject: Subject, names: Sequence[str], evidence: ChainEvidence) -> Subject:
    """Return the subject with the person who has the role; without one if several have it."""
    if len(names) != 1:
        return Subject(subject.option, subject.option, ())
    sentences = tuple(evidence.about(names[0]))
    leading = tuple(dict.fromkeys(entry.index for entry in subject.sentences))
    return Subject(subject.option, without_brackets(names[0]), sentences, leading)
