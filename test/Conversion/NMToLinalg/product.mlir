// RUN: nm-opt --nm-to-linalg %s | FileCheck %s

// f32 without epilogue: one generic, summed in C itself. Two windows of two kept
// units of 1x1: the row of A is (row / 2) * 4 + index.
// CHECK-LABEL: func.func @plain
// CHECK-SAME: (%[[X:.*]]: tensor<3x8xf32>, %[[O:.*]]: tensor<3x4xf32>)
// CHECK: %[[V:.*]] = arith.constant dense<{{.*}}> : tensor<4x4xf32>
// CHECK: %[[D:.*]] = arith.constant dense<{{.*}}> : tensor<4x4xi8>
// CHECK: %[[Z:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[O]] : tensor<3x4xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[VMAP:.*]], #[[CMAP:.*]]], iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK-SAME: ins(%[[V]] : tensor<4x4xf32>) outs(%[[Z]] : tensor<3x4xf32>)
// CHECK: ^bb0(%[[B:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-DAG: %[[ROW:.*]] = linalg.index 1
// CHECK-DAG: %[[COL:.*]] = linalg.index 2
// CHECK: %[[I:.*]] = tensor.extract %[[D]][%[[ROW]], %[[COL]]]
// CHECK: arith.index_castui %[[I]] : i8 to index
// CHECK: arith.divui %[[ROW]], %c2
// CHECK: %[[M:.*]] = linalg.index 0
// CHECK: %[[A:.*]] = tensor.extract %[[X]][%[[M]], %{{.*}}]
// CHECK: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK: %[[S:.*]] = arith.addf %[[ACC]], %[[P]]
// CHECK-NOT: arith.select
// CHECK: linalg.yield %[[S]]
// CHECK-NOT: linalg.generic
// CHECK-NOT: nm.
func.func @plain(%x: tensor<3x8xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = nm.constant {
    values = dense<1.0> : tensor<4x4xf32>,
    indices = dense<[[0, 0, 1, 2], [1, 2, 3, 3], [1, 2, 0, 0], [2, 3, 1, 3]]> : tensor<4x4xi8>
  } : !nm.condensed<8x4xf32, #nm.pattern<2:4>>
  %y = nm.spmm %x, %w outs(%o : tensor<3x4xf32>)
      : tensor<3x8xf32>, !nm.condensed<8x4xf32, #nm.pattern<2:4>> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// With an epilogue, sums in f32 beside C and a second generic that rounds once.
// Feature-major: A is read at [row, m], C lies as [n, m].
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME: (%[[X:.*]]: tensor<8x?xf16>, %[[O:.*]]: tensor<4x?xf16>, %[[BIAS:.*]]: tensor<4xf32>, %[[R:.*]]: tensor<4x?xf16>
// CHECK: %[[E:.*]] = tensor.empty(%{{.*}}) : tensor<4x?xf32>
// CHECK: %[[Z:.*]] = linalg.fill {{.*}} outs(%[[E]] : tensor<4x?xf32>)
// CHECK: %[[S:.*]] = linalg.generic {{.*}} outs(%[[Z]] : tensor<4x?xf32>)
// CHECK: tensor.extract %[[X]][%{{.*}}, %{{.*}}] : tensor<8x?xf16>
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[BIAS]], %[[R]] : tensor<4x?xf32>, tensor<4xf32>, tensor<4x?xf16>) outs(%[[O]] : tensor<4x?xf16>)
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[B:.*]]: f32, %[[RES:.*]]: f16, %{{.*}}: f16):
// CHECK: %[[BIASED:.*]] = arith.addf %[[SUM]], %[[B]]
// CHECK: %[[RELU:.*]] = arith.maximumf %[[BIASED]]
// CHECK: %[[WIDE:.*]] = arith.extf %[[RES]]
// CHECK: %[[C:.*]] = arith.addf %[[RELU]], %[[WIDE]]
// CHECK: %[[H:.*]] = arith.truncf %[[C]] : f32 to f16
// CHECK: linalg.yield %[[H]]
func.func @epilogue(%x: tensor<8x?xf16>, %o: tensor<4x?xf16>, %b: tensor<4xf32>, %r: tensor<4x?xf16>,
                    %v: tensor<4x4xf16>, %d: tensor<4x4xi8>) -> tensor<4x?xf16> {
  %w = nm.assemble %v, %d : tensor<4x4xf16>, tensor<4x4xi8> -> !nm.condensed<8x4xf16, #nm.pattern<2:4>>
  %y = nm.spmm %x, %w bias(%b : tensor<4xf32>) residual(%r : tensor<4x?xf16>) outs(%o : tensor<4x?xf16>)
      {epilogue = #nm.epilogue<relu>, a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>}
      : tensor<8x?xf16>, !nm.condensed<8x4xf16, #nm.pattern<2:4>> -> tensor<4x?xf16>
  return %y : tensor<4x?xf16>
}

// k = 7 ends inside a window: places beyond it add nothing, whatever A holds
// (not even 0 x Inf).
// CHECK-LABEL: func.func @tail
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[ROW:.*]], %c7
// CHECK: %[[SAFE:.*]] = arith.select %[[IN]], %[[ROW]], %c0
// CHECK: tensor.extract %{{.*}}[%[[SAFE]]]
// CHECK: %[[S:.*]] = arith.addf %[[ACC:.*]], %{{.*}}
// CHECK: %[[C:.*]] = arith.select %[[IN]], %[[S]], %[[ACC]]
// CHECK: linalg.yield %[[C]]
func.func @tail(%x: tensor<7xf32>, %o: tensor<4xf32>, %v: tensor<4x4xf32>, %d: tensor<4x4xi8>) -> tensor<4xf32> {
  %w = nm.assemble %v, %d : tensor<4x4xf32>, tensor<4x4xi8> -> !nm.condensed<7x4xf32, #nm.pattern<2:4>>
  %y = nm.spmv %x, %w outs(%o : tensor<4xf32>)
      : tensor<7xf32>, !nm.condensed<7x4xf32, #nm.pattern<2:4>> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// i8 is summed in i32, in C itself.
// CHECK-LABEL: func.func @i8
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<4x4xi8>) outs(%{{.*}} : tensor<3x4xi32>)
// CHECK: %[[A:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[B:.*]] = arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : i32
// CHECK: arith.addi %{{.*}}, %[[P]] : i32
// CHECK-NOT: linalg.generic
func.func @i8(%x: tensor<3x8xi8>, %o: tensor<3x4xi32>, %v: tensor<4x4xi8>, %d: tensor<4x4xi8>) -> tensor<3x4xi32> {
  %w = nm.assemble %v, %d : tensor<4x4xi8>, tensor<4x4xi8> -> !nm.condensed<8x4xi8, #nm.pattern<2:4>>
  %y = nm.spmm %x, %w outs(%o : tensor<3x4xi32>) {acc = i32}
      : tensor<3x8xi8>, !nm.condensed<8x4xi8, #nm.pattern<2:4>> -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}

// A weight of i8 beside an activation of bf16: both are widened to f32.
// CHECK-LABEL: func.func @weight_only
// CHECK-DAG: arith.extf %{{.*}} : bf16 to f32
// CHECK-DAG: arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @weight_only(%x: tensor<3x8xbf16>, %o: tensor<3x4xbf16>, %v: tensor<4x4xi8>, %d: tensor<4x4xi8>) -> tensor<3x4xbf16> {
  %w = nm.assemble %v, %d : tensor<4x4xi8>, tensor<4x4xi8> -> !nm.condensed<8x4xi8, #nm.pattern<2:4>>
  %y = nm.spmm %x, %w outs(%o : tensor<3x4xbf16>)
      : tensor<3x8xbf16>, !nm.condensed<8x4xi8, #nm.pattern<2:4>> -> tensor<3x4xbf16>
  return %y : tensor<3x4xbf16>
}

// CHECK-LABEL: func.func @relu_i8
// CHECK: arith.addi
// CHECK: linalg.generic
// CHECK: arith.addi
// CHECK: arith.maxsi
func.func @relu_i8(%x: tensor<3x8xi8>, %o: tensor<3x4xi32>, %b: tensor<4xi32>, %v: tensor<4x4xi8>, %d: tensor<4x4xi8>) -> tensor<3x4xi32> {
  %w = nm.assemble %v, %d : tensor<4x4xi8>, tensor<4x4xi8> -> !nm.condensed<8x4xi8, #nm.pattern<2:4>>
  %y = nm.spmm %x, %w bias(%b : tensor<4xi32>) outs(%o : tensor<3x4xi32>) {acc = i32, epilogue = #nm.epilogue<relu>}
      : tensor<3x8xi8>, !nm.condensed<8x4xi8, #nm.pattern<2:4>> -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}
