"""Record the calls of a model in a file, and replay them without the model."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from probative.errors import InputError, ModelError
from probative.models.contract import Capability, LanguageModel, Outcomes
from probative.models.items import RESULTS
from probative.models.types import Pair, Request, Selection
from probative.models.wrappers import Verb, Wrapper


class Recorder(Wrapper):
    """Passes calls on and writes each result to a JSON-lines file. Errors are not recorded."""

    def __init__(self, inner: LanguageModel, file: Path | str) -> None:
        super().__init__(inner)
        self.file = Path(file)
        self._writing = threading.Lock()
        capabilities = sorted(inner.capabilities)
        head = {"model": inner.name, "capabilities": capabilities, "window": inner.window}
        self._write({**head, "reader": inner.reader})

    def _around(self, verb: str, requests: Sequence[Any], call: Verb) -> Outcomes[Any]:
        for index, outcome in call(requests):
            if not isinstance(outcome, ModelError):
                line = {"verb": verb, "request": requests[index].to_dict(), "result": outcome.to_dict()}
                self._write(line)
            yield index, outcome

    def _write(self, line: dict[str, Any]) -> None:
        with self._writing, self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")


class ReplayModel(LanguageModel):
    """Answers the recorded requests; any other request fails with an error that shows it."""

    def __init__(self, file: Path | str) -> None:
        path = Path(file)
        try:
            text = path.read_text(encoding="utf-8")
            self._content = hashlib.sha256(text.encode()).hexdigest()[:16]
            lines = [json.loads(line) for line in text.split("\n") if line]
            head = lines[0]
            self.name = str(head["model"])
            self._capabilities = frozenset(Capability(name) for name in head["capabilities"])
            self._window = head["window"]
            self._reader = bool(head.get("reader", False))
            self._results = {
                _key(line["verb"], line["request"]): RESULTS[line["verb"]].from_dict(line["result"])
                for line in lines
                if "verb" in line
            }
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise InputError(
                f"{path} is not a recording: {error!r}", hint="create one with probative.testing.Recorder"
            ) from error
        self._file = path

    @property
    def capabilities(self) -> frozenset[Capability]:
        return self._capabilities

    @property
    def fingerprint(self) -> str:
        return f"replay:{self._content}"

    @property
    def reader(self) -> bool:
        return self._reader

    @property
    def window(self) -> int | None:
        return self._window if isinstance(self._window, int) else None

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Any]:
        return self._replay("generate", requests)

    def _score(self, pairs: Sequence[Pair]) -> Outcomes[Any]:
        return self._replay("score", pairs)

    def _choose(self, selections: Sequence[Selection]) -> Outcomes[Any]:
        return self._replay("choose", selections)

    def _replay(self, verb: str, requests: Sequence[Any]) -> Outcomes[Any]:
        for index, item in enumerate(requests):
            result = self._results.get(_key(verb, item.to_dict()))
            if result is not None:
                yield index, result
                continue
            shown = item.to_json()[:200]
            yield (
                index,
                ModelError(
                    f"{self._file.name} has no recorded answer to this {verb}: {shown}",
                    hint="record it again with probative.testing.Recorder",
                ),
            )


def _key(verb: str, request: dict[str, Any]) -> str:
    return verb + json.dumps(request, sort_keys=True)
