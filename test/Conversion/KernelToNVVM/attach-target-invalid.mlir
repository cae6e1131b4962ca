// RUN: not nm-opt %s --nm-attach-target=opt-level=4 2>&1 | FileCheck %s

// CHECK: error: expected opt-level from 1 to 3, got 4
gpu.module @kernels {
}
