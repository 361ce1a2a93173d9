"""`/api/corpora/NAME/export.zip`: a corpus with its documents, marks, threads and labels, as one file."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

from fastapi import APIRouter
from starlette.responses import StreamingResponse

from probative.server.base.errors import ErrorBody, NotThereError, documented
from probative.server.routes.catalogue import PartName
from probative.server.routes.marks import labelled_rows
from probative.server.routes.threads import thread_text
from probative.server.state.export import DOWNLOAD_POLICY
from probative.server.state.server_state import ServerState, State

router = APIRouter(
    prefix="/api/corpora", tags=["corpora"], responses=documented(ErrorBody, 400, 401, 403, 404, 422)
)
_CHUNK = 1 << 20


@router.get("/{name}/export.zip", operation_id="export_corpus", response_class=StreamingResponse)
def export_corpus(server: State, name: PartName) -> StreamingResponse:
    """Download a corpus: the files of one that was made here, its marks, its threads, and its labels."""
    server.catalog.corpus(name)
    # It has no name, so that nothing of it outlives the server; it is closed when it was sent.
    file = TemporaryFile(dir=server.options.data)  # noqa: SIM115
    try:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            _write(server, name, packed)
    except BaseException:
        file.close()
        raise
    headers = {
        "Content-Disposition": f'attachment; filename="{name}.zip"',
        "Content-Security-Policy": DOWNLOAD_POLICY,
    }
    return StreamingResponse(_chunks(file), media_type="application/zip", headers=headers)


def _write(server: ServerState, name: str, packed: zipfile.ZipFile) -> None:
    for source, path in server.library.files_of(name).items():
        packed.write(path, f"documents/{source}")
    for verb in ("ask", "verify"):
        rows = [json.dumps(row, ensure_ascii=False) for row in labelled_rows(server, verb, name)]
        if rows:
            packed.writestr(f"marks-{verb}.jsonl", "".join(f"{row}\n" for row in rows))
    for number, identity in enumerate(server.threads_over(name), 1):
        thread = server.store.threads.get(identity)
        title = re.sub(r"[^\w-]+", "-", thread.name)[:60].strip("-")
        for kind in ("md", "json"):
            packed.writestr(f"threads/{number:03}-{title}.{kind}", thread_text(server, thread, kind))
    try:
        packed.writestr("labels.jsonl", server.calibrations.folder(name).text())
    except NotThereError:  # nothing is drawn
        return


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while chunk := file.read(_CHUNK):
            yield chunk
