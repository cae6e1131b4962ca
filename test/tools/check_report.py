"""Checks a report of nm-compile or nm-run against docs/Report.md.

usage: check_report.py FILE --sparse=N --dense=N [--within=RATIO] [--live=FILE]

Keys, types and sums. With --within, the peak of the device's memory in a run is at
most RATIO times the live maximum; with --live, also RATIO times that which FILE,
another report, has for the function: the sum of what lives at once, however it lies.
"""

import argparse
import json

INTEGER, SIZE, TEXT = (int,), (int, type(None)), (str,)
BYTES = dict.fromkeys(("dense", "condensed", "packed", "values", "padding", "indices"), INTEGER)
SHAPE = dict.fromkeys("mnk", SIZE)
LAUNCHED = {
    "schedule": (str, type(None)),
    "shared_by": (str, type(None)),
    "reason": (str, type(None)),
    "launch": (str, type(None)),
    "kernel": (str, type(None)),
    "shared_memory_bytes": SIZE,
    "weight": INTEGER,
    "packed_weight": INTEGER,
    "packed_values": INTEGER,
    "weight_bytes": BYTES,
}
VARIANT = {**LAUNCHED, "most_rows": INTEGER}
SPARSE = {
    **LAUNCHED,
    "raised": (bool,),
    "location": TEXT,
    "function": TEXT,
    "name": TEXT,
    "weight_name": (str, type(None)),
    "op": TEXT,
    "pattern": TEXT,
    "element_type": TEXT,
    "shape": SHAPE,
    "a_layout": TEXT,
    "c_layout": TEXT,
    "fused": (list,),
    "together": (list,),
    "variants": (list,),
}
DENSE = {
    "raised": (bool,),
    "location": TEXT,
    "function": TEXT,
    "name": (str, type(None)),
    "weight_name": (str, type(None)),
    "op": TEXT,
    "shape": SHAPE,
    "dense_bytes": SIZE,
    "pattern": (str, type(None)),
    "reason": TEXT,
}
KERNEL = {
    "name": TEXT,
    "layers": (list,),
    "launches": (list,),
    "product": (bool,),
    "grid": (list,),
    "block": (list,),
    "shared_memory_bytes": SIZE,
    "bytes": SIZE,
}
MEMORY = dict.fromkeys(("arguments", "constants", "buffers", "live_maximum"), SIZE)
MEASURED = dict.fromkeys(("peak", "live_maximum", "constants"), INTEGER)
HOST_READ = {"function": TEXT, "location": TEXT, "type": TEXT}
RUN = {
    "device": TEXT,
    "function": TEXT,
    "arguments": (list,),
    "results": (list,),
    "random_inputs": (bool,),
    "compile_milliseconds": (int, float),
    "call_milliseconds": (list,),
    "kernels": (list,),
}
TIME = {
    "name": TEXT,
    "launches": INTEGER,
    "milliseconds": (int, float),
    "bytes": SIZE,
    "floor_milliseconds": (int, float, type(None)),
}
TOTALS = {
    "raised": INTEGER,
    "not_raised": INTEGER,
    "kernels": INTEGER,
    "weight_bytes": BYTES,
}
REPORT = {
    "nm_version": TEXT,
    "llvm_version": TEXT,
    "input": TEXT,
    "chip": TEXT,
    "constants": (list,),
    "products": (list,),
    "kernels": (list,),
    "host_reads": (list,),
    "memory": (dict,),
    "device_memory": (dict, type(None)),
    "run": (dict, type(None)),
    "totals": TOTALS,
}


def check(value, schema, place):
    """Checks that `value` is an object with exactly the keys of `schema`."""
    assert isinstance(value, dict), f"{place}: expected an object, got {value}"
    assert value.keys() == schema.keys(), f"{place}: {value.keys() ^ schema.keys()}"
    for key, expected in schema.items():
        if isinstance(expected, dict):
            check(value[key], expected, f"{place}.{key}")
        else:
            assert isinstance(value[key], expected), f"{place}.{key}: {value[key]}"


def check_sums(report):
    sparse = [product for product in report["products"] if product["raised"]]
    launches = [one for product in sparse for one in (product, *product["variants"])]
    totals = report["totals"]
    assert totals["raised"] == len(sparse)
    assert totals["not_raised"] == len(report["products"]) - len(sparse)
    assert totals["kernels"] == len(report["kernels"])
    # What is shared is stored, and counted, once.
    for key in BYTES:
        if key == "packed":
            continue
        numbers = {"values": "packed_values", "indices": "packed_weight"}
        numbers["padding"] = "packed_values"
        number = numbers.get(key, "weight")
        stored = {p[number]: p["weight_bytes"][key] for p in launches}
        assert totals["weight_bytes"][key] == sum(stored.values()), key
    bytes_of = totals["weight_bytes"]
    assert bytes_of["packed"] == bytes_of["values"] + bytes_of["indices"]
    launched = {
        name: kernel["name"]
        for kernel in report["kernels"]
        for name in kernel["launches"]
    }
    for product in launches:
        assert not launched or launched[product["launch"]] == product["kernel"]
        weight = product["weight_bytes"]
        assert weight["values"] + weight["indices"] == weight["packed"]
        assert 0 <= weight["padding"] < weight["values"]
    for function, memory in report["memory"].items():
        parts = [memory[key] for key in ("arguments", "constants", "buffers")]
        total = None if None in parts else sum(parts)
        assert memory["live_maximum"] == total, function


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--sparse", type=int, required=True)
    parser.add_argument("--dense", type=int, required=True)
    parser.add_argument("--within", type=float)
    parser.add_argument("--live")
    options = parser.parse_args()
    with open(options.file) as file:
        report = json.load(file)
    check(report, REPORT, "report")
    for product in report["products"]:
        check(product, SPARSE if product["raised"] else DENSE, "product")
        for variant in product.get("variants", ()):
            check(variant, VARIANT, "variant")
    for read in report["host_reads"]:
        check(read, HOST_READ, "host read")
    for kernel in report["kernels"]:
        optional = {key: SIZE for key in ("registers", "spill_bytes") if key in kernel}
        check(kernel, {**KERNEL, **optional}, "kernel")
    for function, memory in report["memory"].items():
        check(memory, MEMORY, function)
    if report["run"]:
        check(report["run"], RUN, "run")
        for kernel in report["run"]["kernels"]:
            check(kernel, TIME, "run.kernels")
    check_sums(report)
    assert report["totals"]["raised"] == options.sparse, report["totals"]
    assert report["totals"]["not_raised"] == options.dense, report["totals"]
    if options.within:
        measured = report["device_memory"]
        check(measured, MEASURED, "device_memory")
        print(f"peak {measured['peak']}, live maximum {measured['live_maximum']}")
        assert measured["live_maximum"] <= measured["peak"], measured
        assert measured["peak"] <= options.within * measured["live_maximum"], measured
        if options.live:
            with open(options.live) as file:
                (planned,) = json.load(file)["memory"].values()
            limit = options.within * planned["live_maximum"]
            assert measured["peak"] <= limit, planned


if __name__ == "__main__":
    main()
