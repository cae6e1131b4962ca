# mma_sync_cases.py - Schedules of kind mma_sync whose main loops are pinned.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses

import nm_modules

EXTENT = 512  # m, n and k


@dataclasses.dataclass(frozen=True)
class Case:
    """f16, 16:32, feature-major A; a block of 128x256 whose warps have `tile` each."""

    unit_n: int
    tile: tuple
    stages: int
    prefetch: bool = False
    producers: int = 0
    step_fmas = 0

    def __str__(self):
        m, n = self.tile
        ahead = "-prefetch" if self.prefetch else ""
        roles = "-producers" if self.producers else ""
        return f"mma_sync-L{self.unit_n}-{m}x{n}-{self.stages}stages{ahead}{roles}"

    @property
    def chip(self):
        return "sm_90a" if self.producers else "sm_90"

    @property
    def product(self):
        m, n = self.tile
        kind = f"#nm.mma_sync<warps = [{128 // m}, {256 // n}], tile = [{m}, {n}]>"
        ahead = ", prefetch = true" if self.prefetch else ""
        roles = f", engine = tma, producers = {self.producers}" if self.producers else ""
        schedule = (
            f"#nm.schedule<kind = {kind}, block = [128, 256, 64], stages = {self.stages}"
            f"{ahead}{roles}>"
        )
        return nm_modules.Product(
            EXTENT, EXTENT, EXTENT, 16, 32, self.unit_n, feature_major=True, dtype="f16",
            c_feature_major=True, schedule=schedule)


CASES = [
    Case(32, (64, 64), 2),
    Case(32, (64, 64), 4, prefetch=True),
    Case(64, (64, 64), 4, prefetch=True),
    Case(32, (128, 32), 4, prefetch=True),
    Case(8, (128, 32), 4),
    Case(64, (64, 64), 4, producers=4),
    Case(32, (128, 32), 4, producers=4),
    Case(8, (128, 32), 4, producers=4),
]
