#!/usr/bin/env python3
# run.py - Plants errors in the lowering and shows that the numeric suite sees them.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Usage: run.py --build BUILD [--only NAME]...
#
# BUILD is a build directory in which nm-numeric-suite and nm-run are up to date.
# Each patch of patches/ is applied to a scratch copy of the sources; the files it
# touches are compiled there and the program is linked anew with them. The first
# lines of a patch name the check of the suite that has to fail, or a function of a
# module whose outputs on the emulator have to differ from those of the CPU, or in
# which the emulator has to find a race between kernels or threads, of which a read of
# what nobody has written yet is one, or what nm-run has to say of a
# module that a script makes, with its a.npy and, for each result, c.npy, or a test of lit
# that has to fail, and does not without the patch:
#
#     Check: races
#     Check: outputs of known in test/integration/parallel-bounds.mlir
#     Check: race in main of test/integration/Inputs/torch-mlir/fxl_block_f32_2of4.mlir
#     Check: report of test/integration/Inputs/roles.py f32-whole/tma: deadlock
#     Check: lit on Dialect/NM/Rows/form-kernels.mlir
#
# Prints a line for each patch: caught; SURVIVED, when no case of the suite fails
# the named check, or the patch does not apply or compile; NOT JUDGED, when the
# compiler, the linker or the suite was killed from outside. Fails unless all are
# caught.

import argparse
import json
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[2]
SUITE = "nm-numeric-suite"
RUNNER = "nm-run"
TOOLS = ("nm-opt", "nm-run", "nm-compile")  # that tests of lit call


class NotJudged(Exception):
    """Something was killed, which says nothing about the patch."""


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    # A shell says 128 + the signal; a compiler driver only says it in words.
    killed = (-signal.SIGKILL, -signal.SIGTERM, 128 + signal.SIGKILL, 128 + signal.SIGTERM)
    words = "Killed signal|Terminated signal|out of memory|cannot allocate memory"
    if done.returncode in killed or (
        done.returncode != 0 and re.search(words, done.stderr, re.IGNORECASE)
    ):
        raise NotJudged("%s was killed" % pathlib.Path(command[0]).name)
    return done


def compile_file(build, scratch, path):
    """Compiles `path`, relative to the repository, as it is in `scratch`."""
    commands = json.loads((build / "compile_commands.json").read_text())
    entry = next(e for e in commands if e["file"] == str(SOURCE / path))
    target = scratch / (pathlib.Path(path).name + ".o")
    words = shlex.split(entry["command"])
    words[words.index("-o") + 1] = str(target)
    words[-1] = str(scratch / path)
    done = run(words, cwd=entry["directory"])
    if done.returncode != 0:
        raise RuntimeError("%s does not compile:\n%s" % (path, done.stderr))
    return target


def link_program(build, scratch, program, objects):
    """Links `program` with `objects` before the library that holds the others."""
    steps = run(["ninja", "-C", str(build), "-t", "commands", program])
    target = program
    if steps.returncode != 0:  # one program is all tools, by the name that it has
        target = "nm"
        steps = run(["ninja", "-C", str(build), "-t", "commands", target])
    link = steps.stdout.strip().splitlines()[-1]
    linked = scratch / program
    link = link.replace(
        "-o bin/%s " % target, " ".join(map(str, objects)) + " -o %s " % linked
    )
    done = run(["bash", "-c", link], cwd=build)
    if done.returncode != 0:
        raise RuntimeError("%s does not link:\n%s" % (program, done.stderr))
    return linked


def judge_suite(suite, check):
    """Whether `suite` fails `check`, and how."""
    done = run([str(suite), "--until=" + check])
    failure = re.search(r"^case (\d+) FAILED %s .*\n  (.*)" % check, done.stdout, re.MULTILINE)
    if failure:
        return True, "%s by case %s: %s" % (check, *failure.groups())
    last = done.stdout.strip().splitlines()[-1]
    return False, "expected a failure of %s, got %s" % (check, last)


def judge_outputs(build, scratch, patched, entry, module):
    """Whether `patched` gives other numbers than the CPU, and which."""
    expected = scratch / "expected.npy"
    arguments = [str(SOURCE / module), "--entry=" + entry]
    done = run([str(build / "bin" / RUNNER), *arguments, "--device=cpu", "--output=%s" % expected])
    if done.returncode != 0:
        return False, "%s does not run: %s" % (module, done.stderr.strip())
    compared = ["--device=emulator", "--expect=%s" % expected, "--tolerance=0"]
    done = run([str(patched), *arguments, *compared])
    output = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode == 2, output[-1] if output else "no output"


