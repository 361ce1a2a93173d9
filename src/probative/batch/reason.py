"""`reason` for a file of questions over one graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from probative.batch.manifest import BatchManifest
from probative.batch.run import Progress
from probative.batch.session_run import run_with_session
from probative.give.result import Example
from probative.runners.contract import Runner
from probative.session.method_choice import MethodChoice
from probative.session.reason import GraphLike, as_graph, reason_options
from probative.session.session import Session


def reason_file(
    source: Path,
    target: Path,
    *,
    session: Session,
    graph: GraphLike,
    method: str = "give",
    preset: str | None = None,
    worked: Sequence[Example | Mapping[str, Any]] | None = None,
    seed: int = 0,
    limit: int | None = None,
    unordered: bool = False,
    progress: Progress | None = None,
    runner: Runner | None = None,
    embedding: Callable[[int, int], None] | None = None,
    **changes: Any,
) -> BatchManifest:
    """Answer every question of a JSONL file (`id`, `question`, perhaps `choices` and `form`) over one graph;
    see `Session.reason`.
    """
    choice = MethodChoice(method, preset, None, changes, seed)
    chosen = reason_options(choice, model=None, settings=session.settings)
    opened = as_graph(graph)
    examples = [example if isinstance(example, Mapping) else example.to_dict() for example in worked or ()]
    arguments = {
        "graph": opened,
        "method": method,
        "preset": preset,
        "worked": worked,
        "seed": seed,
        "embedding": embedding,
        **changes,
    }
    return run_with_session(
        session,
        "reason",
        source,
        target,
        arguments=arguments,
        options={
            "method": method,
            "seed": seed,
            "graph": opened.fingerprint,
            "worked": examples,
            **chosen.to_dict(),
        },
        limit=limit,
        unordered=unordered,
        progress=progress,
        runner=runner,
    )
