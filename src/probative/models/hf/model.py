"""Any causal language model that transformers can load, in this process, on CPU or GPU.

Scoring shares prefixes: sequences with the same start (one passage with many claims, one prompt with several
options) are packed into rows in which the model reads the common prefix once.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, redirect_stderr
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from probative.errors import InputError, ModelError
from probative.models.contract import Outcomes
from probative.models.hf.runtime import (
    NO_CODE,
    Draws,
    Runtime,
    before_text,
    checked_name,
    document_start,
    end_tokens,
    free_memory,
    gguf_tokenizer,
    not_loaded,
    options_of,
    weights_mark,
)
from probative.models.hf.scoring import CPU_TOKENS, GPU_TOKENS, Scorer
from probative.models.in_process import Joined, LocalModel, Scored, Sequel, by_tokens, draw_seed, joined
from probative.models.structured import in_words
from probative.models.types import Completion, Pair, Request, neutralise
from probative.settings import Settings

# Draws are made by `Draws`, not by transformers.
GREEDY = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}


def open_model(name: str, settings: Settings) -> HFModel:
    """Return the model `name`, on the device and in the number type of the settings."""
    return HFModel(checked_name(name), **options_of(settings), compiled=settings.compile)


class HFModel(LocalModel):
    """A transformers model: `NAME` from the hub or its cache, a folder, or a GGUF file.

    The default of `dtype` is bfloat16 on a GPU and float32 on a CPU. `compiled` compiles the layers with
    torch for scoring.
    """

    def __init__(
        self, name: str, *, device: str | None = None, dtype: str | None = None, compiled: bool = False
    ) -> None:
        self.name = f"hf:{name}"
        runtime = Runtime(name, device, dtype, gpu_dtype="bfloat16")
        self._torch, self._device, self._dtype = runtime.torch, runtime.device, runtime.dtype
        self._model, self._tokenizer = self._load(name, runtime)
        self._model.eval()
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self._first = document_start(self._tokenizer)
        self._before = before_text(self._tokenizer)
        self._ends = end_tokens(self._tokenizer, self._model)
        self._mark = weights_mark(self._model)
        size = getattr(self._model.config, "max_position_embeddings", None)
        self._window = size if isinstance(size, int) else None
        self._scorer = Scorer(
            self._model,
            self._torch,
            device=self._device,
            pad=self._tokenizer.pad_token_id,
            window=self._window,
            compiled=compiled,
        )
        self._shares_prompts = True
        """Whether rows can share what the model remembers of a prompt, as far as is known."""
        self._specials = [token for token in self._tokenizer.all_special_tokens if len(token) > 1]

    def _load(self, name: str, runtime: Runtime) -> tuple[Any, Any]:
        transformers = runtime.transformers
        path = Path(name).expanduser()
        try:
            if path.suffix == ".gguf":
                if not path.is_file():
                    raise InputError(f"the file {path} does not exist")
                source, gguf = str(path.parent), {"gguf_file": path.name}
                tokenizer = gguf_tokenizer(path, transformers)
            else:
                source, gguf, tokenizer = name, {}, None
            if tokenizer is None:
                tokenizer = transformers.AutoTokenizer.from_pretrained(source, **NO_CODE, **gguf)
            # Reading a GGUF file draws a progress bar that no setting of transformers turns off.
            with redirect_stderr(io.StringIO()) if gguf else nullcontext():
                model = transformers.AutoModelForCausalLM.from_pretrained(
                    source, dtype=runtime.numbers, **NO_CODE, **gguf
                )
            return model.to(self._device), tokenizer
        except InputError:
            raise
        except Exception as error:  # every format has its own errors
            raise not_loaded(self.name, error) from error

    @property
    def fingerprint(self) -> str:
        commit = getattr(self._model.config, "_commit_hash", None) or "local"
        return f"transformers:{self._dtype}:{commit}:{self._mark}"

    @property
    def window(self) -> int | None:
        return self._window

    @property
    def _before_text(self) -> list[int]:
        return self._before

    @property
    def _document_start(self) -> int | None:
        return self._first

    @property
    def _answer_end(self) -> int:
        return int(self._tokenizer.eos_token_id)

    # -- generate ---------------------------------------------------------------------------

    def _generate(self, requests: Sequence[Request]) -> Outcomes[Completion]:
        groups: dict[tuple[Any, ...], list[tuple[int, list[int]]]] = {}
        for index, request in enumerate(requests):
            ids = self._chat(request)
            problem = self._overflow(len(ids) + request.max_tokens, "the prompt and max_tokens")
            if problem is not None:
                yield index, problem
                continue
            key = (request.max_tokens, request.temperature, request.top_p)
            groups.setdefault(key, []).append((index, ids))
        for (max_tokens, *_), items in groups.items():
            ordered = sorted(items, key=lambda item: -len(item[1]))
            size = partial(_size, max_tokens)
            for batch in by_tokens(ordered, self._generated_together(), length=size):
                yield from self._run(requests, batch)

    def _generated_together(self) -> int:
        """Return the padded tokens of a batch that writes: on a graphics card one for two megabytes that are
        free, as a step takes as long for many rows as for few.
        """
        if self._device.type == "cpu":
            return CPU_TOKENS
        return max(GPU_TOKENS, free_memory(self._torch, self._device) >> 21)

    def _run(self, requests: Sequence[Request], batch: list[tuple[int, list[int]]]) -> Outcomes[Completion]:
        torch = self._torch
        started = time.perf_counter()
        first = requests[batch[0][0]]
        longest = max(len(ids) for _, ids in batch)
        pad = self._tokenizer.pad_token_id
        rows = [[pad] * (longest - len(ids)) + ids for _, ids in batch]
        inputs = torch.tensor(rows, device=self._device)
        mask = torch.tensor(
            [[0] * (longest - len(ids)) + [1] * len(ids) for _, ids in batch], device=self._device
        )
        with torch.inference_mode():
            output = self._model.generate(
                inputs,
                attention_mask=mask,
                **self._read_once(rows, inputs, mask),
                max_new_tokens=first.max_tokens,
                pad_token_id=pad,
                eos_token_id=self._ends,
                **GREEDY,
                logits_processor=self._draws([requests[index] for index, _ in batch]),
            )
        seconds = (time.perf_counter() - started) / len(batch)
        for (index, ids), row in zip(batch, output[:, longest:].tolist(), strict=True):
            written = next((index for index, token in enumerate(row) if token in self._ends), len(row))
            text = self._tokenizer.decode(row[:written], skip_special_tokens=True)
            yield index, self._completion(requests[index], len(ids), text, written, seconds)

    def _read_once(self, rows: list[list[int]], inputs: Any, mask: Any) -> dict[str, Any]:
        """Return what the model remembers of all but the last token of each row, if rows are equal (draws of
        one prompt): each different row is read once. A model of another memory than the keys and values of
        every token reads them all.
        """
        from transformers.cache_utils import DynamicLayer

        places: dict[tuple[int, ...], int] = {}
        which = [places.setdefault(tuple(row), len(places)) for row in rows]
        if len(places) == len(rows) or len(rows[0]) == 1 or not self._shares_prompts:
            return {}
        first = [which.index(place) for place in range(len(places))]
        memory = self._model.generate(
            inputs[first, :-1],
            attention_mask=mask[first, :-1],
            max_new_tokens=1,
            pad_token_id=self._tokenizer.pad_token_id,
            return_dict_in_generate=True,
            **GREEDY,
        ).past_key_values
        kinds = {type(layer) for layer in getattr(memory, "layers", [None])}
        self._shares_prompts = kinds == {DynamicLayer}
        if not self._shares_prompts:
            return {}
        memory.batch_select_indices(self._torch.tensor(which, device=self._device))
        return {"past_key_values": memory}

    def _draws(self, requests: Sequence[Request]) -> list[Draws]:
        """Return what draws the tokens of a batch; nothing for greedy requests."""
        first = requests[0]
        if first.temperature == 0:
            return []
        seeds = [draw_seed(request) for request in requests]
        return [Draws(self._torch, seeds, first.temperature, first.top_p)]

    def _chat(self, request: Request) -> list[int]:
        turns = [
            {"role": message.role, "content": neutralise(message.content, self._specials)}
            for message in in_words(request).messages
        ]
        if self._tokenizer.chat_template:
            text = self._templated(turns)
            return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        # A base model has no chat template: the messages become a plain dialogue.
        lines = [f"{turn['role'].capitalize()}: {turn['content']}" for turn in turns]
        return list(self._tokenizer("\n\n".join([*lines, "Assistant:"]))["input_ids"])

    def _templated(self, turns: list[dict[str, str]]) -> str:
        """Return the chat in the model's template; a model without system messages gets them in the first
        user message.
        """
        options = {"tokenize": False, "add_generation_prompt": True}
        try:
            return str(self._tokenizer.apply_chat_template(turns, **options))
        except Exception as error:  # a template can raise any error
            system = "\n\n".join(turn["content"] for turn in turns if turn["role"] == "system")
            first, *others = [turn for turn in turns if turn["role"] != "system"]
            merged = [{**first, "content": f"{system}\n\n{first['content']}"}, *others]
            if not system:
                raise ModelError(f"the chat template of {self.name} refuses this chat: {error}") from error
            return str(self._tokenizer.apply_chat_template(merged, **options))

    # -- score ------------------------------------------------------------------------------

    @cached_property
    def _text(self) -> Any:
        """The tokenizer for text, which never becomes control tokens: a copy of the fast tokenizer without
        its slow wrapper; None if there is no fast tokenizer.
        """
        backend: Any = getattr(self._tokenizer, "backend_tokenizer", None)
        if not hasattr(backend, "encode_special_tokens"):
            return None
        text = type(backend).from_str(backend.to_str())
        text.encode_special_tokens = True
        text.no_truncation()
        text.no_padding()
        return text

    def _encode_texts(self, texts: Sequence[str]) -> list[tuple[list[int], list[tuple[int, int]]]]:
        if self._text is not None:
            encodings = self._text.encode_batch(list(texts), add_special_tokens=False)
            return [(encoding.ids, encoding.offsets) for encoding in encodings]
        encoded = self._tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
        )
        spans = zip(encoded["input_ids"], encoded["offset_mapping"], strict=True)
        return [(list(ids), [tuple(span) for span in offsets]) for ids, offsets in spans]

    def _joined(self, pairs: Sequence[Pair]) -> list[Joined]:
        if self._text is None:
            return super()._joined(pairs)
        before, first = self._before, self._first
        texts = [pair.prompt + pair.continuation for pair in pairs]
        encodings = self._text.encode_batch(texts, add_special_tokens=False)
        result = []
        for pair, encoding in zip(pairs, encodings, strict=True):
            ids, cut = encoding.ids, len(pair.prompt)
            start = encoding.char_to_token(cut)
            if start is None:  # no token covers that character: take the first one that ends after it
                start = next((i for i, (_, end) in enumerate(encoding.offsets) if end > cut), len(ids))
            result.append(joined([*before, *ids], len(before) + start, first))
        return result

    def _log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        return self._scorer.log_probabilities(sequels)


def _size(max_tokens: int, item: tuple[int, list[int]]) -> int:
    """Return the tokens of a prompt and of the longest answer."""
    return len(item[1]) + max_tokens
