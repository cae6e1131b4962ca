// RUN: not nm-opt %s --nm-set-target=chip=sm_12 2>&1 | FileCheck %s
// RUN: not nm-opt %s --nm-plan-pipeline="chip='} stages=3'" 2>&1 | FileCheck %s --check-prefix=TEXT

// TEXT: got `} stages=3`
// CHECK: set-target-invalid.mlir:7:1: error: expected one of the known chips (sm_80, {{.*}}), got `sm_12`

module {
}
