"""The example of docs/telemetry.md, in a process of its own: a provider can be set only once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "telemetry.md"


@pytest.mark.slow
def test_the_documented_program_prints_its_spans() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    names = re.findall(r'^    "name": "(.*)",$', done.stdout, re.MULTILINE)
    assert names == ["judge embedded", "probative.step verdict", "probative.judge"]
    assert '"probative.verdict": "supported"' in done.stdout
    assert "mill" not in done.stdout
