"""The example corpus and graph, and questions to begin with."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import probative
from probative.errors import InputError
from probative.server.runs.run import VerbName
from probative.server.state.catalog import Catalog
from probative.types import Value

CORPUS = "examples"
GRAPH = "apothecary"


class Example(Value):
    """A request that a page offers to begin with."""

    verb: VerbName
    label: str
    request: dict[str, Any]


def example_folder() -> Path:
    """Return the folder of examples: in an installed package, or beside the sources; raises `InputError`."""
    package = Path(probative.__file__).parent
    for folder in (package / "examples", package.parent.parent / "examples"):
        if (folder / "corpus").is_dir():
            return folder
    raise InputError("the examples are not installed", hint="give a corpus: --corpus NAME=FOLDER")


def example_paths() -> tuple[dict[str, Path], dict[str, Path]]:
    """Return the example corpora and graphs by name."""
    folder = example_folder()
    return {CORPUS: folder / "corpus"}, {GRAPH: folder / "apothecary.tsv"}


def examples_for(catalog: Catalog) -> tuple[Example, ...]:
    """Return requests that can be answered from what is registered."""
    words = (files("probative.server.state") / "demo_requests.json").read_text(encoding="utf-8")
    examples = [Example.model_validate(example) for example in json.loads(words)]
    registered = {None, *catalog.corpora, *catalog.graphs}
    return tuple(
        example
        for example in examples
        if example.request.get("corpus", example.request.get("graph")) in registered
    )
