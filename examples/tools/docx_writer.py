"""Writing a source as a Word document."""

from __future__ import annotations

import datetime
import io
import zipfile
from pathlib import Path

import docx
from corpus_source import Block, Run, Source
from docx.document import Document
from docx.text.paragraph import Paragraph

STYLES = {"bullet": "List Bullet", "number": "List Number", "paragraph": None}
# The earliest time that a ZIP archive can hold: the same bytes at every run.
EPOCH = (1980, 1, 1, 0, 0, 0)


def write_docx(source: Source, path: Path) -> None:
    """Write the source as a Word document."""
    document = docx.Document()
    written = datetime.datetime.fromisoformat(source.metadata["date"])
    properties = document.core_properties
    properties.title = source.metadata["title"]
    properties.author = source.metadata["author"]
    properties.last_modified_by = source.metadata["author"]
    properties.created = properties.modified = written
    properties.comments = ""
    for page in source.pages:
        for block in page.blocks:
            _add(document, block)
    buffer = io.BytesIO()
    document.save(buffer)
    _write_undated(buffer, path)


def _add(document: Document, block: Block) -> None:
    if block.kind == "heading":
        _add_runs(document.add_heading(level=block.level), block.runs)
    elif block.kind == "table":
        table = document.add_table(len(block.rows), len(block.rows[0]), style="Table Grid")
        for cells, row in zip(table.rows, block.rows, strict=True):
            for cell, runs in zip(cells.cells, row, strict=True):
                _add_runs(cell.paragraphs[0], runs)
    else:
        _add_runs(document.add_paragraph(style=STYLES[block.kind]), block.runs)


def _add_runs(paragraph: Paragraph, runs: tuple[Run, ...]) -> None:
    for run in runs:
        added = paragraph.add_run(run.text)
        added.bold = run.bold or None
        added.italic = run.italic or None


def _write_undated(buffer: io.BytesIO, path: Path) -> None:
    with zipfile.ZipFile(buffer) as dated, zipfile.ZipFile(path, "w") as undated:
        for name in dated.namelist():
            info = zipfile.ZipInfo(name, EPOCH)
            undated.writestr(info, dated.read(name), zipfile.ZIP_DEFLATED, 9)
