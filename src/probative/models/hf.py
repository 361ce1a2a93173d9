"""Any causal language model that transformers can load, in this process, on CPU or GPU.

Scoring shares prefixes: sequences that begin alike (one passage with many claims, one prompt with
several options) are packed into rows in which their common beginning is read once.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from probative.errors import InputError, MissingExtraError, ModelError
from probative.models.batches import by_tokens
from probative.models.contract import Outcomes
from probative.models.exchange import Completion, Pair, Request
from probative.models.hf_tokens import before_text, disarmed, document_start, end_tokens, gguf_tokenizer
from probative.models.local import LocalModel, Scored, Sequel, draw_seed
from probative.models.prefixes import Row, alone, lay_out, pack
from probative.models.schema import in_words
from probative.models.tokens import Joined, joined
from probative.settings import Settings

# Padded tokens in one pass: enough to fill a CPU's caches, or a GPU.
CPU_TOKENS = 1024
GPU_TOKENS = 65_536
# Numbers that the head gives in one pass, and how many of them are in full precision at a time.
LOGITS = 2**30
FULL_PRECISION = 2**27
# Numbers in the attention masks of one pass, and so the longest row that is packed.
MASKS = 2**27


def open_model(name: str, settings: Settings) -> HFModel:
    """The model of this name or path, on the device and in the type that the settings name."""
    if not name:
        raise InputError("hf: needs a model", mend="write hf:NAME or hf:/path/to/model")
    return HFModel(name, device=settings.device, dtype=settings.dtype)


class HFModel(LocalModel):
    """A transformers model: `NAME` from the hub or its cache, a folder, or a GGUF file.

    On a GPU it runs in bfloat16 unless `dtype` says otherwise, on a CPU in float32.
    """

    def __init__(self, name: str, *, device: str | None = None, dtype: str | None = None) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise MissingExtraError("hf", f"hf:{name}") from error
        self.name = f"hf:{name}"
        self._torch = torch
        self._device = self._usable(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._dtype = dtype or ("float32" if self._device.type == "cpu" else "bfloat16")
        if getattr(torch, self._dtype, None) is None:
            raise InputError(
                f"{self._dtype!r} is no number type of torch", mend="float32, bfloat16 or float16"
            )
        transformers.utils.logging.disable_progress_bar()
        self._model, self._tokenizer = self._load(name, transformers)
        self._model.eval()
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token
        self._first = document_start(self._tokenizer)
        self._before = before_text(self._tokenizer)
        self._ends = end_tokens(self._tokenizer, self._model)
        self._mark = self._weights_mark()
        self._most = CPU_TOKENS if self._device.type == "cpu" else GPU_TOKENS
        self._words = int(self._model.get_input_embeddings().weight.shape[0])
        self._reach = looks_back(self._model.config)
        self._packs: bool | None = None  # not tried yet
        self._wanted = Wanted()
        if (head := self._model.get_output_embeddings()) is not None:
            head.register_forward_pre_hook(self._only_wanted)
        self._specials = [token for token in self._tokenizer.all_special_tokens if len(token) > 1]

    def _usable(self, device: str) -> Any:
        """The device, if numbers can be put there."""
        try:
            found = self._torch.device(device)
            self._torch.zeros(1, device=found)
        except (RuntimeError, AssertionError) as error:
            raise InputError(
                f"torch cannot use the device {device!r}: {str(error).strip().splitlines()[0]}",
                mend="cpu, cuda, cuda:1 or mps, as far as this machine and this torch have them",
            ) from error
        return found

    def _load(self, name: str, transformers: Any) -> tuple[Any, Any]:
        options: dict[str, Any] = {"dtype": getattr(self._torch, self._dtype)}
        path = Path(name).expanduser()
        try:
            if path.suffix == ".gguf":
                if not path.is_file():
                    raise InputError(f"there is no file {path}")
                source, gguf = str(path.parent), {"gguf_file": path.name}
                tokenizer = gguf_tokenizer(path, transformers)
            else:
                source, gguf, tokenizer = name, {}, None
            if tokenizer is None:
                tokenizer = transformers.AutoTokenizer.from_pretrained(source, **gguf)
            model = transformers.AutoModelForCausalLM.from_pretrained(source, **gguf, **options)
            return model.to(self._device), tokenizer
        except InputError:
            raise
        except Exception as error:  # every format has errors of its own
            raise ModelError(
                f"{self.name} cannot be loaded: {str(error).strip().splitlines()[0]}",
                mend="check the name or path; a model from the hub must be downloaded first if there "
                "is no network",
            ) from error

    @property
    def fingerprint(self) -> str:
        commit = getattr(self._model.config, "_commit_hash", None) or "local"
        return f"transformers:{self._dtype}:{commit}:{self._mark}"

    def _weights_mark(self) -> str:
        """A hash over 256 numbers spread over each tensor: another training gives another mark."""
        mark = hashlib.sha256()
        for name, tensor in self._model.named_parameters():
            flat = tensor.detach().flatten()
            sample = flat[:: max(1, flat.numel() // 256)][:257].float().cpu().numpy()
            mark.update(f"{name}{tuple(tensor.shape)}".encode() + sample.tobytes())
        return mark.hexdigest()[:16]

    @property
    def window(self) -> int | None:
        size = getattr(self._model.config, "max_position_embeddings", None)
        return size if isinstance(size, int) else None

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
        alike: dict[tuple[Any, ...], list[tuple[int, list[int]]]] = {}
        for index, request in enumerate(requests):
            ids = self._chat(request)
            problem = self._overflow(len(ids) + request.max_tokens, "the prompt and max_tokens")
            if problem is not None:
                yield index, problem
                continue
            # Draws go one by one, each from its own seed; greedy requests of one length go together.
            key = (request.max_tokens, index if request.temperature > 0 else -1)
            alike.setdefault(key, []).append((index, ids))
        for (max_tokens, _), items in alike.items():
            ordered = sorted(items, key=lambda item: -len(item[1]))
            for batch in by_tokens(ordered, self._most, length=lambda item: len(item[1]) + max_tokens):  # noqa: B023
                yield from self._run(requests, batch)

    def _run(self, requests: Sequence[Request], batch: list[tuple[int, list[int]]]) -> Outcomes[Completion]:
        torch = self._torch
        started = time.perf_counter()
        first = requests[batch[0][0]]
        longest = max(len(ids) for _, ids in batch)
        pad = self._tokenizer.pad_token_id
        inputs = torch.tensor([[pad] * (longest - len(ids)) + ids for _, ids in batch])
        mask = torch.tensor([[0] * (longest - len(ids)) + [1] * len(ids) for _, ids in batch])
        sampling: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if first.temperature > 0:
            sampling = {
                "do_sample": True,
                "temperature": first.temperature,
                "top_p": first.top_p,
                "top_k": 0,
            }
        # A draw must not disturb the caller's own random numbers.
        devices = [self._device] if self._device.type == "cuda" else []
        with torch.random.fork_rng(devices=devices), torch.inference_mode():
            if first.temperature > 0:
                torch.manual_seed(draw_seed(first))
            output = self._model.generate(
                inputs.to(self._device),
                attention_mask=mask.to(self._device),
                max_new_tokens=first.max_tokens,
                pad_token_id=pad,
                eos_token_id=self._ends,
                **sampling,
            )
        seconds = (time.perf_counter() - started) / len(batch)
        for (index, ids), row in zip(batch, output[:, longest:].tolist(), strict=True):
            written = next((at for at, token in enumerate(row) if token in self._ends), len(row))
            text = self._tokenizer.decode(row[:written], skip_special_tokens=True)
            yield index, self._completion(requests[index], len(ids), text, written, seconds)

    def _chat(self, request: Request) -> list[int]:
        turns = [
            {"role": message.role, "content": disarmed(message.content, self._specials)}
            for message in in_words(request).messages
        ]
        if self._tokenizer.chat_template:
            text = self._templated(turns)
            return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])
        # A base model has no chat: its turns become a plain dialogue.
        lines = [f"{turn['role'].capitalize()}: {turn['content']}" for turn in turns]
        return list(self._tokenizer("\n\n".join([*lines, "Assistant:"]))["input_ids"])

    def _templated(self, turns: list[dict[str, str]]) -> str:
        """The chat in the model's own frame; a model without system messages gets them with the first
        user message.
        """
        options = {"tokenize": False, "add_generation_prompt": True}
        try:
            return str(self._tokenizer.apply_chat_template(turns, **options))
        except Exception as error:  # a template raises whatever its author chose
            system = "\n\n".join(turn["content"] for turn in turns if turn["role"] == "system")
            first, *others = [turn for turn in turns if turn["role"] != "system"]
            merged = [{**first, "content": f"{system}\n\n{first['content']}"}, *others]
            if not system:
                raise ModelError(f"{self.name} has no form for this chat: {error}") from error
            return str(self._tokenizer.apply_chat_template(merged, **options))

    # -- score ------------------------------------------------------------------------------

    @cached_property
    def _text(self) -> Any:
        """The tokenizer for the caller's text, which never becomes control tokens: a copy of the fast one,
        called without the wrapper that takes most of the time; None where there is no fast one.
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
            found = self._text.encode_batch(list(texts), add_special_tokens=False)
            return [(encoding.ids, encoding.offsets) for encoding in found]
        encoded = self._tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
        )
        result = []
        for ids, offsets in zip(encoded["input_ids"], encoded["offset_mapping"], strict=True):
            result.append((list(ids), [tuple(span) for span in offsets]))
        return result

    def _joined(self, pairs: Sequence[Pair]) -> list[Joined]:
        if self._text is None:
            return super()._joined(pairs)
        before, first = self._before, self._first
        texts = [pair.prompt + pair.continuation for pair in pairs]
        result = []
        for pair, encoding in zip(
            pairs, self._text.encode_batch(texts, add_special_tokens=False), strict=True
        ):
            ids, cut = encoding.ids, len(pair.prompt)
            start = encoding.char_to_token(cut)
            if start is None:  # no token covers that character: take the first that reaches behind it
                start = next((i for i, (_, end) in enumerate(encoding.offsets) if end > cut), len(ids))
            result.append(joined([*before, *ids], len(before) + start, first))
        return result

    def _log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        # A pass is begun before the results of the one before are taken: the device never waits for us.
        begun: list[Pass] = []
        for batch in self._batches(sequels):
            begun.append(self._begin(batch))
            if len(begun) > 1:
                yield from results(begun.pop(0))
        for last in begun:
            yield from results(last)

    def _batches(self, sequels: list[Sequel]) -> Iterator[list[Row]]:
        """Rows of similar length, those of one sequence apart: without a mask, attention is faster."""
        longest = math.isqrt(MASKS)
        reach = self._reach or longest
        rows = list(
            pack(
                [sequel for sequel in sequels if len(sequel.ids) <= reach],
                min(longest, self.window or longest),
            )
        )
        rows += alone([sequel for sequel in sequels if len(sequel.ids) > reach])
        if any(len(row.members) > 1 for row in rows) and not self._can_pack():
            rows = list(alone(sequels))

        def size(row: Row) -> int:
            """The row's tokens, or more where its mask or its logits are what fills the memory."""
            mask = row.length**2 if len(row.members) > 1 else 0
            return max(
                row.length,
                self._most * mask // MASKS,
                self._most * self._words * row.scored // LOGITS,
            )

        rows.sort(key=size, reverse=True)
        yield from by_tokens((row for row in rows if len(row.members) > 1), self._most, length=size)
        yield from by_tokens((row for row in rows if len(row.members) == 1), self._most, length=size)

    def _can_pack(self) -> bool:
        """Whether the model reads a packed row as it reads its sequences one by one: some models cannot be
        told what a token may look at. It is tried once.
        """
        if self._packs is None:

            def drawn(first: int, count: int) -> list[int]:
                return [(first * 7919 + n * 104_729) % self._words for n in range(count)]

            branches = [drawn(2, 8), [*drawn(2, 4), *drawn(3, 8)], drawn(4, 12)]
            (row,) = pack([Sequel(n, [*drawn(1, 16), *branch], 17) for n, branch in enumerate(branches)])
            try:
                apart = self._begin(list(alone([member.sequel for member in row.members]))).values
                difference = float((self._begin([row]).values - apart).abs().mean())
                self._packs = difference < (5e-4 if self._dtype == "float32" else 0.15)
            except Exception:  # whatever it raises, it does not take such masks
                self._packs = False
        return self._packs

    def _begin(self, rows: list[Row]) -> Pass:
        """Read rows; the log-probabilities of their scored tokens are being computed on the device."""
        torch = self._torch
        started = time.perf_counter()
        packed = any(len(row.members) > 1 for row in rows)
        # Attention kernels want the rows of a mask aligned.
        layout = lay_out(rows, pad=self._tokenizer.pad_token_id, multiple=8 if packed else 1)
        with torch.inference_mode():
            ids, depths, ends, needed, nth, targets = (
                torch.from_numpy(array).to(self._device, non_blocking=True) for array in layout
            )
            if packed:
                options = {"attention_mask": self._mask(ends), "position_ids": depths}
            else:  # padding stands behind the text, where a causal model never looks back from
                options = {"attention_mask": torch.ones_like(ids)}
            self._wanted.places = needed
            try:
                logits = self._model(ids, use_cache=False, **options).logits
                logits = logits.reshape(-1, logits.shape[-1])
                if self._wanted.places is not None:  # the head did not go through the hook
                    logits = logits[needed]
            finally:
                self._wanted.places = None
            at_once = max(1, FULL_PRECISION // logits.shape[-1])
            whole = torch.cat([torch.logsumexp(part.float(), dim=-1) for part in logits.split(at_once)])
            values = logits[nth, targets].float() - whole[nth]
        return Pass(rows, values, time.perf_counter() - started)

    def _mask(self, ends: Any) -> Any:
        """What is added to attention scores so that each token sees its own path alone."""
        torch = self._torch
        places = torch.arange(ends.numel(), device=ends.device).view(ends.shape)
        own, other = places[:, :, None], places[:, None, :]
        seen = (own < ends[:, None, :]).logical_and_(other <= own)
        mask = torch.zeros(seen.shape, dtype=self._model.dtype, device=ends.device)
        return mask.masked_fill_(~seen, torch.finfo(mask.dtype).min)[:, None]

    def _only_wanted(self, _: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Before the head: keep only the places whose next token is scored."""
        places = self._wanted.places
        if places is None or not inputs:
            return None
        self._wanted.places = None
        return (inputs[0].reshape(-1, inputs[0].shape[-1])[places][None], *inputs[1:])


class Wanted(threading.local):
    """The places that a pass wants from the head; each thread has passes of its own."""

    places: Any = None


class Pass(NamedTuple):
    """Rows that were read, the values of their scored tokens on the device, and the seconds so far."""

    rows: list[Row]
    values: Any
    seconds: float


def results(done: Pass) -> Iterator[Scored]:
    """The results of a pass, in one transfer."""
    started = time.perf_counter()
    values: list[float] = done.values.tolist()
    members = [member for row in done.rows for member in row.members]
    seconds = (done.seconds + time.perf_counter() - started) / len(members)
    at = 0
    for member in members:
        sequel = member.sequel
        count = len(sequel.ids) - sequel.start
        yield Scored(sequel.key, values[at : at + count], member.read, seconds)
        at += count


def looks_back(config: Any) -> int | None:
    """How far back some layer looks at most: a mask of ours would let it look further."""
    config = config.get_text_config()
    spans = [getattr(config, name, None) for name in ("sliding_window", "attention_chunk_size")]
    return min((span for span in spans if isinstance(span, int) and span > 0), default=None)
