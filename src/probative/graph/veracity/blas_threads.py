"""One thread for the small matrix products of a training.

OpenBLAS starts all its threads for a product of 500 × 384 × 64, and they wait for each other longer than they
compute: on two busy cores UMLS took 45.6 s with its default and 14.4 s with one thread.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# The names of the functions in the builds that numpy wheels and systems ship.
_SUFFIXES = ("64_", "_64", "")
_PREFIXES = ("scipy_openblas", "openblas")


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Let numpy's OpenBLAS use one thread inside the block. Does nothing with another BLAS.

    >>> with one_blas_thread():
    ...     pass
    """
    libraries = [library for path in _openblas_files() if (library := _functions(path)) is not None]
    before = [count() for count, _ in libraries]
    try:
        for _, limit in libraries:
            limit(1)
        yield
    finally:
        for (_, limit), threads in zip(libraries, before, strict=True):
            limit(threads)


def _openblas_files() -> list[str]:
    """Return the OpenBLAS libraries that this process has loaded, where the system tells it (Linux)."""
    with suppress(OSError):
        lines = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
        files = (line.split(maxsplit=5)[-1] for line in lines if "openblas" in line.lower())
        return list(dict.fromkeys(file for file in files if file.startswith("/")))
    return []


def _functions(file: str) -> tuple[ctypes._NamedFuncPointer, ctypes._NamedFuncPointer] | None:
    """Return the functions of a library that return and set its number of threads."""
    with suppress(OSError):
        library = ctypes.CDLL(file)
        for prefix in _PREFIXES:
            for suffix in _SUFFIXES:
                with suppress(AttributeError):
                    return (
                        getattr(library, f"{prefix}_get_num_threads{suffix}"),
                        getattr(library, f"{prefix}_set_num_threads{suffix}"),
                    )
    return None
