"""Count calls and tokens of each form of scope and of the baselines on the same questions, without a model.

    python benchmarks/scope_cost.py                             # made-up questions with 20 passages each
    python benchmarks/scope_cost.py --data DIR [--questions 20]  # the first questions of HotpotQA

A scripted model answers every prompt in the right form and judges by words in common, so the figures
say what a form asks for, and nothing of how well it answers. Its tokens are words. It can choose, as
local models can: the paper's judge then reads a prompt for each judgement and writes nothing.

The words form lets the model name one of the names, dates and numbers of the chain. Where it names none
("nothing fit written"), each of them is scored, a call each.

"before" are calls that are neither the answer nor part of it. The samples of cot-sc and verify-edit
are counted there: the answer is read from them. Calls of the encoder and of the verdict model stand apart.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import probative
from benchmark_report import add_keep, show, text_table
from probative.bench.data.questions import Question, read_questions
from probative.models.types import Pair, Request, Selection
from probative.scope.judge.judge import MAX_TEXTS
from probative.scope.question import read_question
from probative.testing import ScriptedModel
from probative.text import english
from probative.text.prompts import read_prompt
from probative.text.words import words
from probative.trace import Step
from probative.types import Usage, total

TOGETHER = "together (calls)"
WORDS = "words"
LOST = "words, nothing fit written"
COLUMNS = (
    "form",
    "calls before the answer",
    "calls in all",
    "encoder calls",
    "verdict calls",
    "tokens",
    "passages chosen",
)
ROWS: dict[str, dict[str, Any]] = {
    "each (paper)": {"preset": "paper"},
    "passage": {"preset": "calls", "judge": "passage"},
    TOGETHER: {"preset": "calls"},
    WORDS: {"preset": "words"},
    LOST: {"preset": "words"},
    "rag": {"method": "rag"},
    "closed-book": {"method": "closed-book"},
    "cot-sc": {"method": "cot-sc"},
    "verify-edit, samples agree": {"method": "verify-edit"},
    "verify-edit, samples differ": {"method": "verify-edit", "edit": "unless-unanimous"},
}

JUDGEMENTS = ("carries_intent", "carries_node", "carries_relation")
WRITTEN = ("answer", "answer_anyway")
SCOPE = (*WRITTEN, "closed_book", "pick", "features", "once", "triples", "carries_all", "carries_together")
BASELINES = ("reason", "verify_answer", "verify_conclude", "verify_question")
ANSWERS = (*WRITTEN, "pick", "closed_book", "verify_conclude")
PLACE = re.compile(r"\\\{(question|nodes|examples|passages?|features?|statements?)\\\}")

CAPTAINS = "Ada Berg,Jon Falk,Siri Moe,Nils Aas,Eva Lund,Kai Holm,Liv Dahl,Per Vik,Tor Hagen,Una Strand"
SHIPS = (
    "Sea Lark,Grey Tern,North Wind,Red Fox,Blue Star,Old Anchor,White Gull,Iron Crow,Silver Eel,Green Wave"
)
HARBOURS = ("Molde", "Bodin", "Narvo", "Tansund", "Levik", "Arhavn", "Rosnes", "Helmo", "Skarra", "Ostby")


class Cost(NamedTuple):
    """The cost of one question: calls of the model before the answer and in total, those of the encoder and
    the verdict model, and the model's tokens.
    """

    before: int
    calls: int
    encoded: int
    judged: int
    tokens: int
    passages: int


def made_up() -> list[Question]:
    """Return ten questions over two hops, each with twenty passages: who led a ship, and where it was
    built.
    """
    captains, ships = CAPTAINS.split(","), SHIPS.split(",")
    questions = []
    for number in range(10):
        texts = []
        for at, captain in enumerate(captains):
            ship, harbour = ships[(at + number) % 10], HARBOURS[(at + 3 * number) % 10]
            texts.append(f"{captain} commanded the ship {ship}.")
            texts.append(f"The {ship} was built in the harbour of {harbour} in the year {1800 + 9 * at}.")
        asked = "harbour" if number % 2 == 0 else "year"
        questions.append(
            Question(
                id=str(number),
                text=f"In which {asked} was the ship built that {captains[number]} commanded?",
                answer=HARBOURS[4 * number % 10] if asked == "harbour" else str(1800 + 9 * number),
                kind="bridge",
                passages=tuple(probative.Passage(text=text) for text in texts),
                gold=frozenset({2 * number, 2 * number + 1}),
            )
        )
    return questions


@cache
def templates() -> dict[str, re.Pattern[str]]:
    """Return every prompt as a pattern that finds the texts filled in."""
    texts = {name: read_prompt("probative.scope", name) for name in (*SCOPE, *JUDGEMENTS)}
    texts |= {name: read_prompt("probative.baselines.passages", name) for name in BASELINES}
    return {
        name: re.compile(PLACE.sub(r"(?P<\1>.*)", re.escape(text)), re.DOTALL) for name, text in texts.items()
    }


def recognised(prompt: str) -> tuple[str, dict[str, str]]:
    """Return the name of a prompt and the texts filled in.

    >>> recognised("Statement: it sails")
    Traceback (most recent call last):
    ...
    ValueError: a prompt that the script does not know: 'Statement: it sails'
    """
    for name, pattern in templates().items():
        if (found := pattern.fullmatch(prompt)) is not None:
            return name, found.groupdict()
    raise ValueError(f"a prompt that the script does not know: {prompt[:80]!r}")


def carries(feature: str, passage: str) -> bool:
    """Return whether a passage contains half of a feature's words.

    >>> carries("ship built", "The Lark was built in Molde."), carries("Ada Berg", "Tar is made of pine.")
    (True, False)
    """
    wanted = set(words(feature))
    return bool(wanted) and 2 * len(wanted & set(words(passage))) >= len(wanted)


def listed(text: str) -> list[str]:
    """Return the lines of a numbered list."""
    return re.findall(r"^\[\d+\] (.*)$", text, re.MULTILINE)


def carried(features: str, passage: str) -> list[int]:
    """Return the numbers of the features that a passage carries; a feature is listed with its kind."""
    texts = [one.partition(": ")[2] for one in listed(features)]
    return [number for number, feature in enumerate(texts, 1) if carries(feature, passage)]


def named(question: str, passages: str) -> str:
    """Return the first name, date or number in the passages that could answer the question."""
    texts = listed(passages) or [passages]
    return next(iter(english.answer_candidates(texts, read_question(question).parsed)), "x")


def reply(*, agree: bool, at_a_loss: bool) -> Callable[[Request], str]:
    """Return an answer of the right form to each prompt. The reasoned samples agree, or do not. With
    `at_a_loss`, the script names no answer from the chain.
    """

    def answer(request: Request) -> str:
        name, parts = recognised(request.messages[-1].content)
        question = parts.get("question", "")
        if name in ("features", "once", "triples"):
            found = read_question(question).features
            relations = [one.model_dump(include={"head", "predicate", "tail"}) for one in found.relations]
            nodes = {"intent": found.intent, "nodes": [node.text for node in found.nodes]}
            links = {"relations": relations}
            said = {"features": nodes, "once": nodes | links, "triples": links}[name]
            return json.dumps(said, ensure_ascii=False)
        if name == "carries_all":
            return json.dumps({"carries": carried(parts["features"], parts["passage"])})
        if name == "carries_together":
            rows = [carried(parts["features"], text) for text in listed(parts["passages"])]
            return json.dumps({"texts": [{"text": at, "carries": row} for at, row in enumerate(rows, 1)]})
        if name in JUDGEMENTS:
            return "yes" if carries(parts["feature"], parts["passage"]) else "no"
        if name == "reason":
            said_last = "x" if agree else f"x{request.sample}"
            return f"This is asked: {question} It is one of two.\nAnswer: {said_last}"
        if name == "verify_question":
            return f"Is it true that {parts['statement']}"
        if name == "verify_answer":
            return parts["passage"]
        if name == "pick" and at_a_loss:
            return "."
        texts = parts.get("passages") or parts.get("statements") or ""
        return f"{named(question, texts)} [1]" if name in WRITTEN else f"Answer: {named(question, texts)}"

    return answer


def chosen(prompt: str, options: Sequence[str]) -> list[float]:
    """Return the weights of yes and no."""
    _, parts = recognised(prompt)
    said = "yes" if carries(parts["feature"], parts["passage"]) else "no"
    return [0.9 if option == said else 0.1 for option in options]


def is_answer(asked: Request | Pair | Selection) -> bool:
    """Return whether a request is part of the answer; only answers are scored."""
    if isinstance(asked, Request):
        return recognised(asked.messages[-1].content)[0] in ANSWERS
    return isinstance(asked, Pair)


def cost(question: Question, row: str, encoder: probative.Encoder) -> Cost:
    """Return the cost of one question in one form."""
    model = ScriptedModel(
        generate=reply(agree=not row.endswith("differ"), at_a_loss=row == LOST),
        choose=chosen,
        score=lambda prompt, continuation: -float(len(continuation)),
    )
    settings = ROWS[row] if "method" in ROWS[row] else {**ROWS[row], "answer_anyway": True}
    before = encoder.usage
    answer = probative.ask(
        question.text,
        question.passages,
        model=model,
        encoder=encoder,
        settings=probative.load_settings({"cache": False}),
        **settings,
    )
    encoded = encoder.usage.calls - before.calls
    assert answer.trace is not None
    judged = verdicts(answer.trace)
    if answer.usage.calls != len(model.asked) + encoded + judged.calls:
        raise RuntimeError(
            f"{answer.usage.calls} calls are reported, {len(model.asked)} + {encoded} + {judged.calls} made"
        )
    return Cost(
        before=sum(not is_answer(one) for one in model.asked),
        calls=len(model.asked),
        encoded=encoded,
        judged=judged.calls,
        tokens=answer.usage.tokens - (encoder.usage.tokens - before.tokens) - judged.tokens,
        passages=len(answer.chain),
    )


def verdicts(step: Step) -> Usage:
    """Return what the verdict model cost in a step and all steps inside it."""
    own = [call.usage for call in step.calls if call.verb == "judge"]
    return total([*own, *(verdicts(inner) for inner in step.steps)])


def most_calls(questions: Sequence[Question]) -> int:
    """Return the maximum of calls before the answer in the two-call form: the features, and each list of
    texts.
    """
    return 1 + max(math.ceil(len(one.passages) / MAX_TEXTS) for one in questions)


def main() -> None:
    """Print a row for each form, and whether the claims about the two-call form hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("PROBATIVE_DATA"))
    parser.add_argument("--questions", type=int, default=20, help="the first n questions (default: 20)")
    add_keep(parser)
    arguments = parser.parse_args()
    if arguments.data is None:
        name, questions = "made up", made_up()[: arguments.questions]
    else:
        name, questions = "HotpotQA", read_questions(arguments.data, "hotpotqa")[: arguments.questions]
    encoder = probative.load_encoder()
    counts = sorted(len(one.passages) for one in questions)
    span = str(counts[0]) if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]}"
    most: dict[str, int] = {}
    rows = []
    for row in ROWS:
        costs = [cost(question, row, encoder) for question in questions]
        most[row] = max(one.before for one in costs)
        *calls, tokens, passages = (sum(one) / len(costs) for one in zip(*costs, strict=True))
        means = (*(f"{count:.1f}" for count in calls), f"{tokens:,.0f}", f"{passages:.2f}")
        rows.append((row, *means))
    holds = most[TOGETHER] <= most_calls(questions) and most[WORDS] == 0
    finding = (
        f"The two-call form makes at most {most[TOGETHER]} calls besides the answer for {span} passages "
        f"({MAX_TEXTS} in a call), `words` {most[WORDS]}: {'as said' if holds else 'NOT as said'}."
    )
    title = f"{name}: {len(questions)} questions, {span} passages each; means a question"
    show(
        [text_table(title, COLUMNS, rows)],
        arguments,
        __file__,
        title="Calls and tokens of each form of ask",
        name="scope-cost" if arguments.data is None else "scope-cost-questions",
        findings=[finding],
    )


if __name__ == "__main__":
    main()
