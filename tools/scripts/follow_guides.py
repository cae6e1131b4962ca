#!/usr/bin/env python3
# follow_guides.py - Does what docs/guides says, and runs the tests it adds.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows docs/guides/add-*.md in a copy of the checkout.

The diff blocks of a guide are one patch. The patches are applied to a copy in a
temporary directory, one guide after another, the copy is configured as --build
is, what the guides' tests call is built, and the tests that the guides add,
change or name are run. Prints a line a guide; what failed is named with its
step."""

import argparse
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What the copy's configuration has from that of --build.
OPTIONS = re.compile(
    r"^((?:LLVM|MLIR)_DIR|NM_WERROR|CMAKE_(?:C_COMPILER|CXX_COMPILER|CXX_FLAGS"
    r"|C_COMPILER_LAUNCHER|CXX_COMPILER_LAUNCHER)):\w+=(.+)$",
    re.MULTILINE,
)


class Failure(Exception):
    """A step that failed: its name and what it printed."""


def read_touched() -> dict[str, list[str]]:
    """What a change may touch: patterns of paths, by the name of its guide."""
    rows = re.findall(
        r"^\| \[.*\]\((add-.*)\.md\) \| (.*) \|$",
        (ROOT / "docs/guides/README.md").read_text(),
        re.MULTILINE,
    )
    return {name: re.findall(r"`([^`]*[/.][^`]*)`", cell) for name, cell in rows}


class Guide:
    def __init__(self, path: pathlib.Path, touched: dict[str, list[str]]) -> None:
        self.name = path.stem
        parts = re.split(r"^```diff\n(.*?)^```$", path.read_text(), flags=re.M | re.S)
        prose, self.patch = "".join(parts[::2]), "".join(parts[1::2])
        self.files = re.findall(r"^\+\+\+ b/(.*)$", self.patch, re.MULTILINE)
        # Of another file, such as the source of a test tool, the prose names tests.
        words = self.files + re.findall(r"`([^`\s]*)`", prose)
        self.tests = sorted(
            {w for w in words if re.match(r"test/.*\.(mlir|test|ptx)$", w)}
        )
        self.unit_tests = sorted(
            {f.rpartition("/")[0] for f in self.files if re.match("test/unit/", f)}
        )
        if not self.tests and not self.unit_tests:
            raise Failure(f"{self.name}: read", "expected diff blocks with a test")
        for file in self.files:
            if not any(fnmatch.fnmatch(file, p) for p in touched.get(self.name, [])):
                raise Failure(
                    f"{self.name}: read",
                    f"expected files that its row of docs/guides/README.md names, "
                    f"got {file}",
                )


def run(step: str, *command: object, cwd: pathlib.Path, stdin: str = "") -> None:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        input=stdin,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode != 0:
        raise Failure(step, done.stdout)


def check(guides: list[Guide]) -> None:
    """Each guide applies alone, and all of them together."""
    command = ["git", "apply", "--check", "-"]
    for guide in guides:
        run(f"{guide.name}: apply", *command, cwd=ROOT, stdin=guide.patch)
    everything = "".join(guide.patch for guide in guides)
    run("all guides together: apply", *command, cwd=ROOT, stdin=everything)


def copy_checkout(copy: pathlib.Path) -> None:
    """Copies what git tracks or would track, as it is now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    # The scripts ask git for the files.
    run("copy", "git", "init", "-q", cwd=copy)


def apply(guide: Guide, copy: pathlib.Path) -> None:
    run(f"{guide.name}: apply", "git", "apply", "-", cwd=copy, stdin=guide.patch)
    run(f"{guide.name}: git add", "git", "add", "-A", cwd=copy)
    scripts = copy / "tools/scripts"
    for lint in ["check_spec_labels.py", "check_remarks.py"]:
        run(f"{guide.name}: {lint}", sys.executable, scripts / lint, cwd=copy)


def get_unit_test(copy: pathlib.Path, directory: str) -> str:
    """The program of the unit tests in a directory."""
    text = (copy / directory / "CMakeLists.txt").read_text()
    return re.findall(r"nm_add_unittest\((\w+)", text)[0]


