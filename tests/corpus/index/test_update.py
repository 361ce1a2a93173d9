"""An index follows its folder, and survives what happens to it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from small_corpus import TEXTS, write

from probative.corpus.corpus import Corpus
from probative.corpus.documents.files import Filters, is_index
from probative.corpus.index import batch
from probative.corpus.index.catalog import WritableCatalog
from probative.corpus.index.index_folder import IndexFolder
from probative.corpus.index.update import update_index
from probative.errors import InputError, InUseError, StoreError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "documents")


@pytest.fixture
def index(tmp_path: Path) -> Path:
    return tmp_path / "index"


def found(index: Path, query: str) -> list[str | None]:
    with Corpus(index) as corpus:
        return [passage.source for passage in corpus(query, 5)]


def test_only_what_changed_is_read_again(folder: Path, index: Path) -> None:
    first = update_index(folder, index)
    assert (first.documents, first.added, first.unchanged) == (4, 4, 0)
    again = update_index(folder, index)
    assert (again.documents, again.added, again.changed, again.unchanged) == (4, 0, 0, 4)
    (folder / "log.txt").write_text("The ferry sank at seven.\n", encoding="utf-8")
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.\n", encoding="utf-8")
    (folder / "minutes" / "june.md").unlink()
    last = update_index(folder, index)
    assert (last.documents, last.added, last.changed, last.removed, last.unchanged) == (4, 1, 1, 1, 2)
    assert found(index, "lighthouse") == ["new.txt"]
    assert found(index, "sank") == ["log.txt"]
    assert found(index, "quay") == []
    assert found(index, "Ida Lund") == []


def test_an_index_is_no_folder_of_documents(folder: Path, index: Path) -> None:
    update_index(folder, folder / "my.index")
    assert update_index(folder, index).documents == 4
    with Corpus(index) as corpus:
        assert not [source for source in corpus.sources() if source.startswith("my.index")]
    with pytest.raises(InputError, match="is an index, not a folder of documents"):
        update_index(folder / "my.index", index)


@pytest.mark.parametrize("place", [".", ".."])
def test_an_index_is_not_where_its_documents_are(folder: Path, place: str) -> None:
    with pytest.raises(InputError, match="the documents are in it"):
        update_index(folder, folder / place)
    assert not is_index(folder / place)


def test_patterns_that_take_no_file_are_named(folder: Path, index: Path) -> None:
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    with pytest.raises(InputError, match=r"no file in .* matches --include '\*\.zzz'") as raised:
        update_index(folder, index, filters=Filters(include=("*.zzz",)))
    assert "leads back" not in str(raised.value.hint)
    with pytest.raises(InputError, match=r"no file in .* is left by --exclude '\*\*'"):
        update_index(folder, index, filters=Filters(exclude=("**",)))


def test_a_duplicate_of_what_is_gone_or_other_now_is_compared_again(folder: Path, index: Path) -> None:
    text = "The first ferry leaves at six, and the last one comes back before midnight."
    for name in ("a", "b", "c"):
        (folder / f"copy-{name}.txt").write_text(text, encoding="utf-8")

    def pairs() -> list[tuple[str, str]]:
        return [(each.source, each.original) for each in update_index(folder, index).duplicates]

    assert pairs() == [("copy-b.txt", "copy-a.txt"), ("copy-c.txt", "copy-a.txt")]
    (folder / "copy-a.txt").unlink()
    assert pairs() == [("copy-c.txt", "copy-b.txt")]
    (folder / "copy-b.txt").write_text("Nets are dried on the pier, not on the quay.", encoding="utf-8")
    assert pairs() == []


def test_a_file_with_another_time_and_the_same_content_is_not_read_again(folder: Path, index: Path) -> None:
    update_index(folder, index)
    os.utime(folder / "log.txt", ns=(0, 0))
    summary = update_index(folder, index)
    assert (summary.changed, summary.unchanged) == (0, 4)
    with Corpus(index) as corpus:
        assert corpus.document("log.txt").text == TEXTS["log.txt"]


def test_filters_stay_with_the_index(folder: Path, index: Path) -> None:
    assert update_index(folder, index, filters=Filters(include=("*.md",))).documents == 2
    assert update_index(folder, index).documents == 2
    assert update_index(folder, index, filters=Filters(exclude=("minutes/**",))).documents == 2
    with Corpus(index) as corpus:
        assert corpus.sources() == ["brief.txt", "log.txt"]


def test_files_that_cannot_be_read_are_named_and_stop_nothing(folder: Path, index: Path) -> None:
    (folder / "picture.png").write_bytes(b"GIF89a" + bytes(100))
    (folder / "empty.txt").write_bytes(b"")
    os.mkfifo(folder / "pipe.txt")
    summary = update_index(folder, index)
    assert summary.documents == 4
    assert {item.source: item.reason for item in summary.unread} == {
        "empty.txt": "empty",
        "picture.png": "image",
        "pipe.txt": "no file",
    }
    again = update_index(folder, index)
    assert {item.source for item in again.unread} == {"empty.txt", "picture.png", "pipe.txt"}
    (folder / "log.txt").write_bytes(b"GIF89a" + bytes(100))
    assert update_index(folder, index).removed == 1
    assert "log.txt" not in found(index, "ferry")


def test_near_duplicates_are_reported_and_both_are_kept(folder: Path, index: Path) -> None:
    long = " ".join(f"Paragraph {number} tells about the harbour and its crane." for number in range(40))
    (folder / "old.txt").write_text(long, encoding="utf-8")
    update_index(folder, index)
    (folder / "young.txt").write_text(f"{long} One more sentence is here.", encoding="utf-8")
    summary = update_index(folder, index)
    assert [(each.source, each.original) for each in summary.duplicates] == [("young.txt", "old.txt")]
    assert summary.documents == 6


def test_an_empty_folder_is_an_error_and_keeps_the_old_index(folder: Path, index: Path) -> None:
    update_index(folder, index)
    for file in folder.rglob("*.*"):
        file.unlink()
    with pytest.raises(InputError, match="there are no documents"):
        update_index(folder, index)
    assert found(index, "crane") != []


def test_an_index_is_not_filled_from_another_folder(folder: Path, index: Path, tmp_path: Path) -> None:
    update_index(folder, index)
    other = write(tmp_path / "other", {"a.txt": "Nothing of that."})
    with pytest.raises(InputError, match="was made from"):
        update_index(other, index)
    assert update_index(other, index, rebuild=True).documents == 1


def test_an_index_inside_its_folder_does_not_index_itself(folder: Path) -> None:
    update_index(folder, folder / "index")
    summary = update_index(folder, folder / "index")
    assert (summary.documents, summary.unread) == (4, ())


def test_two_indexers_at_once_are_refused(folder: Path, index: Path) -> None:
    update_index(folder, index)
    with FileLock(index / ".lock"):
        with pytest.raises(InUseError, match="another process"):
            update_index(folder, index)
        assert found(index, "crane") != []


def test_an_index_of_another_format_is_refused_until_it_is_made_again(folder: Path, index: Path) -> None:
    update_index(folder, index)
    label = IndexFolder(index).label()
    IndexFolder(index).write_label(label.model_copy(update={"format": 99}))
    with pytest.raises(StoreError, match="has format 99"):
        Corpus(index)
    with pytest.raises(StoreError, match="has format 99"):
        update_index(folder, index)
    assert update_index(folder, index, rebuild=True).documents == 4
    assert found(index, "crane") != []


@pytest.mark.parametrize("step", ["add", "commit", "switch", "forget"])
def test_what_stops_at_any_step_leaves_the_old_state_and_goes_on(
    folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    update_index(folder, index)
    (folder / "log.txt").write_text("The ferry sank at seven.\n", encoding="utf-8")
    (folder / "new.txt").write_text("A lighthouse stands on the skerry.\n", encoding="utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        if step == "commit":
            patched.setattr("probative.corpus.stores.word_index.WordIndex.commit", stop)
        else:
            patched.setattr(WritableCatalog, step, stop)
        with pytest.raises(KeyboardInterrupt):
            update_index(folder, index)
    changed = step == "forget"  # after the switch, the new state answers
    assert set(found(index, "sank lighthouse")) == ({"new.txt", "log.txt"} if changed else set())
    assert found(index, "quay") == ([] if changed else ["log.txt"])
    update_index(folder, index)
    assert set(found(index, "sank lighthouse")) == {"new.txt", "log.txt"}
    with Corpus(index) as corpus:
        assert len(corpus._searcher.words) == len(corpus) == len(corpus._searcher.words.at(range(100)))


def test_a_batch_that_was_written_is_kept_when_the_next_one_is_stopped(
    folder: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "BATCH_CHARACTERS", 1)

    def stop(done: int, total: int, source: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        update_index(folder, index, progress=stop)
    with Corpus(index) as corpus:
        assert corpus.documents == 3
    assert update_index(folder, index).unchanged == 3


KILLED = """
import os, sys
from pathlib import Path
from probative.corpus.index import batch, update
from probative.corpus.index.catalog import WritableCatalog
def kill(*arguments):
    os.kill(os.getpid(), 9)
