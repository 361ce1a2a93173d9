"""The plug-in of docs/bench.md, installed in a folder, with its tiny data set."""

from __future__ import annotations

import json
import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "bench.md"
QUESTIONS = [
    ("q1", "Who built the pier?", "Ada Berg", ["Ada Berg built the pier.", "The pier is long."]),
    ("q2", "When was the crane sold?", "1931", ["1931 was the year in which the crane was sold."]),
    ("q3", "Which ship sank?", "Sea Lark", ["The ship that sank was the Sea Lark."]),
    ("q4", "Who keeps the light?", "Ole Dahl", ["Ole Dahl keeps the light."]),
]


def install_plugin(folder: Path) -> Path:
    """Write the module and the entry points that the page shows, as an installed package has them."""
    page = DOCS.read_text(encoding="utf-8")
    (module,) = re.findall(r"```python\n(# harbour\.py\n.*?)```", page, re.DOTALL)
    (points,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    folder.mkdir(exist_ok=True)
    (folder / "harbour.py").write_text(module, encoding="utf-8")
    info = folder / "harbour-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n", encoding="utf-8")
    points = re.sub(r'\[project\.entry-points\."(.*?)"\]', r"[\1]", points).replace('"', "")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    return folder


def write_data(folder: Path, copies: int = 1) -> Path:
    """Write the questions of the data set, each `copies` times with another id."""
    (folder / "harbour").mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps(
            {"id": f"{ident}.{copy}", "question": f"{text} ({copy})", "answer": gold, "passages": texts}
        )
        for copy in range(copies)
        for ident, text, gold, texts in QUESTIONS
    ]
    (folder / "harbour/questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
