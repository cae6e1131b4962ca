"""Runs one compiled product with a dynamic m for several m in the emulator.

usage: dynamic_m.py DIRECTORY

The whole host path: sizes from the inputs, the grid computed by host code,
launches through the runtime; on a chip without clusters, also where blocks share
tiles and add their sums in a workspace, whose size depends on m. Compared with numpy
in f64. m = 0 launches nothing.
"""

import pathlib
import subprocess
import sys

import numpy as np

SEED = 20261121
K, N, KEEP, WINDOW = 70, 37, 2, 4
# Three blocks have two, one and one of four steps, the last of which is shorter.
SHARED = (
    ", schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], "
    "thread = [2, 4]>, block = [16, 16, 20], stages = 2, split_k = 3>"
)


def make_weight(rng):
    """A dense [K, N] weight with KEEP of WINDOW elements of each column kept."""
    dense = np.zeros((K, N), np.float32)
    for first in range(0, K, WINDOW):
        rows = np.arange(first, min(K, first + WINDOW))
        for column in range(N):
            kept = rng.choice(rows, min(KEEP, len(rows)), replace=False)
            dense[kept, column] = rng.uniform(0.5, 1.5, len(kept))
    return dense


def module(dense, a_layout, c_layout, schedule):
    a = "?x%d" % K if a_layout == "token_major" else "%dx?" % K
    c = "?x%d" % N if c_layout == "token_major" else "%dx?" % N
    dim = 0 if a_layout == "token_major" else 1
    return f"""
func.func @f(%a: tensor<{a}xf32>, %bias: tensor<{N}xf32>) -> tensor<{c}xf32> {{
  %dense = arith.constant dense<"0x{dense.tobytes().hex().upper()}"> : tensor<{K}x{N}xf32>
  %w = nm.condense %dense : tensor<{K}x{N}xf32> -> !nm.condensed<{K}x{N}xf32, #nm.pattern<{KEEP}:{WINDOW}>>
  %dim = arith.constant {dim} : index
  %m = tensor.dim %a, %dim : tensor<{a}xf32>
  %init = tensor.empty(%m) : tensor<{c}xf32>
  %c = nm.spmm %a, %w bias(%bias : tensor<{N}xf32>) outs(%init : tensor<{c}xf32>)
      {{a_layout = #nm.layout<{a_layout}>, c_layout = #nm.layout<{c_layout}>{schedule}}}
      : tensor<{a}xf32>, !nm.condensed<{K}x{N}xf32, #nm.pattern<{KEEP}:{WINDOW}>> -> tensor<{c}xf32>
  return %c : tensor<{c}xf32>
}}
"""


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    dense = make_weight(rng)
    bias = rng.standard_normal(N).astype(np.float32)
    np.save(folder / "bias.npy", bias)
    failed = 0
    for a_layout, c_layout, chip, schedule in [
        ("token_major", "token_major", "sm_90", ""),
        ("feature_major", "feature_major", "sm_90", ""),
        ("token_major", "token_major", "sm_80", SHARED),
        ("feature_major", "feature_major", "sm_80", SHARED),
    ]:
        source = folder / (a_layout + ".mlir")
        source.write_text(module(dense, a_layout, c_layout, schedule))
        for m in [0, 1, 3, 8, 33, 130]:
            a = rng.standard_normal((m, K)).astype(np.float32)
            expected = a.astype(float) @ dense.astype(float) + bias
            feature = a_layout == "feature_major"
            np.save(folder / "a.npy", np.ascontiguousarray(a.T) if feature else a)
            output = folder / "c.npy"
            command = ["nm-run", str(source), "--entry=f", "--device=emulator"]
            command += ["--chip=" + chip]
            command += ["--input=%s" % (folder / name) for name in ["a.npy", "bias.npy"]]
            done = subprocess.run(
                command + ["--output=%s" % output], capture_output=True, text=True
            )
            if done.returncode != 0:
                print("FAILED %s %s m=%d\n%s" % (chip, a_layout, m, done.stderr))
                failed += 1
                continue
            got = np.load(output).astype(float)
            got = got.T if feature else got
            norm = max(np.linalg.norm(expected), 1e-30)
            error = np.linalg.norm(got - expected) / norm if m else 0.0
            good = got.shape == expected.shape and error < 1e-6
            failed += not good
            verdict = "passed" if good else "FAILED"
            print("%s %s %s m=%d error=%.2e" % (verdict, chip, a_layout, m, error))
    print("seed %d: %d wrong" % (SEED, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
