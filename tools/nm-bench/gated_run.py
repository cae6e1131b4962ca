# gated_run.py - nm-run, stopped between compiling and calling.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets nm-run of any build compile beside others, and call alone on the GPU: it is stopped
(SIGSTOP) when it says that it has compiled, and continued when its turn has come."""

import itertools
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import time

import launch_times

SECONDS = 120  # of a compilation, and of all calls
_numbers = itertools.count()


class GatedRun:
    """One nm-run of a module that is on its way to compile."""

    def __init__(self, tool, words, folder):
        """`words` name the module and its inputs; `folder` is for files of this run."""
        self.records = pathlib.Path(folder, f"launches-{next(_numbers)}.json")
        # A terminal has each line as soon as it is printed, a pipe in blocks.
        self.terminal, theirs = pty.openpty()
        command = [tool, *words, "--device=cuda", f"--repeat={launch_times.CALLS}",
                   f"--counters={self.records}"]
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=theirs,
            stderr=theirs, env=os.environ | {"TERM": "dumb"},
        )
        os.close(theirs)
        self.said = b""

    def compile(self):
        """Waits until it has compiled, or has ended."""
        if self._read_until(b"compiled in"):
            self.process.send_signal(signal.SIGSTOP)

    def finish(self):
        """The records of all launches."""
        self.process.send_signal(signal.SIGCONT)
        self._read_until(None)
        status = self.process.wait()
        os.close(self.terminal)
        if status:
            raise launch_times.Error(self.said.decode(errors="replace")[-500:] or f"ended with {status}")
        launches = json.loads(self.records.read_text())
        self.records.unlink()
        return launches

    def _read_until(self, text):
        """Whether it said `text` before it ended; it is killed when its time is over."""
        end = time.monotonic() + SECONDS
        while text is None or text not in self.said:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                self.process.kill()
                self.said += b"expected an end within %d s" % SECONDS
                return False
            try:
                piece = os.read(self.terminal, 65536)
            except OSError:  # Nobody has the other end any more.
                return False
            self.said += piece
        return True
