"""How large the code is, and how its parts hang together.

    python benchmarks/size.py        (make size)

Prints lines and files of each package and of what stands beside `src`, so that moved lines are not counted as
removed; imports between packages and between folders, with the circles among them; functions over 50 lines;
and the places to change for one more argument, verb, study, format or baseline.
"""

from __future__ import annotations

import ast
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from places_to_change import of_question, report

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "probative"
LONG = 50
Edges = Counter[tuple[str, str]]


def lines(files: Iterable[Path]) -> list[int]:
    """Return the number of lines of each file."""
    return [len(file.read_text(encoding="utf-8").splitlines()) for file in files]


def imports_of(file: Path, tree: ast.AST) -> Iterator[str]:
    """Yield the modules of this package that a file imports, lazily or not, as names below `probative`."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("probative."):
                yield name.removeprefix("probative.")


def folder_of(module: str) -> str:
    """Return the folder of an imported name, or the module itself if it stands at the top."""
    parts = module.split(".")
    while parts and not (
        SOURCE.joinpath(*parts).is_dir() or SOURCE.joinpath(*parts).with_suffix(".py").is_file()
    ):
        parts.pop()
    if parts and not SOURCE.joinpath(*parts).is_dir() and len(parts) > 1:
        parts.pop()
    return ".".join(parts)


def circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of folders that import each other, directly or through others.

    >>> circles([("a", "b"), ("b", "a"), ("b", "c")])
    [['a', 'b']]
    """
    targets: Mapping[str, set[str]] = defaultdict(set)
    for origin, target in edges:
        targets[origin].add(target)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        left = [start]
        while left:
            for target in targets.get(left.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    left.append(target)
        return seen

    reach = {name: reached(name) for name in list(targets)}
    groups = {
        tuple(sorted({other for other in reach[name] if name in reach.get(other, ())} | {name}))
        for name in reach
        if name in reach[name]
    }
    return sorted(map(list, groups))


def folder_imports() -> Edges:
    """Return how often the files of a folder import those of another, imports inside functions included."""
    folders: Edges = Counter()
    for file in SOURCE.rglob("*.py"):
        relative = file.relative_to(SOURCE)
        own = ".".join(relative.parts[:-1]) or relative.stem
        for module in imports_of(file, ast.parse(file.read_text(encoding="utf-8"))):
            if (target := folder_of(module)) != own:
                folders[own, target] += 1
    return folders


def main() -> None:
    """Print the sizes."""
    files = sorted(SOURCE.rglob("*.py"))
    packages: defaultdict[str, list[Path]] = defaultdict(list)
    between: Edges = Counter()
    folders = folder_imports()
    long: list[tuple[int, str]] = []
    count = 0
    for file in files:
        relative = file.relative_to(SOURCE)
        package = relative.parts[0] if len(relative.parts) > 1 else "(top)"
        packages[package].append(file)
        own = ".".join(relative.parts[:-1]) or relative.stem
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for module in imports_of(file, tree):
            count += 1
            target = folder_of(module)
            if target.split(".")[0] != own.split(".")[0]:
                between[own.split(".")[0], target.split(".")[0]] += 1
        long += [
            (node.end_lineno - node.lineno + 1, f"{relative}:{node.name}")
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.end_lineno is not None
            and node.end_lineno - node.lineno >= LONG
        ]
    print(f"{'package':14}{'lines':>8}{'files':>7}{'median':>8}")
    for name, members in sorted(packages.items(), key=lambda item: -sum(lines(item[1]))):
        sizes = lines(members)
        print(f"{name:14}{sum(sizes):8,}{len(sizes):7}{statistics.median(sizes):8.0f}")
    sizes = lines(files)
    print(f"{'src':14}{sum(sizes):8,}{len(sizes):7}{statistics.median(sizes):8.0f}")
    for name, pattern in (
        ("training", "training/**/*.py"),
        ("tests", "tests/**/*.py"),
        ("benchmarks", "benchmarks/**/*.py"),
        ("page", "src/probative/server/page/**/*.js"),
        ("types", "src/probative/**/*.pyi"),
        ("data files", "src/probative/**/*.t[xo][tm]*"),
    ):
        sizes = lines(ROOT.glob(pattern))
        print(f"{name:14}{sum(sizes):8,}{len(sizes):7}")
    print(f"imports between packages: {sum(between.values()):,} of {count:,}, over {len(between)} pairs")
    print(f"imports between folders: {sum(folders.values()):,}, over {len(folders)} pairs")
    for group in circles(folders):
        print(f"circle of folders: {', '.join(group)}")
    print(f"functions over {LONG} lines: {len(long)}")
    for size, place in sorted(long, reverse=True):
        print(f"  {size} {place}")
    for thing, (member, places) in report().items():
        print(f"places to change for {thing}: {len(places)} (counted for {member})")
        for path in places:
            print(f"  {path}")
    name, places = of_question()
    print(f"files that `ask` imports with the parameter `{name}`: {len(places)}")
    for path in places:
        print(f"  {path}")


if __name__ == "__main__":
    main()
