"""The examples of docs/integrations.md give what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.tools.examples import INTEGRATIONS, ROOT, blocks, check_examples
from probative.doctor import EXTRAS
from probative.models.embedded.store import Store
from probative.settings import load_settings

# The examples of other pages run in the environment of the package itself.
EXAMPLES = list(blocks(INTEGRATIONS, "pycon"))
SOURCES = (ROOT / "src" / "probative" / "integrations").glob("*.py")


# The user's own weights folder, looked up before any test changes the environment.
STORE = Store(load_settings().weights_folder)


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all examples, so that the example corpus is indexed once."""
    home = tmp_path_factory.mktemp("home")
    (home / "weights").symlink_to(STORE.folder, target_is_directory=True)
    return home


@pytest.mark.slow
@pytest.mark.parametrize(("line", "text"), EXAMPLES, ids=[f"line-{line}" for line, _ in EXAMPLES])
def test_an_example_gives_what_it_shows(
    line: int, text: str, shared_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    # The examples repeat one another's questions, and show no costs.
    for name, value in {"PROBATIVE_HOME": str(shared_home), "PROBATIVE_CACHE": "1"}.items():
        monkeypatch.setenv(name, value)
    check_examples(INTEGRATIONS, [(line, text)])


def test_every_class_is_on_the_page() -> None:
    page = INTEGRATIONS.read_text(encoding="utf-8")
    frameworks = [file for file in SOURCES if file.stem in EXTRAS]
    assert len(frameworks) == len(EXAMPLES) == 5
    for file in frameworks:
        classes = re.findall(r"^class ([A-Z]\w+)[(:]", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert f"`pip install '.[{file.stem}]'`" in page
        assert all(f"| `{name}` |" in page for name in classes), file.stem
