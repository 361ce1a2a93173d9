"""Write the types of the verbs and of the package from their tables: `session/session.pyi`,
`session/default.pyi` and `__init__.pyi` in `src/probative`.

Run it, then `make format`, after arguments of a verb or public names have changed; a test holds that the
files are current.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator
from inspect import Parameter, Signature
from pathlib import Path

import probative
from probative.session import base, default
from probative.session.session import Session
from probative.verbs import BUILT_IN
from probative.verbs.spec import VerbSpec
from probative.verbs.table import VERBS

FOLDER = Path(probative.__file__).parent
HEADER = '"""Types of the verbs. Made by docs/tools/stubs.py from the table of verbs: do not edit."""\n'
SURFACE_HEADER = (
    '"""The public names. Made by docs/tools/stubs.py from the table in `__init__.py`: do not edit."""\n'
)
# Names that the makers of signatures use, besides those of the modules of verbs.
COMMON = {
    "Any": "typing",
    "Callable": "collections.abc",
    "Iterable": "collections.abc",
    "Iterator": "collections.abc",
    "Mapping": "collections.abc",
    "ProbativeError": "probative.errors",
    "Usage": "probative.types",
}


def main() -> None:
    """Write all files."""
    for name, text in stubs().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def stubs() -> dict[str, str]:
    """Return the text of each file by its name."""
    specs = [VERBS.load(name) for name in BUILT_IN]
    methods = [
        _definition(
            name,
            spec.signature_all if name.endswith("_all") else spec.signature,
            inspect.getdoc(getattr(Session, name)) or "",
            method=True,
            awaited=name.endswith("_async"),
        )
        for spec in specs
        for name in (spec.name, f"{spec.name}_all", f"{spec.name}_async")
    ]
    functions = [
        _definition(name, inspect.signature(function), inspect.getdoc(function) or "")
        for spec in specs
        for name, function in default.functions_of(spec).items()
    ]
    own = [
        "def close_default_sessions() -> None: ...",
        "def default_session(settings: Settings, *, dry_run: bool = ...) -> Session: ...",
        "def functions_of(spec: VerbSpec) -> dict[str, Callable[..., Any]]: ...",
    ]
    members = "\n".join((_quoted(inspect.getdoc(Session) or ""), *RUNNING, *methods))
    session = ["class Session(SessionBase):", textwrap.indent(members, "    ")]
    return {
        "__init__.pyi": _surface(),
        "session/session.pyi": _file(session, specs, {"SessionBase": base.__name__}),
        "session/default.pyi": _file([*own, *functions], specs, {"Session": "probative.session.session"}),
    }


def _surface() -> str:
    """Return the types of the package: its public names, imported from where they are."""
    names = [
        f"from probative.{module} import {name} as {public}"
        for public, (module, name) in sorted(vars(probative)["_PLACES"].items(), key=lambda item: item[1])
    ]
    return "\n".join((SURFACE_HEADER, *names, "", "__version__: str", f"__all__ = {probative.__all__}", ""))


RUNNING = (
    "def run_verb(self, spec: VerbSpec, *given: Any, **keywords: Any) -> Any: ...",
    "def run_verb_all(self, spec: VerbSpec, *given: Any, **keywords: Any) -> Iterator[Any]: ...",
)


def _definition(name: str, form: Signature, doc: str, *, method: bool = False, awaited: bool = False) -> str:
    parts = ["self"] if method else []
    starred = False
    for parameter in form.parameters.values():
        if parameter.kind is Parameter.KEYWORD_ONLY and not starred:
            starred = True
            parts.append("*")
        prefix = "**" if parameter.kind is Parameter.VAR_KEYWORD else ""
        default = "" if parameter.default is Parameter.empty else " = ..."
        parts.append(f"{prefix}{parameter.name}: {parameter.annotation}{default}")
    start = "async def" if awaited else "def"
    head = f"{start} {name}({', '.join(parts)}) -> {form.return_annotation}:"
    return f"{head}\n{textwrap.indent(_quoted(doc), '    ')}"


def _quoted(doc: str) -> str:
    text = inspect.cleandoc(doc)
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


def _file(lines: Iterable[str], specs: Iterable[VerbSpec], own: dict[str, str]) -> str:
    body = "\n".join(lines)
    used = {node.id for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name)}
    places = {**dict(_places(specs)), **COMMON, **own, "VerbSpec": "probative.verbs.spec"}
    places |= {"Settings": "probative.settings", "VerdictModel": "probative.models.verdict"}
    places |= {"LanguageModel": "probative.models.contract", "Encoder": "probative.models.encoder"}
    modules: dict[str, list[str]] = {}
    for name in sorted(used & set(places)):
        modules.setdefault(places[name], []).append(name)
    imports = [_import(module, names) for module, names in sorted(modules.items())]
    return "\n".join((HEADER, *imports, "", body, ""))


def _import(module: str, names: list[str]) -> str:
    return "import numpy as np" if module == "numpy" else f"from {module} import {', '.join(names)}"


def _places(specs: Iterable[VerbSpec]) -> Iterator[tuple[str, str]]:
    """Yield the names that the modules of verbs define or import, with where they come from."""
    for spec in specs:
        module = sys.modules[spec.bind.__module__]
        tree = ast.parse(inspect.getsource(module))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                yield from ((alias.asname or alias.name, node.module) for alias in node.names)
            elif isinstance(node, ast.Import):
                yield from ((alias.asname or alias.name, alias.name) for alias in node.names)
            elif isinstance(node, ast.ClassDef):
                yield node.name, module.__name__
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                yield node.targets[0].id, module.__name__


if __name__ == "__main__":
    main()
