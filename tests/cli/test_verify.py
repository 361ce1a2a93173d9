"""`probative verify` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import docx
import pytest
from command import Done, run_here
from verdicts import ruled

import probative
from probative.models.evidence_policy import PolicyScores
from probative.testing import ScriptedPolicy

SOURCES = "The lighthouse was lit in 1871.\n\nThe lens did not come from Wales.\n"
REPORT = "# Light\n\nThe lighthouse was lit in 1871 [1]. The lens is Welsh. Is it tall?\n"


@pytest.fixture(autouse=True)
def rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence with "not" contradicts; the policy prefers sentences with the first noun of the claim."""

    def policy(_: object) -> ScriptedPolicy:
        return ScriptedPolicy(
            lambda state: PolicyScores(
                tuple(9.0 * (state.query.split()[1] in text) for text in state.candidates), 0.0, 0.0
            )
        )

    monkeypatch.setattr("probative.session.tools.Opener.verdict", lambda _: ruled())
    monkeypatch.setattr("probative.session.tools.Opener.policy", policy)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    report, sources = tmp_path / "report.md", tmp_path / "sources.txt"
    report.write_text(REPORT, encoding="utf-8")
    sources.write_text(SOURCES, encoding="utf-8")
    return str(report), str(sources)


def run(files: tuple[str, str], *words: str) -> Done:
    return run_here("verify", files[0], "--passages", files[1], *words)


def test_one_claim_is_counted_as_one(files: tuple[str, str]) -> None:
    Path(files[0]).write_text("The lens is Welsh.", encoding="utf-8")
    assert "1 claim: 0 supported, 1 contradicted" in run(files).stdout


def test_the_text_is_marked_and_what_decides_is_shown(files: tuple[str, str]) -> None:
    done = run(files)
    assert done.returncode == 0, done.stderr
    assert "[✓1] The lighthouse was lit in 1871" in done.stdout
    assert "[✗2] The lens is Welsh." in done.stdout
    assert "contradicts: The lens did not come from Wales." in done.stdout
    assert "2 claims: 1 supported, 1 contradicted, 0 insufficient; 1 not checked" in done.stdout
    assert "does not say what this stands for" in done.stdout


def test_spaces_between_claims_stay(files: tuple[str, str]) -> None:
    Path(files[0]).write_text("The lighthouse was lit in 1871. The lens is Welsh.", encoding="utf-8")
    assert "[✓1] The lighthouse was lit in 1871. [✗2] The lens is Welsh." in run(files).stdout


def test_json_has_the_fields_of_the_contract(files: tuple[str, str]) -> None:
    done = run(files, "--json")
    result = json.loads(done.stdout)
    claim = result["claims"][1]
    assert (claim["text"], claim["verdict"]) == ("The lens is Welsh.", "contradicted")
    assert REPORT[claim["start"] : claim["end"]] == claim["text"]
    assert set(claim["probabilities"]) == {"supported", "contradicted", "insufficient"}
    assert {"source", "page", "start", "end", "text", "deciding"} <= set(claim["evidence"][0])
    assert result["usage"]["calls"] > 0
    assert probative.Verification.model_validate(result).name == files[0]


