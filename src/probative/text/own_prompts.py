"""Prompts of the user's own: a folder whose files take the place of ours.

A file has the name of ours in the folder of its method: ``scope/answer.txt``, ``give/judge.txt``. It must
have the same placeholders as ours, each ``{name}``. `METHODS` lists the folders.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from probative.errors import InputError
from probative.text.prompts import OWN, PromptKey, raw_prompt

METHODS = {
    "scope": "probative.scope",
    "mcse": "probative.mcse",
    "give": "probative.give",
    "passages": "probative.baselines.passages",
    "evidence": "probative.baselines.evidence",
    "graphs": "probative.baselines.graphs",
    "verdict": "probative.models",
}
"""The folders of prompts and the packages that they belong to: the methods, the baselines of `ask`, `prove`
and `reason`, and the verdicts that a language model gives."""

# These are cut at their places, which therefore stand once.
_CUT = {("probative.mcse", name) for name in ("grounding", "plain", "policy")}
_PLACE = re.compile(r"\{([a-z_]+)\}")

Prompts = Mapping[PromptKey, str]


def load_prompts(folder: Path) -> dict[PromptKey, str]:
    """Return the prompts of a folder, by package and name; raises InputError for a folder without prompts, a
    name that we do not have, and a file with a missing or unknown placeholder.
    """
    folder = folder.expanduser()
    if not folder.is_dir():
        raise InputError(f"the folder of prompts {folder} does not exist", hint=_hint())
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    if not paths:
        raise InputError(f"the folder of prompts {folder} is empty", hint=_hint())
    return dict(_load(folder, path) for path in paths)


def digest(prompts: Prompts) -> str | None:
    """Return a hash of prompts, None if there are none: results with other prompts are other results.

    >>> digest({}), len(digest({("probative.give", "judge"): "Is it so? {statement}"}))
    (None, 16)
    """
    if not prompts:
        return None
    return hashlib.sha256(repr(sorted(prompts.items())).encode()).hexdigest()[:16]


@contextmanager
def using(prompts: Prompts) -> Iterator[None]:
    """Let the methods that run inside read these prompts instead of ours."""
    token = OWN.set(prompts)
    try:
        yield
    finally:
        OWN.reset(token)


def _load(folder: Path, path: Path) -> tuple[PromptKey, str]:
    name = path.relative_to(folder).as_posix()
    method, _, file = name.partition("/")
    package = METHODS.get(method)
    known = _names(package) if package is not None else []
    if package is None or not file.endswith(".txt") or file.removesuffix(".txt") not in known:
        names = ", ".join(f"{method}/{one}.txt" for one in known) if known else _hint()
        raise InputError(f"there is no prompt {name}", hint=f"the prompts are {names}" if known else names)
    key = (package, file.removesuffix(".txt"))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the prompt {path} cannot be read: {error}", hint="write it in UTF-8") from None
    _check(name, text, key)
    return key, text


def _check(name: str, text: str, key: PromptKey) -> None:
    """Raise InputError unless a prompt has the placeholders of ours."""
    wanted, present = places(raw_prompt(*key)), _PLACE.findall(text)
    listed = ", ".join(f"{{{place}}}" for place in sorted(wanted)) or "no placeholder"
    missing = sorted(wanted - set(present))
    unknown = sorted(set(present) - wanted)
    if not text.strip():
        raise InputError(f"the prompt {name} is empty", hint=f"it needs a text with {listed}")
    for problem, found in (("has no", missing), ("has an unknown placeholder", unknown)):
        if found:
            raise InputError(
                f"the prompt {name} {problem} {', '.join(f'{{{place}}}' for place in found)}",
                hint=f"a prompt of this name needs {listed}",
            )
    if key in _CUT and len(present) > len(wanted):
        raise InputError(f"the prompt {name} has a placeholder twice", hint=f"write {listed} once")


def places(prompt: str) -> set[str]:
    """Return the placeholders of a prompt.

    >>> sorted(places('{question} like {"nodes": []} of {nodes}'))
    ['nodes', 'question']
    """
    return set(_PLACE.findall(prompt))


def _names(package: str) -> list[str]:
    entries = (files(package) / "prompts").iterdir()
    return sorted(entry.name.removesuffix(".txt") for entry in entries if entry.name.endswith(".txt"))


def _hint() -> str:
    return f"put files such as scope/answer.txt into it; the folders are {', '.join(METHODS)}"
