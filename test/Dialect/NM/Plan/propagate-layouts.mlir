// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-propagate-layouts --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>

#vw = #nm.pattern<8:32, unit = 1x32>
!up = !nm.condensed<4096x11008xbf16, #vw>
!down = !nm.condensed<11008x4096xbf16, #vw>
!x = tensor<512x4096xbf16>
!h = tensor<512x11008xbf16>

// One transposition serves both products.
// REMARK: [Passed] layout-propagated | Category:nm-propagate-layouts | Function=shared | Reason="A is transposed, with {{.*}} us of transpositions for 2 products: {{.*}} us become {{.*}} us, predicted"
// REMARK: Function=shared | Reason="A is transposed, with
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[X:[^:]*]]: tensor<512x4096xbf16>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<4096x512xbf16>) permutation = [1, 0]
// CHECK-NOT: linalg.transpose
// CHECK: nm.spmm %[[T]], {{.*}} {a_layout = #nm.layout<feature_major>} {{.*}} -> tensor<512x11008xbf16>
// CHECK: nm.spmm %[[T]], {{.*}} {a_layout = #nm.layout<feature_major>} {{.*}} -> tensor<512x11008xbf16>
func.func @shared(%x: !x, %w: !up, %v: !up) -> (!h, !h) {
  %e = tensor.empty() : !h
  %y = nm.spmm %x, %w outs(%e : !h) : !x, !up -> !h
  %z = nm.spmm %x, %v outs(%e : !h) : !x, !up -> !h
  return %y, %z : !h, !h
}

// Rows of k that would share lines of 128 bytes are longer, but not where others read A, too.
// CHECK-LABEL: func.func @padded(
// CHECK: %[[B:.*]] = bufferization.alloc_tensor() : tensor<4096x256xbf16>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[B]][0, 0] [4096, 200] [1, 1]
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<200x4096xbf16>) outs(%[[S]] : tensor<4096x200xbf16>)
// CHECK: nm.spmm %[[T]], {{.*}} {a_layout = #nm.layout<feature_major>}
func.func @padded(%x: tensor<200x4096xbf16>, %w: !up) -> tensor<200x11008xbf16> {
  %e = tensor.empty() : tensor<200x11008xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<200x11008xbf16>) : tensor<200x4096xbf16>, !up -> tensor<200x11008xbf16>
  return %y : tensor<200x11008xbf16>
}

// CHECK-LABEL: func.func @read_by_others(
// CHECK-NOT: bufferization.alloc_tensor
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: nm.spmm %[[T]], {{.*}} {a_layout = #nm.layout<feature_major>}
// CHECK: return %[[T]]
func.func @read_by_others(%x: tensor<200x4096xbf16>, %w: !up) -> (tensor<4096x200xbf16>, tensor<200x11008xbf16>) {
  %t = tensor.empty() : tensor<4096x200xbf16>
  %a = linalg.transpose ins(%x : tensor<200x4096xbf16>) outs(%t : tensor<4096x200xbf16>) permutation = [1, 0]
  %e = tensor.empty() : tensor<200x11008xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<200x11008xbf16>) : tensor<200x4096xbf16>, !up -> tensor<200x11008xbf16>
  return %a, %y : tensor<4096x200xbf16>, tensor<200x11008xbf16>
}

