#!/usr/bin/env python3
# torch_ops.py - Exports PyTorch's own samples of its ops, and compares results.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: torch_ops.py [OP...] [--samples N] [--edges] [--share I/N] ...   (README.md)

import argparse
import collections
import datetime
import itertools
import json
import pathlib
import signal
import subprocess
import sys
import time
import warnings

import torch
from torch.utils import _pytree as pytree

import nm

try:
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.opinfo.core import (
        BinaryUfuncInfo,
        ReductionOpInfo,
        UnaryUfuncInfo,
    )
except ImportError as error:
    sys.exit(f"torch_ops.py: {error}; PyTorch's samples need: pip install expecttest")

TYPES = (torch.float32, torch.int64, torch.bool, torch.uint8, torch.float16)
# Seconds after which a sample counts as a hang.
LIMIT = 120
# Their results are no function of their arguments.
RANDOM = set(
    "bernoulli cauchy exponential geometric log_normal multinomial normal randint "
    "randint_like randn randn_like rand_like uniform nn.functional.alpha_dropout "
    "nn.functional.dropout nn.functional.dropout2d nn.functional.dropout3d "
    "nn.functional.feature_alpha_dropout nn.functional.fractional_max_pool2d "
    "nn.functional.fractional_max_pool3d nn.functional.rrelu".split()
)
UNSET = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
# Which of equal elements comes first is open; so only values are compared.
TIES = {"kthvalue", "mode", "msort", "sort", "topk"}
SKIPPED = RANDOM | UNSET | {"argsort"}
EDGES = torch.tensor(
    [float("nan"), float("inf"), -float("inf"), 0.0, -0.0]
    + [0.5, 1.5, 2.5, -0.5, -1.5, 30, -30, 1e-3, 1, -1, 100]
)


class Call(torch.nn.Module):
    """An op with the arguments that are no tensors."""

    def __init__(self, op, spec, leaves):
        super().__init__()
        self.op = op
        self.spec = spec
        self.others = [None if isinstance(one, torch.Tensor) else one for one in leaves]
        self.is_tensor = [isinstance(one, torch.Tensor) for one in leaves]

    def forward(self, *tensors):
        given = iter(tensors)
        leaves = [next(given) if t else one for t, one in zip(self.is_tensor, self.others)]
        first, args, kwargs = pytree.tree_unflatten(leaves, self.spec)
        return self.op(first, *args, **kwargs)


class TimedOut(Exception):
    pass


def time_out(*_):
    raise TimedOut


def put_edges(tensor):
    """A copy, 60 % of whose elements are NaN, infinities and numbers halfway."""
    if not tensor.is_floating_point():
        return tensor.clone()
    generator = torch.Generator().manual_seed(tensor.numel())
    chosen = EDGES[torch.randint(0, len(EDGES), tensor.shape, generator=generator)]
    return torch.where(
        torch.rand(tensor.shape, generator=generator) < 0.6, chosen.to(tensor.dtype), tensor
    )


def get_tensors(results):
    return [one for one in pytree.tree_leaves(results) if isinstance(one, torch.Tensor)]


def describe_difference(op, got, expected, dtype):
    """What is wrong with `got`; "" if nothing is."""
    if len(got) < len(expected):
        return f"{len(got)} results of {len(expected)}"
    tolerance = 2e-3 if dtype is torch.float16 else 1e-4
    compared = 1 if op.name in TIES else len(expected)
    for a, b in list(zip(got, expected))[:compared]:
        try:
            torch.testing.assert_close(a, b, rtol=tolerance, atol=tolerance / 10, equal_nan=True)
        except AssertionError as error:
            return str(error)
    return ""


