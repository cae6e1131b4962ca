// RUN: nm-opt --nm-import-linalg --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// A convolution with a window of 1x1 is a product over the channels.

// REMARK: Function=nchw | Op=nm.spmm, Rows=4, Weight="!nm.condensed<8x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @nchw
// CHECK: %[[A:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] : tensor<1x8x2x3xf32> into tensor<8x6xf32>
// CHECK: nm.spmm %[[A]], {{.*}}a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>
// CHECK: tensor.expand_shape {{.*}} : tensor<4x6xf32> into tensor<1x4x2x3xf32>
// CHECK-NOT: linalg.
func.func @nchw(%x: tensor<1x8x2x3xf32>) -> tensor<1x4x2x3xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[0.0]], [[0.0]], [[0.0]], [[3.0]], [[4.0]], [[0.0]]], [[[5.0]], [[0.0]], [[6.0]], [[0.0]], [[0.0]], [[0.0]], [[7.0]], [[8.0]]], [[[0.0]], [[9.0]], [[0.0]], [[10.0]], [[11.0]], [[12.0]], [[0.0]], [[0.0]]], [[[0.0]], [[0.0]], [[13.0]], [[14.0]], [[15.0]], [[0.0]], [[0.0]], [[16.0]]]]> : tensor<4x8x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x4x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x8x2x3xf32>, tensor<4x8x1x1xf32>) outs(%f : tensor<1x4x2x3xf32>) -> tensor<1x4x2x3xf32>
  return %y : tensor<1x4x2x3xf32>
}

// Of several images, the channels lie between the dimensions that make m.
// REMARK: Function=nchw_batch | Op=nm.spmm
// CHECK-LABEL: func.func @nchw_batch
// CHECK: linalg.transpose
// CHECK: nm.spmm {{.*}} tensor<12x8xf32>
// CHECK: linalg.transpose
// CHECK-NOT: linalg.conv
func.func @nchw_batch(%x: tensor<2x8x2x3xf32>) -> tensor<2x4x2x3xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[0.0]], [[0.0]], [[0.0]], [[3.0]], [[4.0]], [[0.0]]], [[[5.0]], [[0.0]], [[6.0]], [[0.0]], [[0.0]], [[0.0]], [[7.0]], [[8.0]]], [[[0.0]], [[9.0]], [[0.0]], [[10.0]], [[11.0]], [[12.0]], [[0.0]], [[0.0]]], [[[0.0]], [[0.0]], [[13.0]], [[14.0]], [[15.0]], [[0.0]], [[0.0]], [[16.0]]]]> : tensor<4x8x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x4x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x8x2x3xf32>, tensor<4x8x1x1xf32>) outs(%f : tensor<2x4x2x3xf32>) -> tensor<2x4x2x3xf32>
  return %y : tensor<2x4x2x3xf32>
}

// With the channels last nothing is moved; a bias stands in the init.
// REMARK: Function=nhwc | Op=nm.spmm
// CHECK-LABEL: func.func @nhwc
// CHECK: %[[A:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<2x2x3x8xf32> into tensor<12x8xf32>
// CHECK: nm.spmm %[[A]]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x2x3x4xf32>, tensor<4xf32>)
// CHECK: arith.addf
func.func @nhwc(%x: tensor<2x2x3x8xf32>, %b: tensor<4xf32>) -> tensor<2x2x3x4xf32> {
  %w = arith.constant dense<[[[[1.0, 5.0, 0.0, 0.0], [2.0, 0.0, 9.0, 0.0], [0.0, 6.0, 0.0, 13.0], [0.0, 0.0, 10.0, 14.0], [0.0, 0.0, 11.0, 15.0], [3.0, 0.0, 12.0, 0.0], [4.0, 7.0, 0.0, 0.0], [0.0, 8.0, 0.0, 16.0]]]]> : tensor<1x1x8x4xf32>
  %o = tensor.empty() : tensor<2x2x3x4xf32>
  %f = linalg.broadcast ins(%b : tensor<4xf32>) outs(%o : tensor<2x2x3x4xf32>) dimensions = [0, 1, 2]
  %y = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x2x3x8xf32>, tensor<1x1x8x4xf32>) outs(%f : tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32>
  return %y : tensor<2x2x3x4xf32>
}

