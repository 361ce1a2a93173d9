"""The requests that docs/rest-api.md shows work as they stand, with the embedded models."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.tools.examples import ROOT, blocks
from probative.settings import load_settings

PAGE = ROOT / "docs" / "rest-api.md"
WEIGHTS = load_settings().weights_folder
# A request that is refused ends the script.
BEGIN = 'set -e -o pipefail; curl() { command curl --fail-with-body "$@"; echo; }\n'


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of `probative serve --demo`, with a home of its own and the user's weights."""
    (tmp_path / "weights").symlink_to(WEIGHTS, target_is_directory=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "probative", "serve", "--demo", "--port", "0"],
        env={**os.environ, "PROBATIVE_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield next(match[1] for line in process.stdout if (match := re.match(r"serving on (\S+)/ ", line)))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.slow
@pytest.mark.timeout(2400)
@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs bash and curl")
def test_the_requests_of_the_page_work_as_they_stand(address: str, tmp_path: Path) -> None:
    shown = "".join(text for _, text in blocks(PAGE, "sh"))
    assert shown.count("http://127.0.0.1:8377") == 1
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # `python` is this one
    ended = subprocess.run(
        ["bash", "-c", BEGIN + shown.replace("http://127.0.0.1:8377", address)],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr
    assert '"answer":"£450"' in ended.stdout
    assert ended.stdout.count('"verdict":"contradicted"') >= 3  # judge, verify, and the job
    assert "event: result" in ended.stdout
    assert '"name":"report.html"' in ended.stdout
