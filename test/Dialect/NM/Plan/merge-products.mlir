// RUN: nm-opt --nm-merge-products %s | FileCheck %s
// RUN: nm-opt --nm-merge-products --remarks-filter=nm-merge-products --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

#p = #nm.pattern<2:4>
#map = affine_map<(m, n) -> (m, n)>

// Columns, scales and biases lie side by side; a constant has the order of the products.
// REMARK-COUNT-3: remark: [Passed] merged | Category:nm-merge-products | Function=matrices | Reason="3 products, {{.*}} us apart and {{.*}} us together, predicted"
// CHECK-LABEL: func.func @matrices
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>
// CHECK-DAG: %[[W:.*]] = nm.constant {indices = dense<{{\[\[}}0, 0, 1, 1, 2, 2], [1, 2, 2, 3, 3, 3]]> : tensor<2x6xi8>, values = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 5.000000e+00, 6.000000e+00, 9.000000e+00, 9.000000e+00], [3.000000e+00, 4.000000e+00, 7.000000e+00, 8.000000e+00, 9.000000e+00, 9.000000e+00]]> : tensor<2x6xf32>} : !nm.condensed<4x6xf32
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[1.000000e+01, 2.000000e+01, 3.000000e+01, 3.000000e+01, 4.000000e+01, 5.000000e+01]> : tensor<6xf32>
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<8x6xf32>
// CHECK: %[[Y:.*]] = nm.spmm %[[X]], %[[W]] bias(%[[B]] : tensor<6xf32>) outs(%[[E]] : tensor<8x6xf32>) {epilogue = #nm.epilogue<relu>, nm.merged = array<i64: 0, 1, 2>}
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[Y]][0, 0] [8, 2] [1, 1] : tensor<8x6xf32> to tensor<8x2xf32>
// CHECK: %[[K:.*]] = tensor.extract_slice %[[Y]][0, 2] [8, 2] [1, 1] : tensor<8x6xf32> to tensor<8x2xf32>
// CHECK: %[[V:.*]] = tensor.extract_slice %[[Y]][0, 4] [8, 2] [1, 1] : tensor<8x6xf32> to tensor<8x2xf32>
// CHECK-NOT: nm.spmm
// CHECK: linalg.generic {{.*}} ins(%[[Q]], %[[K]], %[[V]] :
func.func @matrices(%x: tensor<8x4xf32>) -> tensor<8x2xf32> {
  %wq = nm.constant {values = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %wk = nm.constant {values = dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>, indices = dense<[[1, 1], [2, 3]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %wv = nm.constant {values = dense<9.0> : tensor<2x2xf32>, indices = dense<[[2, 2], [3, 3]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %bq = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %bk = arith.constant dense<30.0> : tensor<2xf32>
  %bv = arith.constant dense<[40.0, 50.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %q = nm.spmm %x, %wq bias(%bq : tensor<2xf32>) outs(%e : tensor<8x2xf32>) {epilogue = #nm.epilogue<relu>} : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %k = nm.spmm %x, %wk bias(%bk : tensor<2xf32>) outs(%e : tensor<8x2xf32>) {epilogue = #nm.epilogue<relu>} : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %v = nm.spmm %x, %wv bias(%bv : tensor<2xf32>) outs(%e : tensor<8x2xf32>) {epilogue = #nm.epilogue<relu>} : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %r = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%q, %k, %v : tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// Vectors; other widths; results that are read behind reshapes and slices; what lies
// between the products stays behind them. The third is of another type.
// REMARK-COUNT-2: remark: [Passed] merged | {{.*}} | Function=vectors | Reason="2 products,
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=vectors | Reason="no other product of its A is like it"
// CHECK-LABEL: func.func @vectors
// CHECK: %[[Y:.*]] = nm.spmv {{.*}} {nm.merged = array<i64: 3, 5>} : tensor<4xf32>, !nm.condensed<4x6xf32
// CHECK: %[[P:.*]] = tensor.extract_slice %[[Y]][0] [2] [1] : tensor<6xf32> to tensor<2xf32>
// CHECK: %[[Q:.*]] = tensor.extract_slice %[[Y]][2] [4] [1] : tensor<6xf32> to tensor<4xf32>
// CHECK: nm.spmv {{.*}} !nm.condensed<4x2xf16
// CHECK: tensor.expand_shape %[[P]]
// CHECK: tensor.extract_slice %[[Q]][2] [2] [1]
func.func @vectors(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf16>) {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %other = nm.constant {values = dense<1.0> : tensor<2x2xf16>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf16, #p>
  %e = tensor.empty() : tensor<2xf32>
  %h = tensor.empty() : tensor<2xf16>
  %p = nm.spmv %x, %w outs(%e : tensor<2xf32>) : tensor<4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<2xf32>
  %o = nm.spmv %x, %other outs(%h : tensor<2xf16>) : tensor<4xf32>, !nm.condensed<4x2xf16, #p> -> tensor<2xf16>
  %expanded = tensor.expand_shape %p [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  %wide = nm.constant {values = dense<1.0> : tensor<2x4xf32>, indices = dense<[[0, 0, 0, 0], [1, 2, 1, 2]]> : tensor<2x4xi8>} : !nm.condensed<4x4xf32, #p>
  %f = tensor.empty() : tensor<4xf32>
  %q = nm.spmv %x, %wide outs(%f : tensor<4xf32>) : tensor<4xf32>, !nm.condensed<4x4xf32, #p> -> tensor<4xf32>
  %part = tensor.extract_slice %q[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n) -> (0, n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} ins(%expanded, %part : tensor<1x2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %twice = linalg.add ins(%o, %o : tensor<2xf16>, tensor<2xf16>) outs(%h : tensor<2xf16>) -> tensor<2xf16>
  return %r, %twice : tensor<2xf32>, tensor<2xf16>
}

// Of any number of rows, feature-major: rows of C lie side by side.
// REMARK-COUNT-2: remark: [Passed] merged | {{.*}} | Function=any_rows
// CHECK-LABEL: func.func @any_rows
// CHECK: %[[Y:.*]] = nm.spmm {{.*}} {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, nm.merged = array<i64: 6, 7>} : tensor<4x?xf32>, !nm.condensed<4x4xf32, {{.*}}> -> tensor<4x?xf32>
// CHECK: tensor.extract_slice %[[Y]][0, 0] [2, %{{.*}}] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>
// CHECK: tensor.extract_slice %[[Y]][2, 0] [2, %{{.*}}] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>
func.func @any_rows(%x: tensor<4x?xf32>, %e: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %p = nm.spmm %x, %w outs(%e : tensor<2x?xf32>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>} : tensor<4x?xf32>, !nm.condensed<4x2xf32, #p> -> tensor<2x?xf32>
  %q = nm.spmm %x, %w outs(%e : tensor<2x?xf32>) {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>} : tensor<4x?xf32>, !nm.condensed<4x2xf32, #p> -> tensor<2x?xf32>
  %r = linalg.add ins(%p, %q : tensor<2x?xf32>, tensor<2x?xf32>) outs(%e : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// What keeps products apart.
// REMARK: remark: [Missed] not-merged | Category:nm-merge-products | Function=apart | Reason="a slice of a larger result would be copied for what reads it"
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=apart | Reason="it is combined with a residual"
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=apart | Reason="its weight, scale or bias is no constant"
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=apart | Reason="it has a schedule"
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=apart | Reason="its last unit is cut by n"
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=apart | Reason="no other product of its A is like it"
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-6: nm.spmm
// CHECK-NOT: tensor.extract_slice
func.func @apart(%x: tensor<8x4xf32>, %bias: tensor<2xf32>) -> tensor<8x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %units = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>} : !nm.condensed<4x2xf32, #nm.pattern<2:4, unit = 1x4>>
  %e = tensor.empty() : tensor<8x2xf32>
  %a = nm.spmm %x, %w outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %b = nm.spmm %x, %w residual(%a : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %c = nm.spmm %x, %w bias(%bias : tensor<2xf32>) outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %d = nm.spmm %x, %w outs(%e : tensor<8x2xf32>) {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 1], lanes = [8, 4], thread = [1, 8]>, block = [8, 32, 4]>} : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %f = nm.spmm %x, %units outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #nm.pattern<2:4, unit = 1x4>> -> tensor<8x2xf32>
  %g = nm.spmm %x, %w outs(%e : tensor<8x2xf32>) {epilogue = #nm.epilogue<relu>} : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %s = linalg.add ins(%c, %d : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %t = linalg.add ins(%f, %g : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %u = linalg.add ins(%s, %t : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %r = linalg.add ins(%u, %b : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}

// Biases of other types; one that is the scale, too.
// REMARK: remark: [Missed] not-merged | {{.*}} | Function=biases | Reason="no other product of its A is like it"
// REMARK-COUNT-2: remark: [Passed] merged | {{.*}} | Function=biases
// CHECK-LABEL: func.func @biases
// CHECK: nm.spmm {{.*}} bias(%{{.*}} : tensor<2xf16>)
// CHECK: nm.spmm {{.*}} scale(%{{.*}} : tensor<4xf32>) bias(%{{.*}} : tensor<4xf32>) {{.*}}{nm.merged = array<i64: 15, 16>}
// CHECK-NOT: nm.spmm
func.func @biases(%x: tensor<8x4xf32>) -> tensor<8x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %half = arith.constant dense<1.0> : tensor<2xf16>
  %both = arith.constant dense<2.0> : tensor<2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %a = nm.spmm %x, %w scale(%both : tensor<2xf32>) bias(%half : tensor<2xf16>) outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %b = nm.spmm %x, %w scale(%both : tensor<2xf32>) bias(%both : tensor<2xf32>) outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %c = nm.spmm %x, %w scale(%both : tensor<2xf32>) bias(%both : tensor<2xf32>) outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  %s = linalg.add ins(%a, %b : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %t = linalg.add ins(%s, %c : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %t : tensor<8x2xf32>
}

// A product that nobody shares A with is nothing to speak of.
// CHECK-LABEL: func.func @alone
func.func @alone(%x: tensor<8x4xf32>) -> tensor<8x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 2]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf32, #p>
  %e = tensor.empty() : tensor<8x2xf32>
  %a = nm.spmm %x, %w outs(%e : tensor<8x2xf32>) : tensor<8x4xf32>, !nm.condensed<4x2xf32, #p> -> tensor<8x2xf32>
  return %a : tensor<8x2xf32>
}
