"""Print the tests that a change concerns, for `make test-changed`.

They are the changed tests, and those that import a changed module, helper or tool, or stand
in the folder of its package. Data files belong to their package, pages to the tests of the documentation.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Print the files, one on each line; `BASE` (default: main) is what the change is compared with."""
    base = sys.argv[1] if len(sys.argv) > 1 else "main"
    for file in concerned(changed(base)):
        print(file)


def changed(base: str) -> set[str]:
    """Return the paths that differ from `base`, committed or not."""
    return {*_git("diff", "--name-only", base), *_git("ls-files", "--others", "--exclude-standard")}


def _git(*words: str) -> list[str]:
    command = ["git", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def concerned(paths: set[str]) -> list[str]:
    """Return the test files to run, and changed source files, whose docstrings are tests.

    >>> concerned({"tests/test_registry.py"})
    ['tests/test_registry.py']
    >>> "tests/test_registry.py" in concerned({"src/probative/registry.py"})
    True
    >>> "tests/text/test_text_laws.py" in concerned({"src/probative/text/data/words.toml"})
    True
    >>> "tests/benchmarks/test_places_to_change.py" in concerned({"benchmarks/places_to_change.py"})
    True
    """
    modules = {name for path in paths if path.endswith(".py") for name in _module_names(path)}
    sources = [path for path in paths if path.startswith("src/") and path.endswith(".py")]
    packages = {path.split("/")[2] for path in paths if path.startswith("src/") and path.count("/") > 2}
    data = [path for path in paths if not path.endswith(".py")]
    packages |= {path.split("/")[1] for path in data if path.startswith("tests/")}
    packages |= {"docs" for path in data if path.endswith(".md")}
    found = {path for path in paths if (ROOT / path).is_file() and path in sources}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        path = str(file.relative_to(ROOT))
        if path in paths or file.parts[len(ROOT.parts) + 1] in packages or modules & set(_imports(file)):
            found.add(path)
    return sorted(found)


def _module_names(path: str) -> set[str]:
    """Return the names that a file may be imported by: the folders of helpers and tools are on the path."""
    dotted = path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return {dotted} if path.startswith("src/") else {dotted, Path(path).stem}


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


if __name__ == "__main__":
    main()
