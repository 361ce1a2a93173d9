"""From file to file: each line once, whatever happens in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from json_lines import read_lines, write_lines

from probative import InputError, ModelError, ProbativeError, Session, Usage
from probative.batch.run import Batch, run_batch
from probative.batch.verb_files import verb_file
from probative.types import Value


class Answer(Value):
    text: str
    usage: Usage = Usage(calls=1)


class Runner:
    """Answers cases; fails those that say so, and stops at those that say so."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, lines: list[dict[str, Any]]) -> Iterator[tuple[int, Value | ProbativeError]]:
        for number, line in enumerate(lines):
            if line.get("stop"):
                raise KeyboardInterrupt
            self.seen.append(line["text"])
            yield (
                number,
                ModelError("no", hint="ask again") if line.get("fail") else Answer(text=line["text"]),
            )


def batch(tmp_path: Path, *, limit: int | None = None, unordered: bool = False, **settings: Any) -> Batch:
    files = (tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    return Batch(*files, "test", settings, limit=limit, unordered=unordered)


def test_results_errors_and_unusable_lines_each_have_a_line_out(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "in.jsonl",
        {"id": "a", "text": "1"},
        {"id": 2, "text": "2", "fail": True},
        "{broken",
        "",
        {"text": "no id"},
        {"id": "a", "text": "again"},
        [1],
    )
    manifest = run_batch(batch(tmp_path), Runner())
    lines = read_lines(tmp_path / "out.jsonl")
    assert {(line["id"], line.get("text"), bool(line.get("error"))) for line in lines} == {
        ("a", "1", False),
        (2, None, True),
        (None, None, True),
        ("a", None, True),
    }
    assert len(lines) == 6
    assert {line["line"] for line in lines if line.get("error")} == {2, 3, 5, 6, 7}
    assert (manifest.lines, manifest.done, manifest.failed) == (6, 1, 5)
    assert manifest.usage.calls == 1
    assert json.loads((tmp_path / "out.jsonl.manifest.json").read_text())["done"] == 1


def test_a_stopped_run_goes_on_where_it_was_and_tries_errors_again(tmp_path: Path) -> None:
    source = write_lines(
        tmp_path / "in.jsonl",
        {"id": "a", "text": "1"},
        {"id": "b", "text": "2", "fail": True},
        {"id": "c", "text": "3", "stop": True},
        {"id": "d", "text": "4"},
    )
    with pytest.raises(KeyboardInterrupt):
        run_batch(batch(tmp_path), Runner())
    assert [line["id"] for line in read_lines(tmp_path / "out.jsonl")] == ["a", "b"]
    with (tmp_path / "out.jsonl").open("a") as out:
        out.write('{"id": "c", "text": "tor')  # killed in the middle of a line
    write_lines(source, *({"id": name, "text": str(n)} for n, name in enumerate("abcd", 1)))
    again = Runner()
    manifest = run_batch(batch(tmp_path), again)
    assert again.seen == ["2", "3", "4"]
    assert sorted(line["id"] for line in read_lines(tmp_path / "out.jsonl")) == ["a", "b", "c", "d"]
    assert (manifest.done, manifest.failed) == (4, 0)
    nothing_left = Runner()
    run_batch(batch(tmp_path), nothing_left)
    assert nothing_left.seen == []


def test_other_settings_or_a_file_of_unknown_origin_are_not_mixed(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": "a", "text": "1"})
    run_batch(batch(tmp_path, k=2), Runner())
    before = (tmp_path / "out.jsonl").read_text()
    with pytest.raises(InputError, match=r"other settings \(k\)"):
        run_batch(batch(tmp_path, k=3), Runner())
    (tmp_path / "out.jsonl.manifest.json").unlink()
    with pytest.raises(InputError, match="no manifest"):
        run_batch(batch(tmp_path, k=2), Runner())
    assert (tmp_path / "out.jsonl").read_text() == before


def left_over(tmp_path: Path) -> Path:
    """Leave the hidden file of a run that was killed, with a result that other settings made."""
    hidden = tmp_path / ".out.jsonl.waiting"
    write_lines(hidden, {"id": "b", "text": "from before", "input_digest": "0"})
    write_lines(tmp_path / "in.jsonl", {"id": "a", "text": "1"}, {"id": "b", "text": "2"})
    return hidden


@pytest.mark.parametrize("unordered", [False, True])
def test_a_hidden_file_of_a_killed_run_does_not_outlive_the_results_and_their_manifest(
    tmp_path: Path, unordered: bool
) -> None:
    hidden = left_over(tmp_path)
    manifest = run_batch(batch(tmp_path, unordered=unordered), Runner())
    assert [line["text"] for line in read_lines(tmp_path / "out.jsonl")] == ["1", "2"]
    assert (manifest.done, manifest.failed) == (2, 0)
    assert not hidden.exists()


def test_a_hidden_file_that_keeps_a_run_from_starting_is_named_with_what_to_do(tmp_path: Path) -> None:
    hidden, out = left_over(tmp_path), tmp_path / "out.jsonl"
    out.write_text("")
    with pytest.raises(InputError, match=r"\.out\.jsonl\.waiting has results, but no manifest") as caught:
        run_batch(batch(tmp_path), Runner())
    assert f"remove {out} to start anew" in caught.value.hint
    out.unlink()  # as the hint says
    assert run_batch(batch(tmp_path, k=2), Runner()).done == 2
    # A run that was killed before it wrote the first line in order has its results in the hidden file only.
    out.unlink()
    left_over(tmp_path)
    with pytest.raises(
        InputError, match=r"\.out\.jsonl\.waiting was made with other settings \(k\)"
    ) as caught:
        run_batch(batch(tmp_path, k=3), Runner())
    assert f"{out} and out.jsonl.manifest.json" in caught.value.hint
    (tmp_path / "out.jsonl.manifest.json").unlink()
    assert run_batch(batch(tmp_path, k=3), Runner()).done == 2
    assert not hidden.exists()


def test_a_missing_empty_or_binary_input_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        run_batch(batch(tmp_path), Runner())
    (tmp_path / "in.jsonl").write_text("\n\n")
    with pytest.raises(InputError, match="no lines"):
        run_batch(batch(tmp_path), Runner())
    (tmp_path / "in.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        run_batch(batch(tmp_path), Runner())
    assert not (tmp_path / "out.jsonl").exists()


def test_progress_counts_what_was_there_already(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": "a", "text": "1"}, {"id": "b", "text": "2"})
    told: list[tuple[int, int, int]] = []
    run_batch(batch(tmp_path), Runner(), lambda *numbers: told.append(numbers))
    run_batch(batch(tmp_path), Runner(), lambda *numbers: told.append(numbers))
    assert told == [(0, 0, 2), (1, 0, 2), (2, 0, 2), (2, 0, 2)]


@pytest.mark.model
def test_prove_file_writes_the_contract(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "in.jsonl",
        {"id": 1, "claim": "Cats sleep.", "sentences": ["Dogs bark.", "Cats sleep all day."]},
        {"id": 2, "claim": "Dogs bark.", "sentences": "Dogs bark. Cats sleep.", "k": 2},
        {"id": 3, "claim": "", "sentences": ["One."]},
        {"id": 4, "claim": "No sentences."},
        {"id": 5, "claim": "Another field.", "sentences": ["One."], "colour": "red"},
    )
    out = tmp_path / "out.jsonl"
    with Session() as session:
        manifest = verb_file("prove", tmp_path / "in.jsonl", out, session=session, k=1, method="bm25")
    lines = {line["id"]: line for line in read_lines(out)}
    assert [one["index"] for one in lines[1]["evidence"]] == [1]
    assert lines[1]["evidence"][0].keys() >= {"index", "text", "score"}
    assert lines[1].keys() >= {"id", "evidence", "verdict", "usage"}
    assert "trace" not in lines[1]
    assert [one["index"] for one in lines[2]["evidence"]] == [0, 1]
    assert all(lines[number]["error"]["type"] == "InputError" for number in (3, 4))
    assert (lines[5]["extra"], len(lines[5]["evidence"])) == ({"colour": "red"}, 1)
    assert (manifest.done, manifest.failed) == (3, 2)
    assert lines[1].keys() >= {"probabilities", "deciding"}
    assert manifest.weights.keys() == {"verdict"}  # bm25 needs no model


@pytest.mark.model
def test_a_dry_run_writes_nothing_and_counts_the_whole(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": 1, "claim": "Cats.", "sentences": ["Cats sleep.", "Dogs."]})
    out = tmp_path / "out.jsonl"
    options = {"lexical": 0, "semantic": 0}
    with Session(dry_run=True) as session:
        manifest = verb_file("prove", tmp_path / "in.jsonl", out, session=session, k=1, **options)
    assert manifest.usage.scored_tokens > 0
    assert not out.exists()
    assert not (tmp_path / "out.jsonl.manifest.json").exists()


def test_results_of_lines_that_are_not_asked_for_now_stay(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", *({"id": n, "text": str(n)} for n in range(5)))
    run_batch(batch(tmp_path), Runner())
    manifest = run_batch(batch(tmp_path, limit=2), Runner())
    assert (manifest.lines, manifest.done) == (2, 2)
    assert len(read_lines(tmp_path / "out.jsonl")) == 5


def test_a_line_that_has_changed_is_done_again(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": "a", "text": "old"}, {"id": "b", "text": "same"})
    run_batch(batch(tmp_path), Runner())
    write_lines(tmp_path / "in.jsonl", {"id": "a", "text": "new"}, {"id": "b", "text": "same"})
    again = Runner()
    run_batch(batch(tmp_path), again)
    assert again.seen == ["new"]
    assert {line["id"]: line["text"] for line in read_lines(tmp_path / "out.jsonl")} == {
        "a": "new",
        "b": "same",
    }


def test_whatever_stands_in_a_torn_output_the_run_goes_on(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": "a", "text": "ё\u2028 end"}, {"id": "b", "text": "2"})
    run_batch(batch(tmp_path), Runner())
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    odd = b'{"id": ["b"], "usage": 3}\n{"id": "b", "usage": {"calls": "x"}}\n[]\nnull\n'
    out.write_bytes(whole.splitlines(keepends=True)[0] + odd + '{"id": "ё'.encode()[:-1])
    again = Runner()
    manifest = run_batch(batch(tmp_path), again)
    assert again.seen == ["2"]
    assert manifest.done == 2
    assert len(out.read_bytes().split(b"\n")) == 3


def test_line_ends_inside_a_json_string_part_nothing(tmp_path: Path) -> None:
    line = json.dumps({"id": 1, "text": "one\u2028two\u0085three"}, ensure_ascii=False)
    (tmp_path / "in.jsonl").write_bytes((line + "\r\n").encode())
    manifest = run_batch(batch(tmp_path), Runner())
    assert (manifest.lines, manifest.done) == (1, 1)


def test_an_id_that_cannot_be_written_is_one_lines_error(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", '{"id": "\\ud800", "text": "1"}', {"id": "b", "text": "2"})
    manifest = run_batch(batch(tmp_path), Runner())
    assert (manifest.done, manifest.failed) == (1, 1)


@pytest.mark.parametrize("target", ["missing/out.jsonl", ".", "-", "in.jsonl"])
def test_an_output_that_cannot_be_is_an_input_error_before_any_work(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines(Path("in.jsonl"), {"id": "a", "text": "1"})
    runner = Runner()
    with pytest.raises(InputError):
        run_batch(Batch(Path("in.jsonl"), Path(target), "test", {}), runner)
    assert runner.seen == []
    assert Path("in.jsonl").read_text() == '{"id": "a", "text": "1"}\n'


class FakeSession:
    """Models with these fingerprints, each opened when it is needed."""

    def __init__(self, **fingerprints: str) -> None:
        self.fingerprints = fingerprints
        self.weights: dict[str, str] = {}

    def fingerprint(self, name: str) -> str | None:
        self.weights[name] = self.fingerprints[name]
        return self.weights[name]

    def run(self, lines: list[dict[str, Any]]) -> Iterator[tuple[int, Value | ProbativeError]]:
        """Each line names the models that it needs."""
        for index, line in enumerate(lines):
            for name in line["needs"]:
                self.fingerprint(name)
            yield index, Answer(text="done")

    def batch(self, tmp_path: Path) -> Batch:
        return Batch(tmp_path / "in.jsonl", tmp_path / "out.jsonl", "test", {}, self)


def manifest_of(tmp_path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    return found


def test_the_manifest_names_the_weights_that_were_needed_and_others_are_not_mixed(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": 1, "needs": ["model"]}, {"id": 2, "needs": ["model", "policy"]})
    first = FakeSession(model="m1", policy="p1")
    assert run_batch(first.batch(tmp_path), first.run).weights == {"model": "m1", "policy": "p1"}
    before = (tmp_path / "out.jsonl").read_text()
    for changed in ("model", "policy"):
        other = FakeSession(**{"model": "m1", "policy": "p1", changed: "another"})
        with pytest.raises(InputError, match=rf"other weights \({changed}\)"):
            run_batch(other.batch(tmp_path), other.run)
    assert (tmp_path / "out.jsonl").read_text() == before
    same = FakeSession(model="m1", policy="p1")
    assert run_batch(same.batch(tmp_path), same.run).weights == {"model": "m1", "policy": "p1"}


def test_what_is_not_needed_is_neither_opened_nor_named(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": 1, "needs": ["model"]})
    first, again = FakeSession(model="m1", policy="p1"), FakeSession(model="m1", policy="p2")
    assert run_batch(first.batch(tmp_path), first.run).weights == {"model": "m1"}
    run_batch(again.batch(tmp_path), again.run)
    assert first.weights.keys() == again.weights.keys() == {"model"}


def test_weights_are_named_before_what_they_made_is_written(tmp_path: Path) -> None:
    """A run may be killed after any line."""
    write_lines(tmp_path / "in.jsonl", {"id": 1, "needs": []}, {"id": 2, "needs": ["model"]})
    first = FakeSession(model="m1")
    on_disk: list[dict[str, str]] = []
    run_batch(first.batch(tmp_path), first.run, lambda *_: on_disk.append(manifest_of(tmp_path)["weights"]))
    assert on_disk == [{}, {}, {"model": "m1"}]


def test_a_manifest_without_weights_resumes_and_gets_them(tmp_path: Path) -> None:
    write_lines(tmp_path / "in.jsonl", {"id": 1, "needs": ["model"]})
    first = FakeSession(model="m1")
    run_batch(first.batch(tmp_path), first.run)
    old = manifest_of(tmp_path)
    del old["weights"]
    (tmp_path / "out.jsonl.manifest.json").write_text(json.dumps(old))
    write_lines(tmp_path / "in.jsonl", {"id": 1, "needs": ["model"]}, {"id": 2, "needs": ["model"]})
    later = FakeSession(model="m2")
    manifest = run_batch(later.batch(tmp_path), later.run)
    assert (manifest.done, manifest.weights) == (2, {"model": "m2"})
