"""Record the golden results again, after a change that is meant to change them.

    python tests/golden/record.py [surfaces] [VERB …]

Without words, everything is recorded. Prints what changed; the commit should say why. `cases.json` keeps its
inputs, and gets the CPU seconds. The surfaces (`surface_cases.toml`) are recorded with scripted models.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER.parent / "helpers"), str(FOLDER.parents[1])]


def main() -> None:
    """Record what the words of the command name, or everything."""
    if "surfaces" in sys.argv[1:] or not sys.argv[1:]:
        record_surfaces()
    if sys.argv[1:] != ["surfaces"]:
        record_verbs()


def record_surfaces() -> None:
    """Write what every surface shows."""
    from golden_surfaces import SURFACES, libraries, taken

    text = json.dumps(libraries(), indent=1)
    (FOLDER / "surfaces" / "libraries.json").write_text(text + "\n", encoding="utf-8")
    for surface in SURFACES:
        folder = FOLDER / "surfaces" / surface
        before = {file: file.read_text(encoding="utf-8") for file in folder.glob("*")}
        with tempfile.TemporaryDirectory() as place:
            after = {folder / name: text for name, text in taken(surface, Path(place)).items()}
        changed = [file for file in before.keys() | after if before.get(file) != after.get(file)]
        print(surface, ", ".join(sorted(file.name for file in changed)) or "as before", flush=True)
        for file in changed:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(after[file], encoding="utf-8") if file in after else file.unlink()


def record_verbs() -> None:
    """Run the cases of the named verbs, or of all, and write their results."""
    from golden_results import RECORDED, differences

    import probative
    from docs.tools.examples import numerics

    cases = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))
    results = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))
    settings = probative.load_settings({"cache": False})
    models = {name: probative.load_model(name, cache=False) for name in ("embedded", "embedded:plain")}
    for case in cases["cases"]:
        verb = case["verb"]
        if sys.argv[1:] and verb not in sys.argv[1:]:
            continue
        given: dict[str, Any] = dict(case["args"])
        if "model" in given:
            given["model"] = models[given["model"]]
        if verb == "reason":
            given["graph"] = [tuple(triple) for triple in cases["graphs"][given["graph"]]]
        started = time.process_time()
        try:
            actual = RECORDED[verb](getattr(probative, verb)(**given, settings=settings))
        except probative.ProbativeError as error:
            actual = {"error": type(error).__name__}
        case["seconds"] = round(time.process_time() - started, 2)
        changed = list(differences(results.get(case["id"]), actual, 0.02))
        print(case["id"], case["seconds"], "; ".join(changed[:4]) or "as before", flush=True)
        results[case["id"]] = actual
    for name, content in (("cases", cases), ("results", results)):
        text = json.dumps(content, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    facts = {"score": numerics(models["embedded:plain"]), "tolerance": 0.01}
    (FOLDER / "numerics.json").write_text(json.dumps(facts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
