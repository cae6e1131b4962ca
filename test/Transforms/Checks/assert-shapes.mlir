// RUN: nm-opt %s --nm-assert-shapes --canonicalize | FileCheck %s
// RUN: not nm-run %s --entry=cast --device=cpu --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: not nm-run %s --entry=cast --device=emulator --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=CAST
// RUN: nm-run %s --entry=cast --device=cpu --dynamic-size=1
// RUN: not nm-run %s --entry=reshape --device=cpu --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: not nm-run %s --entry=reshape --device=emulator --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: nm-run %s --entry=reshape --device=emulator --dynamic-size=6
// RUN: %python -c "import numpy as np; [np.save('%t.%%d.npy' %% n, np.ones(n, np.float32)) for n in (2, 3)]"
// RUN: not nm-run %s --entry=operands --device=cpu --input=%t.2.npy --input=%t.3.npy 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not nm-run %s --entry=operands --device=emulator --input=%t.3.npy --input=%t.2.npy 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: nm-run %s --entry=operands --device=cpu --input=%t.3.npy --input=%t.3.npy
// RUN: not nm-run %s --entry=slice --device=cpu --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: not nm-run %s --entry=slice --device=emulator --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: nm-run %s --entry=slice --device=emulator --dynamic-size=4
// RUN: not nm-run %s --entry=insert --device=cpu --dynamic-size=5 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: not nm-run %s --entry=insert --device=emulator --dynamic-size=5 2>&1 | FileCheck %s --check-prefix=INSERT
// RUN: nm-run %s --entry=insert --device=emulator --dynamic-size=4
// RUN: not nm-run %s --entry=expand --device=emulator --dynamic-size=9 2>&1 | FileCheck %s --check-prefix=EXPAND
// RUN: nm-run %s --entry=expand --device=emulator --dynamic-size=8
// RUN: not nm-run %s --entry=window --device=emulator --dynamic-size=5 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: nm-run %s --entry=window --device=emulator --dynamic-size=6
// RUN: not nm-run %s --entry=indices --device=cpu --input=%t.3.npy --input=%t.3.npy --input=%t.3.npy --input=%t.3.npy 2>&1 | FileCheck %s --check-prefix=INDICES
// RUN: nm-run %s --entry=indices --device=cpu --dynamic-size=7
// RUN: nm-run %s --entry=indices --device=emulator --dynamic-size=7
// RUN: not nm-run %s --entry=backwards --device=cpu 2>&1 | FileCheck %s --check-prefix=BACKWARDS
// RUN: not nm-run %s --entry=backwards --device=emulator 2>&1 | FileCheck %s --check-prefix=BACKWARDS
// RUN: not nm-run %s --entry=product --device=emulator --dynamic-size=3 2>&1 | FileCheck %s --check-prefix=PRODUCT

// The size of the negated value is that of %x, which it is computed from.
// CAST: tensor.cast of tensor<?x?xf32>: dimension 1 is not 1, as the module says it is
// CHECK-LABEL: @cast
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %[[X]], %[[C1]]
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[SIZE]], %[[C1]]
// CHECK: cf.assert %[[OK]], "tensor.cast of
func.func @cast(%x: tensor<?x?xf32>) -> tensor<?x1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %y = linalg.negf ins(%x : tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %z = tensor.cast %y : tensor<?x?xf32> to tensor<?x1xf32>
  return %z : tensor<?x1xf32>
}

// RESHAPE: tensor.reshape of tensor<?xf32> to tensor<2x?xf32>: the number of elements differs
// CHECK-LABEL: @reshape
// CHECK: cf.assert %{{.*}}, "tensor.reshape of
func.func @reshape(%x: tensor<?xf32>) -> tensor<2x?xf32> {
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %shape = tensor.from_elements %c2, %c3 : tensor<2xi64>
  %y = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return %y : tensor<2x?xf32>
}

// OPERANDS: linalg.add: dimension 0 of operand 1 (tensor<?xf32>) is not as large as dimension 0 of operand 0 (tensor<?xf32>)
// The result has the size of %x: one assert.
// CHECK-LABEL: @operands
// CHECK: cf.assert %{{.*}}, "linalg.add: dimension 0 of operand 1
// CHECK-NOT: cf.assert
func.func @operands(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %z = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  return %z : tensor<?xf32>
}

// SLICE: tensor.extract_slice: the slice leaves dimension 0 of tensor<?xf32>
// CHECK-LABEL: @slice
// CHECK: cf.assert %{{.*}}, "tensor.extract_slice: the slice leaves dimension 0 of tensor<?xf32>"
func.func @slice(%x: tensor<?xf32>) -> tensor<2xf32> {
  %y = tensor.extract_slice %x[1] [2] [2] : tensor<?xf32> to tensor<2xf32>
  return %y : tensor<2xf32>
}

