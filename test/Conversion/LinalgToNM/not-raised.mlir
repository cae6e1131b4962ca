// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// What is no product with an N:M-sparse constant stays, with a remark that says
// why; what has no constant operand is not even a candidate.

// A square weight fits both ways. Its pattern lies along dimension 0: the first
// product reduces over that, the second over the other.
// REMARK: :[[#@LINE+10]]:{{.*}} remark: [Passed] raised | Category:nm-import-linalg | Function=square | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x8xf32, #nm.pattern<2:4>>"
// REMARK: :[[#@LINE+12]]:{{.*}} remark: [Missed] not-raised | Category:nm-import-linalg | Function=square | Op=linalg.matmul, Reason="the weight is dense along k; along n it has the pattern 2:4, unit 1x1"
// CHECK-LABEL: func.func @square
// CHECK: nm.spmm
// CHECK: linalg.matmul
func.func @square(%x: tensor<3x8xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>) {
    %w = arith.constant dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]]> : tensor<8x8xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x8xf32>) -> tensor<3x8xf32>
    %y = linalg.matmul ins(%x, %w : tensor<3x8xf32>, tensor<8x8xf32>) outs(%f : tensor<3x8xf32>) -> tensor<3x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %wt = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    %z = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x8xf32>) outs(%f : tensor<3x8xf32>) -> tensor<3x8xf32>
    return %y, %z : tensor<3x8xf32>, tensor<3x8xf32>
}

// One window of sixteen keeps more than the others.
// REMARK: Function=violated | Op=linalg.matmul, Pattern=#nm.pattern<2:4>, Reason="the weight has the pattern 2:4, unit 1x1 but for 1 of 16 windows along k, of which the first keeps 4 of 4 units (k = 0 to 3, n = 0); prune it again"
// CHECK-LABEL: func.func @violated
// CHECK-NOT: nm.
func.func @violated(%x: tensor<3x4xf32>) -> tensor<3x16xf32> {
  %w = arith.constant dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<4x16xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<3x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x16xf32>) -> tensor<3x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x16xf32>) outs(%f : tensor<3x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}

// REMARK: Function=splat | Op=linalg.matmul, Reason="the weight is dense along k"
// CHECK-LABEL: func.func @splat
// CHECK-NOT: nm.
func.func @splat(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<1.0> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// A loop of one iteration that only the weight runs along is no obstacle, and none
// is reported beside the one there is.
// REMARK: Function=unit_loop | Op=linalg.generic, Reason="the weight is dense along k"
// CHECK-LABEL: func.func @unit_loop
// CHECK-NOT: nm.
func.func @unit_loop(%x: tensor<3x8xf32>) -> tensor<3x2xf32> {
    %w = arith.constant dense<1.0> : tensor<1x8x2xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x2xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x2xf32>) -> tensor<3x2xf32>
    %y = linalg.generic {
        indexing_maps = [affine_map<(m, n, k, u) -> (m, k)>, affine_map<(m, n, k, u) -> (u, k, n)>, affine_map<(m, n, k, u) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
        ins(%x, %w : tensor<3x8xf32>, tensor<1x8x2xf32>) outs(%f : tensor<3x2xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        linalg.yield %s : f32
    } -> tensor<3x2xf32>
    return %y : tensor<3x2xf32>
}

// REMARK: Function=all_zero | Op=linalg.matmul, Reason="all weights are zero"
// CHECK-LABEL: func.func @all_zero
// CHECK-NOT: nm.
func.func @all_zero(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<-0.0> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// An op that nm cannot compute stands before the constant.
// REMARK: Function=arctangent | Op=linalg.matmul, Reason="the weight is computed from constants by ops that are not looked through"
// CHECK-LABEL: func.func @arctangent
// CHECK-NOT: nm.
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @arctangent(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %w = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x4xf32>
    %wt = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %n = math.atan %in : f32
      linalg.yield %n : f32
    } -> tensor<8x4xf32>
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// exp(a * b) summed is no product, though upstream calls it a contraction.
// REMARK: Function=exponential | Op=linalg.generic, Reason="the body computes more than a sum of products"
// CHECK-LABEL: func.func @exponential
// CHECK-NOT: nm.
#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @exponential(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) {
    ^bb0(%l: f32, %r: f32, %acc: f32):
      %m = arith.mulf %l, %r : f32
      %p = math.exp %m : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// ReLU was fused into the product: that is computed on the activation.
// REMARK: Function=fused_producer | Op=linalg.generic, Reason="the body computes on the activation before the product"
// CHECK-LABEL: func.func @fused_producer
// CHECK-NOT: nm.
func.func @fused_producer(%x: tensor<3x8xf32>) -> tensor<3x4xf32> {
    %wt = arith.constant dense<[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]> : tensor<8x4xf32>
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) {
    ^bb0(%l: f32, %r: f32, %acc: f32):
      %m = arith.maximumf %l, %zero : f32
      %p = arith.mulf %m, %r : f32
      %s = arith.addf %acc, %p : f32
      linalg.yield %s : f32
    } -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}

// From here on there is no candidate.
// REMARK-NOT: remark:

// CHECK-LABEL: func.func @argument
// CHECK-NOT: nm.
func.func @argument(%x: tensor<3x8xf32>, %wt: tensor<8x4xf32>) -> tensor<3x4xf32> {
    %zero = arith.constant 0.0 : f32
    %o = tensor.empty() : tensor<3x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
    %y = linalg.matmul ins(%x, %wt : tensor<3x8xf32>, tensor<8x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
    return %y : tensor<3x4xf32>
}
