"""action.yml: its inputs exist, its scripts are safe, and it does what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import probative
from probative.settings import load_settings
from probative.verbs.verify import VERIFY

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
SCRIPTS = [step for step in STEPS if "run" in step]
BASH = shutil.which("bash")
WEIGHTS = load_settings().weights_folder


def expressions(value: Any) -> list[str]:
    """Return what stands inside ${{ … }} anywhere in a value."""
    return re.findall(r"\$\{\{\s*(.*?)\s*\}\}", json.dumps(value))


def test_the_action_is_composite_and_describes_itself() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert ACTION["name"]
    for part in (*ACTION["inputs"].values(), *ACTION["outputs"].values(), ACTION):
        assert part["description"]


def test_every_input_is_used_and_every_used_input_exists() -> None:
    used = {name.removeprefix("inputs.") for name in expressions(STEPS) if name.startswith("inputs.")}
    assert used == set(ACTION["inputs"])


def test_every_other_expression_names_something_that_exists() -> None:
    ids = {step["id"] for step in STEPS if "id" in step}
    for name in expressions(ACTION):
        if name.startswith("steps."):
            assert name.split(".")[1] in ids, name
        else:
            assert name.startswith(("inputs.", "runner.")), name


def test_no_script_has_an_expression_and_all_name_their_shell() -> None:
    for step in SCRIPTS:
        assert expressions(step["run"]) == [], step["name"]
        assert step["shell"] == "bash"


def test_other_actions_are_pinned_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", name) for name in used), used


def test_every_step_keeps_python_from_the_files_of_the_repository() -> None:
    for step in STEPS:
        assert (step["env"]["PYTHONSAFEPATH"], step["env"]["PYTHONPATH"]) == ("1", ""), step["name"]
        # Only the last step needs the files that it checks.
        if "run" in step and step["name"] != "Verify":
            assert step["working-directory"] == "${{ runner.temp }}", step["name"]


def test_every_variable_of_a_script_is_set_or_the_runners() -> None:
    for step in SCRIPTS:
        used = set(re.findall(r"\$\{?([A-Z_]+)", step["run"]))
        given = set(step.get("env", {})) | {"GITHUB_OUTPUT", "GITHUB_ACTION_PATH"}
        assert used <= given, step["name"]


def test_the_default_verdict_is_one_that_verify_knows() -> None:
    assert ACTION["inputs"]["fail-on"]["default"] in VERIFY.verdicts


def step(name: str) -> dict[str, Any]:
    (found,) = [step for step in SCRIPTS if step["name"] == name]
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a text and documents."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "mill.txt").write_text("The mill of Aske burnt down in 1890.", encoding="utf-8")
    (tmp_path / "docs" / "my notes").mkdir(parents=True)
    (tmp_path / "docs" / "my notes" / "a b.md").write_text("The mill burnt down in 1894.", encoding="utf-8")
    (tmp_path / "docs" / "good.md").write_text("The mill of Aske burnt down in 1890.", encoding="utf-8")
    return tmp_path


def run(name: str, folder: Path, home: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a script as the runner does: bash -e with pipefail, the inputs as variables."""
    assert BASH is not None
    python = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{python}{os.pathsep}{os.environ['PATH']}",
        "PROBATIVE_HOME": str(home),
        "GITHUB_OUTPUT": str(home / "output"),
        **{name: str(value) for name, value in step(name)["env"].items() if "{" not in str(value)},
        **inputs,
    }
    words = [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", step(name)["run"]]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, env=environment)


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    (folder / "weights").symlink_to(WEIGHTS, target_is_directory=True)
    return folder


@pytest.mark.slow
def test_the_texts_are_found_and_a_contradiction_fails(project: Path, home: Path) -> None:
    inputs = {"FILES": "docs/**/*.md\n", "CORPUS": "documents", "SARIF": "out.sarif"}
    done = run("Verify", project, home, FAIL_ON="contradicted", **inputs)
    assert done.returncode == 3, done.stderr
    assert "== docs/my notes/a b.md ==" in done.stdout
    assert "== docs/good.md ==" in done.stdout
    (report,) = json.loads((project / "out.sarif").read_text(encoding="utf-8"))["runs"]
    (result,) = report["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], place["region"]["startLine"]) == ("contradicted", 1)
    assert place["artifactLocation"]["uri"] == "docs/my%20notes/a%20b.md"
    assert (home / "output").read_text(encoding="utf-8") == "sarif=out.sarif\n"
    assert run("Verify", project, home, FAIL_ON="", **inputs).returncode == 0


@pytest.mark.slow
def test_the_example_is_checked_against_its_documents(home: Path, tmp_path: Path) -> None:
    report = tmp_path / "briefing.sarif"
    done = run(
        "Verify",
        ROOT,
        home,
        FILES="examples/briefing.md",
        CORPUS="examples/corpus",
        FAIL_ON="contradicted",
        SARIF=str(report),
    )
    assert done.returncode == 3, done.stderr
    rules = [
        result["ruleId"] for result in json.loads(report.read_text(encoding="utf-8"))["runs"][0]["results"]
    ]
    assert "contradicted" in rules


def evaluated(text: str, inputs: dict[str, str], temp: Path) -> str:
    """Return a value of the action with its expressions filled in, as the runner does."""
    values = {"runner.temp": str(temp), **{f"inputs.{name}": value for name, value in inputs.items()}}
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda found: values[found[1]], text)


# Modules that Python, pip or Probative import, also while they start.
PLANTED = ("pip", "pydantic", "sitecustomize", "usercustomize", "probative", "typing", "numpy", "encodings")


@pytest.mark.slow
@pytest.mark.parametrize("environ", [{}, {"PYTHONPATH": "."}, {"PYTHONPATH": "lib:", "PYTHONSAFEPATH": ""}])
def test_modules_of_the_repository_are_not_run(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    """A pull request may add any file; `environ` is what the workflow sets for its own steps."""
    trace = project / "ran.txt"
    code = f"open({str(trace)!r}, 'a').write(__file__)\n"
    for folder in (project, project / "lib"):
        folder.mkdir(exist_ok=True)
        for name in PLANTED:
            (folder / f"{name}.py").write_text(code, encoding="utf-8")
        for name in ("rich", "site-packages/pip", "pip-99.dist-info"):
            (folder / name).mkdir(parents=True)
            (folder / name / "__init__.py").write_text(code, encoding="utf-8")
        (folder / "pip-99.dist-info" / "METADATA").write_text("Name: pip\nVersion: 99\n", encoding="utf-8")
        (folder / "planted.pth").write_text(f"import sys; {code}", encoding="utf-8")
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    # An action that cannot be installed: pip starts, refuses it, and the step ends.
    monkeypatch.setenv("GITHUB_ACTION_PATH", str(project / "nowhere"))
    done = run("Install probative-evidence", project, home)
    assert (done.returncode, "nowhere" in done.stderr) == (1, True), done.stderr
    assert run("Fetch the weights", project, home).returncode == 0
    inputs = {"FILES": "docs/good.md", "CORPUS": "documents", "FAIL_ON": "", "SARIF": "out.sarif"}
    done = run("Verify", project, home, **inputs)
    assert done.returncode == 0, done.stderr
    assert not trace.exists(), trace.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("files", "code"), [("docs/good.md", 0), ("docs/good.md\ndocs/*/*.md", 3)])
def test_the_steps_run_one_after_the_other(project: Path, tmp_path: Path, files: str, code: int) -> None:
    temp = tmp_path / "temp"
    (temp / "probative").mkdir(parents=True)
    (temp / "probative" / "weights").symlink_to(WEIGHTS, target_is_directory=True)
    defaults = {name: part.get("default", "") for name, part in ACTION["inputs"].items()}
    inputs = {**defaults, "files": files, "corpus": "documents"}
    codes = []
    for step in SCRIPTS:
        if step["name"] == "Install probative-evidence":  # it needs a package index
            continue
        env = {name: evaluated(value, inputs, temp) for name, value in step.get("env", {}).items()}
        home = Path(env.pop("PROBATIVE_HOME"))
        codes.append(run(step["name"], project, home, **env).returncode)
    assert codes == [0, code]
    outputs = dict(
        line.split("=", 1)
        for line in (temp / "probative" / "output").read_text(encoding="utf-8").splitlines()
    )
    (report,) = json.loads((project / outputs["sarif"]).read_text(encoding="utf-8"))["runs"]
    assert len(report["results"]) == (1 if code else 0)


@pytest.mark.parametrize("files", ["", "*.nothing\n", "\n\n"])
def test_no_match_is_an_error(project: Path, home: Path, files: str) -> None:
    done = run("Verify", project, home, FILES=files, CORPUS="documents", FAIL_ON="", SARIF="out.sarif")
    assert (done.returncode, "::error::no file matches" in done.stdout) == (2, True)


@pytest.mark.parametrize("name", ["$(touch broken).md", "`touch broken`.md", "'; touch broken; '.md"])
def test_commands_in_inputs_are_not_run(project: Path, home: Path, name: str) -> None:
    done = run("Verify", project, home, FILES=name, CORPUS=name, FAIL_ON=name, SARIF="out.sarif")
    assert done.returncode == 1
    assert not (project / "broken").exists()


def test_a_file_name_is_not_an_option(project: Path, home: Path) -> None:
    done = run("Verify", project, home, FILES="--help", CORPUS="documents", FAIL_ON="", SARIF="out.sarif")
    assert done.returncode == 1
    assert "--help" in done.stderr


def test_the_hook_of_pre_commit_is_a_command_that_takes_files() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] == "probative-verify"
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["entry"].split() == ["probative", "verify", "--fail-on", "contradicted"]
    assert hook["require_serial"] is True


@pytest.mark.slow
def test_the_hook_checks_the_files_that_it_is_given(project: Path, home: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    _, *words = hook["entry"].split()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PROBATIVE_HOME": str(home)}

    def hooked(*files: str) -> int:
        command = [sys.executable, "-m", "probative", *words, "--corpus", "documents", *files]
        return subprocess.run(command, cwd=project, env=environment, capture_output=True).returncode

    assert hooked("docs/good.md") == 0
    assert hooked("docs/good.md", "docs/my notes/a b.md") == 3


def test_the_documented_workflows_use_inputs_that_exist() -> None:
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    workflow = yaml.safe_load(blocks[0])
    (step,) = [step for step in workflow["jobs"]["verify"]["steps"] if "probative" in step["uses"]]
    assert set(step["with"]) <= set(ACTION["inputs"])
    assert {name for name, part in ACTION["inputs"].items() if part.get("required")} <= set(step["with"])
    rows = set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE))
    assert rows == set(ACTION["inputs"])
    assert set(yaml.safe_load(blocks[1])["env"]) <= {
        f"PROBATIVE_{name.upper()}" for name in probative.Settings.model_fields
    }
