# signature.py - What tells one crash from another: its signal and its stack.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import pathlib
import re

# What a handler, an abort or a sanitizer puts on top of the place that failed.
RUNTIME = re.compile(
    r"PrintStackTrace|RunSignalHandlers|SignalHandler|^(__)?(restore_rt|raise|abort|gsignal)"
    r"|pthread_kill|^__(asan|ubsan|interceptor|sanitizer|libc_message|assert|GI)|llvm::install_"
    r"|^std::(terminate|__glibcxx_assert)|libstdc\+\+\.so|__gnu_cxx::__verbose|__cxa_throw|endHang|Unwind|printSignal|libc\.so"
)
# As LLVM and the sanitizers print a frame with a symbolizer, and LLVM without.
FRAME = re.compile(r"^ *(?:#\d+ 0x[0-9a-f]+ (?:in )?(.+)|\d+ +([\w.+-]+) +0x[0-9a-f]+(.*))$")
PARSER = re.compile(r"MLIR Parser: custom op parser '([\w.]+)'")
# Where the frame's address lies: a file and its offset, or a source line.
PLACE = re.compile(r" (\(/[^()]*\)|[./]\S+:\d+(:\d+)?)( \(BuildId.*)?$")
LIBRARY = re.compile(r"(libLLVM|libc|nm-fuzz-worker)[\w.]*$")
KNOWN = pathlib.Path(__file__).resolve().parents[1] / "upstream.json"


def strip_arguments(name):
    """The name of a function without its arguments and template arguments."""
    name = name.replace("(anonymous namespace)", "{anonymous}")
    while "<" in name:
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    return name.split("(")[0].strip().split(" ")[-1] or name


def get_name(match):
    """The function of a frame; without a symbol, the library that it lies in."""
    line, library, rest = match.groups()
    if library:
        return strip_arguments(rest.rsplit(" + ", 1)[0]) if rest.strip() else library
    if line.startswith("(/"):
        return re.sub(r"^\(\S*/|\+0x.*$", "", line.split(" ")[0])
    place = PLACE.search(line)
    return strip_arguments(line[: place.start()] if place else line)


def get_frames(text):
    """The functions of the first stack in `text`, the failing one first."""
    frames = []
    for line in text.splitlines():
        match = FRAME.match(line)
        if match:
            frames.append(get_name(match))
        elif frames:
            break
    # The handler's own frames come first; one of them has no symbol, only the name of
    # the library, or of the worker where that has LLVM inside.
    while frames and (RUNTIME.search(frames[0]) or LIBRARY.match(frames[0])):
        del frames[0]
    # A call of null has no stack, but MLIR's parser says where it was.
    return frames or [f"parser of {op}" for op in reversed(PARSER.findall(text))]


def describe(text):
    """A sanitizer's summary without its addresses and lines, if there is one."""
    summary = re.search(r"SUMMARY: \w+: ([\w-]+)", text)
    error = re.search(r"runtime error: ([^\n]*)", text)
    words = error.group(1) if error else summary.group(1) if summary else ""
    return re.sub(r"0x[0-9a-f]+|-?\d+", "N", words)[:80]


def make_signature(word, text, frames=4):
    """Such as "signal 11: mlir::A::b, nm::c"."""
    stack = ", ".join(get_frames(text)[:frames])
    details = describe(text)
    return f"{word}: {details + ': ' if details else ''}{stack or 'no stack'}"


def find_upstream(signature, text, case=b""):
    """Why a crash is not nm's: the note of upstream.json, or nothing. Of one that jumps
    to nowhere the input says what it was."""
    stack = signature + " " + ", ".join(get_frames(text))
    for known in json.loads(KNOWN.read_text()):
        words = known.get("input", [])
        if all(name in stack for name in known["frames"]) and all(word.encode() in case for word in words):
            return known["note"]
    return None


def is_outside_nm(text):
    """Whether no frame but the worker's own is a function of nm."""
    frames = get_frames(text)
    return bool(frames) and not any(
        re.search(r"\bnm::", name) and not name.startswith("nm::fuzz::") for name in frames
    )