def test_reports_are_written_and_verdicts_fail_a_script(files: tuple[str, str], tmp_path: Path) -> None:
    reports = {kind: tmp_path / f"out.{kind}" for kind in ("html", "sarif", "junit", "docx")}
    words = [word for kind, file in reports.items() for word in (f"--{kind}", str(file))]
    assert run(files, *words, "--fail-on", "contradicted").returncode == 3
    assert run(files, "--fail-on", "insufficient").returncode == 0
    assert "The lens did not come from Wales." in reports["html"].read_text(encoding="utf-8")
    assert json.loads(reports["sarif"].read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert 'failures="1"' in reports["junit"].read_text(encoding="utf-8")
    comments = [comment.text for comment in docx.Document(str(reports["docx"])).comments]
    assert [text.split()[1] for text in comments] == ["Supported", "Contradicted"]


def test_errors_say_what_to_do(files: tuple[str, str], tmp_path: Path) -> None:
    done = run_here("verify", files[0])
    assert done.returncode == 1
    assert "there are no sources" in done.stderr
    done = run(files, "--html", str(tmp_path / "no" / "page.html"))
    assert (done.returncode, "cannot be written" in done.stderr) == (1, True)
    done = run(files, "--option", "size=3")
    assert "verify has no option 'size'" in done.stderr
    done = run(files, "--dry-run")
    assert "would make about" in done.stdout


@pytest.mark.parametrize("columns", [80, 40, 20])
def test_the_view_fits_a_narrow_terminal_without_colour(files: tuple[str, str], columns: int) -> None:
    done = run_here("verify", files[0], "--passages", files[1], "--all", columns=columns, NO_COLOR="1")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= max(columns, len("contradicted"))
    words = " ".join(done.stdout.split())
    assert "✓ 1. supported" in words
    assert "✗ 2. contradicted" in words


def test_a_text_of_another_format_and_one_that_cannot_be_read(files: tuple[str, str], tmp_path: Path) -> None:
    page = tmp_path / "my report.html"
    page.write_text("<html><body><h1>Light</h1><p>The lighthouse was lit in 1871.</p></body></html>")
    result = json.loads(run_here("verify", str(page), "--passages", files[1], "--json").stdout)
    assert [claim["verdict"] for claim in result["claims"]] == ["supported"]
    page.write_bytes(b"\x89PNG\r\n")
    done = run_here("verify", str(page), "--passages", files[1])
    assert (done.returncode, "image" in done.stderr) == (1, True)
    piped = run_here("verify", "-", "--passages", files[1], "--json", stdin="The lighthouse was lit in 1871.")
    assert json.loads(piped.stdout)["name"] is None


def test_a_dry_run_writes_no_report(files: tuple[str, str], tmp_path: Path) -> None:
    new, old = tmp_path / "new.html", tmp_path / "old.sarif"
    old.write_text("kept", encoding="utf-8")
    assert run(files, "--dry-run", "--html", str(new), "--sarif", str(old)).returncode == 0
    assert not new.exists()
    assert old.read_text(encoding="utf-8") == "kept"


def test_several_files_have_one_report_and_one_exit_code(files: tuple[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("The lighthouse was lit in 1871.", encoding="utf-8")
    sarif, junit = tmp_path / "out.sarif", tmp_path / "out.xml"
    words = ["--passages", files[1], "--sarif", str(sarif), "--junit", str(junit)]
    done = run_here("verify", str(other), files[0], *words, "--fail-on", "contradicted")
    assert done.returncode == 3, done.stderr
    assert f"== {other} ==" in done.stdout.replace("\n", "")
    assert "1 claim: 1 supported" in done.stdout
    assert "2 claims: 1 supported, 1 contradicted" in done.stdout
    (report,) = json.loads(sarif.read_text(encoding="utf-8"))["runs"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in report["results"]]
    assert {place["uri"] for place in places} == {files[0]}
    suites = ElementTree.fromstring(junit.read_text(encoding="utf-8"))
    assert [suite.get("name") for suite in suites] == [str(other), files[0]]
    assert run_here("verify", str(other), str(other), *words, "--fail-on", "contradicted").returncode == 0


def test_several_files_print_a_line_of_json_each(files: tuple[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("The lens is Welsh.", encoding="utf-8")
    done = run_here("verify", files[0], str(other), "--passages", files[1], "--json")
    names = [json.loads(line)["name"] for line in done.stdout.splitlines()]
    assert names == [files[0], str(other)]
    dry = run_here("verify", files[0], str(other), "--passages", files[1], "--dry-run")
    assert dry.stdout.count("would make about") == 1


@pytest.mark.parametrize("words", [["--html", "page.html"], ["--trace", "trace.json"], ["-"]])
def test_several_files_refuse_what_only_one_can_have(
    files: tuple[str, str], words: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run_here("verify", files[0], files[0], "--passages", files[1], *words, stdin="It rained.")
    assert (done.returncode, "cannot be used with several files" in done.stderr) == (1, True)
    assert words[0] in done.stderr


def test_a_missing_file_among_several_stops_before_any_work(files: tuple[str, str]) -> None:
    done = run_here("verify", files[0], "missing.md", "--passages", files[1])
    assert (done.returncode, done.stdout) == (1, "")
    assert "missing.md" in done.stderr
