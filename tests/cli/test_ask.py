"""`probative ask` and `probative check` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import run_here as run

pytestmark = [pytest.mark.model, pytest.mark.usefixtures("open_models")]

QUESTION = "In which town was the ship built that Ada Berg commanded?"
CHAIN = ["Ada Berg commanded the Sea Lark.", "The Sea Lark was built in Molde."]
PASSAGES = ["Tar is made of pine.", *CHAIN]
TEXT = "\n".join(PASSAGES)


def rows(shown: str) -> dict[str, list[str]]:
    """The rows of the drawing, by feature: a mark for each passage, and what stands at the end."""
    found = {}
    for line in shown.splitlines():
        if line.startswith(("intent", "node", "relation")):
            words = line.split()
            marks = [word for word in words if word in "●·"]
            first = words.index(marks[0]) if marks else len(words) - 1
            found[" ".join(words[:first])] = words[first:]
    return found


@pytest.mark.slow
def test_the_answer_is_shown_with_its_citations_the_drawing_and_the_chain(tmp_path: Path) -> None:
    (tmp_path / "ships.txt").write_text(TEXT, encoding="utf-8")
    done = run("ask", QUESTION, "--passages", str(tmp_path / "ships.txt"), "--option", "max_passages=2")
    assert done.returncode == 0, done.stderr
    shown = done.stdout.splitlines()
    assert shown[0] == "Molde [3]"
    assert shown[1] == "verdict: supported"
    assert any(line.split() == ["feature", "[2]", "[3]"] for line in shown)
    drawn = rows(done.stdout)
    assert drawn["node Ada Berg"] == ["●", "·"]
    assert drawn["node Sea Lark"] == ["●", "●"]
    assert "missing" not in done.stdout
    at = [line.strip() for line in shown].index("the chain")
    first, second = (line.split() for line in shown[at + 1 : at + 3])
    assert (first[0], first[1][-1], first[2:]) == (
        "[2]",
        "%",
        ["Ada", "Berg", "commanded", "the", "Sea", "Lark."],
    )
    assert second[:2] == ["[3]", "cited"]
    assert second[3:] == ["The", "Sea", "Lark", "was", "built", "in", "Molde."]
    assert "prompt tokens" in done.stderr


def test_json_is_exactly_the_answer_and_keeps_what_a_jsonl_file_says(tmp_path: Path) -> None:
    import probative

    lines = [
        json.dumps(PASSAGES[0]),
        "",
        json.dumps({"id": 7, "title": "Ada Berg", "source": "crew.txt", "text": CHAIN[0]}),
        json.dumps({"id": "lark", "text": CHAIN[1], "rank": 2}),
    ]
    (tmp_path / "ships.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ("--passages", str(tmp_path / "ships.jsonl"), "--option", "max_passages=2", "--preset", "words")
    done = run("ask", QUESTION, *words, "--json")
    assert done.returncode == 0, done.stderr
    answer = probative.Answer.model_validate_json(done.stdout)
    assert done.stdout == answer.to_json() + "\n"
    assert answer.answer == "Molde"
    first, second = answer.chain
    assert (first.index, first.id, first.title, first.source) == (1, "7", "Ada Berg", "crew.txt")
    assert (second.index, second.id, second.title) == (2, "lark", None)


@pytest.mark.parametrize(
    ("stdin", "texts"),
    [
        ("One mill.\n\n  \nTwo\r\nmills.\n\n", ["One mill.", "Two mills."]),
        ("One mill.\nTwo mills.\n\n", ["One mill.", "Two mills."]),
        ("\ufeffOne mill.\r\n{Two} mills.\r\n", ["One mill.", "{Two} mills."]),
        ('{"text": "One mill."}\n\n{"text": "Two mills."}\n', ["One mill.", "Two mills."]),
        ('{"text": "One\u2028mill."}', ["One mill."]),
    ],
)
def test_standard_input_is_paragraphs_lines_or_json_lines(stdin: str, texts: list[str]) -> None:
    done = run("check", "How many mills?", "--preset", "words", "--json", stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert [one["text"] for one in json.loads(done.stdout)["judgements"]] == texts


@pytest.mark.slow
def test_a_conflict_is_shown_with_both_sentences() -> None:
    texts = "The Sea Lark was built in 1842.\nGulls nest here.\nThe Sea Lark was built in 1824.\n"
    words = ("In which year was the Sea Lark built?", "--option", "max_passages=1")
    done = run("ask", *words, stdin=texts)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.splitlines()
    assert shown[0] == "no answer: the passages contradict one another: [1] says 1842, [3] says 1824"
    assert shown[1].startswith("verdict: contradicted")
    assert shown[-3:] == [
        "[1] says 1842, [3] says 1824",
        "  [1] The Sea Lark was built in 1842.",
        "  [3] The Sea Lark was built in 1824.",
    ]
    anyway = run("ask", *words, "--answer-anyway", stdin=texts).stdout.splitlines()
    assert anyway[0] == "1842 [1]"
    assert anyway[1].startswith("verdict: contradicted")


def test_what_is_missing_is_said_and_drawn() -> None:
    done = run(
        "ask", "Who owned the mill that Ole Brandt painted?", stdin="Tar is black.\nGulls nest here.\n"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("no answer: the chain does not carry ")
    assert "node: mill; node: Ole Brandt" in " ".join(done.stdout.split())
    assert "\nverdict: insufficient, not found\n" in done.stdout
    assert rows(done.stdout)["node Ole Brandt"][-1] == "missing"


def test_the_sources_that_must_state_the_answer_are_an_option() -> None:
    words = ("ask", "Who commanded the Sea Lark?", "--preset", "words", "--min-sources", "2")
    shown = run(*words, "--option", "min_certainty=0", stdin=TEXT)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.startswith("probably Ada Berg [2]\nnot confirmed, ")
    assert "1 independent source states the answer, and 2 are needed" in shown.stdout
    assert "\nstated by 1 independent source\n" in shown.stdout
    counted = run(*words, "--json", stdin=TEXT)
    assert json.loads(counted.stdout)["robustness"] == {"sources": 1, "needed": 2}


@pytest.mark.slow
def test_a_baseline_lists_the_passages_it_used() -> None:
    done = run("ask", "Who commanded the Sea Lark?", "--method", "rag", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert "verdict: " in done.stdout
    assert "the passages used" in done.stdout
    assert "Ada Berg commanded the Sea Lark." in done.stdout
    assert rows(done.stdout) == {}


def test_a_dry_run_says_what_it_would_cost() -> None:
    done = run("ask", QUESTION, "--method", "rag", "--dry-run", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert "would make about" in done.stdout
    assert "prompt tokens" in done.stdout


def test_the_specialists_are_counted_too() -> None:
    done = run("ask", QUESTION, "--preset", "embedded", "--dry-run", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert "would make about" in done.stdout


def test_how_rag_answers_can_be_said() -> None:
    done = run("ask", QUESTION, "--method", "rag", "--option", "answering=picked", "--json", stdin=TEXT)
    assert done.returncode == 0, done.stderr
    assert "Molde" in json.loads(done.stdout)["answer"]


def test_a_question_without_passages_does_not_wait_for_any() -> None:
    done = run("ask", "Who built the mill?", "--method", "closed-book", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "would make about 1 call" in done.stdout


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        ((), "Text.", "there is no question"),
        (("q", "--passages", "/nowhere/at/all"), "", "there is no file /nowhere/at/all"),
        (("q", "--passages", "/"), "", "/ cannot be read"),
        (("q",), "", "standard input is empty"),
        (("q",), b"A mill.\n\xff\xfe\x00bad", "not UTF-8 text (line 2"),
        (("q",), '{"text": "A mill."}\n\n{"text": }\n', "standard input, line 3 is not JSON"),
        (("q",), '{"text": "A mill."}\n{"id": "b"}\n', "standard input, line 2: cannot be used: text"),
        (("q",), '{"id": "\\ud800", "text": "A mill."}', "line 1 cannot be encoded"),
        (("q", "--option", "speed"), "Text.", "NAME=VALUE"),
        (("q", "--option", "speed=9"), "Text.", "the options are extractor, form, examples"),
        (("q", "--option", "settings=9"), "Text.", "the options are extractor, form, examples"),
        (("q", "--option", "max_passages=many"), "Text.", "got 'many'"),
        (("q", "--option", "max_passages=0"), "Text.", "got '0'"),
        (("q", "--seed", "-1"), "Text.", "seed must be a whole number from 0 to 2147483647, got -1"),
        (("q", "--preset", "cheap"), "Text.", "no preset 'cheap'"),
        (("q", "--method", "magic"), "Text.", "no method"),
        (("q", "--method", "rag", "--preset", "words"), "Text.", "rag has no presets"),
        (("q", "--method", "rag", "--option", "max_passages=2"), "Text.", "rag has no option 'max_passages'"),
        (("q", "--method", "cot-sc", "--answer-anyway"), "Text.", "cot-sc has no option 'answer_anyway'"),
        (("q", "--method", "cot-sc", "--min-sources", "2"), "Text.", "cot-sc has no option 'min_sources'"),
        (("q", "--min-sources", "0"), "Text.", "min_sources"),
        (("q", "--in", "a.jsonl"), "", "--in and --out"),
        (("--in", "a.jsonl"), "", "need each other"),
        (("--in", "nowhere.jsonl", "--out", "b.jsonl"), "", "there is no file"),
        (("--in", "a.jsonl", "--out", "b.jsonl", "--method", "magic"), "", "no method"),
        (("q", "--limit", "3"), "Text.", "--limit needs --in"),
    ],
)
def test_what_is_wrong_is_said_in_one_message(words: tuple[str, ...], stdin: str | bytes, said: str) -> None:
    done = run("ask", *words, stdin=stdin)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_bad_line_of_a_jsonl_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mills.jsonl"
    for line, said in (
        ("{broken", "is not JSON"),
        ("[1]", ": must be a text or a passage, got list"),
        ("[" * 100_000, "is not JSON"),
    ):
        file.write_text(f'"A mill."\n{line}\n', encoding="utf-8")
        done = run("ask", "q", "--passages", str(file))
        assert done.returncode == 1
        assert f"{file}, line 2{said if said.startswith(':') else ' ' + said}" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_text_cannot_steer_the_terminal() -> None:
    sly = json.dumps(
        {"title": "Log\x1b[2J", "text": "Ada Berg \x1b[31mcommanded\x1b]0;title\x07 the Sea\x9bLark."}
    )
    done = run("ask", "Who commanded\x1b[31m the Sea Lark?", stdin=sly + "\n")
    assert done.returncode == 0, done.stderr
    assert "Ada Berg" in done.stdout
    assert not set("\x1b\x07\x9b") & set(done.stdout + done.stderr)


@pytest.mark.slow
def test_markup_in_a_text_is_only_text() -> None:
    done = run("ask", "Who commanded the Sea Lark?", stdin="[bold]Ada Berg[/red] commanded the Sea Lark.\n")
    assert done.returncode == 0, done.stderr
    assert "[bold]Ada Berg[/red] commanded the Sea Lark." in done.stdout


@pytest.mark.slow
def test_a_batch_goes_on_and_a_bad_line_stops_no_other(tmp_path: Path) -> None:
    lines = [{"id": number, "question": QUESTION, "passages": PASSAGES} for number in range(3)]
    lines[1]["passages"] = [{"id": "a"}]
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    words = ("ask", "--in", str(source), "--out", str(target), "--option", "max_passages=2")
    first = run(*words, "--limit", "2")
    assert first.returncode == 4
    assert "1 of 2 done, 1 failed" in first.stdout
    lines[1]["passages"] = [{"id": "a", "text": CHAIN[0]}, CHAIN[1]]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    again = run(*words, "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["done"] == 3
    written = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert [(line["id"], line["answer"]) for line in written] == [(n, "Molde") for n in range(3)]


@pytest.mark.slow
def test_check_says_complete(tmp_path: Path) -> None:
    file = tmp_path / "knowledge.txt"
    file.write_text("Pines grow.\nAda Berg commanded the Sea Lark.\n", encoding="utf-8")
    done = run("check", "Who commanded the Sea Lark?", "--knowledge", str(file))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("complete: the evidence is enough\nthe answer would be: Ada Berg\n  ✓ ")
    assert "[1]" not in done.stdout
    assert rows(done.stdout)["node Sea Lark"] == ["●"]
    assert "[embedded: " in done.stderr


def test_check_says_what_is_missing() -> None:
    done = run("check", "Who commanded the Sea Lark?", stdin="Pines grow.\nTar is black.\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("incomplete: intent: ")
    assert " are not covered\n" in done.stdout
    assert "node: Sea Lark" in done.stdout.splitlines()[0]
    assert rows(done.stdout)["node Sea Lark"][-1] == "missing"


def test_check_of_a_whole_text_judges_one_passage() -> None:
    import probative

    words = ("Who commanded the Sea Lark?", "--whole", "--preset", "words")
    done = run("check", *words, "--json", stdin=TEXT)
    checked = probative.Check.model_validate_json(done.stdout)
    assert done.stdout == checked.to_json() + "\n"
    assert [one.text for one in checked.judgements] == [" ".join(PASSAGES)]


@pytest.mark.parametrize(("columns", "drawn"), [(120, 12), (60, 4)])
def test_of_many_passages_as_many_are_drawn_as_fit(columns: int, drawn: int) -> None:
    many = "".join(f"The Sea Lark sailed to harbour {number}.\n" for number in range(20))
    done = run("check", "Who commanded the Sea Lark?", "--preset", "words", stdin=many, columns=columns)
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout)["node Sea Lark"] == [*["●"] * drawn, f"+{20 - drawn}"]
    assert f"and {20 - drawn} more passages" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "there is no question"),
        (("q", "--knowledge", "/nowhere/at/all"), "there is no file"),
        (("q",), "standard input is empty"),
        (("q", "--option", "speed=9"), "the options are extractor"),
    ],
)
def test_what_is_wrong_with_a_check_is_said(words: tuple[str, ...], said: str) -> None:
    done = run("check", *words)
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr
