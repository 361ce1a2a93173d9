"""Where the source must change for one more argument, verb, study, format or baseline.

Nothing is typed in here: the members come from their tables, and the places from the files. A place is a
hand-written file of `src/probative` that declares the name (a function, a class, a parameter, a field, an
import, a key), has it as a whole string, or lists it next to other members. A call of it is no place.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "probative"
KINDS = ("*.py", "*.js", "*.toml")
# What a user reaches a verb by; elsewhere, the name of an argument may mean anything.
WAYS_IN = ("__init__", "verbs", "session", "cli", "batch", "server", "integrations")
_BETWEEN = r"""[`"'\s,|/:]+(?:and |or )?[`"']*"""
# Files that belong to no verb but have their own arguments.
NO_VERB = frozenset({"openai", "calibration", "calibrations", "calibration_folder", "calibration_runs"})
_JS_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.S)


class Places(NamedTuple):
    """A member of a table, and the files that name it."""

    member: str
    files: tuple[str, ...]


def fewest(members: Iterable[Places]) -> Places:
    """Return the member with the fewest places: what one more needs, where others are also used for more."""
    return min(members, key=lambda places: (len(places.files), places.member))


def of_verbs() -> list[Places]:
    """Return the places of every verb and of the type of its results."""
    from probative.verbs.table import VERBS

    named = dict(places_of(VERBS.entries()))
    places = []
    for spec in VERBS.specs():
        ((_, shown),) = places_of([spec.result.__name__])
        public = {file for file in shown if file.split("/")[0].removesuffix(".py") in (*WAYS_IN, "views")}
        places.append(Places(spec.name, tuple(sorted({*named[spec.name], *public}))))
    return places


def of_studies() -> list[Places]:
    """Return the places of every study."""
    from probative.bench.registry import EXPERIMENTS

    return places_of(EXPERIMENTS.names())


def of_formats() -> list[Places]:
    """Return the places of every format of a document and of a graph."""
    from probative.corpus.readers.formats import READERS
    from probative.graph.formats import sources

    return [*places_of(READERS.names()), *places_of(sources._READERS.names())]


def of_baselines() -> list[Places]:
    """Return the places of every baseline: a method of a verb in `probative.baselines`."""
    from probative.verbs.table import VERBS

    methods: dict[str, str] = {}
    for spec in VERBS.specs():
        methods |= spec.methods.entries() if spec.methods is not None else {}
    return places_of(name for name, place in methods.items() if place.startswith("probative.baselines"))


def of_arguments() -> list[Places]:
    """Return the places of every argument of a verb in Python and in a request; its inputs are left out."""
    from probative import Session
    from probative.verbs.table import VERBS

    return [
        Places(f"{spec.name}({name}=)", places.files)
        for spec in VERBS.specs()
        for name in inspect.signature(getattr(Session, spec.name)).parameters
        if name in spec.request.model_fields and name not in spec.positional
        for places in places_of([name], among=_ways_in(spec.name, VERBS.names()))
    ]


def places_of(names: Iterable[str], among: Iterable[Path] | None = None) -> list[Places]:
    """Return every name with the files that declare it or list it next to another of `names`."""
    members = sorted(names)
    files = list(_sources() if among is None else among)
    return [
        Places(name, tuple(str(file.relative_to(SOURCE)) for file in files if _names(file, name, members)))
        for name in members
    ]


def _names(file: Path, name: str, members: Iterable[str]) -> bool:
    spelled = spellings(name)
    return (
        file.stem in spelled
        or not spelled.isdisjoint(_declared(file))
        or lists(_text(file), name, (other for other in members if other != name))
    )


def spellings(name: str) -> set[str]:
    """Return how a name is written in code: as it is, as an identifier, a class, a constant or an option.

    >>> sorted(spellings("cot-sc"))
    ['--cot-sc', '.cot-sc', 'COT_SC', 'CotSc', 'cot-sc', 'cot_sc']
    """
    words = re.split("[-_]", name)
    plain, dashed = "_".join(words), "-".join(words)
    return {name, plain, dashed, f"--{dashed}", f".{dashed}", plain.upper(), "".join(map(str.title, words))}


def lists(text: str, name: str, others: Iterable[str]) -> bool:
    """Return whether a text lists a name next to another one, so that one more would have to be added.

    >>> lists("the verbs `ask`, `prove` and `judge`", "judge", ["ask", "prove"])
    True
    >>> lists("give a judge model, or ask them", "judge", ["ask", "prove"])
    False
    """
    if name not in text:
        return False
    other, own = "|".join(map(re.escape, others)), rf"{re.escape(name)}(?:_\w+)?"
    pairs = rf"\b(?:(?:{other})(?:_\w+)?{_BETWEEN}{own}|{own}{_BETWEEN}(?:{other}))\b"
    return bool(other) and re.search(pairs, text) is not None


@cache
def _sources() -> tuple[Path, ...]:
    return tuple(sorted(file for kind in KINDS for file in SOURCE.rglob(kind) if "vendor" not in file.parts))


def _ways_in(verb: str, verbs: Iterable[str]) -> list[Path]:
    """Return the files by which a user reaches a verb: not those of other verbs, commands and protocols."""
    others = {*verbs, *NO_VERB} - {verb}

    def leads_to_it(file: Path) -> bool:
        parts = file.relative_to(SOURCE).with_suffix("").parts
        return (
            parts[0] in WAYS_IN
            and others.isdisjoint(parts)
            and (file.parent.name != "commands" or file.stem == verb)
        )

    return [file for file in _sources() if leads_to_it(file)]


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def _declared(file: Path) -> frozenset[str]:
    """Return the names that a file declares, and its strings of one word."""
    if file.suffix == ".py":
        return frozenset(_declared_in_python(ast.parse(_text(file))))
    if file.suffix == ".js":
        # Keys, variables and strings; after a dot stands a use.
        return frozenset(re.findall(r"(?<![\w.$-])[\w-]+(?![\w-])", _JS_COMMENT.sub("", _text(file))))
    return frozenset(re.findall(r"[\w-]+(?=\s*=)|(?<=\")[\w-]+(?=\")", _text(file)))


def _declared_in_python(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.alias(name=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Constant(value=str(text)):
                yield text


def with_parameter(name: str, files: Iterable[Path]) -> list[Path]:
    """Return the files in which a function has a parameter of this name."""
    return [file for file in files if name in _parameters(file)]


@cache
def _parameters(file: Path) -> frozenset[str]:
    return frozenset(node.arg for node in ast.walk(ast.parse(_text(file))) if isinstance(node, ast.arg))


def reached_from(start: Path) -> list[Path]:
    """Return the files of the package that a file imports, and those that they import in turn."""
    reached: dict[Path, None] = {}
    waiting = [start]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached[file] = None
            waiting += _imported(file)
    return sorted(reached)


def _imported(file: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(_text(file))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("probative."):
            module = SOURCE.joinpath(*str(node.module).split(".")[1:])
            for place in (module, *(module / alias.name for alias in node.names)):
                found = (place.with_suffix(".py"), place / "__init__.py")
                yield from (each for each in found if each.is_file())


def of_question() -> Places:
    """Return the files with a function that has the parameter `question`, of those that `ask` reaches."""
    files = with_parameter("question", reached_from(SOURCE / "scope" / "pipeline" / "find_answer.py"))
    return Places("question", tuple(str(file.relative_to(SOURCE)) for file in files))


def report() -> Mapping[str, Places]:
    """Return, for each kind of thing, the member with the fewest places; of the arguments, `seed` of `ask`.

    The names of other arguments are common words, and so count too many files or too few.
    """
    return {
        "an argument": next(places for places in of_arguments() if places.member == "ask(seed=)"),
        "a verb": fewest(of_verbs()),
        "a study": fewest(of_studies()),
        "a format": fewest(of_formats()),
        "a baseline": fewest(of_baselines()),
    }
