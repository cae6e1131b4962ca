"""Modules with PyTorch's recorded outputs: which files belong together.

Beside `NAME.mlir` lie the inputs in the function's order and the results:
`NAME.x.bin` and `NAME.y.bin` (one of each, raw) or `NAME.x0.npy`, `NAME.x1.npy`
... and `NAME.y0.npy` ...
"""

import dataclasses
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from nm.numbers._numeric_types import NUMERIC_TYPES  # noqa: E402

# Relative Frobenius error allowed, by the type that the file's name ends in.
TOLERANCE = {name: row.tolerance for name, row in NUMERIC_TYPES.items()
             if row.tolerance > 0}


@dataclasses.dataclass(frozen=True)
class Recorded:
    module: pathlib.Path
    inputs: list
    results: list

    @property
    def name(self):
        return self.module.stem

    @property
    def tolerance(self):
        words = self.name.split("_")
        return next((TOLERANCE[word] for word in words if word in TOLERANCE), 1e-5)


def _numbered(module, letter):
    single = module.with_suffix(f".{letter}.bin")
    if single.exists():
        return [single]
    paths = []
    while (path := module.with_suffix(f".{letter}{len(paths)}.npy")).exists():
        paths.append(path)
    return paths


def find_recorded(folder):
    """The modules of `folder` whose outputs were recorded, by name."""
    found = []
    for module in sorted(pathlib.Path(folder).glob("*.mlir")):
        results = _numbered(module, "y")
        if results:
            found.append(Recorded(module, _numbered(module, "x"), results))
    return found