// INSERT: tensor.insert_slice: the slice leaves dimension 0 of tensor<4xf32>
// CHECK-LABEL: @insert
// CHECK: cf.assert %{{.*}}, "tensor.insert_slice: the slice leaves dimension 0 of tensor<4xf32>"
func.func @insert(%x: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %y = tensor.insert_slice %x into %ones[0] [%n] [1] : tensor<?xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @inserted
// CHECK: cf.assert %{{.*}}, "tensor.insert_slice: 2 is not as large as dimension 0 of operand 0 (tensor<?xf32>)"
func.func @inserted(%x: tensor<?xf32>) -> tensor<4xf32> {
  %ones = arith.constant dense<1.0> : tensor<4xf32>
  %two = tensor.cast %x : tensor<?xf32> to tensor<?xf32>
  %c2 = arith.constant 2 : index
  %y = tensor.insert_slice %two into %ones[0] [%c2] [1] : tensor<?xf32> into tensor<4xf32>
  return %y : tensor<4xf32>
}

// EXPAND: tensor.expand_shape of tensor<?xf32> to tensor<?x4xf32>: the number of elements differs
// CHECK-LABEL: @expand
// CHECK: cf.assert %{{.*}}, "tensor.expand_shape of
func.func @expand(%x: tensor<?xf32>) -> tensor<?x4xf32> {
  %c2 = arith.constant 2 : index
  %y = tensor.expand_shape %x [[0, 1]] output_shape [%c2, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// WINDOW: linalg.conv_1d: indices leave dimension 0 of operand 0 (tensor<?xf32>)
// CHECK-LABEL: @window
// CHECK: cf.assert %{{.*}}, "linalg.conv_1d: indices leave dimension 0 of operand 0 (tensor<?xf32>)"
func.func @window(%x: tensor<?xf32>, %kernel: tensor<3xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.conv_1d ins(%x, %kernel : tensor<?xf32>, tensor<3xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @pad
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[N:.*]]: index,
// CHECK: %[[OK:.*]] = arith.cmpi sge, %[[N]], %c0
// CHECK: cf.assert %[[OK]], "tensor.pad: a padding is negative"
func.func @pad(%x: tensor<4xf32>, %n: index, %v: f32) -> tensor<?xf32> {
  %y = tensor.pad %x low[1] high[%n] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}

// MLIR's verifier sees the first and the last window, not the least index, -1.
// BACKWARDS: linalg.pooling_nchw_max: indices leave dimension {{[23]}} of operand 0 (tensor<1x2x8x8xf32>)
// CHECK-LABEL: @backwards
// CHECK: cf.assert %false, "linalg.pooling_nchw_max: indices leave dimension
func.func @backwards(%x: tensor<1x2x8x8xf32>, %k: tensor<2x2xf32>, %y: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %r = linalg.pooling_nchw_max {dilations = dense<-1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%x, %k : tensor<1x2x8x8xf32>, tensor<2x2xf32>) outs(%y : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %r : tensor<1x2x4x4xf32>
}

// Six iterations, from 0 to 5: at most 2, 3, 0 to 5, and 3.
// INDICES: linalg.generic: indices leave dimension 0 of operand {{[1-4]}} (tensor<?xf32>)
// CHECK-LABEL: @indices
// CHECK-SAME: (%[[HALF:.*]]: tensor<?xf32>, %[[UP:.*]]: tensor<?xf32>, %[[BACK:.*]]: tensor<?xf32>, %[[REST:.*]]: tensor<?xf32>)
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG: %[[C5:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[HALFSIZE:.*]] = tensor.dim %[[HALF]]
// CHECK-DAG: %[[UPSIZE:.*]] = tensor.dim %[[UP]]
// CHECK-DAG: %[[BACKSIZE:.*]] = tensor.dim %[[BACK]]
// CHECK-DAG: %[[RESTSIZE:.*]] = tensor.dim %[[REST]]
// CHECK-DAG: arith.cmpi sgt, %[[HALFSIZE]], %[[C2]]
// CHECK-DAG: arith.cmpi sgt, %[[UPSIZE]], %[[C3]]
// CHECK-DAG: arith.cmpi sgt, %[[BACKSIZE]], %[[C5]]
// CHECK-DAG: arith.cmpi sgt, %[[RESTSIZE]], %[[C3]]
// CHECK: linalg.generic
func.func @indices(%half: tensor<?xf32>, %up: tensor<?xf32>, %back: tensor<?xf32>, %rest: tensor<?xf32>) -> tensor<6xf32> {
  %one = arith.constant dense<1.0> : tensor<6xf32>
  %e = tensor.empty() : tensor<6xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i floordiv 2)>,
                                        affine_map<(i) -> (i ceildiv 2)>, affine_map<(i) -> (5 - i)>,
                                        affine_map<(i) -> (i mod 4)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%one, %half, %up, %back, %rest : tensor<6xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
      outs(%e : tensor<6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %f: f32, %out: f32):
    %p = arith.addf %a, %b : f32
    %q = arith.addf %p, %c : f32
    %r = arith.addf %q, %d : f32
    %s = arith.addf %r, %f : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %y : tensor<6xf32>
}

// PRODUCT: nm.spmm: dimension {{.*}} is not {{[24]}}
// CHECK-LABEL: @product
// CHECK-DAG: cf.assert %{{.*}}, "nm.spmm: dimension 0 of operand 3 (tensor<?x2xf32>) is not as large as dimension 0 of operand 0 (tensor<?x?xf32>)"
// CHECK-DAG: cf.assert %{{.*}}, "nm.spmm: dimension 1 of operand 0 (tensor<?x?xf32>) is not 4"
// CHECK-DAG: cf.assert %{{.*}}, "nm.spmm: dimension 0 of operand 2 (tensor<?xf32>) is not 2"
// CHECK-NOT: cf.assert
// CHECK: nm.spmm
func.func @product(%x: tensor<?x?xf32>, %bias: tensor<?xf32>, %c: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 1]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  %y = nm.spmm %x, %w bias(%bias : tensor<?xf32>) outs(%c : tensor<?x2xf32>)
      : tensor<?x?xf32>, !nm.condensed<4x2xf32, #nm.pattern<2:4>> -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// CHECK-LABEL: @scan
// CHECK: cf.assert %{{.*}}, "tm_tensor.scan: dimension 0 of operand 1 (tensor<?xf32>) is not as large as dimension 0 of operand 0 (tensor<?xf32>)"
func.func @scan(%x: tensor<?xf32>, %c: tensor<?xf32>, %total: tensor<f32>) -> tensor<?xf32> {
  %y:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?xf32>) outs(%c, %total : tensor<?xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tm_tensor.yield %sum : f32
  } -> tensor<?xf32>, tensor<f32>
  return %y#0 : tensor<?xf32>
}

// CHECK-LABEL: @attention
// CHECK-COUNT-8: cf.assert %{{.*}}, "tm_tensor.attention: dimension
// CHECK-NOT: cf.assert
// CHECK: tm_tensor.attention
func.func @attention(%q: tensor<?x?x8xf32>, %k: tensor<?x?x8xf32>, %v: tensor<?x?x8xf32>, %mask: tensor<?x?x?xf32>, %c: tensor<?x?x8xf32>) -> tensor<?x?x8xf32> {
  %y = tm_tensor.attention ins(%q, %k, %v, %mask : tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<?x?x?xf32>) outs(%c : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  return %y : tensor<?x?x8xf32>
}

// A module on memrefs, as one that was stopped after bufferization.
// CHECK-LABEL: @memrefs
// CHECK: memref.dim
// CHECK: cf.assert %{{.*}}, "linalg.exp: dimension 0 of operand 1 (memref<?xf32>) is not as large as dimension 0 of operand 0 (memref<?xf32>)"
func.func @memrefs(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// Sizes that come from one place, and slices of all of a dimension.
// CHECK-LABEL: @same
// CHECK-NOT: cf.assert
func.func @same(%x: tensor<?x4xf32>, %w: tensor<4x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %i = arith.index_cast %m : index to i64
  %j = arith.index_cast %i : i64 to index
  %empty = tensor.empty(%j) : tensor<?x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x2xf32>) outs(%empty : tensor<?x2xf32>) -> tensor<?x2xf32>
  %z = tensor.extract_slice %y[0, 1] [%m, 1] [1, 1] : tensor<?x2xf32> to tensor<?x1xf32>
  %u = tensor.collapse_shape %z [[0, 1]] : tensor<?x1xf32> into tensor<?xf32>
  %v = tensor.expand_shape %u [[0, 1]] output_shape [%m, 1] : tensor<?xf32> into tensor<?x1xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, 0)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%v : tensor<?x1xf32>) outs(%y : tensor<?x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x2xf32>
  return %sum : tensor<?x2xf32>
}

// Nothing is claimed here.
// CHECK-LABEL: @nothing
// CHECK-NOT: cf.assert
func.func @nothing(%x: tensor<2x?xf32>, %n: i64) -> (tensor<?x?xf32>, tensor<3x2xf32>) {
  %y = tensor.cast %x : tensor<2x?xf32> to tensor<?x?xf32>
  %c = arith.constant dense<1.0> : tensor<6xf32>
  %shape = arith.constant dense<[3, 2]> : tensor<2xi64>
  %z = tensor.reshape %c(%shape) : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %y, %z : tensor<?x?xf32>, tensor<3x2xf32>
}

// A dimension that is asked for by a number exists.
// CHECK-LABEL: @dimension
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[I:.*]]: index)
// CHECK: %[[OK:.*]] = arith.cmpi ult, %[[I]], %c2
// CHECK: cf.assert %[[OK]], "tensor.dim: tensor<?x?xf32> has no such dimension"
// CHECK: tensor.dim %[[X]], %[[I]]
func.func @dimension(%x: tensor<?x?xf32>, %i: index) -> index {
  %d = tensor.dim %x, %i : tensor<?x?xf32>
  return %d : index
}

// What is put behind each other is equally large beside that, and as large as the
// result says.
// CHECK-LABEL: @concat
// CHECK-SAME: (%[[X:.*]]: tensor<?x1x?xf32>, %[[Y:.*]]: tensor<?x1x?xf32>)
// CHECK: cf.assert {{.*}}, "tensor.concat: dimension 2 of operand 1 (tensor<?x1x?xf32>) is not 3"
// CHECK: cf.assert {{.*}}, "tensor.concat: dimension 2 of operand 0 (tensor<?x1x?xf32>) is not 3"
// CHECK-DAG: %[[X0:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[Y0:.*]] = tensor.dim %[[Y]], %c0
// CHECK: %[[ROWS:.*]] = arith.cmpi eq, %[[Y0]], %[[X0]]
// CHECK: cf.assert %[[ROWS]], "tensor.concat: dimension 0 of operand 1 (tensor<?x1x?xf32>) is not as large as dimension 0 of operand 0 (tensor<?x1x?xf32>)"
// CHECK-NOT: cf.assert
// CHECK: tensor.concat
func.func @concat(%x: tensor<?x1x?xf32>, %y: tensor<?x1x?xf32>) -> tensor<?x2x3xf32> {
  %r = tensor.concat dim(1) %x, %y : (tensor<?x1x?xf32>, tensor<?x1x?xf32>) -> tensor<?x2x3xf32>
  return %r : tensor<?x2x3xf32>
}

// A slice that goes back has its last element first, which MLIR's verifier leaves.
// CHECK-LABEL: @back
// CHECK: cf.assert %false, "tensor.extract_slice: the slice leaves dimension 0 of tensor<4xf32>"
func.func @back(%x: tensor<4xf32>) -> tensor<2xf32> {
  %y = tensor.extract_slice %x[1] [2] [-2] : tensor<4xf32> to tensor<2xf32>
  return %y : tensor<2xf32>
}

// The verifier looks at no index where any loop has an extent that is not known.
// CHECK-LABEL: @constant_index
// CHECK: cf.assert %false, "linalg.generic: indices leave dimension 0 of operand 1 (tensor<4xf32>)"
// CHECK: %[[ROWS:.*]] = arith.cmpi sgt, %{{.*}}, %c1
// CHECK: cf.assert %[[ROWS]], "linalg.generic: indices leave dimension 0 of operand 0 (tensor<?x7xf32>)"
// CHECK: linalg.generic
func.func @constant_index(%x: tensor<?x7xf32>, %y: tensor<4xf32>, %z: tensor<8xf32>, %e: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (1, d1)>, affine_map<(d0, d1) -> (d1 * 2)>,
                                        affine_map<(d0, d1) -> (d1 + 1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %y, %z : tensor<?x7xf32>, tensor<4xf32>, tensor<8xf32>) outs(%e : tensor<?x7xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<?x7xf32>
  return %r : tensor<?x7xf32>
}

// CHECK-LABEL: @assemble
// CHECK: cf.assert %{{.*}}, "nm.assemble: dimension 1 of operand 1 (tensor<4x?xi8>) is not 8"
// CHECK: cf.assert %{{.*}}, "nm.assemble: dimension 0 of operand 0 (tensor<?x8xf32>) is not 4"
func.func @assemble(%v: tensor<?x8xf32>, %i: tensor<4x?xi8>, %x: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %w = nm.assemble %v, %i : tensor<?x8xf32>, tensor<4x?xi8> -> !nm.condensed<8x8xf32, #nm.pattern<2:4>>
  %r = nm.spmv %x, %w outs(%e : tensor<8xf32>) : tensor<8xf32>, !nm.condensed<8x8xf32, #nm.pattern<2:4>> -> tensor<8xf32>
  return %r : tensor<8xf32>
}
