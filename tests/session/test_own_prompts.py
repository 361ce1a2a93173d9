"""A folder of the user's prompts takes the place of ours, and what cannot be used is a typed error."""

from __future__ import annotations

from pathlib import Path

import pytest
from knowing import Given, knowing_model
from scripts import hashed_model

from probative import InputError, Request, Session, load_settings
from probative.models.types import Pair
from probative.session.own_prompts import METHODS, load_prompts
from probative.testing import ScriptedModel
from probative.text.prompts import digest, raw_prompt

TEXTS = ["The Sea Lark was built in Molde.", "Gulls nest on the quay."]
QUESTION = "Where was the Sea Lark built?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for method in ("scope", "mcse", "give", "passages"):
        (tmp_path / method).mkdir()
    return tmp_path


def asked(model: ScriptedModel) -> list[str]:
    return [request.messages[-1].content for request in model.asked if isinstance(request, Request)]


@pytest.mark.model
def test_ask_reads_the_users_prompt_and_no_other_session_does(folder: Path) -> None:
    own = "READ {passages} AND SAY {question}\n"
    (folder / "scope" / "answer_anyway.txt").write_text(own, encoding="utf-8")
    model = ScriptedModel(generate="Molde", name="writer")
    options = {"extractor": "rules", "judge": "words", "cover": "paper", "answer_anyway": True}
    with Session(model, prompts=folder) as session, Session(model) as other:
        session.ask(QUESTION, TEXTS, preset="calls", **options)
        other.ask(QUESTION, TEXTS, preset="calls", **options)
        results = session.ask_all([{"question": QUESTION, "passages": TEXTS}], preset="calls", **options)
        next(results)
        other.ask(QUESTION, TEXTS, preset="calls", **options)  # while the other is not finished
    replaced, ours, many, between = asked(model)
    assert replaced == many == f"READ [1] {TEXTS[0]} AND SAY {QUESTION}"
    assert ours == between
    assert ours.startswith("Answer the question from the numbered texts")


def test_prove_reads_the_users_prompt_as_it_is(folder: Path) -> None:
    (folder / "mcse" / "grounding.txt").write_text("BY {evidence} I SAY", encoding="utf-8")
    model = hashed_model()
    with Session(model, prompts=str(folder)) as session:
        session.prove("It sank.", ["A.", "B."], 1, preset="paper", lookahead=0, verdict=False)
    prompts = {pair.prompt for pair in model.asked if isinstance(pair, Pair)}
    assert prompts == {"BY  I SAY", "BY A. I SAY", "BY B. I SAY"}


def test_reason_reads_the_users_prompt(folder: Path) -> None:
    (folder / "give" / "judge.txt").write_text(
        "TRUE?\nStatement: {statement}\nIs the statement true?", encoding="utf-8"
    )
    model = knowing_model(entities=["oak", "moss"], relations=["feeds"])
    settings = load_settings({"prompts": folder})
    with Session(model, encoder=Given({"oak": [1.0]}), settings=settings) as session:
        session.reason("Does oak feed moss?", [("oak", "near", "moss")], preset="paper", entities=0)
    judged = [prompt for prompt in asked(model) if "Is the statement true?" in prompt]
    assert judged
    assert all(prompt.startswith("TRUE?") for prompt in judged)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("scope/answer.txt", "Only {question}", r"scope/answer.txt has no \{passages\}"),
        ("scope/answer.txt", "{passages} {question} {name}", r"unknown placeholder \{name\}"),
        ("scope/answers.txt", "{passages} {question}", r"there is no prompt scope/answers.txt"),
        ("scope/answer.md", "{passages} {question}", r"there is no prompt scope/answer.md"),
        ("answer.txt", "{passages} {question}", r"there is no prompt answer.txt"),
        ("chat/answer.txt", "{passages} {question}", r"there is no prompt chat/answer.txt"),
        ("mcse/policy.txt", "{claim} {evidence} {evidence}", "has a placeholder twice"),
        ("give/logic_chain.txt", " \n", "give/logic_chain.txt is empty"),
    ],
)
def test_a_wrong_name_or_placeholder_is_an_error(folder: Path, file: str, text: str, message: str) -> None:
    (folder / file).parent.mkdir(exist_ok=True)
    (folder / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        Session(ScriptedModel(generate="yes"), prompts=folder)
    assert caught.value.hint


def test_a_folder_that_is_missing_empty_or_unreadable_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load_prompts(tmp_path / "none")
    with pytest.raises(InputError, match="is empty"):
        load_prompts(tmp_path)
    (tmp_path / "give").mkdir()
    (tmp_path / "give" / "judge.txt").write_bytes(b"\xff{statement}")
    with pytest.raises(InputError, match="cannot be read"):
        load_prompts(tmp_path)


def test_a_copy_of_all_our_prompts_is_accepted(tmp_path: Path) -> None:
    import probative

    root = Path(probative.__file__).parent
    names = {}
    for method, package in METHODS.items():
        shipped = root.joinpath(*package.split(".")[1:], "prompts")
        (tmp_path / method).mkdir()
        for path in shipped.glob("*.txt"):
            (tmp_path / method / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
            names[package, path.stem] = path
    prompts = load_prompts(tmp_path)
    assert prompts.keys() == names.keys()
    assert all(text == raw_prompt(*key) for key, text in prompts.items())
    assert digest(prompts) != digest({**prompts, ("probative.give", "judge"): "{statement}"})
