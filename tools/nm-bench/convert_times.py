#!/usr/bin/env python3
# convert_times.py - What a Llama takes with its layers converted, next to PyTorch's dense one.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a Llama of a few layers of 7B widths in bf16 before and after nm.convert; needs a
GPU, torch, transformers, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: convert_times.py [--keep=8] [--unit=32] [--rows=1,8,...] [--layers=2] [--memory=both]
                        [--fuse] [--eager] [--results=FILE]
       convert_times.py --rows= [--layers=32] [...]     (converting, loading and calls alone)

All Linears of the decoder are pruned to keep:32 in units of 1 x unit; the dense model has
these weights too. One sequence of so many tokens, without a cache and without a head. Times
are of a CUDA graph of one forward pass: PyTorch's of the eager and of the compiled model
(torch.compile), and the converted model's, by turns, as the GPU's clock drifts. Prints a line
of JSON about the run and one for each number of rows: microseconds, the faster dense time over
the converted one, milliseconds of an eager call that the host waits for and the converted one's
over the dense one's (the median of pairs that follow each other), and the error against the
model in f32. --eager leaves the graphs out. --memory is nm.convert's: with "both" the faster of
the two weights is used at each number of rows. --fuse calls nm.nn.fuse_epilogues.

The line about the run has the seconds of converting, and of loading what save_pretrained
wrote of it; bytes of GPU memory that each took at most beyond what is there afterwards (or
was before); and the host's microseconds of a call: of the op, of a layer, of F.linear and of
the launch of an empty kernel.

With --results, lines are added to the file, and numbers of rows that it has of this
configuration and card are left out: a run that was cut off goes on.
"""

import argparse
import copy
import json
import pathlib
import statistics
import tempfile
import time

import device_times
import graph_times

ROWS = (1, 8, 64, 128, 512, 1024, 4096)
WINDOW = 32
REPLAYS = 20  # of a measurement of the host's time
# Pairs of the host's calls that are compared. A host's speed can change by a factor of 1.6 within
# a second, beside other users' work, so that it takes many; 300 is a guess.
PAIRS = 300
CALLS = 100  # of one measurement of the host's time


def make_model(torch, layers, rows):
    """The decoder of a Llama with random weights."""
    from transformers import LlamaConfig, LlamaModel

    config = LlamaConfig(num_hidden_layers=layers, vocab_size=1024, use_cache=False,
                         max_position_embeddings=max(rows, default=64))
    torch.manual_seed(1)
    with torch.device("cuda"):
        return LlamaModel(config).to(torch.bfloat16).eval()


def prune(torch, model, keep, unit):
    """Keeps the blocks of the largest sums of each window, as nm.prune does, on the GPU."""
    for name, module in model.named_modules():
        if isinstance(module, torch.nn.Linear):
            n, k = module.weight.shape
            blocks = module.weight.detach().abs().float()
            sums = blocks.view(n // unit, unit, k // WINDOW, WINDOW).sum(1)
            kept = torch.zeros_like(sums).scatter_(-1, sums.topk(keep, -1).indices, 1)
            mask = kept[:, None].expand(-1, unit, -1, -1).reshape(n, k)
            module.weight.data.mul_(mask.to(module.weight.dtype))


def time_eager(torch, dense, converted):
    """Milliseconds of two calls for which the host waits, and the second's over the first's.
    They are taken in pairs, the first of which changes, and so is their ratio: the host's
    speed drifts."""

    def time_call(call):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        call()
        torch.cuda.synchronize()
        return (time.perf_counter() - begin) * 1e3

    pairs = []
    for _ in range(PAIRS // 2):
        pairs.append((time_call(dense), time_call(converted)))
        pairs.append((time_call(converted), time_call(dense))[::-1])
    ratio = statistics.median(second / first for first, second in pairs)
    medians = [round(statistics.median(found), 4) for found in zip(*pairs)]
    return dict(zip(("dense_eager_ms", "converted_eager_ms"), medians)) | {
        "eager": round(ratio, 3)
    }


def get_error(torch, got, expected):
    return float((got.float() - expected).norm() / expected.norm())


def measure(torch, models, rows, is_eager):
    """The row of a number of tokens; `models` are dense, converted and of f32."""
    ids = torch.randint(0, 1024, (1, rows), device="cuda")
    row = {"rows": rows}
    dense, converted, exact = models
    row.update(time_eager(torch, lambda: dense(ids), lambda: converted(ids)))
    if is_eager:
        return row
    expected = exact(ids).last_hidden_state
    graphs = {}
    for name, model in (("dense", dense), ("converted", converted)):
        row[f"{name}_error"] = get_error(torch, model(ids).last_hidden_state, expected)
        graphs[f"{name}_graph_us"] = graph_times.capture(torch, lambda model=model: model(ids))
        torch._dynamo.reset()
        compiled = torch.compile(model, fullgraph=True, dynamic=False)
        begin = time.perf_counter()
        compiled(ids)
        row[f"{name}_compile_s"] = round(time.perf_counter() - begin, 1)
        graphs[f"{name}_compiled_us"] = graph_times.capture(torch, lambda: compiled(ids))
    row.update(zip(graphs, graph_times.time_by_turns(torch, graphs.values())))
    best = min(row["dense_graph_us"], row["dense_compiled_us"])
    row["speedup"] = round(best / row["converted_compiled_us"], 3)
    return row


def watch(torch, call):
    """What a call gives, its seconds, and the bytes of GPU memory that it took at most
    beyond what was there before or is afterwards."""
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    begin = time.perf_counter()
    result = call()
    torch.cuda.synchronize()
    seconds = round(time.perf_counter() - begin, 2)
    most = max(before, torch.cuda.memory_allocated())
    return result, seconds, torch.cuda.max_memory_allocated() - most


def time_load(torch, model):
    """Seconds and bytes of from_pretrained of what save_pretrained writes of a model."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        load = type(model).from_pretrained
        loaded, seconds, beyond = watch(torch, lambda: load(folder, device_map="cuda"))
        del loaded
    return {"load_s": seconds, "load_peak_bytes": beyond}


