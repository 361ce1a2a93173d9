"""Every source file has a test: one that imports it or a file that uses it, or an example in its docstrings.

`make coverage` says which lines the tests reach. This only finds files that nobody thought of, in seconds.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"

# Files that no test is near to, and what runs them instead. The list may only become shorter.
ELSEWHERE = {
    "a command in a process of its own": "testing.__main__",
    "tests/corpus and tests/graph, by the suffix of a file": (
        "corpus.readers.docx corpus.readers.pdf "
        "graph.formats.json_lines graph.formats.parquet graph.formats.rdf"
    ),
    "tests/server, by requests": (
        "server.base.whole_text server.listen server.state.demo server.state.verbs "
        "server.openai.chat server.openai.requests server.openai.responses"
    ),
    "tests/bench, by the names of all studies": (
        "bench.studies.answers bench.studies.comparisons bench.studies.leaderboard "
        "bench.studies.mcse_ablation bench.studies.mcse_annotation bench.studies.mcse_cot "
        "bench.studies.mcse_hops bench.studies.mcse_main bench.studies.mcse_models "
        "bench.studies.mcse_multirc bench.studies.mcse_search_size bench.studies.mcse_strength "
        "bench.studies.open_answers"
    ),
    "tests of the verb whose search it is a step of": (
        "baselines.graphs.tog_topics give.candidates give.groups give.relate give.search give.silence "
        "scope.compute.quantity_values scope.cover.links scope.pipeline.find_answer session.graph_source"
    ),
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
