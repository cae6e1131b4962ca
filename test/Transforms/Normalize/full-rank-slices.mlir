// RUN: nm-opt %s --nm-full-rank-slices | FileCheck %s

// CHECK-LABEL: @extract
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[0, %{{.*}}, 2, %{{.*}}] [1, 1, 4, 1] [1, 1, 1, 1] : tensor<1x1x8x1xf32> to tensor<1x1x4x1xf32>
// CHECK: tensor.collapse_shape %[[S]] {{\[\[}}0, 1], [2, 3]] : tensor<1x1x4x1xf32> into tensor<1x4xf32>
func.func @extract(%s: tensor<1x1x8x1xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %s[0, %c0, 2, %c0] [1, 1, 4, 1] [1, 1, 1, 1]
      : tensor<1x1x8x1xf32> to tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}

// A size that is 1 once it is a constant.
// CHECK-LABEL: @constant_size
// CHECK: tensor.extract_slice %arg0[%arg1, %arg1, 0] [%{{.*}}, 2, 1] [1, 1, 2] : tensor<1x2x1xi32> to tensor<?x2x1xi32>
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<?x2x1xi32> into tensor<?x2xi32>
func.func @constant_size(%s: tensor<1x2x1xi32>, %i: index) -> tensor<?x2xi32> {
  %c1 = arith.constant 1 : index
  %0 = tensor.extract_slice %s[%i, %i, 0] [%c1, 2, 1] [1, 1, 2]
      : tensor<1x2x1xi32> to tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// CHECK-LABEL: @insert
// CHECK: %[[E:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]] output_shape [1, %{{.*}}, 1, %{{.*}}] : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
// CHECK: tensor.insert_slice %[[E]] into %arg1[0, 0, 0, 0] [1, %{{.*}}, 1, %{{.*}}] [1, 1, 1, 1] : tensor<1x?x1x?xf32> into tensor<1x?x1x?xf32>
func.func @insert(%s: tensor<1x?x?xf32>, %d: tensor<1x?x1x?xf32>) -> tensor<1x?x1x?xf32> {
  %c2 = arith.constant 2 : index
  %0 = tensor.insert_slice %s into %d[0, 0, 0, 0] [1, %c2, 1, %c2] [1, 1, 1, 1]
      : tensor<1x?x?xf32> into tensor<1x?x1x?xf32>
  return %0 : tensor<1x?x1x?xf32>
}

// All unit dimensions are dropped, or none: nothing to choose.
// CHECK-LABEL: @clear
// CHECK-NEXT: tensor.extract_slice {{.*}} to tensor<4xf32>
// CHECK-NEXT: tensor.extract_slice {{.*}} to tensor<1x1x4x1xf32>
// CHECK-NEXT: tensor.extract_slice {{.*}} to tensor<f32>
// CHECK-NEXT: tensor.insert_slice
// CHECK-NOT: tensor.expand_shape
func.func @clear(%s: tensor<1x1x8x1xf32>, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<1x1x4x1xf32>, tensor<f32>, tensor<1x1x8x1xf32>) {
  %0 = tensor.extract_slice %s[0, 0, 2, 0] [1, 1, 4, 1] [1, 1, 1, 1]
      : tensor<1x1x8x1xf32> to tensor<4xf32>
  %1 = tensor.extract_slice %s[0, 0, 2, 0] [1, 1, 4, 1] [1, 1, 1, 1]
      : tensor<1x1x8x1xf32> to tensor<1x1x4x1xf32>
  %2 = tensor.extract_slice %s[0, 0, 2, 0] [1, 1, 1, 1] [1, 1, 1, 1]
      : tensor<1x1x8x1xf32> to tensor<f32>
  %3 = tensor.insert_slice %t into %s[0, 0, 2, 0] [1, 1, 4, 1] [1, 1, 1, 1]
      : tensor<4xf32> into tensor<1x1x8x1xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<1x1x4x1xf32>, tensor<f32>, tensor<1x1x8x1xf32>
}
