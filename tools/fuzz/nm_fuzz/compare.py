# compare.py - Compares what two devices computed.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib

import numpy

# Largest relative error in the Frobenius norm. Mutated programs cancel and
# overflow as no model does, so these are wider than nm-run's own.
TOLERANCE = {"f64": 1e-9, "f32": 1e-3, "f16": 3e-2, "bf16": 1e-1}


def load_results(directory):
    """The arrays that nm-run --output-dir wrote, with their types."""
    directory = pathlib.Path(directory)
    facts = json.loads((directory / "results.json").read_text())
    return [(fact["type"], numpy.load(directory / fact["file"])) for fact in facts]


def compare_arrays(kind, first, second):
    """What differs, or an empty string."""
    if first.shape != second.shape or first.dtype != second.dtype:
        return f"{first.dtype}{first.shape} and {second.dtype}{second.shape}"
    if first.dtype.kind not in "fc":
        count = int((first != second).sum())
        return f"{count} of {first.size} integers differ" if count else ""
    with numpy.errstate(all="ignore"):
        finite = numpy.isfinite(first) & numpy.isfinite(second)
        same = (first == second) | (numpy.isnan(first) & numpy.isnan(second))
        odd = int((~finite & ~same).sum())
        if odd:
            return f"{odd} of {first.size} are NaN or infinite in one only"
        wide = complex if first.dtype.kind == "c" else float
        first, second = first[finite].astype(wide), second[finite].astype(wide)
        scale = max(numpy.abs(first).max(initial=0), 1e-30)
        distance = numpy.linalg.norm((first - second) / scale)
        error = distance / max(numpy.linalg.norm(first / scale), 1e-30)
    return f"relative error {error:.3g} of {kind}" if error > TOLERANCE.get(kind, 1e-3) else ""


def compare_results(first, second):
    """What differs between two directories of results, or an empty string."""
    for (kind, one), (_, other) in zip(load_results(first), load_results(second), strict=True):
        difference = compare_arrays(kind, one, other)
        if difference:
            return difference
    return ""
