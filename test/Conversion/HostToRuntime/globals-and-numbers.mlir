// RUN: nm-opt %s --nm-host-to-runtime | FileCheck %s
// RUN: nm-opt %s --nm-host-to-runtime --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: unrealized_conversion_cast
// LLVM: llvm.func @_mlir_ciface_complex

// Two parts for each number.
// CHECK: memref.global "private" constant @numbers : memref<2x2xf32> = dense<{{\[\[}}1.000000e+00, -2.000000e+00], [0.000000e+00, 5.000000e-01]]>
// CHECK: memref.global "private" constant @same : memref<3x2xf64> = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]>
memref.global "private" constant @numbers : memref<2xcomplex<f32>> = dense<[(1.0, -2.0), (0.0, 0.5)]>
memref.global "private" constant @same : memref<3xcomplex<f64>> = dense<(1.0, 2.0)>

// CHECK-LABEL: func.func @complex(
func.func @complex(%z: complex<f32>) -> (complex<f32>, memref<2xcomplex<f32>>, memref<3xcomplex<f64>>) {
  // CHECK: memref.get_global @numbers : memref<2x2xf32>
  %n = memref.get_global @numbers : memref<2xcomplex<f32>>
  %s = memref.get_global @same : memref<3xcomplex<f64>>
  // CHECK: %[[STRUCT:.*]] = builtin.unrealized_conversion_cast %{{.*}} : complex<f32> to !llvm.struct<(f32, f32)>
  // CHECK: llvm.store %[[STRUCT]]
  return %z, %n, %s : complex<f32>, memref<2xcomplex<f32>>, memref<3xcomplex<f64>>
}

// LLVM has no such float: it is a byte.
// CHECK-LABEL: func.func @byte(
func.func @byte(%x: f8E4M3FN) -> f8E4M3FN {
  // CHECK: %[[BYTE:.*]] = builtin.unrealized_conversion_cast %{{.*}} : f8E4M3FN to i8
  // CHECK: llvm.store %[[BYTE]]
  return %x : f8E4M3FN
}
