"""nm: N:M-sparse networks from PyTorch to GPU kernels.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from nm.errors import (
    ArgumentError,
    DenseWarning,
    Error,
    ExportError,
    PatternError,
    ProgramError,
    ToolError,
)
from nm.exporting.export import export
from nm.loading import load
from nm.module import Module
from nm.nn.convert import convert
from nm.nn.files import save
from nm.nn.registration import register_with_transformers
from nm.nn.report import ConvertedLayer, ConvertReport, report
from nm.pattern import Pattern
from nm.pruning.comparison import ComparedLayer, Comparison
from nm.pruning.find_pattern import find_pattern
from nm.pruning.layers import OtherParameter
from nm.pruning.masks import Masks
from nm.pruning.prune import PrunedLayer, PruneReport, prune
from nm.runtime.compiler import Compiled, compile
from nm.runtime.program import Program
from nm.runtime.run import run

__version__ = "0.1.0"

register_with_transformers()

__all__ = [
    "ArgumentError",
    "ComparedLayer",
    "Comparison",
    "Compiled",
    "ConvertReport",
    "ConvertedLayer",
    "DenseWarning",
    "Error",
    "ExportError",
    "Masks",
    "Module",
    "OtherParameter",
    "Pattern",
    "PatternError",
    "Program",
    "ProgramError",
    "PrunedLayer",
    "PruneReport",
    "ToolError",
    "compile",
    "convert",
    "export",
    "find_pattern",
    "load",
    "prune",
    "report",
    "run",
    "save",
]
