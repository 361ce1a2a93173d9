r"""Compare an embedded language model with the same weights in float32.

    python -m training.parity --model embedded --base SmolLM2-135M-Instruct.Q4_1.gguf
    python -m training.parity --model embedded:large --base qwen2.5-coder-1.5b-instruct-q4_k_m.gguf \
        --out parity.json

The reference owes nothing to the engine or its conversion: transformers computes it from the numbers of the
published file and the adapter of the package. Claims and questions of our own documents (part `tune`) are
asked, one half each, over the lines that decide them and the lines next to those. What the engine multiplies
depends on the processor (`probative.models.embedded.engine.number_type`), so the figures name it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probative.models.embedded.engine import number_type
from probative.models.embedded.language import EmbeddedModel, open_model
from probative.models.embedded.shipped import language_model
from probative.models.task_prompts import VERDICTS, ask_answer, lines_of, task_request
from probative.models.types import Request
from probative.settings import load_settings
from probative.types import Passage
from training.commands import print_now, write_json
from training.large.bundles import deciding, document_lines, with_definitions
from training.large.documents import read_documents
from training.large.gguf import Gguf

# "no 12 40 7": the verdict and a few numbers, as `EmbeddedVerdict` lets it write.
VERDICT_TOKENS = 14


@dataclass(frozen=True)
class Row:
    """Something asked, and whether it is a claim, which is answered by a verdict."""

    request: Request
    is_claim: bool


@dataclass(frozen=True)
class Answer:
    """What a model writes, and the log-probabilities of yes, no and maybe as its first token."""

    text: str
    verdicts: tuple[float, ...]

    @property
    def verdict(self) -> str:
        """The most probable verdict."""
        return VERDICTS[int(np.argmax(self.verdicts))]

    @property
    def log_odds(self) -> float:
        """The log-odds of yes against no and maybe.

        >>> round(Answer("yes", (np.log(0.6), np.log(0.1), np.log(0.1))).log_odds, 3)  # log 3
        1.099
        """
        yes, *others = self.verdicts
        return float(yes - np.logaddexp.reduce(others))


def draw_rows(model: EmbeddedModel, rows: int, max_tokens: int) -> list[Row]:
    """Return claims and questions whose prompts are short enough, one half each; always the same ones."""
    every = [row for bundle in read_documents("tune") for row in _rows(bundle)]
    drawn: list[Row] = []
    for is_claim, count in ((True, rows - rows // 2), (False, rows // 2)):
        short = [
            row
            for row in every
            if row.is_claim is is_claim and model.prompt_tokens(row.request) <= max_tokens
        ]
        if len(short) < count:
            raise ValueError(f"only {len(short)} prompts have at most {max_tokens} tokens, not {count}")
        drawn += random.Random(0).sample(short, count)
    return drawn


def _rows(bundle: dict[str, Any]) -> Iterator[Row]:
    """Yield the claims and questions of a bundle that some of its lines decide."""
    lines = document_lines(bundle["documents"])
    for entry in (*bundle["claims"], *bundle["questions"]):
        cited = deciding(lines, entry["sentences"]) or ()
        near = sorted({index + step for index in cited for step in (-1, 0, 1)} & set(range(len(lines))))
        if not near:
            continue
        shown = with_definitions([lines[index] for index in near], bundle["documents"])
        passages = [Passage(text=line.text, title=line.header) for line in shown]
        if "q" in entry:
            yield Row(ask_answer(entry["q"], passages), is_claim=False)
        else:
            asked = task_request("verdict", entry["claim"], lines_of(passages), max_tokens=VERDICT_TOKENS)
            yield Row(asked, is_claim=True)


Prompt = tuple[list[int], int, tuple[str, ...]]
"""The tokens of a prompt, the most tokens of its reply, and the texts that end the reply."""


def embedded_answer(model: EmbeddedModel, prompt: Prompt) -> Answer:
    """Return the answer of the engine: it writes as `generate` does, and reads verdicts as `choose` does."""
    ids, max_tokens, stop = prompt
    (result,) = model._most_probable([ids], max_tokens, 1, stop)
    first = model._next_log_probabilities([tuple(ids)])[0]
    return _answer(model, result.sequences_ids[0], first)


def exact_answer(exact: Any, model: EmbeddedModel, prompt: Prompt) -> Answer:
    """Return the answer of the reference; `model` only lends its tokenizer."""
    import torch

    ids, max_tokens, stop = prompt
    ends = [model._end, *(coded[0] for text in stop if len(coded := model._text.encode(text).ids) == 1)]
    sent = torch.tensor([ids], device=exact.device)
    with torch.inference_mode():
        written = exact.generate(
            sent,
            attention_mask=torch.ones_like(sent),
            do_sample=False,
            max_new_tokens=max_tokens,
            eos_token_id=ends,
            pad_token_id=model._end,
            output_logits=True,
            return_dict_in_generate=True,
        )
    reply = [token for token in written.sequences[0, len(ids) :].tolist() if token not in ends]
    return _answer(model, reply, torch.log_softmax(written.logits[0][0].double(), -1).cpu().numpy())


def _answer(model: EmbeddedModel, reply: Sequence[int], first: NDArray[np.float64]) -> Answer:
    words = [model._text.encode(word).ids[0] for word in VERDICTS]
    text = model._frame.decode(list(reply), skip_special_tokens=True).strip()
    return Answer(text, tuple(float(first[word]) for word in words))


def exact_model(base: Path, adapter: Path | None) -> Any:
    """Return the published model in float32, with an adapter merged."""
    import torch

    from training.large.model import load_model, merge_adapter
    from training.reader.lora import load_adapter

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = load_model(Gguf(base), device, torch.float32)
    if adapter is not None:
        merge_adapter(model, load_adapter(adapter))
    return model


def compare(
    model: EmbeddedModel, load_exact: Callable[[], Any], rows: Sequence[Row], say: Callable[[str], None]
) -> dict[str, Any]:
    """Return how often both write the same and agree on verdicts, and how far their log-odds are apart."""
    prompts = [(model._chat(row.request), row.request.max_tokens, row.request.stop) for row in rows]
    embedded = []
    for prompt in prompts:
        embedded.append(embedded_answer(model, prompt))
        say(f"embedded {len(embedded)} of {len(rows)}: {embedded[-1].text!r}")
    exact_weights, exact = load_exact(), []
    for prompt in prompts:
        exact.append(exact_answer(exact_weights, model, prompt))
        say(f"float32 {len(exact)} of {len(rows)}: {exact[-1].text!r}")
    pairs = list(zip(exact, embedded, strict=True))
    claims = [pair for row, pair in zip(rows, pairs, strict=True) if row.is_claim]
    apart = [abs(a.log_odds - b.log_odds) for a, b in claims]
    return {
        "model": model.name,
        "fingerprint": model.fingerprint,
        "numbers": number_type(model._weights.folder),
        "rows": len(rows),
        "equal_replies": sum(a.text == b.text for a, b in pairs),
        "claims": len(claims),
        "equal_verdicts": sum(a.verdict == b.verdict for a, b in claims),
        "log_odds_apart": {"mean": float(np.mean(apart)), "max": max(apart)},
        "different": [
            {"asked": row.request.messages[-1].content, "float32": asdict(a), "embedded": asdict(b)}
            for row, (a, b) in zip(rows, pairs, strict=True)
            if a.text != b.text
        ],
    }


def summary(result: dict[str, Any]) -> str:
    """Return the figures of a comparison in one line."""
    apart = result["log_odds_apart"]
    return (
        f"{result['model']}, computed in {result['numbers']}: "
        f"{result['equal_replies']} of {result['rows']} replies are equal, "
        f"{result['equal_verdicts']} of {result['claims']} verdicts agree; their log-odds differ by "
        f"{apart['mean']:.3f} in the mean, {apart['max']:.3f} at most"
    )


def main(words: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="embedded", help="an embedded language model (default: embedded)")
    parser.add_argument("--base", type=Path, required=True, help="the published GGUF file of the model")
    parser.add_argument("--rows", type=int, default=60, help="claims and questions (default: 60)")
    parser.add_argument("--max-tokens", type=int, default=180, help="of a prompt (default: 180)")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    args = parser.parse_args(words)
    model = open_model(args.model.partition(":")[2], load_settings())
    source = language_model(args.model)
    assert source is not None
    rows = draw_rows(model, args.rows, args.max_tokens)

    def load_exact() -> Any:
        model._engine().unload_model()  # both in memory would need 14 GB for the large model
        return exact_model(args.base, source.adapter)

    result = compare(model, load_exact, rows, print_now)
    print_now(summary(result))
    if args.out:
        write_json(args.out, result)


if __name__ == "__main__":
    main()
