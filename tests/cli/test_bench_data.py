"""`probative bench data` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from command import run_here


def test_list_says_licence_source_and_how_to_get_each_set() -> None:
    shown = run_here("bench", "data", "list").stdout
    assert "WiCE, dev" in shown
    assert "ODC-BY, CC BY-SA, 3.5 MB" in shown
    assert "to get it: probative bench data get wice" in shown
    listed = {
        one["name"]: one for one in json.loads(run_here("bench", "data", "list", "--json").stdout)["sets"]
    }
    assert listed["wice"]["source"] == "https://github.com/ryokamoi/wice"
    assert "log in" in listed["bioasq"]["how"]


def test_get_takes_a_file_and_check_finds_it_and_what_is_missing(tmp_path: Path) -> None:
    row = {"label": "supported", "supporting_sentences": [[0]], "claim": "It rained.", "evidence": ["Rain."]}
    given, data = tmp_path / "dev.jsonl", tmp_path / "data"
    given.write_text(json.dumps(row) + "\n")
    done = run_here("bench", "data", "get", "wice", "--data", str(data), "--from", str(given))
    assert (done.returncode, "another version, of the right form" in done.stdout) == (0, True)
    checked = run_here("bench", "data", "check", "wice", "umls", "--data", str(data), "--json")
    assert checked.returncode == 1
    wice, umls = json.loads(checked.stdout)["sets"]
    assert (wice["files"][0]["state"], umls["files"][0]["state"]) == ("other", "missing")
    assert umls["how"] == "probative bench data get umls"


def test_check_without_names_says_what_is_there_of_all_sets(tmp_path: Path) -> None:
    (tmp_path / "wice").mkdir()
    (tmp_path / "wice/dev.jsonl").write_text("[1]\n")
    done = run_here("bench", "data", "check", "--data", str(tmp_path))
    assert done.returncode == 0
    assert "line 1 is not a JSON object" in done.stdout


def test_without_a_folder_and_with_a_wrong_path_the_message_says_what_to_do(tmp_path: Path) -> None:
    assert "name it with --data DIR" in run_here("bench", "data", "check", PROBATIVE_DATA="").stderr
    gone = run_here("bench", "data", "get", "wice", "--data", str(tmp_path), "--from", str(tmp_path / "none"))
    assert "does not exist" in gone.stderr
