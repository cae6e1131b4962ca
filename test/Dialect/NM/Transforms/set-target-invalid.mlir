// RUN: not nm-opt %s --nm-set-target=chip=sm_12 2>&1 | FileCheck %s

// CHECK: set-target-invalid.mlir:5:1: error: expected one of the known chips (sm_80, {{.*}}), got `sm_12`

module {
}
