"""Read a GGUF file with torch alone: its fields, its tensors, and their weights as numbers.

A file starts with its fields (key, type, value), then says of each tensor its name, its shape (the fastest
axis first), its type and where its bytes begin. Q4_K and Q6_K store 256 numbers in a block: a scale for the
block and a small whole scale for every 32 or 16 of them.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

MAGIC, VERSION = b"GGUF", 3
ALIGNMENT = 32
# The formats of single values by the number of their type; strings and arrays have their own.
_VALUES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
# Weights are decoded this many blocks at a time, so that a matrix of 233 million numbers needs little memory.
_BLOCKS_AT_ONCE = 1 << 17


@dataclass(frozen=True)
class Kind:
    """A type of tensor: the numbers and the bytes of a block, and how a block is decoded."""

    numbers: int
    size: int
    decode: Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Stored:
    """A tensor in a file: its shape (the slowest axis first), its type, and where its bytes are."""

    name: str
    shape: tuple[int, ...]
    kind: int
    offset: int

    @property
    def size(self) -> int:
        """The number of its bytes."""
        kind = KINDS[self.kind]
        return math.prod(self.shape) // kind.numbers * kind.size


class Gguf:
    """An open GGUF file: `fields` by key, and `tensors` by name."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as stream:
            self._bytes = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY)
        magic, version, tensors, fields = self._unpack(0, "4sIQQ")
        if magic != MAGIC or version != VERSION:
            raise ValueError(f"{file} is not a GGUF file of version {VERSION}")
        self._at = 24
        self.fields = {self._string(): self._value(*self._take("I")) for _ in range(fields)}
        self._fields_end = self._at
        self.tensors = {tensor.name: tensor for tensor in [self._tensor() for _ in range(tensors)]}
        self._data = -(-self._at // ALIGNMENT) * ALIGNMENT
        if self.fields.get("general.alignment", ALIGNMENT) != ALIGNMENT:
            raise ValueError(f"{file} has an alignment other than {ALIGNMENT}")

    @property
    def architecture(self) -> str:
        """The kind of the model: "qwen2" or "llama"."""
        return str(self.fields["general.architecture"])

    def raw(self, name: str) -> memoryview:
        """Return the bytes of a tensor as they are stored."""
        tensor = self.tensors[name]
        start = self._data + tensor.offset
        return memoryview(self._bytes)[start : start + tensor.size]

    def weights(
        self, name: str, device: torch.device | str = "cpu", dtype: torch.dtype = torch.bfloat16
    ) -> Tensor:
        """Return the weights of a tensor."""
        tensor = self.tensors[name]
        kind = KINDS[tensor.kind]
        blocks = torch.frombuffer(self.raw(name), dtype=torch.uint8).reshape(-1, kind.size)
        parts = [kind.decode(part.to(device)).to(dtype).flatten() for part in blocks.split(_BLOCKS_AT_ONCE)]
        return torch.cat(parts).reshape(tensor.shape)

    def copy_without(self, names: Collection[str], out: Path) -> None:
        """Write the file without some of its tensors."""
        kept = [tensor for tensor in self.tensors.values() if tensor.name not in names]
        with out.open("wb") as stream:
            stream.write(struct.pack("<4sIQQ", MAGIC, VERSION, len(kept), len(self.fields)))
            stream.write(self._bytes[24 : self._fields_end])
            offset = 0
            for tensor in kept:
                name = tensor.name.encode()
                shape = tensor.shape[::-1]
                stream.write(struct.pack(f"<Q{len(name)}sI", len(name), name, len(shape)))
                stream.write(struct.pack(f"<{len(shape)}QIQ", *shape, tensor.kind, offset))
                offset = -(-(offset + tensor.size) // ALIGNMENT) * ALIGNMENT
            for tensor in kept:
                stream.write(bytes(-stream.tell() % ALIGNMENT))
                stream.write(self.raw(tensor.name))

    def _unpack(self, at: int, form: str) -> tuple[Any, ...]:
        return struct.unpack_from(f"<{form}", self._bytes, at)

    def _take(self, form: str) -> tuple[Any, ...]:
        values = self._unpack(self._at, form)
        self._at += struct.calcsize(f"<{form}")
        return values

    def _string(self) -> str:
        (length,) = self._take("Q")
        self._at += length
        return self._bytes[self._at - length : self._at].decode("utf-8")

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            inner, count = self._take("IQ")
            if inner in (_STRING, _ARRAY):
                return [self._value(inner) for _ in range(count)]
            return list(self._take(f"{count}{_VALUES[inner]}"))
        return self._take(_VALUES[kind])[0]

    def _tensor(self) -> Stored:
        name = self._string()
        (axes,) = self._take("I")
        shape = self._take(f"{axes}Q")
        kind, offset = self._take("IQ")
        if kind not in KINDS:
            raise ValueError(f"{name} has type {kind}; known are {sorted(KINDS)}")
        return Stored(name, tuple(shape[::-1]), kind, offset)


def _columns(blocks: Tensor, *sizes: int) -> Iterator[Tensor]:
    """Yield the bytes of each block in groups of these sizes."""
    yield from (part.contiguous() for part in blocks.split(sizes, dim=1))


def _float16(raw: Tensor) -> Tensor:
    return raw.view(torch.float16).float()


def _shifted(raw: Tensor, width: int, bits: int) -> Tensor:
    """Return groups of `bits` bits: of each run of `width` bytes the lowest bits, then the higher ones."""
    shifts = torch.arange(0, 8, bits, device=raw.device, dtype=torch.uint8).reshape(1, 1, -1, 1)
    runs = raw.reshape(len(raw), -1, 1, width)
    return (runs >> shifts & (1 << bits) - 1).reshape(len(raw), -1, 32)


def _q4_1(blocks: Tensor) -> Tensor:
    scale, least, whole = _columns(blocks, 2, 2, 16)
    return _float16(scale) * _shifted(whole, 16, 4).reshape(len(blocks), 32) + _float16(least)


def _q5_0(blocks: Tensor) -> Tensor:
    scale, high, low = _columns(blocks, 2, 4, 16)
    bits = high[:, :, None] >> torch.arange(8, device=high.device, dtype=torch.uint8) & 1
    numbers = _shifted(low, 16, 4).reshape(len(blocks), 32) | bits.reshape(len(blocks), 32) << 4
    return _float16(scale) * (numbers.view(torch.int8) - 16)


def _q8_0(blocks: Tensor) -> Tensor:
    scale, whole = _columns(blocks, 2, 32)
    return _float16(scale) * whole.view(torch.int8).float()


def _q4_k(blocks: Tensor) -> Tensor:
    scale, least, packed, whole = _columns(blocks, 2, 2, 12, 128)
    low, middle, high = packed.split(4, dim=1)
    scales = torch.cat([low & 63, high & 15 | low >> 2 & 48], dim=1)
    leasts = torch.cat([middle & 63, high >> 4 | middle >> 2 & 48], dim=1)
    numbers = _shifted(whole, 32, 4).float()
    return (_float16(scale) * scales)[:, :, None] * numbers - (_float16(least) * leasts)[:, :, None]


def _q6_k(blocks: Tensor) -> Tensor:
    low, high, scales, scale = _columns(blocks, 128, 64, 16, 2)
    numbers = (_shifted(low, 64, 4) | _shifted(high, 32, 2) << 4).view(torch.int8) - 32
    factors = _float16(scale) * scales.view(torch.int8)
    return factors[:, :, None] * numbers.reshape(len(blocks), 16, 16)


KINDS = {
    0: Kind(1, 4, lambda blocks: blocks.contiguous().view(torch.float32)),
    1: Kind(1, 2, _float16),
    3: Kind(32, 20, _q4_1),
    6: Kind(32, 22, _q5_0),
    8: Kind(32, 34, _q8_0),
    12: Kind(256, 144, _q4_k),
    14: Kind(256, 210, _q6_k),
}
"""The types of tensors that are known, by their number: F32, F16, Q4_1, Q5_0, Q8_0, Q4_K and Q6_K."""
