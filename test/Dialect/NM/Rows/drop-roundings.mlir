// RUN: nm-opt %s --nm-drop-roundings | FileCheck %s
// RUN: nm-opt %s --nm-map-linalg-pipeline=keep-roundings=0 | FileCheck %s --check-prefix=DROPPED
// RUN: nm-opt %s --nm-map-linalg-pipeline | FileCheck %s --check-prefix=KEPT

// What is rounded on the way is not; what is stored is, and what was f16 before is widened.
// CHECK-LABEL: func @chain
// CHECK: ^bb0(%[[A:.*]]: f16):
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[W]], %[[W]] : f32
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]], %[[S]] : f32
// CHECK-NEXT: %[[T:.*]] = arith.truncf %[[M]] : f32 to f16
// CHECK-NEXT: nm.yield %[[R]], %[[T]]
// DROPPED-LABEL: func @chain
// DROPPED-COUNT-8: arith.extf
// DROPPED-NOT: arith.extf
// DROPPED: return
// KEPT-LABEL: func @chain
// KEPT-COUNT-16: arith.extf
func.func @chain(%x: memref<32x64xf16>, %y: memref<32x64xf16>, %z: memref<32x64xf16>) {
  nm.rows ins(%x : memref<32x64xf16>) outs(%y, %z : memref<32x64xf16>, memref<32x64xf16>) attributes {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], rows = 1 : i64} {
  ^bb0(%a: f16):
    %w = arith.extf %a : f16 to f32
    %s = arith.addf %w, %w : f32
    %r = arith.truncf %s : f32 to f16
    %v = arith.extf %r : f16 to f32
    %m = arith.mulf %v, %v : f32
    %t = arith.truncf %m : f32 to f16
    nm.yield %r, %t : f16, f16
  }
  return
}

// What is computed in bf16 is computed in f32, comparisons and reductions, too.
// CHECK-LABEL: func @narrow
// CHECK: ^bb0(%[[A:.*]]: bf16):
// CHECK: %[[W:.*]] = arith.extf %[[A]] : bf16 to f32
// CHECK: %[[E:.*]] = math.exp %[[W]] : f32
// CHECK: %[[S:.*]] = nm.reduce addf %[[E]], %{{.*}} : f32
// CHECK: %[[Q:.*]] = arith.divf %[[E]], %[[S]] : f32
// CHECK: %[[IS:.*]] = arith.cmpf ogt, %[[Q]], %{{.*}} : f32
// CHECK: %[[R:.*]] = arith.select %[[IS]], %[[Q]], %{{.*}} : f32
// CHECK: %[[N:.*]] = arith.truncf %[[R]] : f32 to bf16
// CHECK-NEXT: nm.yield %[[N]]
func.func @narrow(%x: memref<32x64xbf16>, %y: memref<32x64xbf16>) {
  nm.rows ins(%x : memref<32x64xbf16>) outs(%y : memref<32x64xbf16>) attributes {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], rows = 1 : i64} {
  ^bb0(%a: bf16):
    %c = arith.constant 0.0 : bf16
    %e = math.exp %a : bf16
    %s = nm.reduce addf %e, %c : bf16
    %q = arith.divf %e, %s : bf16
    %i = arith.cmpf ogt, %q, %c : bf16
    %r = arith.select %i, %q, %c : bf16
    nm.yield %r : bf16
  }
  return
}
