"""Replies as a model may give them."""

from __future__ import annotations

from pathlib import Path

import pytest

import probative
from probative.bench import plan  # noqa: F401  # adds the replies of studies
from probative.dry_run.prompts import TASK, Form, all_replies, reply_to
from probative.models.task_prompts import TASKS
from probative.models.types import Request
from probative.text.prompts import PromptKey, fill, placeholders, raw_prompt, using

FOLDER = Path(probative.__file__).parent
# Parts of other prompts, and prompts whose continuation is only scored.
PARTS = {"logic_chain", "verdict_word", "verdict_object", "grounding", "plain", "policy"}


def test_every_prompt_has_a_reply() -> None:
    named = {
        ".".join(("probative", *file.relative_to(FOLDER).parts[:-2])) + f":{file.stem}"
        for file in FOLDER.rglob("prompts/*.txt")
        if not file.stem.endswith("_examples") and file.stem not in PARTS
    }
    assert named == {f"{package}:{name}" for package, name in all_replies() if package != TASK}


def test_every_task_of_the_reader_has_a_reply() -> None:
    assert {name for package, name in all_replies() if package == TASK} == set(TASKS)


@pytest.mark.parametrize("key", [key for key in all_replies() if key[0] != TASK], ids=":".join)
def test_the_parts_of_a_prompt_are_read_back_from_it(key: PromptKey) -> None:
    prompt = raw_prompt(*key).rstrip("\n")
    parts = {name: f"the {name.replace('_', ' ')} of the mill, 3" for name in placeholders(prompt)}
    if "}{" in prompt:  # the first part has both
        parts["examples"] = ""
    assert Form.of(prompt).read(fill(prompt, **parts)) == parts


@pytest.mark.parametrize(
    ("words", "reply"),
    [
        ("Does the text between the lines speak of this: ferry Lark\n{}", "yes"),
        ("Does the text between the lines speak of this: Heron mill\n{}", "no"),
    ],
)
def test_a_judgement_follows_the_words_of_the_text(words: str, reply: str) -> None:
    text = raw_prompt("probative.scope", "carries_node").partition("\n")[2]
    prompt = words.format(text.replace("{passage}", "The ferry Lark sank."))
    assert reply_to(Request.user(prompt)) == reply


def test_a_request_gets_the_same_reply_again_and_another_sample_its_own() -> None:
    prompt = fill(raw_prompt("probative.baselines.passages", "reason"), question="Who built the pier?")
    replies = [reply_to(Request.user(prompt, sample=sample)) for sample in range(9)]
    assert replies == [reply_to(Request.user(prompt, sample=sample)) for sample in range(9)]
    assert len(set(replies)) == 2


def test_a_prompt_that_is_not_known_has_no_reply() -> None:
    assert reply_to(Request.user("How many?")) is None


def test_the_prompts_of_a_user_are_recognised_too() -> None:
    own = {("probative.scope", "closed_book"): "Say what you know. {question}"}
    request = Request.user("Say what you know. Who built the pier?")
    assert reply_to(request) is None
    with using(own):
        assert reply_to(request) == "Ada Berg"
