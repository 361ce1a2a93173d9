"""The contract of items: entries of existing cache files, and one placeholder for each verb."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from probative.models.evidence_policy import Neighbours, PolicyScores, PolicyState, Weighing
from probative.models.items import ITEMS, key_of, with_usage
from probative.models.types import Choice, Completion, Pair, Request, Score, Selection, Vector
from probative.models.verdict import Judging, VerdictItem, VerdictScores
from probative.types import Usage

REQUEST = Request.user("Who sailed?", system="answer", max_tokens=8)
NO_COST = (
    '"usage":{"calls":0,"prompt_tokens":0,"completion_tokens":0,"scored_tokens":0,"cached":0,"seconds":0.0}'
)
PAID = Usage(calls=1)


class Named:
    name, fingerprint = "m", "f"


# Verb, item, result, and the key and the text that earlier versions wrote for them.
ENTRIES: list[tuple[str, Any, Any, str, str]] = [
    (
        "generate",
        REQUEST,
        Completion(text="Ole", finish_reason="stop", model="m", usage=PAID),
        "650fc1f04a2146081b37239c3d5ab3a324c147f94801ae7beba7d8dda8a83732",
        '{"text":"Ole","finish_reason":"stop","model":"m",'
        + NO_COST
        + ',"reasoning":null,"alternatives":[]}',
    ),
    (
        "score",
        Pair(prompt="Ole", continuation=" sailed"),
        Score(log_probability=-1.5, token_log_probabilities=(-1.0, -0.5), model="m", usage=PAID),
        "d715b0e10a25a33275210fa0cccdb1109a4723f6bfe51f32e8813cdb4fa5e756",
        '{"log_probability":-1.5,"token_log_probabilities":[-1.0,-0.5],"model":"m",' + NO_COST + "}",
    ),
    (
        "choose",
        Selection(request=REQUEST, options=("yes", "no")),
        Choice(options=("yes", "no"), probabilities=(0.75, 0.25), coverage=0.5, model="m", usage=PAID),
        "efafdce33a91e2d4c41966363911c8833dec412d7e3cef05a07d232a692f5918",
        '{"options":["yes","no"],"probabilities":[0.75,0.25],"coverage":0.5,"model":"m",' + NO_COST + "}",
    ),
    (
        "encode",
        "Ole sailed.",
        Vector(np.array([0.6, 0.8], dtype=np.float32), PAID),
        "d23930bd9755b0e915818f17681189d1b15f127813bf9d3a00a98e233b852f6c",
        "mpkZP83MTD8=",
    ),
    (
        "weigh",
        PolicyState("q", ("a",), ("b", "c"), (Neighbours("x", "y"), Neighbours("", ""))),
        Weighing(PolicyScores((0.5, 1.0), 0.25, -0.5), PAID),
        "f6a924447b30a412c4ab1d34cc72c97b69ad847717772d2f3889338cdab505cd",
        "[[0.5, 1.0], 0.25, -0.5]",
    ),
    (
        "judge",
        VerdictItem("c", ("e", "f")),
        Judging(VerdictScores(0.5, 0.25, 0.25, (0.75, 0.25)), PAID),
        "0114ccd033f7c335aef07d15f8485ce8d00001f769b148ba5380eeb78208a845",
        "[0.5, 0.25, 0.25, [0.75, 0.25]]",
    ),
]


@pytest.mark.parametrize(("verb", "item", "result", "key", "text"), ENTRIES)
def test_entries_of_existing_cache_files_are_found_and_read(
    verb: str, item: Any, result: Any, key: str, text: str
) -> None:
    assert key_of(Named, verb, item) == key
    assert ITEMS[verb].to_text(with_usage(result, Usage())) == text
    stored = with_usage(ITEMS[verb].from_text(text), PAID)
    if verb == "encode":
        assert stored.values.tolist() == result.values.tolist()
    else:
        assert stored == result


@pytest.mark.parametrize("verb", list(ITEMS))
@pytest.mark.parametrize("text", ["", "null", '"so"', "[1]", "{}", "AAA="])
def test_a_damaged_entry_is_a_value_error(verb: str, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        ITEMS[verb].from_text(text)
