# worker.py - Talks to nm-fuzz-worker, and starts it again when it dies.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Seconds after which an input counts as a hang.
HANG_LIMIT = 20


class WorkerDied(Exception):
    """The worker ended within a request: by a crash, or by the hang limit."""

    def __init__(self, status, stderr, is_hang):
        super().__init__(f"the worker ended with status {status}")
        self.status = status
        self.stderr = stderr
        self.is_hang = is_hang


class Worker:
    def __init__(self, program, hang_limit=HANG_LIMIT, options=()):
        self.hang_limit = hang_limit
        self.command = [str(program), *options]
        self.stderr = tempfile.TemporaryFile()
        self.process = None
        # A symbolizer names static functions, but takes a second for each crash.
        self.environment = dict(os.environ, LLVM_DISABLE_SYMBOLIZATION="1")
        # Small memory that is used again is filled (M_PERTURB) without a cache only.
        self.environment.setdefault("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0")
        # The sanitizers' defaults, unless the caller has others.
        self.environment.setdefault("ASAN_OPTIONS", "detect_leaks=0:hard_rss_limit_mb=8192")
        self.environment.setdefault("UBSAN_OPTIONS", "print_stacktrace=1:halt_on_error=1")

    def start(self):
        self.stderr.seek(0)
        self.stderr.truncate()
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            env=self.environment,
            bufsize=0,
        )

    def use_symbolizer(self, wanted):
        """From the next start, which is at the next request."""
        self.stop()
        self.environment["LLVM_DISABLE_SYMBOLIZATION"] = "0" if wanted else "1"

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.stdout.close()
            self.process.wait()
            self.process = None

    def call(self, name, *parts, limit=None):
        """Sends a request. Returns whether it was accepted, and the reply's bytes."""
        if self.process is None:
            self.start()
        parts = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
        sizes = "".join(f" {len(part)}" for part in parts)
        message = f"{name} {len(parts)}{sizes}\n".encode() + b"".join(parts)
        deadline = time.monotonic() + (limit or self.hang_limit)
        try:
            self._write(message)
            line = self._read_line(deadline)
            word, size = line.split()
            return word == b"accepted", self._read(int(size), deadline)
        except (BrokenPipeError, EOFError):
            raise self._bury(is_hang=False) from None
        except TimeoutError:
            # The stack that abort prints tells one hang from another.
            self.process.send_signal(signal.SIGABRT)
            raise self._bury(is_hang=True) from None

    def _write(self, message):
        view = memoryview(message)
        while view:
            view = view[self.process.stdin.write(view) :]

    def _read_some(self, count, deadline):
        output = self.process.stdout
        ready, _, _ = select.select([output], [], [], max(0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        data = os.read(output.fileno(), count)
        if not data:
            raise EOFError
        return data

    def _read(self, count, deadline):
        data = b""
        while len(data) < count:
            data += self._read_some(count - len(data), deadline)
        return data

    def _read_line(self, deadline):
        line = b""
        while not line.endswith(b"\n"):
            line += self._read_some(1, deadline)
        return line

    def _bury(self, is_hang):
        try:
            status = self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.process = None
        self.stderr.seek(0)
        return WorkerDied(status, self.stderr.read().decode(errors="replace"), is_hang)


def find_worker(directory):
    """The worker in `directory`; without one, in PATH or the release build."""
    places = directory or os.pathsep.join([os.environ.get("PATH", ""), str(ROOT / "build/release/bin")])
    found = shutil.which("nm-fuzz-worker", path=str(places))
    if not found:
        raise SystemExit(f"expected nm-fuzz-worker in {places}: build that target, or give --bin")
    return found
