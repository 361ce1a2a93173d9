"""The commands that the documentation shows, and what they print.

    python docs/tools/examples.py    # run them all and put their output into the pages

In a block of the language `console`, a line that begins with `$ ` is a command and the lines after it are its
output; a line `…` stands for lines that are left out. `tests/docs/test_examples.py` compares them.
"""

from __future__ import annotations

import doctest
import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
# How the processor computes that the outputs were made on.
PROCESSOR = ROOT / "docs/tools/processor.json"
# Its examples need the frameworks, which have an environment of their own: tests/integrations runs them.
INTEGRATIONS = ROOT / "docs" / "integrations.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n?)*)", re.MULTILINE)
# A number that a model computed, and how far it may be from the one that is shown.
FRACTION = re.compile(r"(?<![\d.])[-−]?(?:\d+\.\d+|\d+%)")
DRIFT = 0.05
# What the examples need beside the user's own weights: one width, no colours, nothing from a cache.
ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "PROBATIVE_CACHE": "0"}


def name_of(page: Path) -> str:
    """Return the path of a page from the root of the repository."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> Iterator[tuple[int, str]]:
    """Yield the first line number and the text of each code block in one of the languages."""
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        if match[1] in languages:
            yield text.count("\n", 0, match.start()) + 2, match[2]


def check_examples(page: Path, examples: Iterable[tuple[int, str]]) -> None:
    """Run Python examples of a page one after another; raises `AssertionError` for an unexpected result."""
    names: dict[str, object] = {}
    for line, text in examples:
        test = doctest.DocTestParser().get_doctest(text, names, name_of(page), str(page), line)
        runner = doctest.DocTestRunner(OutputChecker(), optionflags=doctest.ELLIPSIS)
        report: list[str] = []
        runner.run(test, out=report.append, clear_globs=False)
        names = test.globs
        if runner.failures:
            raise AssertionError("".join(report))


class OutputChecker(doctest.OutputChecker):
    """Accepts probabilities that differ a little: other processors add in another order."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Return whether an output is as shown, apart from the last digits of fractions and percentages."""
        if super().check_output(want, got, optionflags):
            return True
        masked = [FRACTION.sub("#", text) for text in (want, got)]
        if not super().check_output(masked[0], masked[1], optionflags):
            return False
        if "..." in want:
            return True
        pairs = zip(FRACTION.findall(want), FRACTION.findall(got), strict=True)
        return all(abs(_fraction(one) - _fraction(other)) <= DRIFT for one, other in pairs)


def _fraction(text: str) -> float:
    return float(text.removesuffix("%").replace("−", "-")) / (100 if text.endswith("%") else 1)


def shown_commands() -> dict[str, dict[str, str]]:
    """Return each command with the output that pages show for it, by page and line."""
    shown: dict[str, dict[str, str]] = {}
    for page in PAGES:
        for line, text in blocks(page, "console"):
            for command, output in COMMAND.findall(text):
                shown.setdefault(command, {})[f"{name_of(page)}:{line}"] = output
    return shown


def run_command(command: str) -> str:
    """Run `probative …` in this process and return what it prints."""
    from probative.cli import main

    before, output = sys.argv, io.StringIO()
    sys.argv = shlex.split(command)
    try:
        with redirect_stdout(output), redirect_stderr(output), suppress(SystemExit):
            main()
    finally:
        sys.argv = before
    return "".join(f"{line.rstrip()}\n" for line in output.getvalue().rstrip().split("\n"))


def comparable(output: str) -> str:
    """Return an output without the seconds, and with `...` for lines that are left out."""
    output = re.sub(r"\b\d+\.\d s\]", "0.0 s]", output.rstrip() + "\n")
    return re.sub(r"^…$", "...", output, flags=re.MULTILINE)


def numerics(plain: Any) -> float:
    """Return a score of the plain model, which shows how this processor computes."""
    pair = (
        "The ferry Sea Lark was built in Molde by two brothers.",
        " The Sea Lark was built in Molde in 1901.",
    )
    return round(plain.score([pair])[0].log_probability, 3)


def error_tree() -> str:
    """Return the tree of errors as the module draws it."""
    from probative import errors

    return (errors.__doc__ or "").split("\n\n", 1)[1].strip() + "\n"


def refresh() -> None:
    """Put the output of every command into the pages, and the tree of errors into its page.

    A block that leaves lines out keeps its own lines.
    """
    outputs: dict[str, str] = {}

    def replaced(match: re.Match[str]) -> str:
        command, shown = match[1], match[2]
        if command not in outputs:
            outputs[command] = run_command(command)
        return match[0] if "\n…\n" in shown else f"$ {command}\n{outputs[command]}"

    def block(match: re.Match[str]) -> str:
        if match[2].startswith("ProbativeError\n"):
            return f"```\n{error_tree()}```"
        if match[1] != "console":
            return match[0]
        return f"```console\n{COMMAND.sub(replaced, match[2])}```"

    for page in PAGES:
        page.write_text(BLOCK.sub(block, page.read_text(encoding="utf-8")), encoding="utf-8")
    from probative import load_model

    PROCESSOR.write_text(json.dumps({"score": numerics(load_model("embedded:plain"))}) + "\n")


if __name__ == "__main__":
    os.environ |= ENVIRONMENT
    os.chdir(ROOT)
    from probative.settings import load_settings

    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "weights").symlink_to(load_settings().weights_folder, target_is_directory=True)
        os.environ["PROBATIVE_HOME"] = home
        refresh()
