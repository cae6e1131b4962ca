// RUN: nm-opt %s --nm-decompose-attention --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @half_with_mask
// CHECK-SAME: (%[[Q:.*]]: tensor<2x?x64xf16>, %[[K:.*]]: tensor<2x24x64xf16>, %[[V:.*]]: tensor<2x24x32xf16>, %[[M:.*]]: tensor<2x?x24xi1>, %[[O:.*]]: tensor<2x?x32xf16>)
// CHECK: %[[QK:.*]] = linalg.generic {{.*}}"reduction"]} ins(%[[Q]], %[[K]] : {{.*}}) outs(%{{.*}} : tensor<2x?x24xf32>)
// CHECK:   arith.extf
// CHECK:   arith.extf
// CHECK:   arith.mulf
// CHECK: %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
// CHECK: %[[L:.*]] = linalg.generic {{.*}} ins(%[[QK]], %[[M]] :
// CHECK:   arith.mulf %{{.*}}, %[[SCALE]]
// CHECK:   arith.select
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} ins(%[[L]] : tensor<2x?x24xf32>) outs(%{{.*}} : tensor<2x?xf32>)
// CHECK:   arith.maximumf
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[L]], %[[MAX]] :
// CHECK:   math.exp
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[W]] :
// CHECK: %[[WV:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[V]] : {{.*}}) outs(%{{.*}} : tensor<2x?x32xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[WV]], %[[SUM]] : {{.*}}) outs(%[[O]] : tensor<2x?x32xf16>)
// CHECK:   arith.divf
// CHECK:   arith.truncf
func.func @half_with_mask(%q: tensor<2x?x64xf16>, %k: tensor<2x24x64xf16>, %v: tensor<2x24x32xf16>, %m: tensor<2x?x24xi1>, %o: tensor<2x?x32xf16>) -> tensor<2x?x32xf16> {
  %0 = tm_tensor.attention ins(%q, %k, %v, %m : tensor<2x?x64xf16>, tensor<2x24x64xf16>, tensor<2x24x32xf16>, tensor<2x?x24xi1>) outs(%o : tensor<2x?x32xf16>) -> tensor<2x?x32xf16>
  return %0 : tensor<2x?x32xf16>
}

// -----

func.func @buffers(%q: memref<8x16xf32>, %o: memref<8x16xf32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected tensors, got buffers}}
  tm_tensor.attention ins(%q, %q, %q : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) outs(%o : memref<8x16xf32>)
  return
}
