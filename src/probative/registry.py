"""Methods by name, each imported when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

from probative.errors import InputError


def method_of(table: Mapping[str, str], name: str, methods: Sequence[str]) -> Any:
    """The function that a table of "module:function" has for a name; `methods` are all that could be named.

    >>> method_of({"sine": "math:sin"}, "sine", ["sine"]).__name__
    'sin'
    """
    if name not in table:
        raise InputError(f"there is no method {name!r}", hint=f"one of {', '.join(methods)}")
    module, _, function = table[name].partition(":")
    return getattr(importlib.import_module(module), function)
