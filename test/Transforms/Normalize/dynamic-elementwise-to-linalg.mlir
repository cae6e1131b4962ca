// RUN: nm-opt %s --nm-dynamic-elementwise-to-linalg | FileCheck %s

// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @dynamic
// CHECK: %[[SIZE:.*]] = tensor.dim %arg0
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[SIZE]]) : tensor<4x?xi32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : {{.*}}) outs(%[[EMPTY]] : {{.*}})
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[X:.*]] = arith.xori %[[A]], %[[B]] : i32
// CHECK-NEXT: linalg.yield %[[X]] : i32
// CHECK: return %[[R]]
func.func @dynamic(%x: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %0 = arith.xori %x, %x : tensor<4x?xi32>
  return %0 : tensor<4x?xi32>
}

// Attributes, another type of result, an operand that is no tensor.
// CHECK-LABEL: @compare
// CHECK: arith.cmpi ult, %{{.*}}, %{{.*}} : i32
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg1 :
// CHECK: arith.select %arg0, %{{.*}}, %{{.*}} : i32
func.func @compare(%c: i1, %x: tensor<?xi32>) -> (tensor<?xi1>, tensor<?xi32>) {
  %0 = arith.cmpi ult, %x, %x : tensor<?xi32>
  %1 = arith.select %c, %x, %x : tensor<?xi32>
  return %0, %1 : tensor<?xi1>, tensor<?xi32>
}

// CHECK-LABEL: @static
// CHECK-NEXT: arith.xori %arg0, %arg0 : tensor<4xi32>
// CHECK-NEXT: arith.xori %arg1, %arg1 : i32
func.func @static(%x: tensor<4xi32>, %y: i32) -> (tensor<4xi32>, i32) {
  %0 = arith.xori %x, %x : tensor<4xi32>
  %1 = arith.xori %y, %y : i32
  return %0, %1 : tensor<4xi32>, i32
}
