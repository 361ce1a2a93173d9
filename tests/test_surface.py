"""The public surface is the documented one, and light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import probative
from size import circles, folder_imports

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "probative"
HEAVY = (
    "ctranslate2",
    "tokenizers",
    "gguf",
    "safetensors",
    "aiohttp",
    "numpy",
    "torch",
    "transformers",
    "json_repair",
    "bm25s",
    "sentencex",
    "pypdfium2",
    "selectolax",
    "tantivy",
)

# From the ground up; a file imports only from layers below its own, or from its own part.
LAYERS: list[set[str]] = [
    {"types", "server_url"},
    {"usage"},
    {"errors"},
    {"registry", "settings", "runners"},
    {"trace", "text"},
    {"graph", "telemetry"},
    {"models"},
    {"engine"},
    {"verdict"},
    {"scope", "mcse", "give", "corpus"},
    {"verify", "baselines", "dry_run"},
    {"calibration"},
    {"verbs"},
    {"session"},
    {"views"},
    {"batch", "doctor"},
    {"bench", "server", "integrations", "testing"},
    {"cli"},
]


def test_the_documented_surface_is_the_whole_surface() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    text = text[: text.index("## Command line")]
    documented = set(re.findall(r"^\| `(\w+)[^`]*` \|", text, re.MULTILINE))
    assert documented == set(probative.__all__)
    assert all(getattr(probative, name) is not None for name in probative.__all__)
    public = {
        name for name, value in vars(probative).items() if name[0] != "_" and type(value) is not type(sys)
    }
    assert public == set(probative.__all__)


def test_a_verb_is_not_hidden_by_the_folder_of_its_name() -> None:
    code = "import probative.verify.check\nprint(callable(probative.verify), probative.errors)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("True <module 'probative.errors'")


@pytest.mark.parametrize("name", ["nothing", "nothing_all", "_nothing"])
def test_a_name_that_is_not_there_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'probative' has no attribute '{name}'"):
        getattr(probative, name)


@pytest.mark.parametrize(
    "command",
    [
        "import probative",
        "import sys; sys.argv = ['probative', '--help']\n"
        "from probative.cli.app import app; app(standalone_mode=False)",
    ],
)
def test_import_and_help_load_nothing_heavy(command: str) -> None:
    code = f"{command}\nimport sys\nprint('LOADED', [m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


def test_every_error_is_a_probative_error_and_says_what_to_do() -> None:
    found = vars(probative.errors).values()
    errors = [value for value in found if isinstance(value, type) and issubclass(value, Exception)]
    assert all(issubclass(error, probative.ProbativeError) for error in errors)
    assert {error.__name__ for error in errors} <= set(probative.__all__)
    drawn = probative.errors.__doc__ or ""
    assert all(error.__name__ in drawn for error in errors)


def test_files_import_only_from_layers_below() -> None:
    layer_of = {part: number for number, layer in enumerate(LAYERS) for part in layer}
    for file in SOURCE.rglob("*.py"):
        part = file.relative_to(SOURCE).parts[0].removesuffix(".py")
        if part in ("__init__", "__main__"):
            continue
        assert part in layer_of, f"{file} belongs to no layer"
        for target in _imports(file):
            if target == part:
                continue
            if target == "__init__":  # the public surface itself: only for what stands above it
                assert layer_of[part] >= layer_of["session"], f"{file.relative_to(ROOT)} imports the surface"
                continue
            assert layer_of[target] < layer_of[part], f"{file.relative_to(ROOT)} imports {target}"


def test_the_documented_layers_are_these() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", text.split("## A search asks")[0], re.MULTILINE)
    assert [set(re.findall(r"`(\w+)`", row)) for row in rows] == LAYERS


def test_no_folders_import_each_other() -> None:
    found = circles(folder_imports())
    assert not found, f"folders that import each other, also inside functions: {found}"


def _is_part(name: str) -> bool:
    return (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file()


def _imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        if names == ["probative"]:  # `from probative import html` imports a part, not the surface
            names = [
                f"probative.{alias.name}" if _is_part(alias.name) else "probative"
                for alias in node.names
                if alias.name != "__version__"  # the first line of the surface
            ]
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            first, *rest = name.split(".")
            if first == "probative":
                found.add(rest[0] if rest else "__init__")
    return found


def test_no_method_or_model_imports_a_command() -> None:
    for file in SOURCE.rglob("*.py"):
        if file.relative_to(SOURCE).parts[0] != "cli" and file.name != "__main__.py":
            assert "cli" not in _imports(file), file
