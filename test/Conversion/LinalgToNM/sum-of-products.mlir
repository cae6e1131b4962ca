// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// A reduction of an element-wise product, as torch.dot is decomposed, is a
// product like any other.

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#abc = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#ac = affine_map<(d0, d1, d2) -> (d0, d2)>
#bc = affine_map<(d0, d1, d2) -> (d1, d2)>
#ab = affine_map<(d0, d1, d2) -> (d0, d1)>

// REMARK: Function=dot | Op=nm.spmv, Rows=4, Weight="!nm.condensed<8x1xf32, #nm.pattern<1:2>>"
// CHECK-LABEL: func.func @dot
// CHECK: %[[Y:.*]] = nm.spmv %{{.*}} -> tensor<1xf32>
// CHECK: tensor.collapse_shape %[[Y]]
// CHECK-NOT: linalg.
// CHECK: return
func.func @dot(%x: tensor<8xf32>) -> tensor<f32> {
  %w = arith.constant dense<[1.0, 0.0, 0.0, 2.0, 0.0, 3.0, 4.0, 0.0]> : tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8xf32>
  %o = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<f32>) -> tensor<f32>
  %y = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
      ins(%p : tensor<8xf32>) outs(%f : tensor<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %c = arith.addf %in, %acc : f32
    linalg.yield %c : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// (x.unsqueeze(1) * W).sum(-1)
// REMARK: Function=outer | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @outer
// CHECK: nm.constant {{.*}}indices = dense<{{\[\[}}0, 0, 1, 2], [1, 2, 3, 3]
// CHECK-NOT: linalg.
// CHECK: nm.spmm
func.func @outer(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x8xf32>
  %p = linalg.generic {indexing_maps = [#ac, #bc, #abc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<3x8xf32>, tensor<4x8xf32>) outs(%e : tensor<3x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3x4x8xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.reduce ins(%p : tensor<3x4x8xf32>) outs(%f : tensor<3x4xf32>) dimensions = [2]
      (%in: f32, %acc: f32) {
    %c = arith.addf %in, %acc : f32
    linalg.yield %c : f32
  }
  return %y : tensor<3x4xf32>
}

// A sum of differences is no candidate.
// REMARK-NOT: remark:
// CHECK-LABEL: func.func @difference
// CHECK-NOT: nm.
func.func @difference(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0], [0.0, 9.0, 0.0, 10.0, 11.0, 12.0, 0.0, 0.0], [0.0, 0.0, 13.0, 14.0, 15.0, 0.0, 0.0, 16.0]]> : tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x8xf32>
  %p = linalg.generic {indexing_maps = [#ac, #bc, #abc], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<3x8xf32>, tensor<4x8xf32>) outs(%e : tensor<3x4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3x4x8xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.reduce ins(%p : tensor<3x4x8xf32>) outs(%f : tensor<3x4xf32>) dimensions = [2]
      (%in: f32, %acc: f32) {
    %c = arith.addf %in, %acc : f32
    linalg.yield %c : f32
  }
  return %y : tensor<3x4xf32>
}
