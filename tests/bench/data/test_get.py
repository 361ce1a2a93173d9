"""Data sets as they are got: downloaded, or from what the user has."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from probative import InputError
from probative.bench.data.get import get_set
from probative.bench.data.graph_qa import read_cases
from probative.bench.data.questions import processbank_questions
from probative.bench.data.sets import DataFile, DataSet, find_set, inspect_set

ROW = json.dumps({"id": "1", "question": "Who built the pier?"}) + "\n"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    folder = tmp_path / "served"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def harbour(*files: DataFile) -> DataSet:
    return DataSet(
        name="harbour", title="A harbour", files=files, source="https://example.org", licence="CC0"
    )


def test_a_file_is_downloaded_and_compared_with_the_published_one(
    served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, url = served
    (folder / "questions.jsonl").write_text(ROW)
    sha256 = hashlib.sha256(ROW.encode()).hexdigest()
    file = DataFile(path="harbour/q.jsonl", format="lines", fields=("id",), url=f"{url}/questions.jsonl")
    for known, state in ((sha256, "published"), ("", "other")):
        data = tmp_path / state
        checked = get_set(data, harbour(file.model_copy(update={"published": known})))
        assert [(one.state, one.sha256) for one in checked.files] == [(state, sha256)]
        assert (data / "harbour/q.jsonl").read_text() == ROW
        assert [path.name for path in data.iterdir()] == ["harbour"]


def test_an_archive_is_downloaded_once_and_gives_a_file_and_a_folder(
    served: tuple[Path, str], tmp_path: Path
) -> None:
    folder, url = served
    with tarfile.open(folder / "all.tar.gz", "w:gz") as archive:
        for name, text in {"set/val.jsonl": ROW, "set/docs/pier": "It is long.", "set/readme": "no"}.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    steps = []
    address = f"{url}/all.tar.gz"
    files = (
        DataFile(path="h/val.jsonl", format="lines", url=address, published_as="val.jsonl"),
        DataFile(path="h/docs", format="folder", url=address, published_as="docs/"),
    )
    checked = get_set(tmp_path / "data", harbour(*files), progress=lambda step, share: steps.append(share))
    assert checked.usable
    assert steps.count(1.0) == 1
    assert [path.name for path in (tmp_path / "data/h/docs").iterdir()] == ["pier"]


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(ROW)
    file = DataFile(path="q.jsonl", format="lines", url="http://127.0.0.1:1/q.jsonl")
    assert get_set(tmp_path, harbour(file)).usable


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1:1/q.jsonl", "could not be downloaded: .*refused"),
        ("file:///etc/hosts", "file is not http or https"),
        ("", "harbour cannot be downloaded"),
    ],
)
def test_what_cannot_be_downloaded_says_what_to_put_where(tmp_path: Path, url: str, message: str) -> None:
    file = DataFile(path="harbour/q.jsonl", format="lines", url=url)
    data = tmp_path / "data"
    with pytest.raises(InputError, match=message) as raised:
        get_set(data, harbour(file))
    assert f"Source: https://example.org. It belongs at {data}/harbour/q.jsonl" in raised.value.hint
    assert list(data.iterdir()) == []


def test_a_published_name_that_is_not_in_what_the_user_gives_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    with pytest.raises(InputError, match=r"mine has no musique_ans_v1\.0_dev\.jsonl"):
        get_set(tmp_path / "data", find_set("musique"), tmp_path / "mine")


def test_tasks_of_bioasq_come_from_the_zip_files_that_the_user_has(tmp_path: Path) -> None:
    for task, answer in ((2, "Yes."), (3, "no")):
        row = {"id": f"{task}", "body": f"Is task {task} old?", "type": "yesno", "exact_answer": answer}
        with zipfile.ZipFile(tmp_path / f"Task{task}BGoldenEnriched.zip", "w") as archive:
            archive.writestr(f"{task}B1_golden.json", json.dumps({"questions": [row]}))
            archive.writestr("readme.txt", "terms")
        checked = get_set(tmp_path / "data", find_set("bioasq"), tmp_path / f"Task{task}BGoldenEnriched.zip")
        assert checked.usable
    cases = read_cases(tmp_path / "data", "bioasq")
    assert [(case.question, case.gold) for case in cases] == [
        ("Is task 2 old?", "yes"),
        ("Is task 3 old?", "no"),
    ]


def test_processbank_comes_from_its_archive(tmp_path: Path) -> None:
    text = (
        "<annotation><id>7</id><text>Sap rises. It cools.</text><questions><question><q>What rises?</q>"
        "<a0>Sap</a0><a1>Air</a1><correct>0</correct></question></questions></annotation>"
    )
    with tarfile.open(tmp_path / "bioprocess-bank-questions.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("bioprocess-bank-questions/qa/7")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text.encode()))
    data = tmp_path / "data"
    assert get_set(data, find_set("processbank"), tmp_path / "bioprocess-bank-questions.tar.gz").usable
    (question,) = processbank_questions(data)
    assert (question.id, question.text, question.right) == ("7:0", "What rises?", "Sap")


def test_published_files_of_rgb_and_pubmedqa_are_taken_from_a_folder(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    rgb = {"id": 0, "query": "Where?", "answer": ["Molde"], "fakeanswer": "Bergen"}
    rgb |= {"positive": ["In Molde."], "positive_wrong": ["In Bergen."], "negative": []}
    (given / "en_fact.json").write_text(json.dumps(rgb) + "\n")
    abstract = {"QUESTION": "Does sap rise?", "CONTEXTS": ["Sap."], "LONG_ANSWER": "It does."}
    (given / "ori_pqal.json").write_text(json.dumps({"12": {**abstract, "final_decision": "yes"}}))
    (given / "test_ground_truth.json").write_text(json.dumps({"12": "yes"}))
    data = tmp_path / "data"
    for name in ("rgb", "pubmedqa"):
        assert get_set(data, find_set(name), given).usable
    assert [case.gold for case in read_cases(data, "pubmedqa")] == ["yes"]
    assert not inspect_set(data, find_set("umls")).usable
