"""How a proof is shown."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from probative import McseOptions, prove
from probative.testing import ScriptedModel
from probative.views import terminal
from probative.views.proof import steps_table

SAID = "not by this alone"


def shown(options: McseOptions, k: int = 1) -> str:
    worth = {"Tar burns.": -20.0, "A gull": -10.0, "The mill burnt down.": -12.0}
    model = ScriptedModel(
        score=lambda prompt, claim: max((v for text, v in worth.items() if text in prompt), default=-30.0)
    )
    texts = ["Tar burns.", "A gull cried.", "The mill burnt down."]
    proof = prove("The mill burnt down.", texts, k=k, model=model, options=options)
    output = io.StringIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(terminal, "console", lambda: Console(file=output, width=200))
        terminal.show_blocks([steps_table(proof)])
    return output.getvalue()


@pytest.mark.model
def test_where_a_runner_up_would_add_more_the_table_says_what_decides() -> None:
    assert SAID in shown(McseOptions(lookahead=0, lexical=9.0))
    assert SAID not in shown(McseOptions(lookahead=0))


@pytest.mark.model
def test_a_sentence_that_adds_nothing_is_marked_apart() -> None:
    table = shown(McseOptions(lookahead=0), k=3)
    assert "[1]  A gull cried." in table
    assert "(2)" in table
    assert "(3)" in table
    assert "(2), (3) add nothing to the proof" in table
    assert "add nothing" not in shown(McseOptions(lookahead=0))
