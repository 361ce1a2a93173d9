"""Every surface shows what was recorded: terminal, JSON, HTML, files, REST, `/v1` and MCP.

`surface_cases.toml` has the cases; scripted models answer them, so that the processor does not matter. After
a change that is meant, or with a library that draws differently: python tests/golden/record.py surfaces
"""

from __future__ import annotations

import json
from difflib import unified_diff
from pathlib import Path

import pytest
from golden_surfaces import SURFACES, libraries, masked, taken

RECORDED = Path(__file__).parent / "surfaces"
# The lines that are shown of a difference: the first ones say what it is.
LINES = 30


@pytest.mark.model
@pytest.mark.parametrize("surface", SURFACES)
def test_a_surface_is_as_it_was_recorded(surface: str, tmp_path: Path) -> None:
    known = json.loads((RECORDED / "libraries.json").read_text(encoding="utf-8"))
    if others := {name: version for name, version in libraries().items() if known.get(name) != version}:
        pytest.skip(f"recorded with other versions of the libraries that draw than {others}")
    actual = taken(surface, tmp_path / "golden")
    expected = {file.name: file.read_text(encoding="utf-8") for file in (RECORDED / surface).iterdir()}
    changed = sorted(name for name in expected.keys() | actual if expected.get(name) != actual.get(name))
    shown = "\n".join(difference(name, expected.get(name, ""), actual.get(name, "")) for name in changed)
    assert not changed, f"{len(changed)} of {len(expected)} files of {surface} changed\n{shown}"


def difference(name: str, expected: str, actual: str) -> str:
    lines = list(unified_diff(expected.splitlines(), actual.splitlines(), name, "now", lineterm="", n=2))
    more = [f"… and {len(lines) - LINES} more lines"] if len(lines) > LINES else []
    return "\n".join([*lines[:LINES], *more])


def test_only_what_differs_from_run_to_run_is_masked() -> None:
    assert masked('"seconds": 0.25, "pid": 7, "score": 0.25') == '"seconds": 0, "pid": 0, "score": 0.25\n'
    assert masked("[1 call; 1.8 s] 92% in 1871") == "[1 call; 0 s] 92% in 1871\n"
    assert masked('"value": 0.9999996940977731') == '"value": 1\n'
