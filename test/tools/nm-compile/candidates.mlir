// RUN: nm-compile %s --chip=sm_90 --emit=candidates -o - | FileCheck %s
// RUN: nm-compile %s --chip=sm_90 --emit=candidates --stages=1 -o - | FileCheck %s --check-prefix=ONE
// RUN: nm-compile %s --chip=sm_90 --emit=candidates --no-variants -o - | FileCheck %s --check-prefix=MORE --implicit-check-not='"m": 8'
// RUN: not nm-compile %s --emit=candidates --last-stage=plan 2>&1 | FileCheck %s --check-prefix=LAST

// Equal products stand in one row, the schedules that the planner prefers first.
// CHECK: "chip": "sm_90"
// CHECK: "candidates": [
// CHECK-NEXT: {
// CHECK-NEXT: "bound": "{{[a-zA-Z0-9 ]+}}"
// CHECK-NEXT: "name": "32 columns, k shared by 8 warps of each of 8 blocks"
// CHECK-NEXT: "predicted_microseconds": {{[0-9.]+}}
// CHECK-NEXT: "schedule": "#nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [32, 1], thread = [1, 1, 16]>, block = [1, 32, 512], promote_weight = false, split_k = 8>"
// CHECK-NEXT: "shared_memory_bytes": {{[0-9]+}}
// CHECK-NEXT: "strategy": "gemv"
// CHECK: "layers": [
// CHECK-NEXT: "first"
// CHECK-NEXT: "{{.*}}candidates.mlir:[[#@LINE+34]]:
// CHECK: "product": {
// CHECK-NEXT: "a_layout": "token_major"
// CHECK-NEXT: "a_type": "f32"
// CHECK-NEXT: "c_layout": "token_major"
// CHECK-NEXT: "c_type": "f32"
// CHECK-NEXT: "chip": "sm_90"
// CHECK-NEXT: "k": 4096
// CHECK-NEXT: "m": 1
// CHECK-NEXT: "n": 512
// CHECK-NEXT: "pattern": "#nm.pattern<2:4>"
// CHECK-NEXT: "sum_type": "f32"
// CHECK-NEXT: "weight_type": "f32"

// An unknown number of rows is planned for few, for some and for many; many also with
// an A that is transposed first.
// CHECK: "m": 8
// CHECK: "a_layout": "token_major"
// CHECK: "m": 128
// CHECK: "a_layout": "feature_major"
// CHECK: "m": 128
// CHECK: "m": 4096
// CHECK: "version": 1
// MORE: "m": 1024

// ONE-NOT: stages = 2
// LAST: nm-compile: expected --emit=mlir with --last-stage

!w = !nm.condensed<4096x512xf32, #nm.pattern<2:4>>
func.func @f(%a: tensor<4096xf32>, %w: !w, %c: tensor<512xf32>) -> tensor<512xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<512xf32>) : tensor<4096xf32>, !w -> tensor<512xf32> loc("first")
  return %r : tensor<512xf32>
}
func.func @g(%a: tensor<4096xf32>, %w: !w, %c: tensor<512xf32>) -> tensor<512xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<512xf32>) : tensor<4096xf32>, !w -> tensor<512xf32>
  return %r : tensor<512xf32>
}
func.func @h(%a: tensor<?x4096xf32>, %w: !w, %c: tensor<?x512xf32>) -> tensor<?x512xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<?x512xf32>) : tensor<?x4096xf32>, !w -> tensor<?x512xf32>
  return %r : tensor<?x512xf32>
}
