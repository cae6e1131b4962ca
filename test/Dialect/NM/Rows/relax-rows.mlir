// RUN: nm-opt %s --nm-relax-rows | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// All results are of 16 bits.
// CHECK-LABEL: func @narrow
// CHECK: math.exp %{{.*}} fastmath<afn> : f32
// CHECK: math.log %{{.*}} : f32
// CHECK: math.erf %{{.*}} fastmath<afn> : f32
// CHECK: math.tanh %{{.*}} fastmath<afn> : f32
// CHECK: arith.divf %{{.*}} fastmath<nnan,afn> : f32
// CHECK: arith.divf %{{.*}} : f16
func.func @narrow(%x: memref<4x8xf32>, %y: memref<4x8xf16>, %z: memref<4x8xbf16>) {
  nm.rows ins(%x : memref<4x8xf32>) outs(%y, %z : memref<4x8xf16>, memref<4x8xbf16>) attributes {indexing_maps = [#id, #id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    %l = math.log %e : f32
    %f = math.erf %l : f32
    %g = math.tanh %f : f32
    %q = arith.divf %g, %a fastmath<nnan> : f32
    %h = arith.truncf %q : f32 to f16
    %d = arith.divf %h, %h : f16
    %b = arith.truncf %q : f32 to bf16
    nm.yield %d, %b : f16, bf16
  }
  return
}

// One is not: an f32, or a number that is no float.
// CHECK-LABEL: func @wide
// CHECK-NOT: afn
func.func @wide(%x: memref<4x8xf32>, %y: memref<4x8xf16>, %s: memref<4xf32>, %b: memref<4x8xi1>) {
  nm.rows ins(%x : memref<4x8xf32>) outs(%y, %s : memref<4x8xf16>, memref<4xf32>) attributes {indexing_maps = [#id, #id, #row], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %e = math.exp %a : f32
    %t = nm.reduce addf %e, %c : f32
    %h = arith.truncf %e : f32 to f16
    nm.yield %h, %t : f16, f32
  }
  nm.rows ins(%x : memref<4x8xf32>) outs(%b : memref<4x8xi1>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 1.0 : f32
    %e = math.exp %a : f32
    %t = arith.cmpf ogt, %e, %c : f32
    nm.yield %t : i1
  }
  return
}
