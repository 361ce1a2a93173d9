"""The documentation is true: its examples run, its commands exist, its links lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from command import every_command

import probative
from docs.tools.examples import (
    BLOCK,
    ENVIRONMENT,
    INTEGRATIONS,
    PAGES,
    PROCESSOR,
    ROOT,
    OutputChecker,
    blocks,
    check_examples,
    comparable,
    error_tree,
    name_of,
    numerics,
    run_command,
    shown_commands,
)
from probative.bench.registry import EXPERIMENTS
from probative.cli.app import app
from probative.cli.framework.exit_codes import MEANINGS
from probative.models.embedded.store import Store
from probative.settings import load_settings
from reference import verb_table

# The user's own weights folder, looked up before any test changes the environment.
STORE = Store(load_settings().weights_folder)
PYTHON = [page for page in PAGES if any(blocks(page, "pycon")) and page != INTEGRATIONS]
SHOWN = shown_commands()
SHOWN_ON = json.loads(PROCESSOR.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all examples, so that each model is opened once."""
    home = tmp_path_factory.mktemp("home")
    (home / "weights").symlink_to(STORE.folder, target_is_directory=True)
    return home


@pytest.fixture
def _at_the_root(shared_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name, value in {**ENVIRONMENT, "PROBATIVE_HOME": str(shared_home)}.items():
        monkeypatch.setenv(name, value)


@pytest.mark.slow
@pytest.mark.usefixtures("_at_the_root")
@pytest.mark.parametrize("page", PYTHON, ids=name_of)
def test_python_examples_give_what_they_show(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBATIVE_CACHE", "1")  # pages repeat one another's examples, and show no costs
    check_examples(page, blocks(page, "pycon"))


@pytest.mark.slow
@pytest.mark.usefixtures("_at_the_root")
@pytest.mark.parametrize("command", sorted(SHOWN))
def test_commands_print_what_is_shown(command: str, request: pytest.FixtureRequest) -> None:
    printed = comparable(run_command(command))
    for page, shown in SHOWN[command].items():
        same = OutputChecker().check_output(comparable(shown), printed, doctest.ELLIPSIS)
        if not same and abs(numerics(request.getfixturevalue("plain")) - SHOWN_ON["score"]) > 0.01:
            pytest.skip("the pages show what the models print on a processor with other kernels")
        assert same, f"{page} shows\n{shown}\nand the command prints\n{printed}"


def commands(page: Path) -> Iterator[str]:
    """Yield every command line that a page shows in a block."""
    text = page.read_text(encoding="utf-8")
    shown = [block for _, block in blocks(page, "", "console", "sh", "bash")]
    shown += re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    for block in shown:
        for line in block.replace("\\\n", " ").split("\n"):
            line = line.strip().removeprefix("$ ")
            if line.startswith(("probative ", "python ", "PROBATIVE_COMPILE=1 python ")):
                yield line.split("  #")[0].split(" | ")[0]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_options_of_shown_commands_exist(page: Path) -> None:
    for line in commands(page):
        if line.startswith("probative "):
            check_options(line)


def check_options(line: str) -> None:
    """Check that a command of the package exists, with these options."""
    rest = shlex.split(line)[1:]
    named = [words for n in (3, 2, 1) if (words := " ".join(rest[:n])) in every_command()]
    parts = every_command()[named[0]].params if named else typer.main.get_command(app).params
    known = {flag for part in parts for flag in (*part.opts, *part.secondary_opts)} | {"--help"}
    used = {word for word in rest if re.fullmatch(r"--?[a-z][a-z-]*", word)}
    assert used <= known, f"{line}: {used - known}"


def test_the_site_has_every_page_once_except_the_kept_reports() -> None:
    """Kept reports are reached from their own index."""
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    listed = re.findall(r"'([^']+\.md)'", str(site["project"]["nav"]))
    folder = ROOT / "docs"
    pages = [page.relative_to(folder).as_posix() for page in folder.rglob("*.md") if page not in KEPT]
    assert sorted(listed) == sorted([*pages, "bench/index.md"])


KEPT = sorted((ROOT / "docs/bench").glob("*.md"))


@pytest.mark.parametrize("page", [page for page in KEPT if page.stem != "index"], ids=name_of)
def test_a_kept_report_has_a_command_of_the_tree(page: Path) -> None:
    lines = list(commands(page))
    assert lines, f"{page.name} shows no command"
    for line in lines:
        check_command(line)


def check_command(line: str) -> None:
    """Check that a line runs a registered experiment or a benchmark, with options that it has."""
    words = shlex.split(line)
    if words[0] == "probative":
        assert words[1:3] == ["bench", "run"], line
        assert words[3] in EXPERIMENTS.names(), line
        check_options(line)
        return
    source = ROOT / words[1]
    assert words[0] == "python", line
    assert source.is_file(), line
    code = "".join(file.read_text(encoding="utf-8") for file in source.parent.glob("*.py"))
    for word in words[2:]:
        assert not word.startswith("--") or f'"{word}"' in code, f"{source.name} has no {word}: {line}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_and_pictures_exist(page: Path) -> None:
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text)
    for target, anchor in [*links, *((source, "") for source in re.findall(r'src(?:set)?="([^"]+)"', text))]:
        if target.startswith(("http://", "https://")):
            continue
        file = page.parent / target if target else page
        assert file.exists(), f"{name_of(page)} links to {target}"
        assert not anchor or anchor in anchors(file), f"{name_of(page)} links to {target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    text = BLOCK.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_error_is_explained() -> None:
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE))
    errors = {
        name
        for name in probative.__all__
        if isinstance(kind := getattr(probative, name), type) and issubclass(kind, Exception)
    }
    assert explained == errors - {"ProbativeError"}
    assert error_tree() in text


def test_every_public_name_has_an_api_page() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "api").glob("*.md"))
    assert set(re.findall(r"^::: probative\.(\w+)$", pages, re.MULTILINE)) == {*probative.__all__, "testing"}


def test_every_setting_is_documented_with_its_name() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == set(probative.Settings.model_fields)


@pytest.mark.parametrize(
    ("page", "options"),
    [
        ("ask.md", probative.ScopeOptions),
        ("prove.md", probative.McseOptions),
        ("prove.md", probative.LearnedOptions),
        ("reason.md", probative.GiveOptions),
    ],
)
def test_every_option_is_documented(page: str, options: type[probative.ScopeOptions]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert set(options.model_fields) <= named, set(options.model_fields) - named


def test_the_verbs_of_the_reference_are_those_of_the_table() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert verb_table() in text, "run docs/tools/reference.py"


def test_every_command_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for words in every_command():
        assert words in text, f"probative {words}"
        assert f"probative {words.split()[0]}" in text, words


@pytest.mark.parametrize(("name", "page"), [("serve", "server.md"), ("mcp", "mcp.md")])
def test_every_option_of_a_server_is_on_its_page(name: str, page: str) -> None:
    """Options of models, which all commands share, are on other pages."""
    flags = {
        command: {flag for part in every_command()[command].params for flag in part.opts}
        for command in (name, "judge")
    }
    own = flags[name] - flags["judge"]
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert {"--corpus", "--token"} <= own
    assert {flag for flag in own if flag not in text} == set()


def test_options_and_exit_codes_are_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for name in ("ask", "check", "prove", "reason"):
        flags = {flag for part in every_command()[name].params for flag in part.opts if flag.startswith("-")}
        assert {flag for flag in flags - {"--k"} if f"`{flag}" not in text} == set(), name
    for code, meaning in MEANINGS.items():
        assert f"| {int(code)} | {meaning} |" in text.replace("`", ""), meaning
