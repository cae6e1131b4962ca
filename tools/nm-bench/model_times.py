#!/usr/bin/env python3
# model_times.py - Whole models as programs next to PyTorch's dense ones.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures models whose Linears are 8:32, compiled whole, next to PyTorch's dense ones; the
modules are written where torch-mlir is, and the weights made on the machine with the GPU.

Usage: model_times.py --export=FOLDER [NAME...]                (needs torch-mlir, no GPU)
       model_times.py FOLDER [NAME...] [--keep=8] [--unit=32] [--results=FILE]
                                       (needs a GPU, torch, transformers, nm; no torch-mlir)
       model_times.py --table=FILE

With --export, FOLDER/NAME.mlir is written for each model, without its weights. From there the
second command makes the model with random weights, pruned in units of 1 x unit, compiles the
module with them, and prints a line of JSON about the run and one a model: microseconds of a
call in a CUDA graph, by turns, of PyTorch's eager and compiled model and of the program; errors
against the model in f32; launches of the program; and of its kernels, compiled so that no launch
begins before the one before it has ended, the microseconds and launches by what they compute.
With --results lines are added to the file, and models that it has of this card, commit and
pattern are left out. A model that fails gets a line that says why. --table prints what a file
has as Markdown.
"""

import argparse
import collections
import copy
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable

import convert_times
import device_times
import graph_times

# Parts of the names of kernels of sparse products, and of other products. All others are the rest.
PRODUCTS = ("spmm", "spmv")
BATCHED = ("matmul", "conv")
LARGEST = 6  # kinds of the rest that a line of the table names


@dataclasses.dataclass(frozen=True)
class Model:
    """A model that is measured.

    Attributes:
        make: gives, of torch, the module with random weights.
        inputs: gives, of torch and a device, the arguments of a call.
        dtype: of the weights: f32, f16 or bf16.
    """

    make: Callable
    inputs: Callable
    dtype: str


def make_bert(hidden, layers, heads):
    def make(torch):
        from transformers import BertConfig, BertModel

        return BertModel(
            BertConfig(hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads,
                       intermediate_size=4 * hidden),
            add_pooling_layer=False)

    return make


def make_vit(torch):
    from transformers import ViTConfig, ViTModel

    return ViTModel(ViTConfig(), add_pooling_layer=False)


def make_llama(torch):
    from transformers import LlamaConfig, LlamaModel

    return LlamaModel(LlamaConfig(num_hidden_layers=2, vocab_size=1024, use_cache=False))


def make_tokens(batch, tokens, has_mask):
    def make(torch, device):
        ids = torch.randint(0, 1000, (batch, tokens), device=device)
        return (ids, torch.ones_like(ids)) if has_mask else (ids,)

    return make


def make_images(count, dtype):
    def make(torch, device):
        images = torch.randn(count, 3, 224, 224, device=device)
        return (images.to(device_times.get_dtype(torch, dtype)),)

    return make


MINILM, BERT = make_bert(384, 6, 12), make_bert(768, 12, 12)
MODELS = {
    f"{name}-{batch}x{tokens}-{dtype}": Model(make, make_tokens(batch, tokens, True), dtype)
    for name, make, batch, tokens, dtype in (
        ("minilm", MINILM, 2, 16, "f32"), ("minilm", MINILM, 2, 16, "f16"),
        ("minilm", MINILM, 32, 128, "f32"), ("minilm", MINILM, 32, 128, "f16"),
        ("bert", BERT, 8, 128, "f16"))
} | {"vit-8-f16": Model(make_vit, make_images(8, "f16"), "f16")} | {
    f"llama-{tokens}-bf16": Model(make_llama, make_tokens(1, tokens, False), "bf16")
    for tokens in (1, 128, 1024)
}


def make_model(torch, model, device):
    """The module on a device, in evaluation mode."""
    torch.manual_seed(1)
    with torch.device(device):
        made = model.make(torch)
    return made.to(device_times.get_dtype(torch, model.dtype)).eval()


def export(folder, names):
    """Writes modules without their weights."""
    import torch

    import nm

    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        model = MODELS[name]
        made = make_model(torch, model, "cpu")
        module = nm.export(made, model.inputs(torch, "cpu"))
        unknown = sorted(set(module.weights) - set(get_tensors(made)))
        if unknown:
            sys.exit(f"model_times.py: {name}: expected weights that the model has, got {unknown}")
        path = folder / f"{name}.mlir"
        path.write_text(module.text, encoding="utf-8")
        print(f"{path}: {path.stat().st_size} bytes", flush=True)


def get_tensors(made):
    """All parameters and buffers by name, also those of two names."""
    parameters = made.named_parameters(remove_duplicate=False)
    return dict(parameters) | dict(made.named_buffers(remove_duplicate=False))


def compile_program(path, data, name, options):
    """The program of a module with the weights in `data`, written beside them, and loaded."""
    import nm

    program = data.with_name(f"{name}.nm")
    subprocess.run([device_times.find_compiler(), path, f"--weights={data}", "--emit=program",
                    f"--chip={device_times.CHIP}", *options, "-o", program], check=True)
    return nm.load(program)


def find_kind(kernel):
    """What a kernel computes: "spmm" of forward_12_spmm."""
    return re.sub(r"^[a-z]+_\d+_", "", kernel)


def group_kernels(kernels):
    """{kind: [microseconds, launches]} of sum_kernels's, the longest first."""
    kinds = collections.defaultdict(lambda: [0.0, 0])
    for kernel, (microseconds, launches) in kernels.items():
        of_kind = kinds[find_kind(kernel)]
        of_kind[0] = round(of_kind[0] + microseconds, 2)
        of_kind[1] += launches
    return dict(sorted(kinds.items(), key=lambda item: -item[1][0]))


