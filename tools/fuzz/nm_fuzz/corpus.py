# corpus.py - What is mutated: the project's own tests.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import pathlib
import re
import shlex

# Programs of the fuzzers' own, of what the tests have little of.
OWN = pathlib.Path(__file__).resolve().parents[1] / "corpus"
ROOT = pathlib.Path(__file__).resolve().parents[3]
# Larger files make mutation slow and hide what it changed.
MAX_BYTES = 24 * 1024
# Options of nm-opt that are no passes.
NO_PASS = re.compile(r"split-input-file|verify-|remark|mlir-|emit-bytecode|help|version|pass-pip")
COMMENT = re.compile(r"^\s*//.*\n?", re.MULTILINE)


@dataclasses.dataclass
class Entry:
    """A module and the pass pipelines of its RUN lines."""

    name: str
    text: str
    pipelines: list


def find_files(paths, pattern):
    """Files below `paths` in an order that does not depend on the machine."""
    files = []
    for path in paths:
        path = pathlib.Path(path)
        files += sorted(path.rglob(pattern)) if path.is_dir() else [path]
    return [file for file in files if file.match(pattern)]


def to_pipeline(command):
    """The passes of an nm-opt command line as one textual pipeline, or None."""
    passes = []
    for word in command:
        option = re.match(r"--?([a-z][\w-]*)(?:=(.*))?$", word)
        if not option:
            continue
        name, value = option.groups()
        if name == "pass-pipeline":
            return re.sub(r"^builtin\.module\((.*)\)$", r"\1", value)
        if not NO_PASS.match(name):
            passes.append(f"{name}{{{value}}}" if value else name)
    return ",".join(passes)


def get_pipelines(text):
    text = re.sub(r"\\\n\s*//\s*RUN:", " ", text)
    pipelines = []
    for line in re.findall(r"RUN:(.*)", text):
        for command in re.split(r"[|&;]", line):
            try:
                words = shlex.split(command)
            except ValueError:
                continue
            words = [word for word in words if word != "not"]
            if words and words[0] == "nm-opt" and "%s" in words:
                pipelines.append(to_pipeline(words[1:]))
    # A test of the dialect alone: what every pass does first, and folding.
    return sorted(set(pipelines) - {""}) or ["canonicalize", "cse"]


def split_module(text):
    """The modules of a file with // ----- lines or split-file's sections."""
    for chunk in re.split(r"^// -----.*$|^//--- .*$", text, flags=re.MULTILINE):
        chunk = COMMENT.sub("", chunk).strip()
        if chunk and "\n" in chunk:
            yield chunk + "\n"


def load_modules(paths=None):
    entries = []
    for file in find_files(paths or [ROOT / "test", OWN], "*.mlir"):
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue
        if len(text) > MAX_BYTES:
            continue
        pipelines = get_pipelines(text)
        for number, chunk in enumerate(split_module(text)):
            entries.append(Entry(f"{file.name}:{number}", chunk, pipelines))
    return entries


def load_programs(paths=None):
    """The modules that a user could give to nm-compile: functions on tensors."""
    inner = re.compile(r"\bgpu\.|memref<|\bllvm\.|nm\.tile|nm\.fragment|nm\.launch")
    entries = load_modules(paths)
    return [
        entry
        for entry in entries
        if re.search(r"func\.func (public )?@", entry.text)
        and "tensor<" in entry.text
        and not inner.search(entry.text)
        and (paths or "-invalid" not in entry.name)
    ]


def load_ptx(paths=None):
    return [
        Entry(file.name, file.read_text(), [])
        for file in find_files(paths or [ROOT / "test"], "*.ptx")
    ]
