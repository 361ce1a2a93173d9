"""A small folder of documents for tests of the index."""

from __future__ import annotations

from pathlib import Path

TEXTS = {
    "minutes/may.md": "---\ndate: 2024-05-02\n---\n# Harbour minutes\n\n"
    "The committee agreed to repair the crane in June.\n\n## Fares\n\nA ferry ticket costs 3 crowns.\n",
    "minutes/june.md": "---\ndate: 2024-06-06\n---\n# Harbour minutes\n\nThe crane was repaired by Ida Lund. "
    "It lifts nine tonnes.\n",
    "log.txt": "It rained all day. The ferry left the quay at six.\n",
    "brief.txt": "Die Fähre fährt am Morgen nach Süden. Der Kapitän wartet nicht auf verspätete Gäste, "
    "und die Fahrkarten werden an Bord verkauft.\n",
}


def write(folder: Path, texts: dict[str, str] | None = None) -> Path:
    """Write the documents below a folder and return it."""
    for name, text in (TEXTS if texts is None else texts).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
