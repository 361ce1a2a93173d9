"""`probative verify --watch` in a process of its own, with real files."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from command import run_here
from processes import started
from small_corpus import write

SCRIPT = """
import json, sys
sys.path.insert(0, {helpers!r})
from verifying import by_overlap, by_words, ruled_by_words
import probative.cli
from probative.session import tools

def judge(item):
    with open("asked.txt", "a") as file:
        file.write(json.dumps(item.claim) + "\\n")
    return by_words(item)

def verdict(settings):
    model = ruled_by_words()
    model._judge = judge
    return model

tools.load_verdict, tools.load_policy = verdict, lambda settings: by_overlap()
sys.argv = ["probative", "verify", *sys.argv[1:], "--watch", "--no-cache"]
probative.cli.main()
"""
SOURCES = {"mill.md": "The mill burnt down in 1890.\n", "fares.md": "Tickets cost three crowns.\n"}
# A test that waits in vain ends after the limit of pyproject.toml.
PAUSE = 0.05


@dataclass
class Watch:
    """A process that watches files in a folder."""

    folder: Path
    process: subprocess.Popen[str]

    def take_asked(self) -> set[str]:
        """Return the claims that the verdict model was asked about since the last time."""
        file = self.folder / "asked.txt"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return {json.loads(line) for line in lines}

    def printed(self, stream: str) -> str:
        return (self.folder / stream).read_text(encoding="utf-8")

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so; fails if the process ends before."""
        while not is_so():
            assert self.process.poll() is None, self.printed("err.txt")
            time.sleep(PAUSE)

    def until_rounds(self, rounds: int) -> None:
        """Wait until the texts were checked that many times."""
        self.until(lambda: self.printed("err.txt").count("Waiting for changes") >= rounds)

    def until_says(self, words: str) -> None:
        self.until(lambda: words in " ".join(self.printed("err.txt").split()))

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait()


@contextmanager
def watching(folder: Path, *words: str) -> Iterator[Watch]:
    """Start the command in a folder, and kill it at the end."""
    script = SCRIPT.format(helpers=str(Path(__file__).parents[1] / "helpers"))
    command = [sys.executable, "-c", script, *words]
    environment = {**os.environ, "PROBATIVE_HOME": str(folder / "home"), "COLUMNS": "120"}
    with (
        (folder / "out.txt").open("w", encoding="utf-8") as out,
        (folder / "err.txt").open("w", encoding="utf-8") as err,
        started(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        ) as process,
    ):
        yield Watch(folder, process)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "documents", {**SOURCES, ".reports/old.html": ""})
    return write(tmp_path, {"report.md": "The mill burnt down in 1890. The tower is green."})


