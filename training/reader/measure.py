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
    """All tokens of all examples on the device, from which padded batches are taken there."""

    flat: Tensor
    arrays: Any
    """`Arrays`, or others that say where each text's tokens are and where its target begins."""

    @staticmethod
    def on(device: torch.device, arrays: Any) -> Tokens:
        """Bring the tokens to a device."""
        return Tokens(torch.from_numpy(arrays.tokens.astype(np.int32)).to(device), arrays)

    def batch(self, numbers: Numbers) -> tuple[Tensor, Tensor, Tensor]:
        """Padded token ids, and for every target token its row and its place."""
        lengths, cuts = self.arrays.lengths[numbers], self.arrays.cuts[numbers]
        device = self.flat.device
        width = -(-int(lengths.max()) // 8) * 8
        starts, length = (self._sent(x)[:, None] for x in (self.arrays.starts[numbers], lengths))
        inside = torch.arange(width, device=device)[None, :]
        places = (starts + inside).clamp_max(len(self.flat) - 1)
        # What follows the end of an example is read by nothing: attention looks back only.
        ids = torch.where(inside < length, self.flat[places], 0).long()
        places_in = np.arange(width)[None, :]
        rows, columns = np.nonzero((places_in >= cuts[:, None]) & (places_in < lengths[:, None]))
        return ids, self._sent(rows), self._sent(columns)

    def _sent(self, values: NDArray[Any]) -> Tensor:
        """An array on the device. From pinned memory, so that nothing waits for what the device is doing."""
        here = torch.from_numpy(values)
        if self.flat.device.type == "cuda":
            here = here.pin_memory()
        return here.to(self.flat.device, non_blocking=True)


def hidden_states(body: Any, ids: Tensor) -> Tensor:
    """What the layers make of some tokens. The same as the model's own pass, which looks into the positions
    for several texts in one row first, and so waits for the device.
    """
    hidden = body.embed_tokens(ids)
    positions = torch.arange(ids.shape[1], device=ids.device)[None, :]
    turned = body.rotary_emb(hidden, position_ids=positions)
    for layer in body.layers:
        hidden = layer(hidden, attention_mask=None, position_ids=positions, position_embeddings=turned)
        hidden = hidden[0] if isinstance(hidden, tuple) else hidden
    states: Tensor = body.norm(hidden)
    return states


def target_logits(model: Any, read: Reading, ids: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Logits for the target tokens only: a vocabulary of 49,152 is not worth computing for the prompt."""
    hidden = read(model.model, ids)
    logits: Tensor = model.lm_head(hidden[rows, columns - 1])
    return logits.float()


@dataclass(frozen=True)
class Measured:
    """For every example measured: its loss a token, whether it is exact, and log P(unknown) at its start."""

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


def figures(found: Measured, arrays: Arrays) -> dict[str, float]:
    """Exact match and loss of each task, source, form and amount of noise; and answerable or not."""
    values: dict[str, float] = {}
    task, form = arrays.task[found.numbers], arrays.form[found.numbers]
    source, noise = arrays.source[found.numbers], arrays.noise[found.numbers]
    kind = arrays.kind[found.numbers]
    for t, f, s in sorted({*zip(task.tolist(), form.tolist(), source.tolist(), strict=True)}):
        chosen = (task == t) & (form == f) & (source == s)
        name = f"{TASKS[t]}/{arrays.sources[s]}/{FORMS[f]}"
        values[f"exact {name}"] = float(found.exact[chosen].mean())
        values[f"loss {name}"] = float(found.loss[chosen].mean())
        for some in (0, 4):
            if TASKS[t] == "answer" and len(set(noise[chosen])) > 1 and (chosen & (noise == some)).any():
                values[f"exact {name} noise {some}"] = float(found.exact[chosen & (noise == some)].mean())
        for sort in sorted(set(kind[chosen])) if TASKS[t] in ("answer", "unknown") else ():
            here = chosen & (kind == sort)
            values[f"exact {name} {arrays.kinds[sort] or 'any'}"] = float(found.exact[here].mean())
    for s, name in enumerate(arrays.sources):
        for f, spelt in enumerate(FORMS):
            here = (source == s) & (form == f)
            scored = auroc(
                found.unknown[here & (task == TASKS.index("unknown"))],
                found.unknown[here & (task == TASKS.index("answer"))],
            )
            if not np.isnan(scored):
                values[f"auroc {name}/{spelt}"] = scored
    return values


def choice(values: dict[str, float], form: str) -> float:
    """One number to choose by: exact match, of answers over several pages above all."""
    total = 0.0
    for task, weight in WEIGHTS.items():
        spelt = form if task in ("answer", "unknown") else "after"
        wanted = (
            ("hotpotqa", "hotpotqa_gold_only", "2wikimultihopqa", "2wiki_pages") if task == "answer" else None
        )
        found = [
            value
            for name, value in values.items()
            if name.startswith(f"exact {task}/")
            and name.endswith(f"/{spelt}")
            and (wanted is None or name.split("/")[1] in wanted)
        ]
        total += weight * (sum(found) / len(found) if found else 0.0)
    return total
