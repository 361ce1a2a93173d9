"""The command of a verb is made from its record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command import run_here as run
from pydantic import Field

from probative.cli.framework.verb_command import Extras
from probative.cli.framework.verb_inputs import READERS, options_of
from probative.engine.methods import Tools
from probative.engine.runner import Finished
from probative.engine.search import Search
from probative.types import Usage, Value
from probative.verbs.command import Command, Input
from probative.verbs.requests import VerbRequest
from probative.verbs.spec import BoundVerb, Host, OpenedVerb, VerbRun, VerbSpec
from probative.verbs.table import VERBS


class TellCase(Value):
    """A topic and what is known of it."""

    topic: str
    knowledge: Any = None
    sentences: Any = None
    tags: Any = None


class Told(Value):
    """What the verb was given."""

    given: dict[str, Any]
    usage: Usage = Field(default_factory=Usage)


def bind(
    host: Host,
    *,
    graph: Any = None,
    prompt: Any = None,
    worked: Any = None,
    loud: bool = True,
    times: int = 1,
) -> BoundVerb:
    """Tell what was given."""

    def search(case: TellCase, tools: Tools) -> Search[Told]:
        yield from ()
        given = {**case.to_dict(), "prompt": prompt, "worked": worked, "loud": loud, "times": times}
        return Told(given={**given, "graph": None if graph is None else graph.edge_count})

    def result(case: TellCase, finished: Finished[Told], tools: Tools) -> Told:
        assert finished.result is not None
        return finished.result

    @contextmanager
    def opened(many: bool) -> Iterator[OpenedVerb]:
        yield OpenedVerb(VerbRun("tell", TELL.as_case, search, result))

    return BoundVerb(opened)


TELL = VerbSpec(
    name="tell",
    help="Tell what was given",
    case=TellCase,
    case_hint="a case has a topic",
    request=VerbRequest,
    result=Told,
    bind=bind,
    positional=("topic",),
    command=Command(
        {
            "topic": Input("The topic."),
            "graph": Input("A graph.", reads="graph", metavar="PATH", required=True),
            "knowledge": Input("Passages.", reads="knowledge", metavar="FILE"),
            "sentences": Input("A text.", ("--context",), reads="sentences", metavar="FILE"),
            "tags": Input("Tags.", many=True, parse=lambda tags: [tag.upper() for tag in tags]),
            "prompt": Input("A prompt.", reads="file"),
            "worked": Input("Examples.", reads="examples"),
        }
    ),
)


class Files(NamedTuple):
    """Files that the verb reads."""

    graph: str
    text: str


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    (tmp_path / "graph.tsv").write_text("sail\tdrives\tmill\n", encoding="utf-8")
    (tmp_path / "text.txt").write_text("The mill is old. It\nburnt.\n", encoding="utf-8")
    VERBS.add(TELL)
    yield Files(str(tmp_path / "graph.tsv"), str(tmp_path / "text.txt"))
    VERBS.remove("tell")


def told(*words: str) -> Mapping[str, Any]:
    done = run("tell", *words, "--json")
    assert done.returncode == 0, done.stderr
    given: Mapping[str, Any] = json.loads(done.stdout)["given"]
    return given


def test_each_kind_of_input_is_read(files: Files, tmp_path: Path) -> None:
    worked = tmp_path / "worked.jsonl"
    worked.write_text('{"question": "?"}\n', encoding="utf-8")
    given = told(
        *("mills", "--graph", files.graph, "--knowledge", files.text, "--whole", "--context", files.text),
        *("--lines", "--tags", "a", "--tags", "b", "--prompt", files.text, "--worked", str(worked)),
        *("--no-loud", "--times", "0"),
    )
    assert given == {
        "topic": "mills",
        "graph": 1,
        "knowledge": "The mill is old. It\nburnt.",
        "sentences": ["The mill is old. It", "burnt."],
        "tags": ["A", "B"],
        "prompt": "The mill is old. It\nburnt.\n",
        "worked": [{"question": "?"}],
        "loud": False,
        "times": 0,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mills"], "there is no graph"),
        (["--graph", "graph.tsv"], "there is no topic"),
        (["mills", "--graph", "nowhere.tsv", "--knowledge", "nowhere.txt"], "no file nowhere.txt"),
        (["mills", "--fail-on", "supported"], "tell gives no verdict"),
        (["--in", "a.jsonl", "--out", "b.jsonl", "--whole"], "--whole cannot be used with --in"),
    ],
)
def test_what_is_wrong_is_told_with_the_names_of_the_record(
    files: Files, words: list[str], said: str
) -> None:
    done = run("tell", *words)
    assert done.returncode == 1
    assert said in done.stderr
    if "there is no" in said and "file" not in said:
        assert 'probative tell "topic" --graph PATH' in done.stderr


def test_the_help_has_the_options_of_the_record(files: Files) -> None:
    shown = run("tell", "--help", columns=200).stdout
    assert "Tell what was given." in shown
    for words in ("--whole", "--lines", "--columns", "--no-loud", "--times", "The times.", "Tags."):
        assert words in shown
    assert "--corpus" not in shown
    assert "--judge-model" not in shown
    assert {option.input.reads for option in options_of(TELL).values()} - {"words"} <= READERS.keys()


def test_the_commands_with_extras_are_those_of_the_package() -> None:
    from probative.cli.commands import prove, reason, verify

    for module in (prove, reason, verify):
        assert issubclass(module.Extras, Extras)
        assert module.__name__.rpartition(".")[2] in VERBS.entries()
