"""The process that reads uploaded files, one after another: `python -m probative.server.reading.worker`."""

from __future__ import annotations

import faulthandler
import os
import sys
import traceback
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from probative.corpus.passages import passages_of
from probative.corpus.readers.file_content import read_bytes
from probative.corpus.readers.formats import document_in
from probative.errors import ProbativeError, UnreadableError
from probative.server.reading.messages import READY, Failure, ReadReply, ReadTask
from probative.server.shapes import printable

# The server ends a reading at its limit. If the server is gone, the process ends itself, a little later.
_ORPHAN_SECONDS = 5.0
_MAX_TRACE = 20_000
# Made before it is needed: there may be no memory left to make it.
_NO_MEMORY = ReadReply(failure=Failure(kind="memory")).to_json().encode() + b"\n"


def main() -> None:
    """Read the files that standard input names until it ends; `argv` has the limit of memory in bytes."""
    faulthandler.enable()
    # Libraries may print; only replies go to the server.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    limit_memory(int(sys.argv[1]))
    with suppress(BrokenPipeError, KeyboardInterrupt), replies:
        replies.write(READY)
        replies.flush()
        for line in sys.stdin.buffer:
            if not _answer(ReadTask.model_validate_json(line), replies):
                return


def limit_memory(limit: int) -> None:
    """Limit the memory of this process, where the system can, and let it leave no image of itself."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, wanted in ((resource.RLIMIT_AS, limit), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(ValueError, OSError):  # macOS refuses some limits
            resource.setrlimit(kind, (value, value))


def _answer(task: ReadTask, replies: BinaryIO) -> bool:
    """Read a file and send the reply; return whether the process can read another."""
    faulthandler.dump_traceback_later(task.seconds + _ORPHAN_SECONDS, exit=True)
    try:
        reply, document = _read(task)
        replies.write(reply.to_json().encode() + b"\n")
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
        content = read_bytes(Path(task.path), task.name, task.max_bytes)
        # The file was given a name for the disk; its own may say the format, the title and the date.
        document = document_in(replace(content, path=Path(task.name)))
        words = document.to_json().encode()
        read = ReadReply(
            title=document.title,
            characters=len(document.text),
            pages=len(document.pages),
            passages=len(passages_of(document)),
            notes=document.notes,
            size=len(words),
        )
    except MemoryError:
        raise
    except ProbativeError as error:
        reason = error.reason if isinstance(error, UnreadableError) else ""
        failure = Failure(
            kind="unreadable", what=printable(error.what), hint=printable(error.hint), reason=reason
        )
        return ReadReply(failure=failure), b""
    except Exception:  # a file that a reader did not expect is the sender's
        trace = printable(traceback.format_exc()[-_MAX_TRACE:])
        return ReadReply(failure=Failure(kind="unexpected", trace=trace)), b""
    return read, words


if __name__ == "__main__":
    main()
