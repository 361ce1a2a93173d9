"""What an adapter says about rows: the logits of verdicts, and what it writes; kept in a file.

This needs nothing of the package, so that it runs on any device; `training.large.figures` reads the file.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.large.arrays import REPLY, Arrays, Numbers
from training.large.batches import in_order
from training.large.model import hidden_states
from training.large.tokens import Tokens

READ_TOKENS, WRITE_TOKENS = 65536, 131072
# The most tokens of a reply, by task.
MAX_NEW = {"plan": 220, "alone": 48}
USUAL_NEW = 32
# The claims over bundles of ours are named after their part: kept_claims, tune_claims.
CLAIMS = "_claims"


def some_of_each(arrays: Arrays, count: int) -> Numbers:
    """Return at most `count` rows of every verdict set, and all others, in order."""
    taken: Counter[str] = Counter()
    numbers = []
    for number, facts in enumerate(arrays.facts):
        taken[facts["source"]] += 1
        if facts["task"] != "verdict" or facts["source"].endswith(CLAIMS) or taken[facts["source"]] <= count:
            numbers.append(number)
    return np.array(numbers)


def prompt_length(arrays: Arrays, number: int) -> int:
    """Return the number of tokens before the reply."""
    return int(np.argmax(arrays.roles(number) >= REPLY))


@torch.inference_mode()  # type: ignore[untyped-decorator]
def read_verdicts(model: Any, arrays: Arrays, numbers: Numbers) -> NDArray[np.float32]:
    """Return the logits of yes, no and maybe for some rows."""
    device = next(model.parameters()).device
    words = arrays.about["verdicts"]
    lengths = np.array([prompt_length(arrays, number) for number in range(len(arrays))])
    logits = np.zeros((len(arrays), 3), np.float32)
    for batch in in_order(lengths, numbers, READ_TOKENS):
        ids = np.zeros((len(batch), int(lengths[batch].max())), np.int64)
        for row, number in enumerate(batch):
            ids[row, : lengths[number]] = arrays.ids(number)[: lengths[number]]
        hidden = hidden_states(model.model, torch.from_numpy(ids).to(device))
        last = hidden[
            torch.arange(len(batch), device=device), torch.from_numpy(lengths[batch] - 1).to(device)
        ]
        logits[batch] = (last @ model.lm_head.weight[words].T).float().cpu().numpy()
    return logits[numbers]


@torch.inference_mode()  # type: ignore[untyped-decorator]
def write_replies(model: Any, arrays: Arrays, numbers: Numbers, tokens: Tokens) -> list[str]:
    """Return what the model writes for some rows, taking the likeliest token each time."""
    device = next(model.parameters()).device
    lengths = np.array([prompt_length(arrays, number) for number in range(len(arrays))])
    replies: dict[int, str] = {}
    new = np.array([MAX_NEW.get(fact["task"], USUAL_NEW) for fact in arrays.facts])
    for batch in in_order(lengths + new, numbers, WRITE_TOKENS):
        width = int(lengths[batch].max())
        ids = np.full((len(batch), width), tokens.pad, np.int64)
        for row, number in enumerate(batch):
            ids[row, width - lengths[number] :] = arrays.ids(number)[: lengths[number]]
        sent = torch.from_numpy(ids).to(device)
        written = model.generate(
            input_ids=sent,
            attention_mask=(sent != tokens.pad).long(),
            max_new_tokens=int(new[batch].max()),
            do_sample=False,
            eos_token_id=tokens.end,
            pad_token_id=tokens.pad,
        )
        for number, reply in zip(batch, written[:, width:].tolist(), strict=True):
            replies[int(number)] = tokens.decode(reply)
    return [replies[int(number)] for number in numbers]


def measure(
    model: Any, arrays: Arrays, tokens: Tokens, out: Path, max_rows: int, *, replies: bool = True
) -> None:
    """Write the logits of a model to `out`, and its replies, which take longer."""
    numbers = some_of_each(arrays, max_rows)
    tasks, sources = arrays.values("task")[numbers], arrays.values("source")[numbers]
    claims = numbers[tasks == "verdict"]
    asked = numbers[(tasks != "verdict") | np.char.endswith(sources.astype(str), CLAIMS)]
    logits = read_verdicts(model, arrays, claims)
    asked = asked if replies else asked[:0]
    written = np.array(write_replies(model, arrays, asked, tokens), dtype=np.str_)
    np.savez_compressed(out, claims=claims, logits=logits.astype(np.float16), asked=asked, replies=written)
