"""How good a reader is, without generating: one pass over question and right answer.

If every token of the target is the most likely one given the tokens before it, greedy decoding writes exactly
the target; so "all tokens right" is greedy exact match, at the cost of one pass. (Exact match as usually
reported ignores case, articles and punctuation, and is a little higher.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from probative.bench.metrics import auroc
from training.large.model import hidden_states
from training.reader.arrays import Arrays
from training.reader.batches import Numbers, in_order
from training.reader.example import FORMS, TASKS

MEASURE_TOKENS = 65536
Reading = Callable[[Any, Tensor], Tensor]
"""From the layers of a model and token ids to the last hidden states."""
# What decides between two states of a model: answers over several pages count most.
WEIGHTS = {"answer": 0.6, "unknown": 0.1, "features": 0.1, "carries": 0.1, "judge": 0.1}


@dataclass(frozen=True)
class Tokens:
    """All tokens of all examples on the device, from which padded batches are made there."""

    flat: Tensor
    arrays: Any
    """`Arrays`, or others that say where each text's tokens are and where its target begins."""

    @staticmethod
    def on(device: torch.device, arrays: Any) -> Tokens:
        """Copy the tokens to a device."""
        return Tokens(torch.from_numpy(arrays.tokens.astype(np.int32)).to(device), arrays)

    def batch(self, numbers: Numbers) -> tuple[Tensor, Tensor, Tensor]:
        """Return padded token ids, and the row and the column of every target token."""
        lengths, cuts = self.arrays.lengths[numbers], self.arrays.cuts[numbers]
        device = self.flat.device
        width = -(-int(lengths.max()) // 8) * 8
        starts, length = (self._sent(x)[:, None] for x in (self.arrays.starts[numbers], lengths))
        inside = torch.arange(width, device=device)[None, :]
        positions = (starts + inside).clamp_max(len(self.flat) - 1)
        # What follows the end of an example is read by nothing: attention looks back only.
        ids = torch.where(inside < length, self.flat[positions], 0).long()
        columns_in = np.arange(width)[None, :]
        rows, columns = np.nonzero((columns_in >= cuts[:, None]) & (columns_in < lengths[:, None]))
        return ids, self._sent(rows), self._sent(columns)

    def _sent(self, values: NDArray[Any]) -> Tensor:
        """Return an array on the device, from pinned memory, so that nothing waits for the device's work."""
        here = torch.from_numpy(values)
        if self.flat.device.type == "cuda":
            here = here.pin_memory()
        return here.to(self.flat.device, non_blocking=True)


def target_logits(model: Any, read: Reading, ids: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Return the logits of the target tokens only: for the prompt, a vocabulary of 49,152 is not worth
    computing.
    """
    hidden = read(model.model, ids)
    logits: Tensor = model.lm_head(hidden[rows, columns - 1])
    return logits.float()


@dataclass(frozen=True)
class Measured:
    """For every example measured: its loss per token, whether it is exact, and log P(unknown)
    at its start.
    """

    numbers: Numbers
    loss: NDArray[np.float64]
    exact: NDArray[np.bool_]
    unknown: NDArray[np.float64]


@torch.no_grad()  # type: ignore[untyped-decorator]
def measure(model: Any, tokens: Tokens, numbers: Numbers, dtype: torch.dtype) -> Measured:
    """Read some examples with their targets."""
    model.eval()
    word = int(tokens.arrays.facts["unknown"])
    order: list[Numbers] = []
    losses, exacts, unknowns = [], [], []
    for batch in in_order(numbers, tokens.arrays, MEASURE_TOKENS):
        ids, rows, columns = tokens.batch(batch)
        with torch.autocast(ids.device.type, dtype, enabled=dtype != torch.float32):
            logits = target_logits(model, hidden_states, ids, rows, columns)
        gold = ids[rows, columns]
        chances = torch.log_softmax(logits, dim=-1)
        count = torch.zeros(len(batch), device=ids.device).index_add_(0, rows, torch.ones_like(rows).float())
        lost = torch.zeros(len(batch), device=ids.device).index_add_(
            0, rows, -chances.gather(1, gold[:, None])[:, 0]
        )
        wrong = torch.zeros(len(batch), device=ids.device).index_add_(
            0, rows, (logits.argmax(1) != gold).float()
        )
        first = torch.cat([rows.new_ones(1).bool(), rows[1:] != rows[:-1]])
        order.append(batch)
        losses.append((lost / count).cpu().numpy())
        exacts.append((wrong == 0).cpu().numpy())
        unknowns.append(chances[first, word].cpu().numpy())
    return Measured(
        np.concatenate(order), np.concatenate(losses), np.concatenate(exacts), np.concatenate(unknowns)
    )


def figures(measured: Measured, arrays: Arrays) -> dict[str, float]:
    """Return exact match and loss of each task, source, form and amount of noise; and the AUROC of
    answerable or not.
    """
    values: dict[str, float] = {}
    task, form = arrays.task[measured.numbers], arrays.form[measured.numbers]
    source, noise = arrays.source[measured.numbers], arrays.noise[measured.numbers]
    kind = arrays.kind[measured.numbers]
    for t, f, s in sorted({*zip(task.tolist(), form.tolist(), source.tolist(), strict=True)}):
        chosen = (task == t) & (form == f) & (source == s)
        name = f"{TASKS[t]}/{arrays.sources[s]}/{FORMS[f]}"
        values[f"exact {name}"] = float(measured.exact[chosen].mean())
        values[f"loss {name}"] = float(measured.loss[chosen].mean())
        for some in (0, 4):
            if TASKS[t] == "answer" and len(set(noise[chosen])) > 1 and (chosen & (noise == some)).any():
                values[f"exact {name} noise {some}"] = float(measured.exact[chosen & (noise == some)].mean())
        for k in sorted(set(kind[chosen])) if TASKS[t] in ("answer", "unknown") else ():
            here = chosen & (kind == k)
            values[f"exact {name} {arrays.kinds[k] or 'any'}"] = float(measured.exact[here].mean())
    for s, name in enumerate(arrays.sources):
        for f, spelt in enumerate(FORMS):
            here = (source == s) & (form == f)
            scored = auroc(
                measured.unknown[here & (task == TASKS.index("unknown"))],
                measured.unknown[here & (task == TASKS.index("answer"))],
            )
            if not np.isnan(scored):
                values[f"auroc {name}/{spelt}"] = scored
    return values


def choice(values: dict[str, float], form: str) -> float:
    """Return the number that decides between two states: exact match, mostly of answers over
    several pages.
    """
    total = 0.0
    for task, weight in WEIGHTS.items():
        spelt = form if task in ("answer", "unknown") else "after"
        wanted = (
            ("hotpotqa", "hotpotqa_gold_only", "2wikimultihopqa", "2wiki_pages", "invented_genres")
            if task == "answer"
            else None
        )
        matching = [
            value
            for name, value in values.items()
            if name.startswith(f"exact {task}/")
            and name.endswith(f"/{spelt}")
            and (wanted is None or name.split("/")[1] in wanted)
        ]
        total += weight * (sum(matching) / len(matching) if matching else 0.0)
    return total