// Along one dimension, which is dynamic.
// REMARK: Function=ncw | Op=nm.spmm
// CHECK-LABEL: func.func @ncw
// CHECK: nm.spmm {{.*}} tensor<8x?xf32>
func.func @ncw(%x: tensor<1x8x?xf32>, %o: tensor<1x4x?xf32>) -> tensor<1x4x?xf32> {
  %w = arith.constant dense<[[[1.0], [2.0], [0.0], [0.0], [0.0], [3.0], [4.0], [0.0]], [[5.0], [0.0], [6.0], [0.0], [0.0], [0.0], [7.0], [8.0]], [[0.0], [9.0], [0.0], [10.0], [11.0], [12.0], [0.0], [0.0]], [[0.0], [0.0], [13.0], [14.0], [15.0], [0.0], [0.0], [16.0]]]> : tensor<4x8x1xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  %y = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%x, %w : tensor<1x8x?xf32>, tensor<4x8x1xf32>) outs(%f : tensor<1x4x?xf32>) -> tensor<1x4x?xf32>
  return %y : tensor<1x4x?xf32>
}

// Groups are a batch of weights.
// REMARK: Function=groups | Op=nm.spmm, Products=2
// CHECK-LABEL: func.func @groups
// CHECK-COUNT-2: nm.spmm
// CHECK-NOT: linalg.conv
func.func @groups(%x: tensor<1x2x8x2x3xf32>) -> tensor<1x2x4x2x3xf32> {
  %w = arith.constant dense<[[[[[1.0]], [[2.0]], [[0.0]], [[0.0]], [[0.0]], [[3.0]], [[4.0]], [[0.0]]], [[[5.0]], [[0.0]], [[6.0]], [[0.0]], [[0.0]], [[0.0]], [[7.0]], [[8.0]]], [[[0.0]], [[9.0]], [[0.0]], [[10.0]], [[11.0]], [[12.0]], [[0.0]], [[0.0]]], [[[0.0]], [[0.0]], [[13.0]], [[14.0]], [[15.0]], [[0.0]], [[0.0]], [[16.0]]]], [[[[0.0]], [[0.0]], [[1.0]], [[2.0]], [[3.0]], [[4.0]], [[0.0]], [[0.0]]], [[[5.0]], [[6.0]], [[0.0]], [[0.0]], [[0.0]], [[7.0]], [[0.0]], [[8.0]]], [[[9.0]], [[0.0]], [[0.0]], [[10.0]], [[0.0]], [[0.0]], [[11.0]], [[12.0]]], [[[13.0]], [[0.0]], [[14.0]], [[0.0]], [[15.0]], [[16.0]], [[0.0]], [[0.0]]]]]> : tensor<2x4x8x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x2x4x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x2x4x2x3xf32>) -> tensor<1x2x4x2x3xf32>
  %y = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x2x8x2x3xf32>, tensor<2x4x8x1x1xf32>) outs(%f : tensor<1x2x4x2x3xf32>) -> tensor<1x2x4x2x3xf32>
  return %y : tensor<1x2x4x2x3xf32>
}

// A wider window is left as it is.
// REMARK: Function=window | Op=linalg.conv_2d_nchw_fchw, Reason="the activation is read through a window or along a diagonal, as in a convolution"
// CHECK-LABEL: func.func @window
// CHECK-NOT: nm.
func.func @window(%x: tensor<1x8x2x3xf32>) -> tensor<1x4x2x2xf32> {
  %w = arith.constant dense<[[[[1.0, 0.0]], [[2.0, 0.0]], [[0.0, 1.0]], [[0.0, 2.0]], [[0.0, 3.0]], [[3.0, 4.0]], [[4.0, 0.0]], [[0.0, 0.0]]], [[[5.0, 5.0]], [[0.0, 6.0]], [[6.0, 0.0]], [[0.0, 0.0]], [[0.0, 0.0]], [[0.0, 7.0]], [[7.0, 0.0]], [[8.0, 8.0]]], [[[0.0, 9.0]], [[9.0, 0.0]], [[0.0, 0.0]], [[10.0, 10.0]], [[11.0, 0.0]], [[12.0, 0.0]], [[0.0, 11.0]], [[0.0, 12.0]]], [[[0.0, 13.0]], [[0.0, 0.0]], [[13.0, 14.0]], [[14.0, 0.0]], [[15.0, 15.0]], [[0.0, 16.0]], [[0.0, 0.0]], [[16.0, 0.0]]]]> : tensor<4x8x1x2xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x4x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x8x2x3xf32>, tensor<4x8x1x2xf32>) outs(%f : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %y : tensor<1x4x2x2xf32>
}

