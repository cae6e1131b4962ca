"""Every number of f16 and bf16 through each activation on tensor cores, and numbers of f32
through it on CUDA cores, and what comes out next to f64: runs nm-run in the emulator.

usage: activations.py FOLDER
"""

import itertools
import math
import pathlib
import subprocess
import sys

import numpy as np

COLUMNS = 64
# B is twice the identity, so that sums are exact and the largest ones infinite. Of 32
# rows a unit of 16 columns keeps the 16 where it has a 2; of other windows, some.
MODULE = """
#w = #nm.pattern<16:32, unit = 1x16>
#s = #nm.schedule<kind = {kind}, block = [64, 64, 64]>
func.func @main(%x: tensor<{m}x64x{t}>) -> tensor<{m}x64x{t}> {{
  %w = nm.constant {{values = dense<{values}> : tensor<32x64x{t}>, indices = dense<{indices}> : tensor<32x4xi8>}} : !nm.condensed<64x64x{t}, #w>
  %e = tensor.empty() : tensor<{m}x64x{t}>
  %y = nm.spmm %x, %w outs(%e : tensor<{m}x64x{t}>) {{epilogue = #nm.epilogue<{epilogue}>, schedule = #s}}
      : tensor<{m}x64x{t}>, !nm.condensed<64x64x{t}, #w> -> tensor<{m}x64x{t}>
  return %y : tensor<{m}x64x{t}>
}}
"""
MMA = "#nm.mma_sync<warps = [2, 2], tile = [32, 32]>"
# A thread of this has 64 sums, which it stores in a loop.
FMA = "#nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>"
# The kind, bits of the fraction, and the exponent of the smallest normal number.
TYPES = {"f16": (MMA, 10, -14), "bf16": (MMA, 7, -126), "f32": (FMA, 23, -126)}
# Beyond 8, gelu_erf is 8 times what erfc is there; others vanish where they are this small.
ABSOLUTE = {"gelu_erf": 1e-14, "gelu_tanh": 1e-32, "silu": 1e-32}


def gelu_tanh(x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x / (1 + math.exp(min(-2 * inner, 700)))


ACTIVATIONS = {
    "gelu_erf": lambda x: x / 2 * math.erfc(-x / math.sqrt(2)),
    "gelu_tanh": gelu_tanh,
    "silu": lambda x: x / (1 + math.exp(min(-x, 700))),
}


def list_numbers(element):
    """All finite numbers of a type, of f32 as many as of bf16, in rows of COLUMNS."""
    bits = np.arange(1 << 16, dtype=np.uint16)
    if element == "f16":
        numbers = bits.view(np.float16)
    else:
        low = 0 if element == "bf16" else 0xABCD
        numbers = ((bits.astype(np.uint32) << 16) + low).view(np.float32)
    return numbers[np.isfinite(numbers)].reshape(-1, COLUMNS)


def make_module(element, rows, epilogue):
    values, indices = np.zeros((32, COLUMNS)), np.tile(np.arange(16), 2)[:, None].repeat(4, 1)
    for unit in range(4):
        window, first = divmod(16 * unit, 32)
        indices[16 * window:16 * window + 16, unit] += first
        place = np.arange(16)
        values[16 * window + place, 16 * unit + place] = 2
    return MODULE.format(m=rows, t=element, epilogue=epilogue, kind=TYPES[element][0],
                         values=values.tolist(), indices=indices.tolist())


def run(folder, element, epilogue):
    """Twice the numbers, and the activation of that."""
    numbers = list_numbers(element)
    x, y, module = folder / "x.npy", folder / "y.npy", folder / "model.mlir"
    np.save(x, np.vstack([numbers, np.full((1, COLUMNS), np.nan, numbers.dtype)]))
    module.write_text(make_module(element, len(numbers) + 1, epilogue))
    subprocess.run(["nm-run", module, "--device=emulator", f"--input={x}", f"--output={y}"],
                   check=True, stdout=subprocess.DEVNULL)
    result = np.load(y).astype(float)
    assert np.isnan(result[-1]).all(), f"{element} {epilogue}: a number of NaN"
    return 2 * numbers.astype(float).ravel(), result[:-1].ravel()


def spacing(exact, element):
    """Of a type's numbers around each of `exact`."""
    _, fraction, least = TYPES[element]
    exponents = np.frexp(exact)[1] - 1
    return np.exp2(np.maximum(exponents, least) - fraction)


def tolerate(element, x):
    """The relative error that activations of x may have besides rounding."""
    if element != "f32":
        return 2.0**-14
    # Where they are small, the power of two that they are of is not.
    return np.where(x > -1, 2.0**-20, 2.0**-15)


def check(element, epilogue, x, y):
    """How far results are from f64, as parts of what they may be."""
    exact = np.vectorize(ACTIVATIONS[epilogue])(x)
    # 2x of the largest numbers of bf16 is infinite in f32: so is gelu of that, and of
    # minus infinity it is 0 or, where 0 is multiplied by it, NaN, as in PyTorch.
    finite = np.abs(x) < float(np.finfo(np.float32).max)
    assert (y[~finite & (x > 0)] == np.inf).all(), f"{element} {epilogue}: of infinity"
    assert not np.any(np.abs(y[~finite & (x < 0)]) > 1e-6), f"{element} {epilogue}"
    largest = float(np.finfo(np.float16).max) if element == "f16" else 2.0**128
    inside = finite & (np.abs(exact) < largest)
    assert np.isinf(y[finite & (exact > 1.001 * largest)]).all()
    allowed = (0.5 * spacing(exact, element) + tolerate(element, x) * np.abs(exact)
               + ABSOLUTE[epilogue])
    return float((np.abs(y - exact) / allowed)[inside].max())


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for element, epilogue in itertools.product(TYPES, ACTIVATIONS):
        off = check(element, epilogue, *run(folder, element, epilogue))
        print(element, epilogue, "ok" if off <= 1 else f"off {off:.3g} times what it may be")


if __name__ == "__main__":
    main()
