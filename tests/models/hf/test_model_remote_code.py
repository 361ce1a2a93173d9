"""Code that lies with a model's weights is never run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probative import ModelError
from probative.models.hf.model import HFModel


@pytest.mark.model
def test_code_in_a_model_folder_is_not_run_and_nobody_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("the user was asked"))
    ran = tmp_path / "ran"
    (tmp_path / "code.py").write_text(f"open({str(ran)!r}, 'w').close()\n", encoding="utf-8")
    names = {"AutoConfig": "code.Config", "AutoModelForCausalLM": "code.Model", "AutoTokenizer": "code.Words"}
    config = {"model_type": "own-kind", "auto_map": names}
    for file in ("config.json", "tokenizer_config.json"):
        (tmp_path / file).write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ModelError, match="cannot be loaded"):
        HFModel(str(tmp_path))
    assert not ran.exists()