// Between products nothing is transposed: the residual lies as C does.
// REMARK: Function=mlp
// REMARK: Function=mlp
// REMARK: Function=mlp | Reason="A is computed feature-major, with 0.0 us of transpositions for 1 product:
// CHECK-LABEL: func.func @mlp(
// CHECK: linalg.transpose
// CHECK-NOT: linalg.transpose
// CHECK: %[[G:.*]] = nm.spmm {{.*}}, c_layout = #nm.layout<feature_major>, epilogue = #nm.epilogue<silu>} {{.*}} -> tensor<11008x512xbf16>
// CHECK: %[[H:.*]] = nm.spmm {{.*}} residual(%[[G]] : {{.*}}c_layout = #nm.layout<feature_major>{{.*}} -> tensor<11008x512xbf16>
// CHECK: %[[Y:.*]] = nm.spmm %[[H]], {{.*}} {a_layout = #nm.layout<feature_major>} {{.*}} -> tensor<512x4096xbf16>
// CHECK-NOT: linalg.transpose
// CHECK: return %[[Y]]
func.func @mlp(%x: !x, %gate: !up, %w: !up, %v: !down) -> !x {
  %e = tensor.empty() : !h
  %g = nm.spmm %x, %gate outs(%e : !h) {epilogue = #nm.epilogue<silu>} : !x, !up -> !h
  %h = nm.spmm %x, %w residual(%g : !h) outs(%e : !h) {combine = #nm.combine<mul>} : !x, !up -> !h
  %o = tensor.empty() : !x
  %y = nm.spmm %h, %v outs(%o : !x) : !h, !down -> !x
  return %y : !x
}

// An element-wise op between products changes its loops; a vector, here one
// element a column, stays. What both of two ops read is in the plan of the second.
// CHECK-LABEL: func.func @elementwise(
// CHECK: %[[H:.*]] = nm.spmm {{.*}}c_layout = #nm.layout<feature_major>{{.*}} -> tensor<11008x512xbf16>
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$COLUMN]], #[[$ID]]], iterator_types = ["parallel", "parallel"]} ins(%[[H]], %{{.*}} : tensor<11008x512xbf16>, tensor<11008xbf16>)
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]]]{{.*}} ins(%[[H]], %[[S]] :
// CHECK-NOT: linalg.transpose
// CHECK: nm.spmm %[[P]], {{.*}}a_layout = #nm.layout<feature_major>
func.func @elementwise(%x: !x, %w: !up, %b: tensor<11008xbf16>, %v: !down) -> !x {
  %e = tensor.empty() : !h
  %h = nm.spmm %x, %w outs(%e : !h) : !x, !up -> !h
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%h, %b : !h, tensor<11008xbf16>) outs(%e : !h) {
  ^bb0(%a: bf16, %c: bf16, %out: bf16):
    %r = arith.addf %a, %c : bf16
    linalg.yield %r : bf16
  } -> !h
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%h, %s : !h, !h) outs(%e : !h) {
  ^bb0(%a: bf16, %c: bf16, %out: bf16):
    %r = arith.mulf %a, %c : bf16
    linalg.yield %r : bf16
  } -> !h
  %o = tensor.empty() : !x
  %y = nm.spmm %p, %v outs(%o : !x) : !h, !down -> !x
  return %y : !x
}

// Through reshapes, whose groups of dimensions change places.
// CHECK-LABEL: func.func @reshapes(
// CHECK: %[[H:.*]] = nm.spmm {{.*}}c_layout = #nm.layout<feature_major>{{.*}} -> tensor<11008x512xbf16>
// CHECK: %[[E:.*]] = tensor.expand_shape %[[H]] {{\[\[0\], \[1, 2\]\]}} output_shape [11008, 2, 256]
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[E]] : tensor<11008x2x256xbf16>)
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[P]] {{\[\[0\], \[1, 2\]\]}} : tensor<11008x2x256xbf16> into tensor<11008x512xbf16>
// CHECK: nm.spmm %[[C]], {{.*}}a_layout = #nm.layout<feature_major>
func.func @reshapes(%x: !x, %w: !up, %v: !down) -> !x {
  %e = tensor.empty() : !h
  %h = nm.spmm %x, %w outs(%e : !h) : !x, !up -> !h
  %expanded = tensor.expand_shape %h [[0, 1], [2]] output_shape [2, 256, 11008] : !h into tensor<2x256x11008xbf16>
  %ee = tensor.empty() : tensor<2x256x11008xbf16>
  %p = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%expanded : tensor<2x256x11008xbf16>) outs(%ee : tensor<2x256x11008xbf16>) {
  ^bb0(%a: bf16, %out: bf16):
    %r = math.absf %a : bf16
    linalg.yield %r : bf16
  } -> tensor<2x256x11008xbf16>
  %collapsed = tensor.collapse_shape %p [[0, 1], [2]] : tensor<2x256x11008xbf16> into !h
  %o = tensor.empty() : !x
  %y = nm.spmm %collapsed, %v outs(%o : !x) : !h, !down -> !x
  return %y : !x
}

