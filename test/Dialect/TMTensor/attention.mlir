// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: nm-opt %s --emit-bytecode | nm-opt | FileCheck %s

// CHECK-LABEL: @plain
// CHECK: tm_tensor.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8x16x64xf32>, tensor<8x24x64xf32>, tensor<8x24x32xf32>) outs(%{{.*}} : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>

// GENERIC-LABEL: "plain"
// GENERIC: "tm_tensor.attention"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 3, 1>}> : (tensor<8x16x64xf32>, tensor<8x24x64xf32>, tensor<8x24x32xf32>, tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
func.func @plain(%q: tensor<8x16x64xf32>, %k: tensor<8x24x64xf32>, %v: tensor<8x24x32xf32>, %o: tensor<8x16x32xf32>) -> tensor<8x16x32xf32> {
  %0 = tm_tensor.attention ins(%q, %k, %v : tensor<8x16x64xf32>, tensor<8x24x64xf32>, tensor<8x24x32xf32>) outs(%o : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  return %0 : tensor<8x16x32xf32>
}

// CHECK-LABEL: @scaled_and_masked
// CHECK: tm_tensor.attention {scale = 1.250000e-01 : f64} ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x?x16x64xf16>, tensor<2x?x24x64xf16>, tensor<2x?x24x32xf16>, tensor<2x?x16x24xi1>) outs(%{{.*}} : tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16>

// GENERIC-LABEL: "scaled_and_masked"
// GENERIC: <{operandSegmentSizes = array<i32: 4, 1>, scale = 1.250000e-01 : f64}>
func.func @scaled_and_masked(%q: tensor<2x?x16x64xf16>, %k: tensor<2x?x24x64xf16>, %v: tensor<2x?x24x32xf16>, %m: tensor<2x?x16x24xi1>, %o: tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16> {
  %0 = tm_tensor.attention {scale = 1.250000e-01 : f64} ins(%q, %k, %v, %m : tensor<2x?x16x64xf16>, tensor<2x?x24x64xf16>, tensor<2x?x24x32xf16>, tensor<2x?x16x24xi1>) outs(%o : tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16>
  return %0 : tensor<2x?x16x32xf16>
}

// CHECK-LABEL: @on_buffers
// CHECK: tm_tensor.attention ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) outs(%{{.*}} : memref<8x16xf32>)
func.func @on_buffers(%q: memref<8x16xf32>, %o: memref<8x16xf32>) {
  tm_tensor.attention ins(%q, %q, %q : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) outs(%o : memref<8x16xf32>)
  return
}
