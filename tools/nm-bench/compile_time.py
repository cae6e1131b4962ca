"""How long a deep network takes to compile, and into how many kernels.

A Llama with random weights pruned 2:4 (hidden size 128, 16 tokens) is exported with
32 and with 64 layers and compiled to PTX. Prints JSON: for each depth the seconds of
the fastest of some runs of nm-compile, kernels and launches, and the ratio of the
times. Needs what nm.export needs, and transformers.

usage: compile_time.py [--layers=32,64] [--runs=3]
"""

import argparse
import json
import os
import pathlib
import resource
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
os.environ.setdefault("NM_BIN", str(ROOT / "build/release/bin"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import nm  # noqa: E402


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", default="32,64")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
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
    print(json.dumps({"layers": results, "ratio": round(ratio, 3)}, indent=1))


if __name__ == "__main__":
    main()