// What is returned, too, stays as it is and is transposed for the product.
// CHECK-LABEL: func.func @other_user(
// CHECK: %[[H:.*]] = nm.spmm {{.*}} {a_layout = #nm.layout<feature_major>} {{.*}} -> tensor<512x11008xbf16>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[H]] :
// CHECK: nm.spmm %[[T]], {{.*}}a_layout = #nm.layout<feature_major>
// CHECK: return %{{.*}}, %[[H]]
func.func @other_user(%x: !x, %w: !up, %v: !down) -> (!x, !h) {
  %e = tensor.empty() : !h
  %h = nm.spmm %x, %w outs(%e : !h) : !x, !up -> !h
  %o = tensor.empty() : !x
  %y = nm.spmm %h, %v outs(%o : !x) : !h, !down -> !x
  return %y, %h : !x, !h
}

// A residual that is no product's would have to be transposed: as much work as
// to transpose what is made with it.
// CHECK-LABEL: func.func @residual(
// CHECK: %[[H:.*]] = nm.spmm {{.*}} residual(%{{.*}} : tensor<512x11008xbf16>) {{.*}} {a_layout = #nm.layout<feature_major>} {{.*}} -> tensor<512x11008xbf16>
// CHECK: linalg.transpose ins(%[[H]] :
func.func @residual(%x: !x, %r: !h, %w: !up, %v: !down) -> !x {
  %e = tensor.empty() : !h
  %h = nm.spmm %x, %w residual(%r : !h) outs(%e : !h) : !x, !up -> !h
  %o = tensor.empty() : !x
  %y = nm.spmm %h, %v outs(%o : !x) : !h, !down -> !x
  return %y : !x
}

// A transposition of a transposition is what there was.
// REMARK: Function=undone | Reason="A is transposed, with 0.0 us
// CHECK-LABEL: func.func @undone(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4096x512xbf16>
// CHECK-NOT: linalg.transpose
// CHECK: nm.spmm %[[X]], {{.*}}a_layout = #nm.layout<feature_major>
func.func @undone(%x: tensor<4096x512xbf16>, %w: !up) -> !h {
  %t = tensor.empty() : !x
  %a = linalg.transpose ins(%x : tensor<4096x512xbf16>) outs(%t : !x) permutation = [1, 0]
  %e = tensor.empty() : !h
  %y = nm.spmm %a, %w outs(%e : !h) : !x, !up -> !h
  return %y : !h
}

// Two transpositions are one, here of the heads of an attention, of which a copy
// would have been made anyway.
// REMARK: Function=heads_to_tokens | Reason="A is computed feature-major, with 0.0 us
// CHECK-LABEL: func.func @heads_to_tokens(
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<1x32x512x128xbf16>) outs(%{{.*}} : tensor<32x128x1x512xbf16>) permutation = [1, 3, 0, 2]
// CHECK: %[[C:.*]] = tensor.collapse_shape %[[T]] {{\[\[0, 1\], \[2, 3\]\]}} : tensor<32x128x1x512xbf16> into tensor<4096x512xbf16>
// CHECK-NOT: linalg.transpose
// CHECK: nm.spmm %[[C]], {{.*}}a_layout = #nm.layout<feature_major>
func.func @heads_to_tokens(%x: tensor<1x32x512x128xbf16>, %w: !up) -> !h {
  %t = tensor.empty() : tensor<1x512x32x128xbf16>
  %tokens = linalg.transpose ins(%x : tensor<1x32x512x128xbf16>) outs(%t : tensor<1x512x32x128xbf16>) permutation = [0, 2, 1, 3]
  %a = tensor.collapse_shape %tokens [[0, 1], [2, 3]] : tensor<1x512x32x128xbf16> into !x
  %e = tensor.empty() : !h
  %y = nm.spmm %a, %w outs(%e : !h) : !x, !up -> !h
  return %y : !h
}

