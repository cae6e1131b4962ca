// RUN: nm-opt %s --nm-host-to-runtime | FileCheck %s
// RUN: nm-opt %s --nm-host-to-runtime=host | FileCheck %s --check-prefix=HOST
// RUN: nm-opt %s --pass-pipeline="builtin.module(nm-host-pipeline)" | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: unrealized_conversion_cast
// LLVM: llvm.func @_mlir_ciface_read

// Two parts for each number.
// CHECK: memref.global "private" constant @numbers : memref<2x2xf32> = dense<{{\[\[}}1.000000e+00, -2.000000e+00], [0.000000e+00, 5.000000e-01]]>
// CHECK: memref.global "private" constant @same : memref<3x2xf64> = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00], [1.000000e+00, 2.000000e+00]]>
memref.global "private" constant @numbers : memref<2xcomplex<f32>> = dense<[(1.0, -2.0), (0.0, 0.5)]>
memref.global "private" constant @same : memref<3xcomplex<f64>> = dense<(1.0, 2.0)>
memref.global "private" @state : memref<i64> = dense<7>

// The index is checked, then the bytes of the element are copied to the host.
// CHECK-LABEL: func.func @read(
// HOST-LABEL: func.func @read(
func.func @read(%m: memref<?xi64, strided<[?], offset: ?>>, %i: index) -> i64 {
  // CHECK: %[[SLOT:.*]] = llvm.alloca %{{.*}} x i64
  // CHECK: %[[INSIDE:.*]] = llvm.icmp "ult"
  // CHECK: cf.cond_br %[[INSIDE]]
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %{{.*}} -> !llvm.ptr, i64
  // CHECK: llvm.call @nmrtDownload(%{{.*}}, %[[SLOT]], %[[PLACE]], %{{.*}})
  // CHECK: llvm.load %[[SLOT]] : !llvm.ptr -> i64
  // CHECK: return
  // HOST: memref.load
  // HOST-NOT: nmrtDownload
  %x = memref.load %m[%i] : memref<?xi64, strided<[?], offset: ?>>
  return %x : i64
}

// A global that is written has its state on the device.
// CHECK-LABEL: func.func @advance(
// HOST-LABEL: func.func @advance(
func.func @advance(%m: memref<i64>) {
  // CHECK: %[[STATE:.*]] = memref.get_global @state : memref<i64>
  // CHECK: llvm.call @nmrtConstant
  // CHECK: llvm.call @nmrtCopy
  // HOST: memref.get_global @state : memref<i64>
  // HOST-NOT: nmrtConstant
  %state = memref.get_global @state : memref<i64>
  memref.copy %m, %state : memref<i64> to memref<i64>
  return
}

// CHECK-LABEL: func.func @complex(
// HOST-LABEL: func.func @complex(
func.func @complex(%z: complex<f32>) -> (complex<f32>, memref<2xcomplex<f32>>, memref<3xcomplex<f64>>) {
  // CHECK: memref.get_global @numbers : memref<2x2xf32>
  // CHECK: llvm.call @nmrtConstant
  // HOST: memref.get_global @numbers : memref<2x2xf32>
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
