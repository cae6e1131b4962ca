// RUN: nm-opt --nm-select-schedule %s | FileCheck %s
// RUN: nm-opt --nm-select-schedule=stages=1 %s | FileCheck %s --check-prefix=ONE
// RUN: nm-opt --nm-set-target=chip=sm_86 --nm-select-schedule %s | FileCheck %s --check-prefix=SMALL

// What is chosen is tested in test/Planner; here, that options arrive and that
// a schedule written by hand is kept.
// CHECK-LABEL: func.func @chosen
// CHECK: nm.spmm {{.*}}schedule = #nm.schedule<{{.*}}stages = 3>
// ONE-LABEL: func.func @chosen
// ONE-NOT: stages =
// ONE: func.func @kept
// SMALL-LABEL: func.func @chosen
// SMALL: nm.spmm {{.*}}schedule = #nm.schedule<
func.func @chosen(%a: tensor<4096x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x32>>, %c: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf32>) : tensor<4096x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<16:32, unit = 1x32>> -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}

// CHECK-LABEL: func.func @kept
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 8]>, block = [32, 8, 128], stages = 3>
func.func @kept(%a: tensor<?x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<2:4>>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [32, 1], thread = [1, 8]>, block = [32, 8, 128], stages = 3>}
    : tensor<?x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<2:4>> -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}
