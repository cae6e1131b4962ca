# mutate_options.py - Makes command lines of the tools from what their --help says.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

OPTION = re.compile(r"^(\s+)--?([A-Za-z][\w-]*)(=<[^>]*>|)(?:\s|$)")
VALUE = re.compile(r"^\s+=([\w-]+)")
NUMBERS = ["0", "1", "2", "3", "4", "5", "7", "16", "64", "-1", "2147483648", "4294967296",
           "9223372036854775807", "18446744073709551616", "0.5", "1.5", "-0.5", "nan", "inf", "1e400"]  # fmt: skip
WORDS = ["sm_90", "sm_80", "sm_120", "sm_10", "all", "none", "bounds,races", "bounds,,x", "1x32", "4x",
         "x", "-1x3", "99999999999x1", "main", "nobody", "", " ", "a=b", "chip=sm_80", "stages=3 promote=0",
         "stages=99", "{", "plan", "tile", "\u00e9", "x" * 5000]  # fmt: skip
INPUTS = ["x.npy", "wrong.npy", "text.txt", "in.mlir", ".", "missing.npy", "", "-"]
OUTPUTS = ["o1", "o2", "o1.npy", "o2.npy", "libo.a", "-", ".", "missing/o", "in.mlir", ""]
FILE_OPTIONS = {"input": INPUTS, "expect": INPUTS, "output": OUTPUTS, "o": OUTPUTS, "report": OUTPUTS,
                "counters": OUTPUTS, "output-dir": ["d1", "missing/d", "in.mlir", ""],
                "dump-stages": ["d1", "missing/d", "in.mlir", ""]}  # fmt: skip
# These say how long the tool runs: their large values are no hang.
LONG = {"repeat": ["0", "1", "2", "-1", "x"], "emulator-threads": ["0", "1", "2", "-1", "4294967296"]}


def read_help(text):
    """The options of a --help, each with the values that it lists. Options of a
    pass, which stand deeper, belong to it."""
    options, last, passes = {}, None, {}
    for line in text.splitlines():
        option, value = OPTION.match(line), VALUE.match(line)
        if option and len(option[1]) > 6 and last:
            passes.setdefault(last, []).append(option[2])
        elif option:
            last = option[2]
            options[last] = None if not option[3] else []
        elif value and last and options[last] is not None:
            options[last].append(value[1])
    return options, passes


def choose_value(name, listed, rng):
    if name in LONG:
        return rng.choice(LONG[name])
    if listed and rng.random() < 0.8:
        return rng.choice(listed)
    if name in FILE_OPTIONS and rng.random() < 0.9:
        return rng.choice(FILE_OPTIONS[name])
    return rng.choice(NUMBERS + WORDS)


def make_option(options, passes, rng):
    name = rng.choice(sorted(options))
    if name in passes:
        inner = [f"{rng.choice(passes[name])}={rng.choice(NUMBERS + WORDS)}" for _ in range(rng.choice([0, 1, 2]))]
        return f"--{name}={' '.join(inner)}" if inner else f"--{name}"
    listed = options[name]
    has_value = listed is not None if rng.random() < 0.95 else listed is None
    return f"--{name}={choose_value(name, listed, rng)}" if has_value else f"--{name}"


def make(tool, options, passes, rng):
    """A command line that is right but for one to four random options."""
    words = ["in.mlir"]
    if tool != "run":
        words += ["-o", "out"]
    for _ in range(rng.choice([1, 2, 2, 3, 4])):
        words.insert(rng.randrange(1, len(words) + 1) if rng.random() < 0.1 else len(words),
                     make_option(options, passes, rng))  # fmt: skip
    if rng.random() < 0.05:
        words[0] = rng.choice(INPUTS)
    return words
