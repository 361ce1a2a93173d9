"""Replies to the prompts of studies, for dry runs."""

from __future__ import annotations

from collections.abc import Mapping

from probative.dry_run.prompts import Prompt, Reply
from probative.dry_run.texts import NO_INTENT, NO_RELATION, from_context
from probative.dry_run.words import carries, scored_lines, yes_or_no
from probative.text.prompts import PromptKey

BENCH, COE = "probative.bench", "probative.bench.families.coe"
# How often a rewriting no longer tells what it should not, and says so. A model that is asked for one mostly
# writes it: samples are mostly lost by a judgement.
REWRITTEN = 0.9


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
    """Return the pieces; most rewritings say that they no longer tell something."""
    pieces = prompt.lines("pieces")
    if prompt.draws.random() < REWRITTEN:
        pieces[:1] = [f"{piece} {mark}" for piece in pieces[:1]]
    return "\n".join(f"{number}. {piece}" for number, piece in enumerate(pieces, 1))


REPLIES: Mapping[PromptKey, Reply] = {
    (BENCH, "chain_of_thought"): lambda prompt: (
        f"{prompt.part('text').partition('. ')[0]}. So {prompt.part('claim')}"
    ),
    (BENCH, "entails"): lambda prompt: yes_or_no(carries(prompt.part("evidence"), prompt.part("claim"))),
    (BENCH, "judge_answer"): lambda prompt: yes_or_no(carries(prompt.part("answer"), prompt.part("gold"))),
    (BENCH, "score_answers"): lambda prompt: scored_lines(prompt.lines("answers"), prompt.part("gold")),
    (COE, "answer"): from_context,
    (COE, "false_chain"): _false_chain,
    (COE, "general_term"): lambda prompt: "a thing",
    (COE, "misinformation"): _misinformation,
    (COE, "without_intent"): lambda prompt: _rewritten(prompt, NO_INTENT),
    (COE, "without_relations"): lambda prompt: _rewritten(prompt, NO_RELATION),
    (COE, "wrong_answer"): _wrong_answer,
}
"""A reply to each prompt, by its package and name."""
