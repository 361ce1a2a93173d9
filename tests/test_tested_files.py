"""Every source file has a test, and a test is found by the name of its file.

A file has a test if one imports it or a file that uses it, or if its docstrings have an example.
`make coverage` says which lines the tests reach. This only finds files that nobody thought of, in seconds.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from probative.verbs.table import VERBS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"

# Files that no test is near to, and what runs them instead. The list may only become shorter.
ELSEWHERE = {
    "a command in a process of its own": "testing.__main__",
    "tests/corpus and tests/graph, by the suffix of a file": (
        "corpus.readers.docx graph.formats.json_lines graph.formats.rdf"
    ),
    "tests/server, by requests": (
        "server.base.whole_text server.state.demo "
        "server.openai.chat server.openai.requests server.openai.responses"
    ),
    "tests/bench, by the names of all studies": (
        "bench.studies.answers bench.studies.leaderboard bench.studies.mcse"
    ),
    "tests of the verb whose search it is a step of": (
        "give.candidates give.groups give.silence scope.cover.links"
    ),
}

# Tests that belong to no single source file, and why.
ACROSS = {
    "believed": "what the embedded models believe, asked by several verbs",
    "bench/give_study": "the studies of one paper, by its tables",
    "bench/literal": "the algorithms of the papers, written out literally",
    "bench/mcse_study": "the studies of one paper, by its tables",
    "bench/ours": "our own studies, by what they measure",
    "golden": "recorded results of every surface",
    "packaging": "the distribution, the container and the action",
    "test_model_marks.py": "the tests themselves",
    "test_started_anyhow.py": "the tests themselves",
    "test_surface.py": "the public names, and the imports between folders",
    "test_tested_files.py": "the tests themselves",
}
# Folders of tests for code outside `src/probative`.
BESIDE = {
    "benchmarks": "benchmarks",
    "docs": "docs/tools",
    "examples": "examples",
    "training": "training",
}


def test_every_source_file_has_a_test() -> None:
    files = {_module(file): file for file in (SOURCE / "probative").rglob("*.py")}
    tests = [file for file in (ROOT / "tests").rglob("*.py") if file != Path(__file__)]
    imported = set().union(*(_named(file) for file in tests)) & files.keys()
    used = set().union(*(_named(files[module]) for module in imported))
    untested = {
        module
        for module, file in files.items()
        if module not in imported | used and ">>>" not in file.read_text(encoding="utf-8") and _has_code(file)
    }
    listed = [f"probative.{name}" for names in ELSEWHERE.values() for name in names.split()]
    assert sorted(untested - set(listed)) == [], "write a test that imports it"
    assert sorted(set(listed) - untested) == [], "take it off the list"


def test_a_test_is_found_by_the_name_of_its_file() -> None:
    """`tests/X/test_Y.py` or `test_Y_what.py` tests a file or folder Y in X, the folder X, or the verb Y."""
    files = (file.relative_to(ROOT / "tests") for file in (ROOT / "tests").rglob("test_*.py"))
    across = {place: [] for place in ACROSS}
    misnamed = []
    for file in sorted(files):
        if place := next((place for place in ACROSS if file.is_relative_to(place)), None):
            across[place].append(file)
        elif not _is_named_after_a_source(file):
            misnamed.append(str(file))
    assert misnamed == [], "name it after the file that it tests"
    assert [place for place, members in across.items() if not members] == [], "take it off the list"


def _is_named_after_a_source(test: Path) -> bool:
    top, *rest = test.parent.parts or ("",)
    folder = Path(ROOT / BESIDE[top] if top in BESIDE else SOURCE / "probative" / top, *rest)
    below = folder.rglob("*") if top else folder.glob("*")
    sources = {path.stem for path in below if path.suffix in (".py", ".js") or path.is_dir()}
    names = sources | {folder.name, *VERBS.names()}
    name = test.stem.removeprefix("test_")
    return folder.is_dir() and any(name == known or name.startswith(f"{known}_") for known in names)


@pytest.mark.parametrize(
    ("test", "named"),
    [
        ("corpus/documents/test_passages.py", True),
        ("corpus/test_passages.py", True),
        ("server/test_mcp_http.py", True),
        ("session/test_judge.py", True),
        ("session/test_passages.py", False),
        ("corpus/test_citations.py", False),
        ("nowhere/test_nowhere.py", False),
        ("test_passages.py", False),
    ],
)
def test_a_name_is_that_of_a_source_in_the_same_folder(test: str, named: bool) -> None:
    assert _is_named_after_a_source(Path(test)) is named


def _module(file: Path) -> str:
    return ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def _has_code(file: Path) -> bool:
    """Return whether a file has more than a docstring and imports."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(not isinstance(node, ast.Expr | ast.Import | ast.ImportFrom) for node in tree.body)


def _named(file: Path) -> set[str]:
    """Return the modules that a file imports, or names in a string: in a table of methods, for example."""
    named = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            named |= set(re.findall(r"probative(?:\.\w+)+", node.value))
    return named
