"""The distribution: its name, the packages that it declares, and what its core takes on a disk."""

from __future__ import annotations

import ast
import platform
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from probative.doctor import examine
from probative.errors import DISTRIBUTION, MissingExtraError, install_command
from probative.settings import Settings

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "probative"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# The wheel of ctranslate2 for x86_64 brings Intel's MKL: 151 MB, nearly half of the whole closure.
CORE_BYTES = 330 * 10**6 if platform.machine().lower() in ("x86_64", "amd64") else 300 * 10**6

# The parts that need an extra; all others have the core alone. The longest path that fits a file counts.
PARTS = {
    "baselines/graphs/graphrag.py": {"graphrag"},
    "bench/plots.py": {"eval"},
    "bench/statistics.py": {"eval"},
    "cli/commands/mcp.py": {"mcp"},
    "cli/commands/serve.py": {"serve"},
    "corpus/stores/milvus.py": {"milvus"},
    "graph/formats/tables.py": {"graph"},
    "graph/formats/rdf.py": {"graph"},
    **{
        f"integrations/{name}.py": {name}
        for name in ("langchain", "llamaindex", "haystack", "dspy", "deepeval")
    },
    "models/hf": {"hf"},
    "runners/ray_cluster.py": {"ray"},
    "server": {"serve"},
    "server/mcp": {"mcp"},
    "telemetry": {"otel"},
    "corpus/readers/image.py": {"ocr"},
    "corpus/readers/ocr.py": {"ocr"},
    "views/verification_word.py": {"docx"},
}


def requirements(extras: Iterable[str] = ()) -> set[str]:
    """Return the distributions that the core and these extras declare."""
    lines = [*PROJECT["dependencies"]]
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    return {canonicalize_name(Requirement(line).name) for line in lines}