def build(guides: list[Guide], like: pathlib.Path, copy: pathlib.Path) -> pathlib.Path:
    """Checks and builds what all guides changed; the build directory."""
    run("all guides: format", "tools/scripts/format.sh", "-c", cwd=copy)
    run("all guides: docs", "tools/scripts/generate_docs.sh", "-f", cwd=copy)
    text = "".join((copy / test).read_text() for g in guides for test in g.tests)
    lists = [p for d in ("tools", "test") for p in copy.glob(f"{d}/**/CMakeLists.txt")]
    known = {t for p in lists for t in re.findall(r"\((nm-[\w-]+)", p.read_text())}
    tools = sorted(t for t in known if re.search(rf"RUN:.*\b{t}\b", text))
    tools += [get_unit_test(copy, d) for g in guides for d in g.unit_tests]
    cache = OPTIONS.findall((like / "CMakeCache.txt").read_text())
    options = [f"-D{name}={value}" for name, value in cache]
    options += [f"-DNM_PYTHON={sys.executable}", "-DNM_BUILD_TESTS=ON"]
    # What is built is run for seconds: it need not be fast.
    options += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"]
    made = copy / "build/guides"
    run("all guides: configure", "cmake", "-GNinja", "-B", made, *options, cwd=copy)
    ninja = ["cmake", "--build", made, "--parallel", os.cpu_count(), "--target"]
    run("all guides: build", *ninja, *tools, cwd=copy)
    return made


def test(guide: Guide, made: pathlib.Path, copy: pathlib.Path) -> str:
    """Runs the tests of a guide; how many passed."""
    cache = (made / "CMakeCache.txt").read_text()
    lit = re.findall(r"^NM_LIT:FILEPATH=(.*)$", cache, re.MULTILINE)
    for directory in guide.unit_tests:
        program = get_unit_test(copy, directory)
        run(f"{guide.name}: {program}", made / "bin" / program, cwd=copy)
    if not guide.tests:
        return "unit tests passed"
    results = made / f"{guide.name}.json"
    tests = [made / name for name in guide.tests]
    run(f"{guide.name}: test", *lit, "-v", "-o", results, *tests, cwd=copy)
    codes = [t["code"] for t in json.loads(results.read_text())["tests"]]
    passed = codes.count("PASS")
    if len(codes) != len(tests) or passed == 0:
        raise Failure(
            f"{guide.name}: test", f"expected {len(tests)} tests, got {codes}"
        )
    skipped = f", {len(codes) - passed} skipped" if passed < len(codes) else ""
    return f"{passed} tests passed{skipped}"


def find_ptxas() -> None:
    """The copy has no .venv, where the assembler may be."""
    found = subprocess.run(
        [ROOT / "tools/scripts/find_ptxas.sh"], stdout=subprocess.PIPE, text=True
    )
    if found.returncode == 0:
        os.environ.setdefault("NM_PTXAS", found.stdout.strip())


def follow(guides: list[Guide], like: pathlib.Path, results: dict[str, str]) -> None:
    find_ptxas()
    with tempfile.TemporaryDirectory(prefix="nm-guides-") as directory:
        copy = pathlib.Path(directory)
        copy_checkout(copy)
        for guide in guides:
            apply(guide, copy)
        made = build(guides, like, copy)
        for guide in guides:
            try:
                print(f"{guide.name}: {test(guide, made, copy)}", flush=True)
                results[guide.name] = "PASS"
            except Failure as failure:
                report(failure)


def report(failure: Failure) -> None:
    step, output = failure.args
    print(f"FAILED {step}\n{output}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="only check that the diffs apply"
    )
    parser.add_argument(
        "--build",
        type=pathlib.Path,
        default=ROOT / "build/release",
        help="the build to configure the copy like (default: build/release)",
    )
    parser.add_argument(
        "--results", type=pathlib.Path, help="JSON of PASS or FAIL for each guide"
    )
    arguments = parser.parse_args()
    paths = sorted((ROOT / "docs/guides").glob("add-*.md"))
    results = {path.stem: "FAIL" for path in paths}
    try:
        touched = read_touched()
        guides = [Guide(path, touched) for path in paths]
        check(guides)
        if arguments.check:
            print(f"guides: the diffs of {len(guides)} apply")
            return 0
        follow(guides, arguments.build, results)
    except Failure as failure:
        report(failure)
        if arguments.check:
            return 1
    finally:
        if arguments.results:
            arguments.results.write_text(json.dumps(results))
    return 0 if set(results.values()) == {"PASS"} else 1


if __name__ == "__main__":
    sys.exit(main())