def try_sample(op, sample, dtype, options):
    """The outcome, and what is to be said of it."""
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    leaves = [one.detach() if isinstance(one, torch.Tensor) else one for one in leaves]
    change = put_edges if options.edges else torch.clone
    tensors = [change(one) for one in leaves if isinstance(one, torch.Tensor)]
    model = Call(op.op, spec, leaves).eval()
    try:
        with torch.no_grad():
            expected = get_tensors(model(*(one.clone() for one in tensors)))
    except Exception as error:
        return "PyTorch refuses", str(error)
    if not expected:
        return "no tensor", ""
    try:
        module = nm.export(model, tuple(tensors))
    except nm.ExportError as error:
        return "refused", str(error)
    try:
        results = nm.run(module, *tensors, device=options.device)
    except nm.Error as error:
        return "refused late", str(error)
    # State, such as the seed of random numbers, comes before the results.
    got = [torch.as_tensor(one) for one in results][-len(expected) :]
    difference = describe_difference(op, got, expected, dtype)
    return ("wrong", difference) if difference else ("right", "")


def choose(op, dtype, options):
    """Samples from all over the list, and their indices."""
    try:
        made = op.sample_inputs("cpu", dtype, requires_grad=False)
        samples = list(itertools.islice(made, 400))
    except Exception:  # some need packages, or a GPU
        return []
    count = options.samples if dtype is torch.float32 else max(1, options.samples // 3)
    step = max(1, len(samples) / count)
    indices = sorted({int(i * step) for i in range(min(count, len(samples)))})
    return [(i, samples[i]) for i in indices]


def list_ops(options):
    ops = [op for op in op_db if op.name not in SKIPPED]
    if options.ops:
        ops = [op for op in ops if op.name in options.ops]
    if options.edges:  # others, such as convolutions, multiply infinity by padding
        kinds = (UnaryUfuncInfo, BinaryUfuncInfo, ReductionOpInfo)
        ops = [op for op in ops if isinstance(op, kinds) or "clamp" in op.name]
    share, shares = map(int, options.share.split("/"))
    return ops[share::shares]


def parse_arguments():
    parser = argparse.ArgumentParser(description="Compares ops with PyTorch; tools/fuzz/README.md.")
    parser.add_argument("ops", nargs="*", metavar="OP", help="as torch.testing calls it (default: all)")
    parser.add_argument("--samples", type=int, default=6, metavar="N", help="of each op in float32; a third of it in other types (default: 6)")
    parser.add_argument("--edges", action="store_true", help="NaN and infinities among the elements of elementwise ops and reductions, float32")
    parser.add_argument("--share", default="0/1", metavar="I/N", help="every Nth op from the Ith on (default: 0/1)")
    parser.add_argument("--device", default="cpu", help="of nm.run (default: cpu)")
    parser.add_argument("--out", metavar="FILE", help="the log, as JSON, for docs/results")
    parser.add_argument("--verbose", action="store_true", help="a line for each sample")
    return parser.parse_args()


def main():
    options = parse_arguments()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, time_out)
    outcomes, findings = collections.Counter(), []
    begin = time.time()
    for op in list_ops(options):
        for dtype in TYPES[:1] if options.edges else TYPES:
            if dtype not in op.dtypes:
                continue
            for index, sample in choose(op, dtype, options):
                signal.alarm(LIMIT)
                try:
                    outcome, said = try_sample(op, sample, dtype, options)
                except TimedOut:
                    outcome, said = "hang", f"more than {LIMIT} s"
                except Exception as error:
                    outcome, said = "exception", f"{type(error).__name__}: {error}"
                finally:
                    signal.alarm(0)
                outcomes[outcome] += 1
                name = " ".join(filter(None, (op.name, op.variant_test_name)))
                line = f"{outcome}: {name} {str(dtype)[6:]} sample {index}: {said}"
                if outcome in ("wrong", "refused late", "hang", "exception"):
                    findings.append(line[:500])
                    print(line[:500], flush=True)
                elif options.verbose:
                    print(line.splitlines()[0][:300], flush=True)
    print(", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())))
    if options.out:
        root = pathlib.Path(__file__).parent
        commit = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, cwd=root
        )
        log = {
            "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
            "commit": commit.stdout.strip(),
            "command": " ".join(["tools/fuzz/torch_ops.py", *sys.argv[1:]]),
            "torch": torch.__version__,
            "seconds": round(time.time() - begin),
            "outcomes": dict(sorted(outcomes.items())),
            "findings": findings,
        }
        pathlib.Path(options.out).write_text(json.dumps(log, indent=1) + "\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
