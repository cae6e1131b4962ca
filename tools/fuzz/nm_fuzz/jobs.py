# jobs.py - Several processes share the inputs of a campaign.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import json
import pathlib
import subprocess
import sys


def split(start, count, jobs):
    """Pairs of a first input and a number of inputs, which differ by one at most."""
    shares = []
    for job in range(jobs):
        size = count // jobs + (job < count % jobs)
        if size:
            shares.append((start, size))
        start += size
    return shares


def run_jobs(arguments, out):
    """Runs this program once a share, each in a folder of its own, and merges their
    logs into `out`/log.json. Returns 1 if any has findings or failed."""
    processes, folders = [], []
    for number, (start, count) in enumerate(split(arguments.start, arguments.count, arguments.jobs)):
        folders.append(out / f"job-{number:02}")
        command = [sys.executable, *sys.argv, "--jobs", "1", "--start", str(start), "--count", str(count)]
        processes.append(subprocess.Popen([*command, "--out", str(folders[-1])]))
    codes = [process.wait() for process in processes]
    logs = [json.loads((folder / "log.json").read_text()) for folder in folders if (folder / "log.json").exists()]
    if len(logs) < len(folders):
        print(f"{arguments.kind}: expected {len(folders)} logs, got {len(logs)}", file=sys.stderr)
        return 1
    log = merge(logs, folders)
    (out / "log.json").write_text(json.dumps(log, indent=1) + "\n")
    counts = ", ".join(f"{count} {word}" for word, count in log["outcomes"].items())
    print(f"{arguments.kind}: {log['inputs']} inputs in {log['seconds']} s of {len(logs)} processes: {counts}")
    return max(codes)


def merge(logs, folders):
    """One log of all: inputs and seconds are sums, equal findings one finding."""
    outcomes, findings = collections.Counter(), {}
    for log, folder in zip(logs, folders):
        outcomes.update(log["outcomes"])
        for finding in log["findings"]:
            finding["folder"] = str(pathlib.Path(folder.name) / finding["folder"])
            known = findings.setdefault((finding["outcome"], finding["signature"]), finding)
            if known is not finding:
                known["count"] += finding["count"]
                known["indices"] = (known["indices"] + finding["indices"])[:10]
    return {
        **logs[0],
        "command": "tools/fuzz/fuzz.py " + " ".join(sys.argv[1:]),
        "inputs": sum(log["inputs"] for log in logs),
        "seconds": round(sum(log["seconds"] for log in logs), 1),
        "outcomes": dict(sorted(outcomes.items())),
        "findings": list(findings.values()),
    }