// Rows of a feature-major A of 65 elements are no whole chunks; where A is not copied, that
// does not matter.
// REMARK: [Passed] layout-propagated | Category:nm-propagate-layouts | Function=unpromoted
// CHECK-LABEL: func.func @unpromoted(
// CHECK: %[[T:.*]] = linalg.transpose
// CHECK: nm.spmm %[[T]], {{.*}}a_layout = #nm.layout<feature_major>
func.func @unpromoted(%x: tensor<65x8192xf32>, %w: !nm.condensed<8192x1024xf32, #nm.pattern<2048:all, unit = 1x1>>) -> tensor<65x1024xf32> {
  %e = tensor.empty() : tensor<65x1024xf32>
  %y = nm.spmm %x, %w outs(%e : tensor<65x1024xf32>) : tensor<65x8192xf32>, !nm.condensed<8192x1024xf32, #nm.pattern<2048:all, unit = 1x1>> -> tensor<65x1024xf32>
  return %y : tensor<65x1024xf32>
}

// A product stores what the module transposes; few rows, too. Both
// transpositions are that.
// REMARK: [Passed] transpose-folded | Category:nm-propagate-layouts | Function=folded | Reason="{{.*}} us of transpositions become 0.0 us, predicted"
// CHECK-LABEL: func.func @folded(
// CHECK-NOT: linalg.transpose
// CHECK: %[[Y:.*]] = nm.spmm {{.*}} bias({{.*}}c_layout = #nm.layout<feature_major>{{.*}} -> tensor<11008x16xbf16>
// CHECK-NEXT: return %[[Y]], %[[Y]]
func.func @folded(%x: tensor<16x4096xbf16>, %w: !up, %b: tensor<11008xf32>) -> (tensor<11008x16xbf16>, tensor<11008x16xbf16>) {
  %e = tensor.empty() : tensor<16x11008xbf16>
  %y = nm.spmm %x, %w bias(%b : tensor<11008xf32>) outs(%e : tensor<16x11008xbf16>) : tensor<16x4096xbf16>, !up -> tensor<16x11008xbf16>
  %t = tensor.empty() : tensor<11008x16xbf16>
  %z = linalg.transpose ins(%y : tensor<16x11008xbf16>) outs(%t : tensor<11008x16xbf16>) permutation = [1, 0]
  %t2 = tensor.empty() : tensor<11008x16xbf16>
  %z2 = linalg.transpose ins(%y : tensor<16x11008xbf16>) outs(%t2 : tensor<11008x16xbf16>) permutation = [1, 0]
  return %z, %z2 : tensor<11008x16xbf16>, tensor<11008x16xbf16>
}

// A group of dimensions that would come apart; loops that ask for their number.
// CHECK-LABEL: func.func @heads(
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
func.func @heads(%x: !x, %w: !nm.condensed<4096x4096xbf16, #vw>) -> (tensor<2x32x256x128xbf16>, tensor<4096x512xbf16>) {
  %e = tensor.empty() : !x
  %y = nm.spmm %x, %w outs(%e : !x) : !x, !nm.condensed<4096x4096xbf16, #vw> -> !x
  %expanded = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [2, 256, 32, 128] : !x into tensor<2x256x32x128xbf16>
  %t = tensor.empty() : tensor<2x32x256x128xbf16>
  %z = linalg.transpose ins(%expanded : tensor<2x256x32x128xbf16>) outs(%t : tensor<2x32x256x128xbf16>) permutation = [0, 2, 1, 3]
  %p = nm.spmm %x, %w outs(%e : !x) : !x, !nm.condensed<4096x4096xbf16, #vw> -> !x
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : !x) outs(%e : !x) {
  ^bb0(%a: bf16, %out: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %isUpper = arith.cmpi ult, %i, %j : index
    %zero = arith.constant 0.0 : bf16
    %r = arith.select %isUpper, %a, %zero : bf16
    linalg.yield %r : bf16
  } -> !x
  %u = tensor.empty() : tensor<4096x512xbf16>
  %v = linalg.transpose ins(%q : !x) outs(%u : tensor<4096x512xbf16>) permutation = [1, 0]
  return %z, %v : tensor<2x32x256x128xbf16>, tensor<4096x512xbf16>
}
