// RUN: not nm-opt %s --nm-set-target=chip=sm_12 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not nm-opt %s --nm-set-target=opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL

// CHIP: error: expected one of the known chips (sm_80, {{.*}}), got sm_12
// LEVEL: error: expected an optimization level from 1 to 3, got 4
gpu.module @kernels {
}
