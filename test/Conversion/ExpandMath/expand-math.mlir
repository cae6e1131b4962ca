// RUN: nm-opt %s --nm-expand-math | FileCheck %s --implicit-check-not=math.

// Accuracy is tested in test/unit/Conversion/ExpandMathTest.cpp.

// CHECK-LABEL: func @rsqrt_f64
func.func @rsqrt_f64(%x: f64) -> f64 {
  // CHECK: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f64) -> f64
  // CHECK: arith.divf %{{.*}}, %[[ROOT]] : f64
  %y = math.rsqrt %x : f64
  return %y : f64
}

// f16 is computed in f32.
// CHECK-LABEL: func @exp_f16
func.func @exp_f16(%x: f16) -> f16 {
  // CHECK: arith.extf %{{.*}} : f16 to f32
  // CHECK: llvm.call_intrinsic "llvm.fma"{{.*}} : (f32, f32, f32) -> f32
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  %y = math.exp %x : f16
  return %y : f16
}

// A remainder is a loop over integers.
// CHECK-LABEL: func @remainder
// CHECK-NOT: arith.remf
// CHECK: scf.while
// CHECK:   arith.remui %{{.*}} : i64
// CHECK: llvm.call_intrinsic "llvm.copysign"
func.func @remainder(%x: f32, %y: f32) -> f32 {
  %z = arith.remf %x, %y : f32
  return %z : f32
}

// CHECK-LABEL: func @vector
func.func @vector(%x: vector<4xf32>) -> vector<4xf32> {
  // CHECK: llvm.call_intrinsic "llvm.fma"{{.*}} -> vector<4xf32>
  %y = math.erf %x : vector<4xf32>
  return %y : vector<4xf32>
}

// A small constant power is a product.
// CHECK-LABEL: func @square
func.func @square(%x: f32) -> f32 {
  %c2 = arith.constant 2 : i32
  // CHECK: arith.mulf
  // CHECK-NOT: llvm.call_intrinsic
  // CHECK: return
  %y = math.fpowi %x, %c2 : f32, i32
  return %y : f32
}

// This type has no infinity to compare with.
// CHECK-LABEL: func.func @finite_f8
func.func @finite_f8(%x: vector<4xf8E4M3FN>) -> vector<4xi1> {
  // CHECK-DAG: %[[WIDE:.*]] = arith.extf %{{.*}} : vector<4xf8E4M3FN> to vector<4xf32>
  // CHECK-DAG: %[[ABS:.*]] = llvm.call_intrinsic "llvm.fabs"(%[[WIDE]])
  // CHECK-DAG: %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<4xf32>
  // CHECK: arith.cmpf olt, %[[ABS]], %[[INF]] : vector<4xf32>
  %y = math.isfinite %x : vector<4xf8E4M3FN>
  return %y : vector<4xi1>
}

// Kernels have an approximate power of two: of what the integer next to the product with
// log2 e leaves, in two parts. One that may be approximate itself is of the product, and
// quotients are by a reciprocal then; f64 has no such power.
// CHECK-LABEL: gpu.func @kernel
// CHECK: llvm.call_intrinsic "llvm.fma"
// CHECK: llvm.call_intrinsic "llvm.fma"
// CHECK: arith.addi
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
// CHECK-NEXT: arith.mulf
// CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[LOG2E]] : f32
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[PRODUCT]])
// CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
// CHECK-NOT: ex2.approx
gpu.module @kernels {
  gpu.func @kernel(%x: f32, %z: f64, %p: memref<f32>, %q: memref<f32>, %r: memref<f64>) kernel {
    %y = math.exp %x : f32
    memref.store %y, %p[] : memref<f32>
    %t = math.tanh %x fastmath<afn> : f32
    memref.store %t, %q[] : memref<f32>
    %e = math.exp %z fastmath<afn> : f64
    memref.store %e, %r[] : memref<f64>
    gpu.return
  }
}
