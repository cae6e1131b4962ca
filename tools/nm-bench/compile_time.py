"""How long a deep network takes to compile, and how long one large layer.

A Llama with random weights pruned 2:4 (hidden size 128, 16 tokens) is exported with
32 and with 64 layers and compiled to PTX. Prints JSON: for each depth the seconds of
the fastest of some runs of nm-compile, kernels and launches, and the ratio of the
times. Needs what nm.export needs, and transformers.

With --weight, a layer as torch-mlir prints it, x [512, k] times the transpose of an f32
weight [n, k] that keeps --keep of each 32 units of --unit columns of n, is compiled to
PTX from bytecode, from text with the weight in a safetensors file, and from text that has
it. Prints JSON: for each form the seconds of the fastest run, in all, of the processor,
and of reading and of each stage that takes a hundredth or more, and the compiler's peak
resident memory, the file that it maps included, as a multiple of the weight. Needs numpy.

usage: compile_time.py [--layers=32,64] [--runs=3]
       compile_time.py --weight=4096x11008 [--keep=8] [--unit=32] [--runs=3]
"""

import argparse
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("NM_BIN", str(ROOT / "build/release/bin"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import nm  # noqa: E402
from nm.runtime.tools import find_tool  # noqa: E402

# Runs a command in a small process: a child's peak begins with that of its parent.
MEASURE = """
import json, resource, subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[1:], check=True)
end = time.monotonic()
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([start, end, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024]))
"""

LAYER = """func.func @main(%x: tensor<512x{k}xf32>) -> tensor<512x{n}xf32> {{
  %w = arith.constant dense_resource<weight> : tensor<{n}x{k}xf32>
  %t = tensor.empty() : tensor<{k}x{n}xf32>
  %b = linalg.transpose ins(%w : tensor<{n}x{k}xf32>) outs(%t : tensor<{k}x{n}xf32>)
      permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<512x{n}xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<512x{n}xf32>) -> tensor<512x{n}xf32>
  %y = linalg.matmul ins(%x, %b : tensor<512x{k}xf32>, tensor<{k}x{n}xf32>)
      outs(%z : tensor<512x{n}xf32>) -> tensor<512x{n}xf32>
  return %y : tensor<512x{n}xf32>
}}
"""
RESOURCE = """
{{-#
  dialect_resources: {{
    builtin: {{
      weight: "0x10000000{data}"
    }}
  }}
#-}}
"""


def make_llama(layers):
    """The pruned model, and tokens for it."""
    import torch
    import transformers

    class Logits(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model = model

        def forward(self, tokens):
            return self.model(input_ids=tokens, use_cache=False)[0]

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=128,
        hidden_size=128,
        intermediate_size=352,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    model = Logits(transformers.LlamaForCausalLM(config)).eval()
    nm.prune(model, keep=2, window=4)
    return model, torch.randint(3, 128, (1, 16))


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(path, runs):
    """Compiles the file some times; one dictionary of what came out."""
    seconds, cpu = [], []
    for _ in range(runs):
        start, cpu_start = time.monotonic(), cpu_seconds()
        compiled = nm.compile(path, emit="ptx")
        seconds.append(time.monotonic() - start)
        cpu.append(cpu_seconds() - cpu_start)
    kernels = compiled.report["kernels"]
    return {
        "seconds": round(min(seconds), 3),
        "cpu_seconds": round(min(cpu), 3),
        "kernels": len(kernels),
        "launches": sum(len(kernel["launches"]) for kernel in kernels),
        "ptx_bytes": len(compiled.code),
    }


def make_weight(k, n, keep, unit):
    """[n, k], with `keep` of each 32 units of k, each `unit` columns of n."""
    import numpy

    random = numpy.random.default_rng(20261123)
    shape = (-(-n // unit), -(-k // 32), 32)
    units = (random.random(shape).argsort(axis=-1) < keep).reshape(shape[0], -1)
    mask = units.repeat(unit, axis=0)[:n, :k]
    return random.standard_normal((n, k), dtype=numpy.float32) * mask


def write_layer(folder, k, n, keep, unit):
    """The layer in three forms: what nm-compile is to be called with, by form."""
    weight = make_weight(k, n, keep, unit)
    text = LAYER.format(k=k, n=n)
    bare, full = folder / "bare.mlir", folder / "full.mlir"
    weights, bytecode = folder / "weights.safetensors", folder / "full.mlirbc"
    bare.write_text(text)
    data = weight.astype("<f4").tobytes()
    full.write_text(text + RESOURCE.format(data=data.hex()))
    tensor = {"dtype": "F32", "shape": [n, k], "data_offsets": [0, len(data)]}
    header = json.dumps({"weight": tensor}).encode()
    header += b" " * (-len(header) % 8)
    weights.write_bytes(struct.pack("<Q", len(header)) + header + data)
    subprocess.run(
        [find_tool("nm-opt"), full, "--emit-bytecode", "-o", bytecode], check=True
    )
    return {
        "bytecode": [bytecode],
        "safetensors": [bare, f"--weights={weights}"],
        "text": [full],
    }


def follow(pipe, begun):
    """Notes when each stage begins, from the lines that --progress writes."""
    with open(pipe) as lines:
        for line in lines:
            if line == "end\n":
                return
            begun.append((line.split()[1], time.monotonic()))


def measure_layer(arguments, folder, weight_bytes):
    pipe, begun = folder / "progress", []
    os.mkfifo(pipe)
    # Kept open, as the compiler opens and closes it for each line.
    keeper = os.open(pipe, os.O_RDWR)
    follower = threading.Thread(target=follow, args=(pipe, begun))
    follower.start()
    try:
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, find_tool("nm-compile"), *arguments]
            + ["--chip=sm_90", "--emit=ptx", f"--progress={pipe}", "-o", os.devnull],
            check=True,
            stdout=subprocess.PIPE,
        )
    finally:
        os.write(keeper, b"end\n")
        follower.join()
        os.close(keeper)
        pipe.unlink()
    start, end, cpu, peak = json.loads(done.stdout)
    names = ["read"] + [stage for stage, _ in begun]
    times = [start] + [at for _, at in begun] + [end]
    spent = {name: times[i + 1] - times[i] for i, name in enumerate(names)}
    return {
        "seconds": round(end - start, 3),
        "cpu_seconds": round(cpu, 3),
        "peak_of_weight": round(peak / weight_bytes, 2),
        "stages": {
            name: round(seconds, 3)
            for name, seconds in spent.items()
            if seconds > 0.01 * (end - start)
        },
    }


def compare_forms(options):
    k, n = map(int, options.weight.split("x"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        forms = write_layer(folder, k, n, options.keep, options.unit)
        results = {}
        for form, arguments in forms.items():
            runs = [measure_layer(arguments, folder, 4 * k * n)
                    for _ in range(options.runs)]
            results[form] = min(runs, key=lambda run: run["seconds"])
    return {"forms": results}


def compare_depths(options):
    depths = [int(depth) for depth in options.layers.split(",")]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for depth in depths:
            model, tokens = make_llama(depth)
            path = pathlib.Path(folder) / f"llama{depth}.mlir"
            nm.export(model, (tokens,)).save(path)
            results[str(depth)] = measure(path, options.runs)
    first, last = results[str(depths[0])], results[str(depths[-1])]
    ratio = last["cpu_seconds"] / first["cpu_seconds"]
    return {"layers": results, "ratio": round(ratio, 3)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", default="32,64")
    parser.add_argument("--weight")
    parser.add_argument("--keep", type=int, default=8)
    parser.add_argument("--unit", type=int, default=32)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    compare = compare_forms if options.weight else compare_depths
    print(json.dumps(compare(options), indent=1))


if __name__ == "__main__":
    main()
