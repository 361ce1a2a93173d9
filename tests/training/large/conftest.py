from __future__ import annotations

from pathlib import Path

import pytest
from tiny import write_qwen_gguf


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Qwen2 GGUF file of a few kilobytes."""
    path = tmp_path_factory.mktemp("tiny") / "tiny.gguf"
    write_qwen_gguf(path)
    return path
