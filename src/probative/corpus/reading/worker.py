"""The process that reads files, one after another: `python -m probative.corpus.reading.worker`."""

from __future__ import annotations

import faulthandler
import os
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from probative.corpus.documents.duplicates import sketch_of
from probative.corpus.documents.passages import passages_of
from probative.corpus.readers.formats import document_in
from probative.corpus.readers.pdf_page import draw_page
from probative.corpus.readers.text_builder import read_bytes
from probative.corpus.reading.messages import READY, UNLIMITED, Failure, ReadContent, ReadReply, ReadTask
from probative.errors import ProbativeError, UnreadableError

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
    with suppress(BrokenPipeError, KeyboardInterrupt), replies:
        limit_memory(ceiling, ceiling)
        replies.write(READY if _has_limit(ceiling) else UNLIMITED)
        replies.flush()
        for line in sys.stdin.buffer:
            task = ReadTask.unpacked(line)
            limit_memory(min(task.memory_bytes, ceiling), ceiling)
            if not _answer(task, replies):
                return


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


def _answer(task: ReadTask, replies: BinaryIO) -> bool:
    """Read a file and send the reply; return whether the process can read another.

    At the limit of time the process ends with code 1, whatever it does then, and also if nobody waits.
    """
    faulthandler.dump_traceback_later(task.seconds, exit=True, file=_NOWHERE)
    try:
        reply, document = _read(task)
        replies.write(reply.packed() + b"\n")
        replies.write(document)
    except MemoryError:
        replies.write(_NO_MEMORY)
        return False
    finally:
        faulthandler.cancel_dump_traceback_later()
        replies.flush()
    return True


def _read(task: ReadTask) -> tuple[ReadReply, bytes]:
    try:
        content = read_bytes(Path(task.path), task.source, task.max_bytes)
        if task.page is not None:
            drawn, picture = draw_page(content, task.page.number, task.page.quotes, task.page.width)
            return ReadReply(drawn=drawn, size=len(picture)), picture
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
