"""Replies as a model may give them."""

from __future__ import annotations

from pathlib import Path

import pytest

import probative
from probative.bench.replies import REPLIES, Form, reply_to
from probative.models.types import Request
from probative.text.prompts import PromptKey, fill, placeholders, raw_prompt

FOLDER = Path(probative.__file__).parent
# Parts of other prompts, and prompts whose continuation is only scored.
PARTS = {"logic_chain", "verdict_word", "verdict_object", "grounding", "plain", "policy"}


def test_every_prompt_has_a_reply() -> None:
    named = {
        ".".join(("probative", *file.relative_to(FOLDER).parts[:-2])) + f":{file.stem}"
        for file in FOLDER.rglob("prompts/*.txt")
        if not file.stem.endswith("_examples") and file.stem not in PARTS
    }
    assert named == {f"{package}:{name}" for package, name in REPLIES}


@pytest.mark.parametrize("key", REPLIES, ids=":".join)
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


def test_a_prompt_that_is_not_known_gets_an_object_of_its_schema() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}}
    assert reply_to(Request.user("How many?", json_schema=schema)) == '{"n": 3}'
