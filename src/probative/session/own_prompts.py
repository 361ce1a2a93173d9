"""A folder of the user's own prompts. A file has the name of ours in the folder of its method:
``scope/answer.txt``, ``give/judge.txt``. It must have the same placeholders as ours, each ``{name}``.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from probative.errors import InputError
from probative.text.prompts import PromptKey, placeholders, raw_prompt

METHODS = {
    "scope": "probative.scope",
    "mcse": "probative.mcse",
    "give": "probative.give",
    "passages": "probative.baselines.passages",
    "evidence": "probative.baselines.evidence",
    "graphs": "probative.baselines.graphs",
    "verdict": "probative.models",
    "verify": "probative.verify",
}
"""The folders of prompts and the packages that they belong to: the methods, the baselines of `ask`, `prove`
and `reason`, the verdicts that a language model gives, and the claims that it splits."""
# These are cut at their places, which therefore stand once.
_CUT = {("probative.mcse", name) for name in ("grounding", "plain", "policy")}


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


def _load(folder: Path, path: Path) -> tuple[PromptKey, str]:
    name = path.relative_to(folder).as_posix()
    method, _, file = name.partition("/")
    package = METHODS.get(method)
    prompt_names = _names(package) if package is not None else []
    if package is None or not file.endswith(".txt") or file.removesuffix(".txt") not in prompt_names:
        listed = ", ".join(f"{method}/{prompt}.txt" for prompt in prompt_names)
        hint = f"the prompts are {listed}" if prompt_names else _hint()
        raise InputError(f"there is no prompt {name}", hint=hint)
    key = (package, file.removesuffix(".txt"))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the prompt {path} cannot be read: {error}", hint="write it in UTF-8") from None
    _check(name, text, key)
    return key, text


def _check(name: str, text: str, key: PromptKey) -> None:
    """Raise InputError unless a prompt has the placeholders of ours."""
    required, present = placeholders(raw_prompt(*key)), placeholders(text)
    listed = ", ".join(f"{{{placeholder}}}" for placeholder in sorted(required)) or "no placeholder"
    missing = sorted(required - present)
    unknown = sorted(present - required)
    if not text.strip():
        raise InputError(f"the prompt {name} is empty", hint=f"it needs a text with {listed}")
    for problem, wrong in (("has no", missing), ("has an unknown placeholder", unknown)):
        if wrong:
            raise InputError(
                f"the prompt {name} {problem} {', '.join(f'{{{placeholder}}}' for placeholder in wrong)}",
                hint=f"a prompt of this name needs {listed}",
            )
    if key in _CUT and any(text.count(f"{{{name}}}") > 1 for name in required):
        raise InputError(f"the prompt {name} has a placeholder twice", hint=f"write {listed} once")


def _names(package: str) -> list[str]:
    entries = (files(package) / "prompts").iterdir()
    return sorted(entry.name.removesuffix(".txt") for entry in entries if entry.name.endswith(".txt"))


def _hint() -> str:
    return f"put files such as scope/answer.txt into it; the folders are {', '.join(METHODS)}"
