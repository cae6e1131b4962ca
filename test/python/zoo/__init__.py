"""Models to export, prune, compile and run against PyTorch.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from zoo import audio, decode, hybrid, plain, routed, text, unet, vision
from zoo.case import Case

CASES: dict[str, Case] = {
    case.name: case
    for module in (text, routed, decode, vision, unet, audio, hybrid, plain)
    for case in module.CASES
}
