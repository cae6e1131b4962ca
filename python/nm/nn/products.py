"""The products that layers are: one program for all layers of a shape.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from __future__ import annotations

import functools
import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nm.errors import Error
from nm.module import Module
from nm.numbers._numeric_types import NUMERIC_TYPES
from nm.pattern import Pattern
from nm.runtime.compiler import compile_program
from nm.runtime.program import Program

if TYPE_CHECKING:
    import torch

_ELEMENTS = {row.dtype: name for name, row in NUMERIC_TYPES.items()}
_TEXT = re.compile(
    r"linear (\d+)x(\d+) (\d+):(\d+|all)/(\d+)x(\d+) (\w+) (\w+) (bias|nobias)"
    r"(?: (relu|gelu_erf|gelu_tanh|silu))?(?: (add|mul))?"
)


@dataclass(frozen=True)
class LinearProduct:
    """y = f((x W^T) s + b) + r of any number of rows: all that its kernels depend on but the
    chip.

    str() and `parse` are inverse; graphs of torch.compile have the text.

    Attributes:
        k, n: features of x and of y.
        pattern: of the weight.
        x: nm's name of the type of x and y, such as "bf16".
        weight: of the weight's; "i8" for one with a scale s of f32 for each column.
        has_bias: whether there is a b, of x's type.
        epilogue: f: "relu", "gelu_erf", "gelu_tanh" or "silu"; "" for none.
        combine: what is done with r, which is y's shape and type: "add", or "mul" in the
            place of +; "" where there is none.
    """

    k: int
    n: int
    pattern: Pattern
    x: str
    weight: str
    has_bias: bool
    epilogue: str = ""
    combine: str = ""

    def __str__(self) -> str:
        window = "all" if self.pattern.window is None else self.pattern.window
        unit = "x".join(map(str, self.pattern.unit))
        text = (
            f"linear {self.k}x{self.n} {self.pattern.keep}:{window}/{unit} "
            f"{self.x} {self.weight} {'bias' if self.has_bias else 'nobias'}"
        )
        return " ".join(filter(None, (text, self.epilogue, self.combine)))

    @staticmethod
    @functools.cache
    def parse(text: str) -> LinearProduct:
        """The product that `str` wrote.

        Raises:
            Error: it wrote no such text.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise Error(f"expected the text of an nm.nn.Linear's product, got `{text}`")
        k, n, keep, window, unit_k, unit_n, x, weight, bias, *fused = match.groups("")
        pattern = Pattern(
            int(keep), None if window == "all" else int(window), (int(unit_k), int(unit_n))
        )
        return LinearProduct(int(k), int(n), pattern, x, weight, bias == "bias", *fused)

    def write_module(self) -> Module:
        """The product as a module, of which the weight is an argument."""
        weight = f"!nm.condensed<{self.k}x{self.n}x{self.weight}, #nm.pattern<{self.pattern}>>"
        x, y = f"tensor<?x{self.k}x{self.x}>", f"tensor<?x{self.n}x{self.x}>"
        bias = f"tensor<{self.n}x{self.x}>"
        arguments = [f'%x: {x} {{nm.name = "x"}}', f'%w: {weight} {{nm.name = "weight"}}']
        if self.has_bias:
            arguments.append(f'%b: {bias} {{nm.name = "bias"}}')
        operands = "%x, %w"
        if self.weight == "i8":
            scale = f"tensor<{self.n}xf32>"
            arguments.insert(2, f'%s: {scale} {{nm.name = "scale"}}')
            operands += f" scale(%s : {scale})"
        if self.has_bias:
            operands += f" bias(%b : {bias})"
        if self.combine:
            arguments.append(f'%r: {y} {{nm.name = "residual"}}')
            operands += f" residual(%r : {y})"
        attributes = []
        if self.x == "f64":
            attributes.append("acc = f64")
        if self.combine == "mul":
            attributes.append("combine = #nm.combine<mul>")
        if self.epilogue:
            attributes.append(f"epilogue = #nm.epilogue<{self.epilogue}>")
        given = f"{{{', '.join(attributes)}}} " if attributes else ""
        # A residual is mostly of another product, which lets this one begin early.
        behind = "" if self.combine else " attributes {nm.behind_others}"
        return Module(
            f"func.func @main({', '.join(arguments)}) -> ({y} {{nm.name = \"y\"}})"
            f"{behind} {{\n"
            f"  %c0 = arith.constant 0 : index\n"
            f"  %m = tensor.dim %x, %c0 : {x}\n"
            f"  %e = tensor.empty(%m) : {y}\n"
            f"  %y = nm.spmm {operands} outs(%e : {y}) {given}: {x}, {weight} -> {y}\n"
            f"  return %y : {y}\n}}\n"
        )


def get_element(dtype: torch.dtype) -> str | None:
    """nm's name of a torch type; None where products have no such operands."""
    name = _ELEMENTS.get(str(dtype).removeprefix("torch."))
    return name if name in ("f16", "bf16", "f32", "f64") else None


_lock = threading.Lock()  # of the tables
_being_compiled: dict[tuple[str, str], threading.Lock] = {}
_compiled: dict[tuple[str, str], Program] = {}


def get_program(text: str, chip: str) -> Program:
    """The program of the product with that text for a chip, whose function takes x, the
    arrays of all layouts of the weight, and the bias, if any. It is compiled when first
    asked for, once a process, for all layers that have it."""
    found = _compiled.get((text, chip))
    if found is not None:
        return found
    with _lock:
        lock = _being_compiled.setdefault((text, chip), threading.Lock())
    with lock:
        if (text, chip) not in _compiled:
            module = LinearProduct.parse(text).write_module()
            _compiled[text, chip] = compile_program(module, [f"--chip={chip}"])
        return _compiled[text, chip]


def count_compiled() -> int:
    """How many products this process has compiled, or found in the cache."""
    return len(_compiled)


def get_chip(device: Any) -> str:
    """What programs for a torch device are compiled for; the emulator, which stands for
    the CPU, takes what a Hopper GPU does."""
    import torch

    if device.type != "cuda":
        return "sm_90a"
    major, minor = torch.cuda.get_device_capability(device)
    # The letter has instructions that later chips lack.
    return f"sm_{major}{minor}{'a' if major == 9 else ''}"