// Strides leave elements of A out.
// REMARK: Function=stride | Op=nm.spmm
// CHECK-LABEL: func.func @stride
// CHECK: %[[X:.*]] = tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 8, 2, 2] [1, 1, 2, 2] : tensor<1x8x3x4xf32> to tensor<1x8x2x2xf32>
// CHECK: %[[A:.*]] = tensor.collapse_shape %[[X]]
// CHECK: nm.spmm %[[A]]
func.func @stride(%x: tensor<1x8x3x4xf32>) -> tensor<1x4x2x2xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[0.0]], [[0.0]], [[0.0]], [[3.0]], [[4.0]], [[0.0]]], [[[5.0]], [[0.0]], [[6.0]], [[0.0]], [[0.0]], [[0.0]], [[7.0]], [[8.0]]], [[[0.0]], [[9.0]], [[0.0]], [[10.0]], [[11.0]], [[12.0]], [[0.0]], [[0.0]]], [[[0.0]], [[0.0]], [[13.0]], [[14.0]], [[15.0]], [[0.0]], [[0.0]], [[16.0]]]]> : tensor<4x8x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<1x4x2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<1x8x3x4xf32>, tensor<4x8x1x1xf32>) outs(%f : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %y : tensor<1x4x2x2xf32>
}

// An image of 1x1, as behind a pooling; with a stride all but one element of A
// are left out.
// REMARK: Function=pixel | Op=nm.spmm, Rows=2, Weight="!nm.condensed<4x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @pixel
// CHECK: nm.spmm
// CHECK-NOT: linalg.conv
func.func @pixel(%x: tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[0.0]], [[0.0]]], [[[0.0]], [[3.0]], [[4.0]], [[0.0]]], [[[5.0]], [[0.0]], [[6.0]], [[0.0]]], [[[0.0]], [[0.0]], [[7.0]], [[8.0]]]]> : tensor<4x4x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x4x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<2x4x1x1xf32>, tensor<4x4x1x1xf32>) outs(%f : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  return %y : tensor<2x4x1x1xf32>
}

// REMARK: Function=corner | Op=nm.spmm, Rows=2, Weight="!nm.condensed<4x4xf32, #nm.pattern<2:4>>"
// CHECK-LABEL: func.func @corner
// CHECK: tensor.extract_slice %{{.*}}[0, 0, 0, 0] [2, 4, 1, 1] [1, 1, 2, 2] : tensor<2x4x2x2xf32> to tensor<2x4x1x1xf32>
// CHECK: nm.spmm
// CHECK-NOT: linalg.conv
func.func @corner(%x: tensor<2x4x2x2xf32>) -> tensor<2x4x1x1xf32> {
  %w = arith.constant dense<[[[[1.0]], [[2.0]], [[0.0]], [[0.0]]], [[[0.0]], [[3.0]], [[4.0]], [[0.0]]], [[[5.0]], [[0.0]], [[6.0]], [[0.0]]], [[[0.0]], [[0.0]], [[7.0]], [[8.0]]]]> : tensor<4x4x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x4x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %w : tensor<2x4x2x2xf32>, tensor<4x4x1x1xf32>) outs(%f : tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32>
  return %y : tensor<2x4x1x1xf32>
}

// An activation that a body reads by itself is none of the constants.
// REMARK: Function=captured | Op=nm.spmm
// CHECK-LABEL: func.func @captured
// CHECK: nm.spmm
func.func @captured(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 0.0, 0.0], [0.0, 3.0, 4.0, 0.0], [5.0, 0.0, 6.0, 0.0], [0.0, 0.0, 7.0, 8.0]]> : tensor<4x4xf32>
  %order = arith.constant dense<[3, 1, 2, 0]> : tensor<4xindex>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<2x4xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%order : tensor<4xindex>) outs(%o : tensor<2x4xf32>) {
  ^bb0(%column: index, %out: f32):
    %row = linalg.index 0 : index
    %e = tensor.extract %x[%row, %column] : tensor<2x4xf32>
    linalg.yield %e : f32
  } -> tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  %t = tensor.empty() : tensor<4x4xf32>
  %wt = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%a, %wt : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
