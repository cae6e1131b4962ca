#!/usr/bin/env python3
# generate_times.py - Logits and generate() of a Llama with its layers converted.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a random Llama of four layers of 7B widths in bf16 before and after nm.convert;
needs a GPU, torch, transformers, and nm as a wheel or by PYTHONPATH and NM_BIN.

Usage: generate_times.py [--keep=8] [--unit=32] [--layers=4] [--results=FILE]

All Linears of the decoder are pruned to keep:32 in units of 1 x unit. The first line of JSON
is about logits of 128 given tokens (teacher-forced): the error of the pruned dense model and
of the converted one against the pruned one in f32 (relative, of all logits), at how many
places the largest logit is another than f32's, and at how many of these f32's two largest
differ by more than the converted model's largest error. The others are about generate():
milliseconds a token of 32 new ones after 16, of the dense and the converted model, with a
dynamic and with a static cache (which generate() compiles), for 1 and for 8 sequences."""

import argparse
import copy
import json
import pathlib
import time

import convert_times
import device_times

# Logits are compared at so many given tokens.
TOKENS = 128
# generate() is given so many tokens and asked for so many new ones: a guess at what shows the
# time of a token and not that of the prompt.
PROMPT, NEW = 16, 32
# Calls are timed so many times after two that compile and warm up, and the least counts.
REPEATS = 3


def make_model(torch, layers):
    """A Llama with random weights and a head."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(num_hidden_layers=layers, vocab_size=1024,
                         max_position_embeddings=2 * TOKENS)
    torch.manual_seed(1)
    with torch.device("cuda"):
        return LlamaForCausalLM(config).to(torch.bfloat16).eval()


def compare_logits(torch, dense, converted):
    """The line about logits."""
    ids = torch.randint(0, 1024, (1, TOKENS), device="cuda")
    expected = copy.deepcopy(dense).float()(ids).logits[0]
    line = {"tokens": TOKENS}
    for name, model in (("dense", dense), ("converted", converted)):
        got = model(ids).logits[0].float()
        line[f"{name}_error"] = float((got - expected).norm() / expected.norm())
        line[f"{name}_others"] = int((got.argmax(-1) != expected.argmax(-1)).sum())
    line["of_dense_error"] = round(line["converted_error"] / line["dense_error"], 4)
    first, second = expected.topk(2, -1).values.T
    is_clear = first - second > (got - expected).abs().amax(-1)
    is_other = got.argmax(-1) != expected.argmax(-1)
    line["converted_clear_others"] = int((is_clear & is_other).sum())
    return line


def time_generate(torch, model, batch, cache):
    """Milliseconds a token."""
    torch._dynamo.reset()
    ids = torch.randint(0, 1024, (batch, PROMPT), device="cuda")
    options = {"max_new_tokens": NEW, "min_new_tokens": NEW, "do_sample": False,
               "pad_token_id": 0}
    if cache == "static":
        options["cache_implementation"] = "static"
    times = []
    for _ in range(2 + REPEATS):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        model.generate(ids, attention_mask=torch.ones_like(ids), **options)
        torch.cuda.synchronize()
        times.append((time.perf_counter() - begin) / NEW * 1e3)
    return round(min(times[2:]), 3)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=int, default=8)
    parser.add_argument("--unit", type=int, default=32)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    import torch

    import nm

    def write(entry):
        print(json.dumps(entry), flush=True)
        if options.results is not None:
            with options.results.open("a") as file:
                file.write(json.dumps(entry) + "\n")

    torch.set_grad_enabled(False)
    dense = make_model(torch, options.layers)
    convert_times.prune(torch, dense.model, options.keep, options.unit)
    converted = copy.deepcopy(dense)
    nm.convert(converted)
    run = device_times.describe_run() | device_times.describe_device(torch)
    write(run | {"keep": options.keep, "unit": options.unit, "layers": options.layers})
    write(compare_logits(torch, dense, converted))
    for cache in ("dynamic", "static"):
        for batch in (1, 8):
            line = {"cache": cache, "batch": batch}
            for name, model in (("dense", dense), ("converted", converted)):
                line[f"{name}_ms"] = time_generate(torch, model, batch, cache)
            write(line)


if __name__ == "__main__":
    main()