def findings(folder: Path) -> list[tuple[str, str, str]]:
    """Return the file, the rule and the text of each finding of the report."""
    found = []
    for result in json.loads((folder / "report.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        name, region = place["artifactLocation"]["uri"], place["region"]
        text = (folder / name).read_text(encoding="utf-8")
        words = text[region["charOffset"] : region["charOffset"] + region["charLength"]]
        found.append((name, result["ruleId"], words))
    return found


WORDS = (
    "report.md",
    "--corpus",
    "documents",
    "--sarif",
    "report.sarif",
    "--html",
    "documents/.reports/report.html",
)
GREEN = ("report.md", "insufficient", "The tower is green.")


@pytest.mark.slow
def test_only_claims_that_changed_are_judged_and_reports_stay_current(folder: Path) -> None:
    with watching(folder, *WORDS) as watch:
        watch.until_rounds(1)
        assert watch.take_asked() == {"The mill burnt down in 1890.", "The tower is green."}
        assert findings(folder) == [GREEN]
        write(folder, {"report.md": "The tower is green. The mill burnt down in 1890. The mill had sails."})
        watch.until_rounds(2)
        assert watch.take_asked() == {"The mill had sails."}
        assert findings(folder) == [GREEN, ("report.md", "insufficient", "The mill had sails.")]
        assert "The mill had sails." in (folder / "documents/.reports/report.html").read_text(
            encoding="utf-8"
        )
        assert "1 claim judged, 2 as before" in watch.printed("err.txt")
        # The report in a hidden folder of the sources, which was written twice, is no change of them.
        assert watch.printed("err.txt").count("Waiting for changes") == 2
        assert watch.stop() == 130
        assert "Traceback" not in watch.printed("err.txt")
    assert not list(folder.rglob(".report.*")), "no part of a report is left"


@pytest.mark.slow
def test_a_change_of_the_sources_is_noticed(folder: Path) -> None:
    with watching(folder, *WORDS[:5]) as watch:
        watch.until_rounds(1)
        write(folder / "documents", {"tower.md": "The tower is green.\n"})
        watch.until_rounds(2)
        assert findings(folder) == []
        (folder / "documents" / "mill.md").unlink()
        watch.until_rounds(3)
        assert findings(folder) == [("report.md", "insufficient", "The mill burnt down in 1890.")]


@pytest.mark.slow
def test_a_text_that_is_gone_or_empty_keeps_the_last_report_until_it_is_back(folder: Path) -> None:
    write(folder, {"other.md": "Tickets cost three crowns. Tickets are blue."})
    with watching(folder, "other.md", *WORDS[:5]) as watch:
        watch.until_rounds(1)
        blue = ("other.md", "insufficient", "Tickets are blue.")
        assert findings(folder) == [blue, GREEN]
        watch.take_asked()
        (folder / "report.md").unlink()
        watch.until_rounds(2)
        assert findings(folder) == [blue], "the other text is checked all the same"
        write(folder, {"report.md": ""})
        watch.until_says("report.md is empty")
        write(folder, {"report.md": "The tower is green. The tower is old."})
        watch.until(lambda: GREEN in findings(folder))
        assert findings(folder) == [blue, GREEN, ("report.md", "insufficient", "The tower is old.")]
        assert watch.take_asked() == {"The tower is old."}


@pytest.mark.slow
def test_passages_that_cannot_be_read_for_a_while_are_waited_for(folder: Path) -> None:
    write(folder, {"passages.jsonl": '{"text": "The tower is green."}\n'})
    with watching(folder, "report.md", "--passages", "passages.jsonl", *WORDS[3:5]) as watch:
        watch.until_rounds(1)
        assert findings(folder) == [("report.md", "insufficient", "The mill burnt down in 1890.")]
        write(folder, {"passages.jsonl": '{"text": "The tower is gr'})
        watch.until_says("passages.jsonl")
        assert findings(folder) == [("report.md", "insufficient", "The mill burnt down in 1890.")]
        write(folder, {"passages.jsonl": '{"text": "The mill burnt down in 1890."}\n'})
        watch.until_rounds(2)
        assert findings(folder) == [GREEN]


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ((), "standard input"),
        (("report.md", "--fail-on", "contradicted"), "--fail-on"),
        (("report.md", "--dry-run"), "--dry-run"),
        (("report.md", "--json", "--trace", "-"), "--trace"),
    ],
)
def test_what_needs_an_end_cannot_be_watched(folder: Path, words: tuple[str, ...], wrong: str) -> None:
    done = run_here("verify", *words, "--watch", "--corpus", str(folder / "documents"))
    assert (done.returncode, f"{wrong} cannot be used with --watch" in done.stderr) == (1, True)


def test_a_report_is_no_source(folder: Path) -> None:
    words = ("--corpus", str(folder), "--watch", "--sarif")
    done = run_here("verify", str(folder / "report.md"), *words, str(folder / "report.sarif"))
    assert (done.returncode, "would be read as one of the documents" in done.stderr) == (1, True)


def test_what_is_wrong_from_the_start_ends_the_command(folder: Path) -> None:
    for words in (["gone.md", "--corpus", "documents"], ["report.md", "--corpus", "gone"]):
        paths = [str(folder / word) if "--" not in word else word for word in words]
        done = run_here("verify", *paths, "--watch")
        assert (done.returncode, "gone" in done.stderr) == (1, True)