def judge_race(patched, entry, module):
    """Whether the emulator finds a race in what `patched` makes of the module."""
    arguments = [str(SOURCE / module), "--entry=" + entry, "--device=emulator"]
    done = run([str(patched), *arguments])
    race = re.search(r"(race:|uninitialised read) .*", done.stderr)
    return done.returncode != 0 and bool(race), race.group() if race else "no race"


def judge_report(scratch, patched, script, module, words):
    """Whether `patched` says `words` of what `script` makes."""
    made = scratch / "made"
    done = run([sys.executable, str(SOURCE / script), str(made)])
    if done.returncode != 0:
        return False, "%s does not run: %s" % (script, done.stderr.strip())
    path = made / (module + ".mlir")
    arguments = ["--chip=sm_90a", "--device=emulator", "--input=%s" % (path.parent / "a.npy")]
    results = re.search(r"^ *return (.+?) :", path.read_text(), re.MULTILINE)[1].count("%")
    arguments += ["--expect=%s" % (path.parent / "c.npy")] * results
    done = run([str(patched), str(path), *arguments])
    lines = [l for l in (done.stdout + done.stderr).splitlines() if words in l]
    return done.returncode != 0 and bool(lines), lines[0] if lines else done.stderr.strip()


def find_tools(test):
    """The tools that a test of lit calls."""
    text = (SOURCE / "test" / test).read_text()
    return [tool for tool in TOOLS if re.search(r"RUN:.*\b%s\b" % tool, text)]


def judge_lit(build, scratch, programs, test):
    """Whether a test of lit fails with `programs`, and passes with those of the build."""
    cache = (build / "CMakeCache.txt").read_text()
    lit = re.search(r"^NM_LIT:FILEPATH=(.+)$", cache, re.MULTILINE)[1]
    for patched in ([], programs):
        tools = scratch / ("patched" if patched else "unpatched")
        tools.mkdir()
        for program in (build / "bin").iterdir():
            own = next((one for one in patched if one.name == program.name), program)
            (tools / program.name).symlink_to(own.resolve())
        done = run([lit, "-v", "--param=nm_tools_dir=%s" % tools, str(build / "test" / test)])
        passes, fails = "Passed" in done.stdout, "Failed" in done.stdout
        if patched or not passes or fails:
            break
    if not patched:
        return False, "%s fails without the patch" % test
    errors = re.findall(r"error: .*", done.stdout)
    return fails, errors[0] if errors else "%s passes" % test


def judge(build, patch):
    """Returns what became of one patch: (caught, text)."""
    text = patch.read_text()
    check = re.search(r"^Check: (.+)$", text, re.MULTILINE).group(1)
    outputs = re.match(r"outputs of (\S+) in (\S+)", check)
    race = re.match(r"race in (\S+) of (\S+)", check)
    report = re.match(r"report of (\S+) (\S+): (.+)", check)
    lit = re.match(r"lit on (\S+)", check)
    touched = re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE)
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        for folder in {pathlib.Path(p).parent for p in touched}:
            shutil.copytree(SOURCE / folder, scratch / folder)
        done = run(["patch", "-p1", "-i", str(patch)], cwd=scratch)
        if done.returncode != 0:
            return False, "does not apply: " + done.stdout.strip()
        try:
            objects = [compile_file(build, scratch, path) for path in touched]
            if lit:
                programs = [link_program(build, scratch, tool, objects)
                            for tool in find_tools(lit[1])]
                return judge_lit(build, scratch, programs, lit[1])
            runs = outputs or race or report
            program = link_program(build, scratch, RUNNER if runs else SUITE, objects)
        except RuntimeError as error:
            return False, str(error)
        if outputs:
            return judge_outputs(build, scratch, program, *outputs.groups())
        if race:
            return judge_race(program, *race.groups())
        if report:
            return judge_report(scratch, program, *report.groups())
        return judge_suite(program, check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--only", action="append", help="the name of a patch")
    options = parser.parse_args()
    build = options.build.resolve()
    suite = build / "bin" / SUITE
    done = run([str(suite), "--shards=50"])
    print("unpatched: " + done.stdout.strip().splitlines()[-1], flush=True)
    if done.returncode != 0:
        return 1
    patches = sorted((HERE / "patches").glob("*.patch"))
    if options.only:
        patches = [p for p in patches if p.stem in options.only]
    caught = unjudged = 0
    for patch in patches:
        start = time.monotonic()
        try:
            good, text = judge(build, patch)
            verdict = "caught" if good else "SURVIVED"
            caught += good
        except NotJudged as reason:
            verdict, text = "NOT JUDGED", str(reason)
            unjudged += 1
        seconds = time.monotonic() - start
        print("%s %s (%.0f s): %s" % (verdict, patch.stem, seconds, text), flush=True)
    print(
        "%d of %d patches caught, %d not judged" % (caught, len(patches), unjudged)
    )
    return 0 if caught == len(patches) and patches else 1


if __name__ == "__main__":
    sys.exit(main())
