"""torch-mlir's passes, in a process of their own.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

`run_passes` starts `python -m nm.exporting.passes FOLDER`, which this file also is. A pass that
crashes ends that process and not the user's. It is handed the module without weights,
which lie in no file and cross no pipe, so that it costs what starting Python costs
(0.3 s; torch is not imported).
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nm.exporting.first_nan import find_first_nan

_PIPELINES = (
    "builtin.module(func.func(torch-match-quantized-custom-ops), "
    "torchdynamo-export-to-torch-backend-pipeline{backend-legal-ops="
    "aten.flatten.using_ints,aten.unflatten.int extra-library=})",
    "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline"
    "{allow-non-finites=True})",
)
# Errors about what ops are given, and the ops that are given it.
_OPERAND = re.compile(r"failed to legalize operation '(torch\.(?:constant\.|vtensor\.)\w+)'")
_COMPUTES = re.compile(r"torch\.(?:aten|prims|torchvision|quantized_decomposed|operator)\b")


@dataclass(frozen=True)
class Diagnostic:
    """An error of torch-mlir.

    Attributes:
        message: what it says, cut after 2000 characters.
        location: its place as MLIR prints it.
    """

    message: str
    location: str


@dataclass
class PassesFailed(Exception):
    """torch-mlir refused the module, or crashed.

    Attributes:
        why: "" or how the process ended.
        diagnostics: the errors that it reported.
        output: what it wrote to standard error.
        culprit: the op that was not lowered, where the errors are about an operand of
            it, as an error; None elsewhere.
    """

    why: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    output: str = ""
    culprit: Diagnostic | None = None

    def __str__(self) -> str:
        """All that is known, the errors first."""
        lines = [f"{one.location}: {one.message}" for one in self.diagnostics]
        return "\n".join(part for part in (*lines, self.why, self.output) if part)


@dataclass(frozen=True)
class Signature:
    """What the function says of its arguments and results (docs/Spec.md, `nm.name`).

    Attributes:
        inputs: the names of the arguments.
        results: the names of the results.
        state: what leading arguments begin with: attributes of MLIR without a type.
        unsigned_inputs: which arguments have no sign, whose types do not say so.
        unsigned_results: which results.
    """

    inputs: list[str]
    results: list[str]
    state: list[str]
    unsigned_inputs: list[bool]
    unsigned_results: list[bool]


def run_passes(text: str, entry: str, signature: Signature) -> str:
    """Lowers a module of torch-mlir's dialect to linalg on tensors.

    Args:
        text: the module; its resources need no data.
        entry: the name of its function.
        signature: what is said of the function afterwards.

    Raises:
        PassesFailed: torch-mlir refused it, or crashed.
    """
    with tempfile.TemporaryDirectory(prefix="nm-") as name:
        folder = Path(name)
        (folder / "in.mlir").write_text(text, encoding="utf-8")
        says = json.dumps([entry, asdict(signature)])
        (folder / "signature.json").write_text(says, encoding="utf-8")
        paths = os.pathsep.join(path for path in sys.path if path)
        done = subprocess.run(
            [sys.executable, "-m", "nm.exporting.passes", name],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONPATH": paths},
        )
        if done.returncode == 0:
            return (folder / "out.mlir").read_text(encoding="utf-8")
        errors = folder / "errors.jsonl"
        lines = errors.read_text(encoding="utf-8").splitlines() if errors.exists() else []
        output = done.stderr.decode("utf-8", "replace").strip()
        culprit = folder / "culprit.json"
        raise PassesFailed(
            _why(done.returncode),
            [Diagnostic(**json.loads(line)) for line in lines],
            output,
            Diagnostic(**json.loads(culprit.read_text("utf-8"))) if culprit.exists() else None,
        )


def _why(code: int) -> str:
    """How a process ended that failed."""
    if code > 0:
        return ""
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"torch-mlir crashed ({name})"


def _describe(module: Any, entry: str, signature: Signature) -> None:
    """Gives the function `entry` the attributes of `signature`."""
    from torch_mlir import ir

    def is_entry(op: Any) -> bool:
        name = op.attributes["sym_name"] if "sym_name" in op.attributes else None
        return name is not None and ir.StringAttr(name).value == entry

    function = next(op for op in module.body.operations if is_entry(op))
    # nm's dialect is none of this context's.
    module.context.allow_unregistered_dialects = True
    with module.context:
        types = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)

        def attributes(name: str, index: int, state: list[str], unsigned: list[bool]) -> Any:
            says = {"nm.name": ir.StringAttr.get(name)}
            if unsigned[index]:
                says["nm.unsigned"] = ir.UnitAttr.get()
            if index < len(state):
                text = f"{state[index]} : {types.inputs[index]}"
                says["nm.state"] = ir.Attribute.parse(text)
            return ir.DictAttr.get(says)

        function.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [
                attributes(one, i, signature.state, signature.unsigned_inputs)
                for i, one in enumerate(signature.inputs)
            ]
        )
        function.attributes["res_attrs"] = ir.ArrayAttr.get(
            [
                attributes(one, i, [], signature.unsigned_results)
                for i, one in enumerate(signature.results)
            ]
        )


def _find_culprit(module: Any, messages: list[str]) -> Any | None:
    """The op that is left in the module, where the first error is about an operand of
    it: a constant stays for it, and is what the conversion comes upon first."""
    operand = _OPERAND.search(messages[0]) if messages else None
    if operand is None:
        return None
    from torch_mlir import ir

    found: list[Any] = []

    def visit(op: Any) -> Any:
        given = [value.owner for value in op.operands]
        names = [one.name for one in given if hasattr(one, "name")]
        if _COMPUTES.match(op.name) and operand[1] in names:
            found.append(op)
        return ir.WalkResult.INTERRUPT if found else ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found[0] if found else None


def _main(folder: Path) -> int:
    """The process: reads in.mlir and writes out.mlir, or errors.jsonl."""
    from torch_mlir import ir
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.passmanager import PassManager

    messages: list[str] = []
    with (folder / "errors.jsonl").open("w", encoding="utf-8") as errors:

        def write(diagnostic: Any) -> bool:
            if diagnostic.severity == ir.DiagnosticSeverity.ERROR:
                entry = {
                    "message": f"{diagnostic.message:.2000}",
                    "location": str(diagnostic.location),
                }
                messages.append(entry["message"])
                print(json.dumps(entry), file=errors, flush=True)
            return True

        context = ir.Context()
        torch_dialect.register_dialect(context)
        context.attach_diagnostic_handler(write)
        # Passes may report an error and go on.
        context.emit_error_diagnostics = True
        try:
            text = (folder / "in.mlir").read_text(encoding="utf-8")
            module = ir.Module.parse(text, context)
            for pipeline in _PIPELINES:
                PassManager.parse(pipeline, context).run(module.operation)
        except ir.MLIRError as error:
            culprit = _find_culprit(module, messages)
            if culprit is not None:
                said = f"failed to legalize operation '{culprit.name}': {culprit}"
                entry = {"message": f"{said:.2000}", "location": str(culprit.location)}
                (folder / "culprit.json").write_text(json.dumps(entry), encoding="utf-8")
            print(re.sub(r"(?s)^Failure while executing pass.*", "", str(error)), file=sys.stderr)
            return 1
        find_first_nan(module)
        says = json.loads((folder / "signature.json").read_text(encoding="utf-8"))
        _describe(module, says[0], Signature(**says[1]))
        lowered = module.operation.get_asm(enable_debug_info=True)
    (folder / "out.mlir").write_text(lowered, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(_main(Path(sys.argv[1])))
