"""An application that listens on a real socket, in a thread of this process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn


@contextmanager
def served_app(app: Any) -> Iterator[str]:
    """Serve on a free port of loopback; yields the address without a path."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listening:
        config = uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(120)