WritableCatalog.switch = kill
update.update_index(sys.argv[1], Path(sys.argv[2]))
"""


def test_an_indexer_that_is_killed_leaves_the_old_index_answering(folder: Path, index: Path) -> None:
    update_index(folder, index)
    (folder / "log.txt").write_text("The ferry sank at seven.\n", encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(index)], check=False)
    assert done.returncode == -9
    assert found(index, "quay") == ["log.txt"]
    assert found(index, "sank") == []
    assert update_index(folder, index).changed == 1
    assert found(index, "sank") == ["log.txt"]


FULL = """
import resource, signal, sys
from pathlib import Path
from probative.corpus.index.update import update_index
from probative.errors import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    update_index(sys.argv[1], Path(sys.argv[2]))
except StoreError as error:
    print("STORE", error)
"""


@pytest.mark.parametrize("limit", [2_000, 60_000, 250_000])
def test_a_full_disk_is_an_error_and_keeps_the_old_index(folder: Path, index: Path, limit: int) -> None:
    update_index(folder, index)
    letters = os.urandom(400_000).hex()
    words = " ".join(letters[at : at + 7] for at in range(0, len(letters), 7))
    (folder / "large.txt").write_text(f"The quay is large. {words}.", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(folder), str(index), str(limit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("STORE the "), done.stderr
    assert "cannot be written" in done.stdout
    assert found(index, "quay") == ["log.txt"]
    assert update_index(folder, index).added == 1
    assert set(found(index, "quay")) == {"log.txt", "large.txt"}
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
