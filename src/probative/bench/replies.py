r"""Replies as a model may give them, for dry runs: of the form that a prompt asks for, and of a usual length.

A prompt is recognised by its file, and its parts are read back from it. What the reply says is decided by
words in common, or drawn by the prompt, so it is the same every time. Nothing is answered: a reply only has
to lead a method through the steps that a model's reply would lead it through.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from probative.models.structured import example
from probative.models.task_prompts import TASKS, UNKNOWN
from probative.models.types import Request
from probative.scope.question import Features, read_question
from probative.text.prompts import OWN, PromptKey, raw_prompt
from probative.text.words import words

COE = "probative.bench.families.coe"
SCOPE, MCSE, GIVE = "probative.scope", "probative.mcse", "probative.give"
PASSAGES, EVIDENCE, GRAPHS = (f"probative.baselines.{name}" for name in ("passages", "evidence", "graphs"))
# The share of a feature's words that a text must have to carry it, as in scope's judge `words`.
CARRIED = 0.5
# How often a model finds in gold evidence what a question looks for, and its common nouns.
FOUND = 0.9
# How often a rewriting no longer tells what it should not; these sentences then say so.
REWRITTEN = 2 / 3
NO_INTENT, NO_RELATION = "More is not told.", "How they belong together is not told."
_NUMBERED = re.compile(r"^\s*\[?(\d+)[.\]] *(.+)$", re.MULTILINE)
_STATED = "It is known from the records of that time"


class Prompt(NamedTuple):
    """What a model was asked: the parts of the prompt by their names, and a source of random numbers that
    depends on the request.
    """

    parts: Mapping[str, str]
    draws: random.Random

    def part(self, name: str) -> str:
        """Return a part, or nothing if the prompt has none of this name."""
        return self.parts.get(name, "")

    def lines(self, name: str) -> list[str]:
        """Return the numbered lines of a part."""
        return [text for _, text in _NUMBERED.findall(self.part(name))]


Reply = Callable[[Prompt], str]


def reply_to(request: Request) -> str:
    """Return a reply that a model may give to a request.

    >>> reply_to(Request.user("Sentence: The pier is long."))
    'It is so.'
    """
    asked = next(message.content for message in request.messages if message.role == "user")
    draws = random.Random(f"{asked} {request.sample}")
    task = next((message.content for message in request.messages if message.role == "system"), "")
    if task in TASKS:
        return _reader_reply(task, asked, draws)
    for key, form in _forms(frozenset(OWN.get().items())).items():
        if (parts := form.read(asked)) is not None:
            return REPLIES[key](Prompt(parts, draws))
    return "It is so." if request.json_schema is None else example(request.json_schema)


class Form(NamedTuple):
    """A prompt before it is filled: the text that it begins with, and its placeholders, each with the text
    after it.
    """

    start: str
    places: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, prompt: str) -> Form:
        """Cut a prompt at its placeholders."""
        start, *rest = re.split(r"\{([a-z_]+)\}", prompt.rstrip("\n"))
        return cls(start, tuple(zip(rest[::2], rest[1::2], strict=True)))

    def read(self, text: str) -> dict[str, str] | None:
        r"""Return the parts of a filled prompt, or None if the text was made from another prompt. Of parts
        without a text between them, the first has all.

        >>> Form.of("Sum up.\nQuestion: {question}\nAnswer:").read("Sum up.\nQuestion: Why?\nAnswer:")
        {'question': 'Why?'}
        """
        if not text.startswith(self.start):
            return None
        parts, end = {}, len(text)
        for index in range(len(self.places) - 1, -1, -1):
            name, after = self.places[index]
            end = text.rfind(after, len(self.start), end) if after else end
            before = self.places[index - 1][1] if index else ""
            begin = len(self.start) if not index else text.rfind(before, len(self.start), end) + len(before)
            if end < 0 or begin < len(before):
                return None
            parts[name] = text[begin:end] if before or not index else ""
        return parts


@cache
def _forms(own: frozenset[tuple[PromptKey, str]]) -> dict[PromptKey, Form]:
    """Return the forms of all prompts, `own` instead of ours; first those that begin with most text."""
    forms = {key: Form.of(dict(own).get(key) or raw_prompt(*key)) for key in REPLIES}
    return dict(sorted(forms.items(), key=lambda item: -len(item[1].start)))


def carries(text: str, feature: str) -> bool:
    """Return whether a text has half the words of a feature.

    >>> carries("The ferry sank in 1901.", "ferry Lark"), carries("Rain fell.", "ferry Lark")
    (True, False)
    """
    needed = set(words(feature))
    return len(needed & set(words(text))) >= CARRIED * len(needed)


def common_words(first: str, second: str) -> int:
    """Return the number of different words that two texts share."""
    return len(set(words(first)) & set(words(second)))


def _answer(question: str, texts: Sequence[str]) -> tuple[str, int]:
    """Return the end of the text with most words of the question, and its number."""
    if not texts:
        return "Ada Berg", 1
    best = max(range(len(texts)), key=lambda row: (common_words(texts[row], question), -row))
    return (words(texts[best]) or ["nothing"])[-1], best + 1


def _cited(prompt: Prompt) -> str:
    answer, number = _answer(prompt.part("question"), prompt.lines("passages"))
    return f"{answer} [{number}]"


def _from_context(prompt: Prompt) -> str:
    texts = (prompt.part("context") or prompt.part("passages") or prompt.part("statements")).splitlines()
    return _answer(prompt.part("question"), [text for text in texts if text.strip()])[0]


def _sampled(prompt: Prompt) -> str:
    """Two samples of three agree."""
    answer = prompt.draws.choice(("Molde", "Molde", "Bergen"))
    topic = " ".join(words(prompt.part("question"))[:6])
    return f"The question is about {topic}. {_STATED} that it was {answer}.\nAnswer: {answer}"


def _carries_node(prompt: Prompt) -> str:
    """A name must stand there in part; a common noun is mostly found in other words."""
    feature = prompt.part("feature")
    found = feature.islower() and prompt.draws.random() < FOUND
    return _yes(found or common_words(prompt.part("passage"), feature) > 0)


def _carries_intent(prompt: Prompt) -> str:
    return _yes(NO_INTENT not in prompt.part("passage") and prompt.draws.random() < FOUND)


def _carries_relation(prompt: Prompt) -> str:
    feature, passage = prompt.part("feature"), prompt.part("passage")
    told = 3 * common_words(passage, feature) >= len(set(words(feature)))
    return _yes(told and NO_RELATION not in passage)


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _carried(features: Sequence[str], text: str) -> list[int]:
    return [number for number, feature in enumerate(features, 1) if carries(text, feature)]


def _carries_all(prompt: Prompt) -> str:
    return json.dumps({"carries": _carried(prompt.lines("features"), prompt.part("passage"))})


def _carries_together(prompt: Prompt) -> str:
    features = prompt.lines("features")
    rows = [
        {"text": number, "carries": _carried(features, text)}
        for number, text in enumerate(prompt.lines("passages"), 1)
    ]
    return json.dumps({"texts": rows})


def features_of(question: str) -> Features:
    """Return the features of a question by rules."""
    return read_question(question).features


def _relations(question: str, nodes: Sequence[str]) -> list[dict[str, str]]:
    stated = [
        {"head": relation.head, "predicate": relation.predicate or "is of", "tail": relation.tail}
        for relation in features_of(question).relations
        if {relation.head, relation.tail} <= set(nodes)
    ]
    if stated or len(nodes) < 2:
        return stated
    return [{"head": nodes[0], "predicate": "belongs to", "tail": nodes[1]}]


def _nodes(question: str) -> list[str]:
    return [node.text for node in features_of(question).nodes] or words(question)[-2:]


def _features(prompt: Prompt, *, relations: bool = False) -> str:
    question = prompt.part("question")
    nodes = _nodes(question)
    told: dict[str, Any] = {"intent": features_of(question).intent or "name of a thing", "nodes": nodes}
    return json.dumps({**told, "relations": _relations(question, nodes)} if relations else told)


def _connections(prompt: Prompt, *, described: bool = False) -> str:
    nodes = [str(node) for node in json.loads(prompt.part("nodes") or "[]")]
    rows = _relations(prompt.part("question"), nodes)
    if described:
        rows = [
            {"head": row["head"], "tail": row["tail"], "description": " ".join(row.values())} for row in rows
        ]
    return json.dumps({"relations": rows})


def _entities(prompt: Prompt) -> list[str]:
    return list(dict.fromkeys(_nodes(prompt.part("question"))))


def _relation_names(prompt: Prompt) -> list[str]:
    question = prompt.part("question")
    return [relation.predicate for relation in features_of(question).relations][:2] or ["is related to"]


def _look_up(question: str) -> str:
    return json.dumps([{"do": "look_up", "ask": question, "of": (_nodes(question) or ["it"])[0]}])


def _scored_lines(texts: Sequence[str], question: str) -> str:
    """Return lines with a score for each text, from 1 to 10."""
    return "\n".join(
        f"{number}. {min(10, 3 + 2 * common_words(text, question))}" for number, text in enumerate(texts, 1)
    )


def _best_lines(prompt: Prompt) -> str:
    """Return the scores of the connections that are to be followed, as many as are wanted."""
    return "\n".join(
        _scored_lines(prompt.lines("connections"), prompt.part("question")).splitlines()[
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


def _numbers(prompt: Prompt, count: int, form: str = "[{}]", between: str = " ") -> str:
    texts = prompt.lines("sentences")
    order = sorted(range(len(texts)), key=lambda row: -common_words(texts[row], prompt.part("claim")))
    return between.join(form.format(row + 1) for row in order[:count])


def _wrong_answer(prompt: Prompt) -> str:
    """Return a phrase of the same form: other digits, or another name with as many words."""
    answer = prompt.part("answer")
    if any(character.isdigit() for character in answer):
        return "".join(str((int(one) + 3) % 9 + 1) if one.isdigit() else one for one in answer)
    names = ("Tomas", "Berger", "Nordvik", "Halland", "Osterby")
    other = " ".join(names[at % len(names)] for at in range(len(answer.split()) or 1))
    return other if answer[:1].isupper() else other.lower()


def _misinformation(prompt: Prompt) -> str:
    topic = prompt.part("question").rstrip("?")
    first = prompt.part("written").count("\n- ")
    rows = range(1, int(prompt.part("n") or 1) + 1)
    return "\n".join(f"{n}. As to {topic}, record {first + n} says {prompt.part('wrong')}." for n in rows)


def _false_chain(prompt: Prompt) -> str:
    names, rows = prompt.part("nodes"), range(1, int(prompt.part("n") or 1) + 1)
    said = f"{prompt.part('relations')} {prompt.part('intent')}"
    return "\n".join(f"{n}. The record {n} of {names} says {said}: {prompt.part('wrong')}." for n in rows)


def _rewritten(prompt: Prompt, mark: str) -> str:
    """Return the pieces; two rewritings of three say that they no longer tell something."""
    pieces = prompt.lines("pieces")
    if prompt.draws.random() < REWRITTEN:
        pieces[:1] = [f"{piece} {mark}" for piece in pieces[:1]]
    return "\n".join(f"{number}. {piece}" for number, piece in enumerate(pieces, 1))


def _verdict(prompt: Prompt) -> str:
    supported = carries(prompt.part("evidence"), prompt.part("claim"))
    word = "supported" if supported else "insufficient"
    written = {"verdict": word, "confidence": 0.8, "deciding": ["A"]}
    return json.dumps(written) if "JSON" in prompt.part("reply") else word


def _thought(prompt: Prompt) -> str:
    topic = " ".join(words(prompt.part("question"))[:6])
    return f"{_STATED} what {topic} is. So it follows.\nAnswer: {_of_form(prompt)}"


def _reader_reply(task: str, asked: str, draws: random.Random) -> str:
    """Return the reply of the tuned reader to one of its tasks."""
    question = asked.splitlines()[-1].partition(": ")[2]
    lines = [text for _, text in _NUMBERED.findall(asked)]
    answer, number = _answer(question, lines)
    if task == "features":
        features = features_of(question)
        relations = " ; ".join(" | ".join(row.values()) for row in _relations(question, _nodes(question)))
        nodes = " ; ".join(_nodes(question))
        return f"intent: {features.intent or 'name'}\nnodes: {nodes}\nrelations: {relations}"
    return {
        "verdict": f"yes {number}" if carries(" ".join(lines), question) else "maybe",
        "answer": f"{answer} [{number}]" if lines else UNKNOWN,
        "plan": _look_up(question),
        "alone": question,
        "in_force": draws.choice(("1", "2", "both", "unknown")),
        "same": draws.choice(("yes", "no")),
    }[task]


REPLIES: Mapping[PromptKey, Reply] = {
    (SCOPE, "answer"): _cited,
    (SCOPE, "answer_anyway"): _cited,
    (SCOPE, "closed_book"): lambda prompt: "Ada Berg",
    (SCOPE, "pick"): _from_context,
    (SCOPE, "carries_intent"): _carries_intent,
    (SCOPE, "carries_node"): _carries_node,
    (SCOPE, "carries_relation"): _carries_relation,
    (SCOPE, "carries_all"): _carries_all,
    (SCOPE, "carries_together"): _carries_together,
    (SCOPE, "features"): _features,
    (SCOPE, "once"): lambda prompt: _features(prompt, relations=True),
    (SCOPE, "triples"): _connections,
    (SCOPE, "described"): lambda prompt: _connections(prompt, described=True),
    (SCOPE, "plan"): lambda prompt: _look_up(prompt.part("question")),
    (SCOPE, "follow_up"): lambda prompt: prompt.part("question"),
    (SCOPE, "translate"): lambda prompt: prompt.part("question"),
    (MCSE, "annotate"): lambda prompt: _numbers(prompt, 2),
    ("probative.verify", "split"): lambda prompt: prompt.part("claim"),
    ("probative.calibration", "question"): lambda prompt: (
        f"What is said of {words(prompt.part('passage'))[0]}?"
    ),
    ("probative.models", "verdict"): _verdict,
    (PASSAGES, "reason"): _sampled,
    (PASSAGES, "verify_question"): lambda prompt: f"Is it so that {prompt.part('statement').rstrip('.')}?",
    (PASSAGES, "verify_answer"): lambda prompt: (
        f"The text says that it is {_answer(prompt.part('question'), [prompt.part('passage')])[0]}."
    ),
    (PASSAGES, "verify_conclude"): _from_context,
    (EVIDENCE, "pick"): lambda prompt: _numbers(prompt, int(prompt.part("count") or 1), between=", "),
    (EVIDENCE, "rank"): lambda prompt: _numbers(prompt, int(prompt.part("count") or 1), between=" > "),
    (GRAPHS, "cot"): _thought,
    (GRAPHS, "graphrag_partial"): lambda prompt: f"{_of_form(prompt)}\nHelped: 60",
    (GRAPHS, "graphrag_summary"): lambda prompt: f"{_STATED} what these things are. They belong together.",
    (GRAPHS, "tog_enough"): lambda prompt: _yes(carries(prompt.part("facts"), prompt.part("question"))),
    (GRAPHS, "tog_entities"): lambda prompt: _scored_lines(prompt.lines("entities"), prompt.part("question")),
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
    (GIVE, "summarise"): lambda prompt: f"{_STATED} what these things are. Two of them belong together.",
    ("probative.bench", "chain_of_thought"): lambda prompt: (
        f"{prompt.part('text').partition('. ')[0]}. So {prompt.part('claim')}"
    ),
    ("probative.bench", "entails"): lambda prompt: _yes(
        carries(prompt.part("evidence"), prompt.part("claim"))
    ),
    ("probative.bench", "judge_answer"): lambda prompt: _yes(
        carries(prompt.part("answer"), prompt.part("gold"))
    ),
    ("probative.bench", "score_answers"): lambda prompt: _scored_lines(
        prompt.lines("answers"), prompt.part("gold")
    ),
    (COE, "answer"): _from_context,
    (COE, "false_chain"): _false_chain,
    (COE, "general_term"): lambda prompt: "a thing",
    (COE, "misinformation"): _misinformation,
    (COE, "without_intent"): lambda prompt: _rewritten(prompt, NO_INTENT),
    (COE, "without_relations"): lambda prompt: _rewritten(prompt, NO_RELATION),
    (COE, "wrong_answer"): _wrong_answer,
}
"""A reply to each prompt, by its package and name."""
