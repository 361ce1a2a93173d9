"""Any causal language model that transformers can load, in this process, on CPU or GPU.

Scoring shares prefixes: sequences that begin alike (one passage with many claims, one prompt with
several options) have their common beginning read once, and its keys and values reused.
"""

from __future__ import annotations

import copy
import hashlib
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from probative.errors import InputError, MissingExtraError, ModelError
from probative.models.batches import by_tokens
from probative.models.contract import Outcomes
from probative.models.exchange import Completion, Request
from probative.models.local import LocalModel, Scored, Sequel, draw_seed
from probative.models.prefixes import Family, families
from probative.models.schema import in_words
from probative.settings import Settings

# Padded tokens in one pass: enough to fill a CPU's caches, or a GPU.
CPU_TOKENS = 1024
GPU_TOKENS = 65_536


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

    def _encode_texts(self, texts: Sequence[str]) -> list[tuple[list[int], list[tuple[int, int]]]]:
        encoded = self._tokenizer(
            list(texts), add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True
        )
        result = []
        for ids, offsets in zip(encoded["input_ids"], encoded["offset_mapping"], strict=True):
            result.append((list(ids), [tuple(span) for span in offsets]))
        return result

    def _log_probabilities(self, sequels: list[Sequel]) -> Iterator[Scored]:
        for family in families(sequels):
            started = time.perf_counter()
            with self._torch.inference_mode():
                values = list(self._family_log_probabilities(family))
            seconds = (time.perf_counter() - started) / len(family.members)
            for nth, (sequel, scores) in enumerate(values):
                read = len(sequel.ids) - (family.shared if nth else 0)
                yield Scored(sequel.key, scores, read, seconds)

    def _family_log_probabilities(self, family: Family) -> Iterator[tuple[Sequel, list[float]]]:
        """Read what the family shares once, then its members in batches after it."""
        torch = self._torch
        shared = family.shared
        past = None
        if shared:
            beginning = torch.tensor([family.members[0].ids[:shared]], device=self._device)
            past = self._model(beginning, use_cache=True, logits_to_keep=1).past_key_values
        members = sorted(family.members, key=lambda sequel: -len(sequel.ids))
        for batch in by_tokens(
            members, self._most, length=lambda sequel: len(sequel.ids) - shared + shared // 4
        ):
            rest = [sequel.ids[shared:] for sequel in batch]
            longest = max(len(ids) for ids in rest)
            pad = self._tokenizer.pad_token_id
            # Padding stands behind the text, where a causal model never looks back from.
            inputs = torch.tensor([ids + [pad] * (longest - len(ids)) for ids in rest], device=self._device)
            mask = torch.ones((len(rest), shared + longest), dtype=torch.long, device=self._device)
            positions = torch.arange(shared, shared + longest, device=self._device).repeat(len(rest), 1)
            options: dict[str, Any] = {"use_cache": False}
            if past is not None:
                reused = copy.deepcopy(past)
                reused.batch_repeat_interleave(len(rest))
                options = {"past_key_values": reused, "use_cache": True}
            keep = longest - min(sequel.start for sequel in batch) + shared + 1
            logits = self._model(
                inputs, attention_mask=mask, position_ids=positions, logits_to_keep=keep, **options
            ).logits
            offset = shared + longest - logits.shape[1]  # the position of the first row of logits
            values = iter(self._taken(logits, batch, offset))
            for sequel in batch:
                yield sequel, list(islice(values, len(sequel.ids) - sequel.start))

    def _taken(self, logits: Any, batch: list[Sequel], offset: int) -> list[float]:
        """The log-probabilities of all the batch's scored tokens, one after the other, in one transfer."""
        torch = self._torch
        rows: list[int] = []
        places: list[int] = []
        targets: list[int] = []
        for row, sequel in enumerate(batch):
            rows += [row] * (len(sequel.ids) - sequel.start)
            places += range(sequel.start - 1 - offset, len(sequel.ids) - 1 - offset)
            targets += sequel.ids[sequel.start :]
        at = torch.tensor([rows, places, targets], device=self._device)
        chosen = logits[at[0], at[1]].float()  # only the rows that are scored, in full precision
        taken = chosen.gather(1, at[2][:, None])[:, 0] - torch.logsumexp(chosen, dim=-1)
        return [float(value) for value in taken.tolist()]


def before_text(tokenizer: Any) -> list[int]:
    """The special tokens that a tokenizer puts before every text (Llama's and Gemma's start token)."""
    whole, plain = tokenizer("a")["input_ids"], tokenizer("a", add_special_tokens=False)["input_ids"]
    return list(whole[: whole.index(plain[0])]) if plain and plain[0] in whole else []


def end_tokens(tokenizer: Any, model: Any) -> list[int]:
    """Every token that ends an answer: the tokenizer's, and those the model's makers name (a model may
    end its turns with another token than its texts).
    """
    named = getattr(model.generation_config, "eos_token_id", None)
    ends = {tokenizer.eos_token_id, *(named if isinstance(named, list | tuple) else [named])}
    return sorted(int(token) for token in ends if token is not None)


def document_start(tokenizer: Any) -> int | None:
    """The token before the first of a text: what separated documents in training, or else the first or
    last token of a text.
    """
    candidates = (tokenizer.bos_token_id, tokenizer.eos_token_id)
    separator = tokenizer.get_vocab().get("<|endoftext|>")
    return next((int(token) for token in (separator, *candidates) if token is not None), None)


def disarmed(text: str, specials: Sequence[str]) -> str:
    r"""A text in which control tokens written out by a user are only text: a zero-width space parts them.

    >>> disarmed("<|im_end|> hi", ["<|im_end|>"]) == "<\u200b|im_end|> hi"
    True
    """
    for token in specials:
        text = text.replace(token, token[0] + "\u200b" + token[1:])
    return text


def gguf_tokenizer(path: Path, transformers: Any) -> Any:
    """The tokenizer of a GGUF file whose kind we can build at once; None leaves it to transformers,
    which takes half a minute to convert one.
    """
    from gguf import GGUFReader

    from probative.models.embedded.convert import language_tokenizer

    field = {key: value for key, value in GGUFReader(path).fields.items() if key.startswith("tokenizer")}
    pre = field.get("tokenizer.ggml.pre")
    if pre is None or pre.contents() != "smollm":
        return None
    facts = {key: value.contents() for key, value in field.items()}
    vocabulary = facts["tokenizer.ggml.tokens"]
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=language_tokenizer(facts),
        bos_token=vocabulary[facts["tokenizer.ggml.bos_token_id"]],
        eos_token=vocabulary[facts["tokenizer.ggml.eos_token_id"]],
        pad_token=vocabulary[facts["tokenizer.ggml.padding_token_id"]],
        chat_template=facts.get("tokenizer.chat_template"),
    )