def is_of(kind, names):
    return any(name in kind for name in names)


def measure(torch, name, path, options):
    """The line of a model."""
    from nm.numbers.weights import write_weights

    model = MODELS[name]
    dense = make_model(torch, model, "cuda")
    convert_times.prune(torch, dense, options.keep, options.unit)
    inputs = model.inputs(torch, "cuda")
    expected = copy.deepcopy(dense).float()(*(
        one.float() if one.is_floating_point() else one for one in inputs)).last_hidden_state
    names = set(re.findall(r'dense_resource<"?([^">]+)"?>', path.read_text(encoding="utf-8")))
    tensors = get_tensors(dense)
    line = {"name": name}
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "weights.safetensors")
        write_weights({one: tensors[one].cpu() for one in sorted(names)}, data)
        program = compile_program(path, data, "program", [])
        apart = compile_program(path, data, "apart", ["--no-overlap-launches"])
    compiled = torch.compile(dense, fullgraph=True, dynamic=False)
    graphs = {}
    for key, call in (("eager", dense), ("compiled", compiled), ("nm", program)):
        got = call(*inputs)
        result = got[0] if isinstance(got, (tuple, list)) else got.last_hidden_state
        line[f"{key}_error"] = convert_times.get_error(torch, result, expected)
        graphs[f"{key}_us"] = graph_times.capture(torch, lambda call=call: call(*inputs))
    line.update(zip(graphs, graph_times.time_by_turns(torch, graphs.values())))
    kernels = graph_times.sum_kernels(
        torch, graph_times.capture(torch, lambda: apart(*inputs)))
    kinds = group_kernels(kernels)
    line["launches"] = sum(launches for _, launches in kinds.values())
    line["speed"] = round(min(line["eager_us"], line["compiled_us"]) / line["nm_us"], 3)
    rest = {kind: found for kind, found in kinds.items() if not is_of(kind, PRODUCTS + BATCHED)}
    line["rest_us"] = round(sum(microseconds for microseconds, _ in rest.values()), 1)
    return line | {"kinds": kinds}


def read_done(path, run):
    """The models that a file has of the configuration of `run`."""
    if path is None or not path.exists():
        return set()
    done, matches = set(), False
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "gpu" in entry:
            matches = all(entry.get(key) == run[key] for key in ("gpu", "keep", "unit", "commit"))
        elif matches and "failed" not in entry:
            done.add(entry["name"])
    return done


def print_table(path):
    """What a file has, as Markdown."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    print("| model | PyTorch, us | nm, us | of PyTorch's speed | launches | products, us | batched, us "
          "| rest, us | largest of the rest |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        if "kinds" not in row:
            continue
        kinds = row["kinds"]

        def total(names, kinds=kinds):
            return sum(time for kind, (time, _) in kinds.items() if is_of(kind, names))

        rest = [kind for kind in kinds if not is_of(kind, PRODUCTS + BATCHED)][:LARGEST]
        largest = ", ".join(f"{kind} {kinds[kind][0]:.0f} ({kinds[kind][1]})" for kind in rest)
        print(f"| {row['name']} | {min(row['eager_us'], row['compiled_us']):.0f} "
              f"| {row['nm_us']:.0f} | {row['speed']:.2f} | {row['launches']} "
              f"| {total(PRODUCTS):.0f} | {total(BATCHED):.0f} | {row['rest_us']:.0f} | {largest} |")


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("arguments", nargs="*", metavar="FOLDER | NAME", help=f"names: {', '.join(MODELS)}")
    add("--export", type=pathlib.Path, metavar="FOLDER", help="write the modules, without a GPU")
    add("--table", type=pathlib.Path, metavar="FILE", help="print an earlier run as a table")
    add("--keep", type=int, default=8, metavar="N", help="of each 32 (default: 8)")
    add("--unit", type=int, default=32, metavar="L", help="columns that share positions (32)")
    add("--results", type=pathlib.Path, metavar="FILE", help="go on with an earlier run")
    options = parser.parse_args()
    options.names = list(options.arguments)
    if not options.export and not options.table:
        if not options.names:
            parser.error("expected a folder of modules, --export=FOLDER or --table=FILE")
        options.folder = pathlib.Path(options.names.pop(0))
        if not any(options.folder.glob("*.mlir")):
            parser.error(f"expected modules in {options.folder}, got none; write them by "
                         f"model_times.py --export={options.folder}, where torch-mlir is")
    unknown = [name for name in options.names if name not in MODELS]
    if unknown:
        parser.error(f"expected names of {', '.join(MODELS)}; got {', '.join(unknown)}")
    options.names = options.names or list(MODELS)
    return options


def main():
    options = parse_options()
    if options.table:
        return print_table(options.table)
    if options.export:
        return export(options.export, options.names)
    import torch

    torch.set_grad_enabled(False)
    about = device_times.describe_run() | device_times.describe_device(torch)
    about = {"what": "microseconds of models", "keep": options.keep, "unit": options.unit} | about
    done = read_done(options.results, about)
    out = options.results.open("a", encoding="utf-8") if options.results else sys.stdout
    print(json.dumps(about), file=out, flush=True)
    for name in options.names:
        if name in done:
            continue
        torch._dynamo.reset()
        try:
            line = measure(torch, name, options.folder / f"{name}.mlir", options)
        except Exception as error:
            line = {"name": name, "failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), file=out, flush=True)


if __name__ == "__main__":
    main()