def imported(code: str) -> set[str]:
    """Return the packages that a file imports from elsewhere, at any depth."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"probative"}


def extras_of(file: Path) -> set[str]:
    """Return the extras that a file may import from."""
    path = file.relative_to(SOURCE)
    parts = [part for part in (path, *path.parents) if part.as_posix() in PARTS]
    return PARTS[parts[0].as_posix()] if parts else set()


@cache
def distributions() -> Mapping[str, list[str]]:
    """Return the installed distributions of each import; looking them up takes half a second."""
    return metadata.packages_distributions()


def undeclared(file: Path, code: str) -> set[str]:
    """Return the imports of a file that neither the core nor the extra of its part declares."""
    declared = requirements(extras_of(file))
    known = distributions()

    def is_declared(name: str) -> bool:
        if name in known:
            return not declared.isdisjoint(map(canonicalize_name, known[name]))
        # A framework is in an environment of its own: its distribution begins with the name of its import.
        return any(each.startswith(canonicalize_name(name)) for each in declared)

    return {name for name in imported(code) if not is_declared(name)}


def test_every_import_is_declared() -> None:
    missing = {
        str(file.relative_to(SOURCE)): names
        for file in SOURCE.rglob("*.py")
        if (names := undeclared(file, file.read_text(encoding="utf-8")))
    }
    assert missing == {}


@pytest.mark.parametrize(
    ("path", "code", "missing"),
    [
        ("types.py", "import numpy.linalg", set()),
        ("types.py", "def load():\n    import torch", {"torch"}),
        ("models/hf/model.py", "from torch import nn", set()),
        ("server/mcp/stdio.py", "import anyio.to_thread", set()),
        ("server/mcp/stdio.py", "import fastapi", {"fastapi"}),
        ("server/app.py", "import anyio", {"anyio"}),  # what a dependency happens to install does not count
        ("corpus/readers/text.py", "import mdurl", {"mdurl"}),
        ("integrations/haystack.py", "import haystack", set()),
    ],
)
def test_an_import_that_is_not_declared_is_noticed(path: str, code: str, missing: set[str]) -> None:
    assert undeclared(SOURCE / path, code) == missing


def test_every_part_and_its_extra_exist() -> None:
    for part, extras in PARTS.items():
        assert (SOURCE / part).exists(), part
        assert extras <= set(PROJECT["optional-dependencies"]), part


def closure(lines: Iterable[str]) -> Iterator[metadata.Distribution]:
    """Yield the installed distributions that these requirements need, each once."""
    waiting, seen = [Requirement(line) for line in lines], set()
    while waiting:
        wanted = waiting.pop()
        key = (canonicalize_name(wanted.name), frozenset(wanted.extras))
        if key in seen or not (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            continue
        if not any(name == key[0] for name, _ in seen):
            yield metadata.distribution(wanted.name)
        seen.add(key)
        for line in metadata.requires(wanted.name) or ():
            inner = Requirement(line)
            extras = [{"extra": extra} for extra in (wanted.extras or {""})]
            if inner.marker is None or any(map(inner.marker.evaluate, extras)):
                inner.marker = None
                waiting.append(inner)


def test_the_core_stays_small_on_the_disk() -> None:
    """The files of its dependencies, and of theirs, as their wheels have them; no extras, no weights.

    Bytecode is not counted: pip writes it, uv does not, and Python writes it again for each version.
    """
    sizes = {}
    for distribution in closure(PROJECT["dependencies"]):
        files = [Path(str(file.locate())) for file in distribution.files or ()]
        assert files, distribution.name
        sizes[distribution.name] = sum(
            file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc"
        )
    assert not {"torch", "transformers"} & set(sizes)
    largest = sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert sum(sizes.values()) < CORE_BYTES, largest


def test_the_distribution_has_its_own_name_and_the_command_the_short_one() -> None:
    assert PROJECT["name"] == DISTRIBUTION == "probative-evidence"
    assert list(PROJECT["scripts"]) == ["probative"]
    assert (
        MissingExtraError("hf", "hf:a").hint
        == install_command("hf")
        == "pip install 'probative-evidence[hf]'"
    )


TEXTS = [
    file
    for pattern in ("*", "src/**/*", "docs/**/*", "examples/**/*", "benchmarks/*", "training/**/*")
    for file in ROOT.glob(pattern)
    if file.is_file()
    and file.suffix in (".py", ".md", ".in", ".yml", ".yaml", ".toml", ".html", ".js", ".json", "")
    and "vendor" not in file.parts
]


def test_nothing_names_the_distribution_of_others() -> None:
    """Neither an extra (`probative[hf]`) nor a command that installs, and no look-up by that name."""
    wrong = re.compile(
        r"(?:pip install|pip download|uvx?|pipx)\b[^`\n]*?['\" ]probative(?![\w./-])"
        r"|\binstall probative(?![\w./-])"
        r"|(?<![\w./-])probative\[[a-z]+\]"
        r"|version\(\"probative\"\)"
    )
    found = {
        str(file.relative_to(ROOT)): wrong.findall(text)
        for file in TEXTS
        if wrong.search(text := file.read_text(encoding="utf-8", errors="ignore"))
    }
    assert found == {}


def install(folder: Path, name: str, *files: str) -> None:
    """Write the metadata of a distribution, as pip does."""
    about = folder / f"{name.replace('-', '_')}-9.1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.1\n", encoding="utf-8")
    (about / "RECORD").write_text("".join(f"{file},,\n" for file in files), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "files", "state"),
    [
        ("probative", ["probative/__init__.py"], "problem"),
        ("proof-kit", ["kit.py", "probative/tools.py"], "problem"),
        ("Probative", ["probative.pth"], "note"),  # an editable installation
        ("probative_evidence", ["probative/__init__.py"], None),
        ("probative-notes", ["probative_notes.py"], None),
    ],
)
def test_doctor_names_another_distribution_of_the_import(
    name: str, files: list[str], state: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "site", name, *files)
    monkeypatch.syspath_prepend(tmp_path / "site")
    settings = Settings(model="openai:a", base_url="http://127.0.0.1:9/v1", retries=0)
    findings = [finding for finding in examine(settings).findings if f"{name} 9.1 is" in finding.what]
    assert [finding.state for finding in findings] == ([state] if state else [])
    for finding in findings:
        assert "also provides the import 'probative'; this is probative-evidence" in finding.what
        assert f"pip uninstall {name}, and install probative-evidence again" in finding.hint
