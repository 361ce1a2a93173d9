"""Prompts that chat pages send on their own: each is answered without a run, in the form it asks for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probative.server.openai.conversation import Conversation, Message, conversation_of
from probative.server.openai.no_question import is_greeting, is_vague, reply_to_chore
from probative.text.words import words

HISTORY = (
    "<chat_history>\nUSER: Where was the Heron built?\nASSISTANT: Molde [1]\nUSER: And when?\n</chat_history>"
)


def said(text: str, orders: str = "", **more: Any) -> str | None:
    reply = reply_to_chore(Conversation(text, orders=orders, **more), "ferries")
    return None if reply is None else reply.text


@pytest.mark.parametrize(
    ("order", "form", "value"),
    [
        (
            "Write a concise title of the chat history.",
            '{ "title": "your title" }',
            "Where was the Heron built?",
        ),
        ("Find broad tags for the chat history.", '{ "tags": ["one", "two"] }', []),
        ("Predict messages this user may send next.", '{ "follow_ups": ["one"] }', []),
        ("Decide whether a search of the web is needed.", '{"queries": ["one"]}', []),
    ],
)
def test_a_task_in_the_shape_of_open_webui_gets_its_json(order: str, form: str, value: Any) -> None:
    prompt = f"### Task:\n{order}\n### Guidelines:\n- Be short.\n### Output:\nJSON format: {form}\n{HISTORY}"
    reply = json.loads(said(prompt) or "")
    assert list(reply.values()) == [value]


def test_a_task_may_be_longer_than_a_question() -> None:
    long = "ASSISTANT: " + "word " * 2000
    prompt = f"### Task:\nWrite a title.\nUSER: Who built the lift?\n{long}"
    assert said(prompt) == "Who built the lift?"


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Provide a title of at most five words for the conversation.\n\nUser: Who built it?\nAI: Brill", ""),
        ("Based on the chat below, give this conversation a name.\n\nuser: Who built it?", ""),
        ("Who built it?", "You write titles. Generate a short title for the user's first message."),
        ("user: Who built it?\nassistant: Brill", "Summarize the conversation as a title."),
    ],
)
def test_a_title_is_the_first_question(text: str, orders: str) -> None:
    assert said(text, orders) == "Who built it?"


def test_a_long_title_is_cut_between_words() -> None:
    title = said(
        "Give the chat a title.\nUser: " + "Which of the seven lifts was repaired first, and by whom? " * 3
    )
    assert title == "Which of the seven lifts was repaired first, and by whom?…"


def test_a_summary_is_not_written() -> None:
    text = said("Write a summary of this conversation.\nUser: Who built it?\nAI: Brill")
    assert text == "Only questions about the documents of “ferries” are answered here."


@pytest.mark.parametrize(
    "text",
    [
        "hi there",
        "Hello!",
        "thanks",
        "Thank you so much 🙏",
        "Hi, how are you?",
        "What’s up?",
        "Good morning everyone",
        "ok, thanks for your help. Bye!",
    ],
)
def test_a_greeting_asks_nothing(text: str) -> None:
    assert is_greeting(text)
    assert is_vague(text)


@pytest.mark.parametrize(
    "question",
    [
        "Hi, when was the lift opened?",
        "Hello! Heron seats",
        "Thanks. And who built it?",
        "Who says hello?",
        "Good morning service",
        "the team",
        "there",
        "Where was the Heron built?",
        "Give the title of the message that the chair sent.",
        "Who gave the chat room its name?",
        "Summarise the discussion of the lease.\nWhich names does it give?",
        "What is the user: a member or a guest?",
    ],
)
def test_a_question_stays_a_question(question: str) -> None:
    assert not is_greeting(question)
    assert not is_vague(question) or not words(question)
    assert said(question) is None
    assert said(question, "You are a helpful assistant. Answer from the documents and cite them.") is None


def test_an_order_of_the_page_does_not_end_a_conversation() -> None:
    orders = "You are helpful. Suggest a title for the chat at its end."
    assert said("Where was the Heron built?", orders, has_earlier_turns=True) is None


def test_system_and_developer_messages_are_the_orders() -> None:
    messages = [
        Message(role="system", content="Be brief."),
        Message(role="developer", content="Cite."),
        Message(role="user", content="Who?"),
    ]
    assert conversation_of(messages, "messages").orders == "Be brief.\nCite."
