"""Files of data sets: missing, truncated, of another form."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from probative import InputError
from probative.bench.data.sets import CATALOGUE, check_sets, is_kept_version

WICE = {
    "label": "supported",
    "supporting_sentences": [[0]],
    "claim": "It rained.",
    "evidence": ["Rain fell."],
}
VERDICT = {"set": "own", "claim": "It rained.", "evidence": ["Rain fell."], "label": "supported"}


@pytest.mark.parametrize("name", CATALOGUE)
def test_each_set_has_a_source_a_licence_and_a_size(name: str) -> None:
    data_set = CATALOGUE[name]
    assert data_set.source
    assert data_set.licence not in {"", "ERASER", "BioASQ"}  # collections, not licences
    assert re.search(r"\d [MG]B\b|several GB", data_set.size), data_set.size


def write(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_a_whole_file_has_its_checksum(tmp_path: Path) -> None:
    checksums = check_sets(write(tmp_path, "wice/dev.jsonl", json.dumps(WICE) + "\n"), ["wice"])
    (sha256,) = checksums.values()
    assert len(sha256) == 64
    assert is_kept_version("wice/dev.jsonl", sha256, ["wice"]) is False


def test_a_missing_file_says_where_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"github\.com/ryokamoi/wice and put it at .*wice/dev\.jsonl"):
        check_sets(tmp_path, ["wice"])
    with pytest.raises(InputError, match="there is no data folder"):
        check_sets(tmp_path / "none", ["wice"])


@pytest.mark.parametrize(
    ("name", "file", "content", "message"),
    [
        ("wice", "wice/dev.jsonl", json.dumps(WICE) + "\n" + json.dumps(WICE)[:20], "truncated.*line 2"),
        ("wice", "wice/dev.jsonl", "[1]\n", "line 1 is not a JSON object"),
        ("wice", "wice/dev.jsonl", "", "has no rows"),
        ("wice", "wice/dev.jsonl", json.dumps(VERDICT), "has no supporting_sentences"),
        ("wice", "wice/dev.jsonl", b"\xff\xfe\x00", "truncated or is not a file of JSON lines"),
        ("hotpotqa", "hotpotqa/hotpot_dev_distractor_sample.json", '[{"_id": 1', "truncated"),
        ("hotpotqa", "hotpotqa/hotpot_dev_distractor_sample.json", "[]", "has no rows"),
        ("hotpotqa", "hotpotqa/hotpot_dev_distractor_sample.json", "7", "neither a list nor an object"),
        (
            "hotpotqa",
            "hotpotqa/hotpot_dev_distractor_sample.json",
            '[{"_id": 1}]',
            "first row has no question",
        ),
        ("truthfulqa", "truthfulqa/TruthfulQA.csv", 'Question,Best Answer\n"cut', "truncated"),
        (
            "truthfulqa",
            "truthfulqa/TruthfulQA.csv",
            "Question,Best Answer\nonly\n",
            "another number of fields",
        ),
        ("conceptnet", "conceptnet100k/train.txt", "IsA\tlark\tship\nIsA", "line 2 has one column"),
        ("processbank", "processbank/qa", "a file", "is not a folder with files"),
        ("processbank", "processbank/qa/1", "<annotation><text>", "qa/1 is truncated or is not XML"),
        ("bioasq", "bioasq/Task7B/a.json", '{"questions": [', "a.json is truncated or is not JSON"),
    ],
)
def test_a_truncated_or_wrong_file_is_refused(
    tmp_path: Path, name: str, file: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        check_sets(write(tmp_path, file, content), [name])


def test_a_compressed_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress((json.dumps(VERDICT) + "\n").encode() * 50)
    assert check_sets(write(tmp_path, "verdict/eval.jsonl.gz", whole), ["verdict"])
    with pytest.raises(InputError, match="truncated or is not a gzip file"):
        check_sets(write(tmp_path, "verdict/eval.jsonl.gz", whole[:-9]), ["verdict"])


def test_an_unknown_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no data set called 'wise'"):
        check_sets(tmp_path, ["wise"])


def test_the_checksum_of_a_folder_is_of_its_contents(tmp_path: Path) -> None:
    def checksum(text: str, name: str = "1.json") -> str:
        folder = tmp_path / f"{name} {text}"
        return check_sets(write(folder, f"bioasq/Task7B/{name}", text), ["bioasq"])["bioasq"]

    same_size = ["[1]", "[2]"]
    assert len({checksum(text) for text in same_size}) == 2
    assert checksum("[1]") == checksum("[1]")
    assert checksum("[1]", "2.json") != checksum("[1]")


def test_every_set_of_the_catalogue_has_files_a_source_and_a_licence() -> None:
    for name, data_set in CATALOGUE.items():
        assert all((data_set.files, data_set.source, data_set.licence)), name
        for file in data_set.files:
            assert len(file.sha256) in (0, 64), file.path
