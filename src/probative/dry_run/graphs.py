"""Replies to the prompts of `reason`: those of give and of its baselines."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence

from probative.dry_run.prompts import Prompt, Reply
from probative.dry_run.texts import features_of, nodes_of
from probative.dry_run.words import STATED, carries, scored_lines, yes_or_no
from probative.text.prompts import PromptKey
from probative.text.words import words

GIVE, GRAPHS = "probative.give", "probative.baselines.graphs"


def _entities(prompt: Prompt) -> list[str]:
    return list(dict.fromkeys(nodes_of(prompt.part("question"))))


def _relation_names(prompt: Prompt) -> list[str]:
    question = prompt.part("question")
    return [relation.predicate for relation in features_of(question).relations][:2] or ["is related to"]


def _best_lines(prompt: Prompt) -> str:
    """Return the scores of the connections that are to be followed, as many as are wanted."""
    return "\n".join(
        scored_lines(prompt.lines("connections"), prompt.part("question")).splitlines()[
            : int(prompt.part("width") or 1)
        ]
    )


def _polarity(draws: random.Random) -> str:
    return draws.choice(("yes", "yes", "no", "no", "maybe"))


def _phrase(draws: random.Random) -> str:
    return draws.choice(("is related to", "is a kind of", "none"))


def _each(lines: Sequence[str], reply: Callable[[], str]) -> str:
    return "\n".join(f"{number}. {reply()}" for number in range(1, len(lines) + 1))


def _of_form(prompt: Prompt) -> str:
    """Return an answer of the form that the task of give and its baselines names."""
    (task, *_) = (prompt.part("task") + prompt.part("wanted")).splitlines() or [""]
    if "yes, no or maybe" in task:
        answer = _polarity(prompt.draws)
    elif "choice" in task:
        answer = prompt.draws.choice("AB")
    else:
        answer = (words(prompt.part("question")) or ["salt"])[-1]
    logic = "\nLogic chain: The facts name it twice. So it holds." if "Logic chain:" in task else ""
    return answer + logic


def _thought(prompt: Prompt) -> str:
    topic = " ".join(words(prompt.part("question"))[:6])
    return f"{STATED} what {topic} is. So it follows.\nAnswer: {_of_form(prompt)}"


REPLIES: Mapping[PromptKey, Reply] = {
    (GRAPHS, "cot"): _thought,
    (GRAPHS, "graphrag_partial"): lambda prompt: f"{_of_form(prompt)}\nHelped: 60",
    (GRAPHS, "graphrag_summary"): lambda prompt: f"{STATED} what these things are. They belong together.",
    (GRAPHS, "tog_enough"): lambda prompt: yes_or_no(carries(prompt.part("facts"), prompt.part("question"))),
    (GRAPHS, "tog_entities"): lambda prompt: scored_lines(prompt.lines("entities"), prompt.part("question")),
    (GRAPHS, "tog_relations"): _best_lines,
    (GRAPHS, "tog_topics"): lambda prompt: json.dumps({"entities": _entities(prompt)}),
    (GIVE, "answer"): _of_form,
    (GIVE, "entities"): lambda prompt: json.dumps({"entities": _entities(prompt)}),
    (GIVE, "relations"): lambda prompt: json.dumps({"relations": _relation_names(prompt)}),
    (GIVE, "once"): lambda prompt: json.dumps(
        {"entities": _entities(prompt), "relations": _relation_names(prompt)}
    ),
    (GIVE, "judge"): lambda prompt: _polarity(prompt.draws),
    (GIVE, "judge_many"): lambda prompt: _each(prompt.lines("statements"), lambda: _polarity(prompt.draws)),
    (GIVE, "path"): lambda prompt: "1",
    (GIVE, "relate"): lambda prompt: _phrase(prompt.draws),
    (GIVE, "relate_many"): lambda prompt: _each(prompt.lines("pairs"), lambda: _phrase(prompt.draws)),
    (GIVE, "summarise"): lambda prompt: f"{STATED} what these things are. Two of them belong together.",
}
"""A reply to each prompt, by its package and name."""