def time_host(torch, call):
    """Microseconds that the host needs for a call."""
    for _ in range(CALLS):
        call()
    times = []
    for _ in range(REPLAYS):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(CALLS):
            call()
        times.append((time.perf_counter() - begin) / CALLS * 1e6)
    return round(statistics.median(times), 1)


def time_calls(torch, nm, keep, unit):
    """The host's microseconds of calls of one small layer, for which the GPU needs less."""
    from nm.nn.operator import packed_linear

    dense = torch.nn.Sequential(
        torch.nn.Linear(1024, 1024, bias=False, device="cuda", dtype=torch.bfloat16)
    )
    prune(torch, dense, keep, unit)
    converted = copy.deepcopy(dense)
    nm.convert(converted, example=())
    layer = converted[0]
    of = layer._laid_out
    x = torch.randn(1, 1024, device="cuda", dtype=torch.bfloat16)
    one = torch.zeros(1, device="cuda")
    return {
        "op": time_host(torch, lambda: packed_linear(x, of.packed, None, of.product)),
        "layer": time_host(torch, lambda: layer(x)),
        "dense": time_host(torch, lambda: dense[0](x)),
        "launch": time_host(torch, one.zero_),
    }


def read_done(path, run):
    """The numbers of rows that a file has of this configuration."""
    if path is None or not path.exists():
        return set()
    done, matches = set(), False
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        if "gpu" in entry:
            same = ("gpu", "keep", "unit", "layers", "keeps", "fuses", "eager", "commit")
            matches = all(entry.get(key) == run[key] for key in same)
        elif matches:
            done.add(entry["rows"])
    return done


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=int, default=8)
    parser.add_argument("--unit", type=int, default=32)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--memory", choices=("least", "both"), default="least")
    parser.add_argument("--fuse", action="store_true")
    parser.add_argument("--eager", action="store_true", help="leave the graphs out")
    parser.add_argument("--rows", default=",".join(map(str, ROWS)),
                        help="numbers of tokens, separated by commas")
    parser.add_argument("--results", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = parse_arguments()
    rows = [int(text) for text in options.rows.split(",") if text]
    import torch

    import nm
    from nm.nn.products import count_compiled

    torch.set_grad_enabled(False)
    nm.nn.fuse_epilogues(options.fuse)
    dense = make_model(torch, options.layers, rows)
    prune(torch, dense, options.keep, options.unit)
    exact = copy.deepcopy(dense).float() if rows else None
    converted = copy.deepcopy(dense) if rows else dense
    report, seconds, beyond = watch(
        torch, lambda: nm.convert(converted, memory=options.memory)
    )
    run = device_times.describe_run() | device_times.describe_device(torch)
    run.update(
        keep=options.keep, unit=options.unit, layers=options.layers, keeps=options.memory,
        fuses=options.fuse, eager=options.eager,
        convert_s=seconds, convert_peak_bytes=beyond, programs=count_compiled(),
        dense_bytes=sum(one.dense_bytes for one in report.layers),
        bytes=sum(one.bytes for one in report.layers),
        packed_bytes=sum(one.packed_bytes for one in report.layers),
    )
    run["memory"] = round((run["bytes"] + run["packed_bytes"]) / run["dense_bytes"], 4)
    run.update(time_load(torch, converted))
    run["host_us"] = time_calls(torch, nm, options.keep, options.unit)
    done = read_done(options.results, run)

    def write(entry):
        print(json.dumps(entry), flush=True)
        if options.results is not None:
            with options.results.open("a") as file:
                file.write(json.dumps(entry) + "\n")

    write(run)
    for count in rows:
        if count not in done:
            write(measure(torch, (dense, converted, exact), count, options.eager))


if __name__ == "__main__":
    main()
