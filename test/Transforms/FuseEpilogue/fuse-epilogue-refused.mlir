// RUN: nm-opt %s --nm-fuse-epilogue --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// What a product cannot do itself stays behind it, with a remark that says why.

!w = !nm.condensed<4x8xf32, #nm.pattern<2:4, unit = 1x8>>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>
#swap = affine_map<(i, j) -> (j, i)>
#id3 = affine_map<(b, i, j) -> (b, i, j)>
#inner = affine_map<(b, i, j) -> (i, j)>

// The product is also a result.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=other_user | Reason="the product has other users"
// CHECK-LABEL: func.func @other_user(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @other_user(%x: tensor<16x4xf32>, %w: !w, %b: tensor<8xf32>) -> (tensor<16x8xf32>, tensor<16x8xf32>) {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y, %p : tensor<16x8xf32>, tensor<16x8xf32>
}

// One number a row is no bias.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=along_rows | Reason="operand #1 lies neither as the product nor along its columns"
// CHECK-LABEL: func.func @along_rows(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @along_rows(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>, %b: tensor<16xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<16x8xf32>, tensor<16xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A residual that lies otherwise.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=transposed_residual | Reason="operand #1 lies neither as the product nor along its columns"
// CHECK-LABEL: func.func @transposed_residual(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @transposed_residual(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>, %q: tensor<8x16xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<16x8xf32>, tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %o: f32):
      %s = arith.addf %v0, %v1 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Every element is read twice.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=read_twice | Reason="elements of the product are read more than once"
// CHECK-LABEL: func.func @read_twice(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @read_twice(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<2x16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %e3 = tensor.empty() : tensor<2x16x8xf32>
  %y = linalg.generic {indexing_maps = [#inner, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e3 : tensor<2x16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.negf %v0 : f32
      linalg.yield %s : f32
  } -> tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}

// 1.42 for the root of 2.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=wrong_root | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @wrong_root(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @wrong_root(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %root = arith.constant 1.42 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %d = arith.divf %v0, %root : f32
      %f = math.erf %d : f32
      %g = arith.addf %f, %one : f32
      %h = arith.mulf %g, %half : f32
      %s = arith.mulf %v0, %h : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// 0.25 for a half.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=wrong_half | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @wrong_half(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @wrong_half(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %root = arith.constant 1.41421354 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.25 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %d = arith.divf %v0, %root : f32
      %f = math.erf %d : f32
      %g = arith.addf %f, %one : f32
      %h = arith.mulf %g, %half : f32
      %s = arith.mulf %v0, %h : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// 0.0447 for 0.044715.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=wrong_kappa | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @wrong_kappa(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @wrong_kappa(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %half = arith.constant 0.5 : f32
  %kappa = arith.constant 4.470000e-02 : f32
  %beta = arith.constant 0.79788456080286541 : f32
  %one = arith.constant 1.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %q = arith.mulf %v0, %v0 : f32
      %c = arith.mulf %q, %v0 : f32
      %k = arith.mulf %c, %kappa : f32
      %i = arith.addf %v0, %k : f32
      %j = arith.mulf %i, %beta : f32
      %t = math.tanh %j : f32
      %u = arith.addf %t, %one : f32
      %z = arith.mulf %u, %half : f32
      %s = arith.mulf %z, %v0 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// x sigmoid(1.702 x) is no silu.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=quick_gelu | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @quick_gelu(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @quick_gelu(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %one = arith.constant 1.0 : f32
  %c = arith.constant 1.702 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %m = arith.mulf %v0, %c : f32
      %n = arith.negf %m : f32
      %f = math.exp %n : f32
      %g = arith.addf %f, %one : f32
      %s = arith.divf %v0, %g : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The sigmoid alone.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=sigmoid | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @sigmoid(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @sigmoid(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %n = arith.negf %v0 : f32
      %f = math.exp %n : f32
      %g = arith.addf %f, %one : f32
      %s = arith.divf %one, %g : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// An ordered comparison makes 0 of a NaN.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=relu_ordered | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @relu_ordered(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @relu_ordered(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %c = arith.cmpf ogt, %v0, %zero : f32
      %s = arith.select %c, %v0, %zero : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// max(x, 1).
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=relu_of_one | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @relu_of_one(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @relu_of_one(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %s = arith.maximumf %v0, %one : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// A scale behind an activation.
// REMARK: remark: [Passed] fused | Category:nm-fuse-epilogue | Function=scale_after_relu | Reason="the rest stays: the scale follows an activation or a residual", Steps=relu
// CHECK-LABEL: func.func @scale_after_relu(
// CHECK: nm.spmm {{.*}} {epilogue = #nm.epilogue<relu>}
// CHECK: linalg.generic
func.func @scale_after_relu(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 2.0 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %m = arith.maximumf %v0, %zero : f32
      %s = arith.mulf %m, %c : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Only one bias.
// REMARK: remark: [Passed] fused | Category:nm-fuse-epilogue | Function=two_biases | Reason="the rest stays: the bias follows another bias, an activation or a residual", Steps=bias
// CHECK-LABEL: func.func @two_biases(
// CHECK: nm.spmm {{.*}} bias(
// CHECK: linalg.generic
func.func @two_biases(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>, %b: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #col, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b, %d : tensor<16x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %v2: f32, %o: f32):
      %m = arith.addf %v0, %v1 : f32
      %s = arith.addf %m, %v2 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// Only one residual.
// REMARK: remark: [Passed] fused | Category:nm-fuse-epilogue | Function=two_residuals | Reason="the rest stays: there are two residuals", Steps=residual
// CHECK-LABEL: func.func @two_residuals(
// CHECK: nm.spmm {{.*}} residual(
// CHECK: linalg.generic
func.func @two_residuals(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>, %q: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %r, %q : tensor<16x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %v1: f32, %v2: f32, %o: f32):
      %m = arith.addf %v0, %v1 : f32
      %s = arith.mulf %m, %v2 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// The other operand is computed from the product too.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=own_expression | Reason="what follows is none of the known activations"
// CHECK-LABEL: func.func @own_expression(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @own_expression(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
    ^bb0(%v0: f32, %o: f32):
      %m = math.tanh %v0 : f32
      %s = arith.mulf %m, %v0 : f32
      linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// f64 is no type of a result.
// REMARK: remark: [Missed] not-fused | Category:nm-fuse-epilogue | Function=double | Reason="the type f64 is none of a result"
// CHECK-LABEL: func.func @double(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}}) : 
// CHECK: linalg.generic
func.func @double(%x: tensor<16x4xf32>, %w: !w, %r: tensor<16x8xf32>, %q: tensor<16x8xf64>) -> tensor<16x8xf64> {
  %e = tensor.empty() : tensor<16x8xf32>
  %p = nm.spmm %x, %w outs(%e : tensor<16x8xf32>) : tensor<16x4xf32>, !w -> tensor<16x8xf32>
  %e64 = tensor.empty() : tensor<16x8xf64>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<16x8xf32>, tensor<16x8xf64>) outs(%e64 : tensor<16x8xf64>) {
    ^bb0(%v0: f32, %v1: f64, %o: f64):
      %m = arith.extf %v0 : f32 to f64
      %s = arith.addf %m, %v1 : f64
      linalg.yield %s : f64
  } -> tensor<16x8xf64>
  return %y : tensor<16x8xf64>
}
