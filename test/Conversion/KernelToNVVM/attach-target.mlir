// RUN: nm-opt %s --nm-attach-target | FileCheck %s

// Each module of kernels has the chip's target, with the least PTX version that
// LLVM takes for it; a target that it had is replaced.
module attributes {nm.target = #nm.target<"sm_100">} {
// CHECK: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">]
gpu.module @kernels {
}
// CHECK: gpu.module @others [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx86">]
gpu.module @others [#nvvm.target<chip = "sm_50">] {
}
}
