"""The process that reads files, one after another: `python -m probative.corpus.reading.worker`."""

from __future__ import annotations

import faulthandler
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from probative.corpus.documents.duplicates import sketch_of
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers import ocr
from probative.corpus.readers.formats import document_in
from probative.corpus.readers.pdf_page import draw_page
from probative.corpus.readers.text_builder import read_bytes
from probative.corpus.reading.messages import READY, UNLIMITED, Failure, ReadContent, ReadReply, ReadTask
from probative.errors import ProbativeError, UnreadableError
from probative.text.labels import counted

_MAX_TRACE = 20_000
_NOWHERE = os.open(os.devnull, os.O_WRONLY)
# Made before it is needed: there may be no memory left to make it.
_NO_MEMORY = ReadReply(failure=Failure(kind="memory")).packed() + b"\n"


def main() -> None:
    """Read the files that standard input names until it ends; `argv` has the limit of memory in bytes."""
    faulthandler.enable()
    # Libraries may print; only replies go to the parent.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    ceiling = int(sys.argv[1])
    hard = ceiling + (ocr.MEMORY_BYTES if ocr.is_installed() else 0)
    with suppress(BrokenPipeError, KeyboardInterrupt), replies:
        limit_memory(ceiling, hard)
        replies.write(READY if _has_limit(ceiling) else UNLIMITED)
        replies.flush()
        for line in sys.stdin.buffer:
            task = ReadTask.unpacked(line)
            memory = min(task.memory_bytes, ceiling)
            limit_memory(memory + (ocr.MEMORY_BYTES if ocr.is_loaded() else 0), hard)
            if not _answer(task, replies, _OcrAllowance(task, memory, hard).page):
                return


class _OcrAllowance:
    """Gives each page of a file that is read by OCR the time of a file, and the process more memory."""

    def __init__(self, task: ReadTask, memory: int, ceiling: int) -> None:
        self._task, self._memory, self._ceiling, self._pages = task, memory, ceiling, 0

    def page(self) -> None:
        """Allow one more page; raises `UnreadableError` if a file in another one, such as an attachment,
        would have too many.
        """
        self._pages += 1
        if self._pages > self._task.max_ocr_pages:
            what = f"{self._task.source} has more than {counted(self._task.max_ocr_pages, 'page')} of images"
            raise UnreadableError("too large", what, hint="split it")
        _start_clock(self._task)
        limit_memory(self._memory + ocr.MEMORY_BYTES, self._ceiling)


def limit_memory(limit: int, ceiling: int) -> None:
    """Limit the memory of this process to `limit`, which may be raised to `ceiling`, where the system can.
    Let it leave no image of itself.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, soft, hard in ((resource.RLIMIT_AS, limit, ceiling), (resource.RLIMIT_CORE, 0, 0)):
        _, before = resource.getrlimit(kind)
        if before != resource.RLIM_INFINITY:
            soft, hard = min(soft, before), min(hard, before)
        with suppress(ValueError, OSError):  # macOS refuses some limits
            resource.setrlimit(kind, (soft, hard))


def _has_limit(size: int) -> bool:
    """Return whether the system refuses `size` bytes of memory: a limit that could be set need not hold."""
    try:
        bytes(size)  # its pages are never touched
    except MemoryError:
        return True
    return False


def _start_clock(task: ReadTask) -> None:
    """Let the process end with code 1 at the limit of time, whatever it does then, also if nobody waits."""
    faulthandler.dump_traceback_later(task.seconds, exit=True, file=_NOWHERE)


def _answer(task: ReadTask, replies: BinaryIO, before_ocr: Callable[[], None]) -> bool:
    """Read a file and send the reply; return whether the process can read another."""
    _start_clock(task)
    try:
        reply, document = _read(task, before_ocr)
        replies.write(reply.packed() + b"\n")
        replies.write(document)
    except MemoryError:
        replies.write(_NO_MEMORY)
        return False
    finally:
        faulthandler.cancel_dump_traceback_later()
        replies.flush()
    return True


def _read(task: ReadTask, before_ocr: Callable[[], None]) -> tuple[ReadReply, bytes]:
    try:
        content = read_bytes(Path(task.path), task.source, task.max_bytes)
        if task.page is not None:
            drawn, picture = draw_page(content, task.page.number, task.page.quotes, task.page.width)
            return ReadReply(drawn=drawn, size=len(picture)), picture
        content = replace(content, max_ocr_pages=task.max_ocr_pages, before_ocr=before_ocr)
        document = document_in(replace(content, path=Path(task.name)) if task.name else content)
        passages = passages_of(document)
        if task.passages:
            sketch = sketch_of(document.text).tobytes().hex()
            words = ReadContent(document=document, passages=passages, sketch=sketch).packed()
        else:
            words = document.to_json().encode()
        read = ReadReply(
            title=document.title,
            characters=len(document.text),
            pages=len(document.pages),
            passages=len(passages),
            notes=document.notes,
            size=len(words),
        )
    except MemoryError:
        raise
    except ProbativeError as error:
        reason = error.reason if isinstance(error, UnreadableError) else ""
        failure = Failure(kind="unreadable", what=error.what, hint=error.hint, reason=reason)
        return ReadReply(failure=failure), b""
    except Exception:  # a file that a reader did not expect is damaged
        trace = traceback.format_exc()[-_MAX_TRACE:]
        return ReadReply(failure=Failure(kind="unexpected", trace=trace)), b""
    return read, words


if __name__ == "__main__":
    main()
