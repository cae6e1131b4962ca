// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt -mlir-print-op-generic %s | nm-opt | FileCheck %s

// Products on tensors and on memrefs, with every optional part.

!w = !nm.condensed<64x128xf32, #nm.pattern<2:4>>

// CHECK-LABEL: func.func @plain(
// CHECK: nm.spmm %{{.*}}, %{{.*}} outs(%{{.*}} : tensor<16x128xf32>) : tensor<16x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<16x128xf32>
func.func @plain(%x: tensor<16x64xf32>, %w: !w, %c: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %y = nm.spmm %x, %w outs(%c : tensor<16x128xf32>) : tensor<16x64xf32>, !w -> tensor<16x128xf32>
  return %y : tensor<16x128xf32>
}

// CHECK-LABEL: func.func @everything(
// CHECK: nm.spmm %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<128xf32>) residual(%{{.*}} : tensor<128x?xf16>) outs(%{{.*}} : tensor<128x?xf16>)
// CHECK-SAME: {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>, epilogue = #nm.epilogue<gelu_erf>}
// CHECK-SAME: : tensor<64x?xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<128x?xf16>
func.func @everything(%x: tensor<64x?xf32>, %w: !w, %b: tensor<128xf32>,
                      %r: tensor<128x?xf16>, %c: tensor<128x?xf16>) -> tensor<128x?xf16> {
  %y = nm.spmm %x, %w bias(%b : tensor<128xf32>) residual(%r : tensor<128x?xf16>)
      outs(%c : tensor<128x?xf16>)
      {a_layout = #nm.layout<feature_major>, c_layout = #nm.layout<feature_major>,
       epilogue = #nm.epilogue<gelu_erf>}
      : tensor<64x?xf32>, !w -> tensor<128x?xf16>
  return %y : tensor<128x?xf16>
}

// CHECK-LABEL: func.func @gated(
// CHECK: nm.spmm %{{.*}}, %{{.*}} scale(%{{.*}} : tensor<128xf32>) bias(%{{.*}} : tensor<128xf32>) residual(%{{.*}} : tensor<16x128xf32>) outs(
// CHECK-SAME: {combine = #nm.combine<mul>}
func.func @gated(%x: tensor<16x64xf32>, %w: !w, %s: tensor<128xf32>, %b: tensor<128xf32>,
                 %g: tensor<16x128xf32>, %c: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %y = nm.spmm %x, %w scale(%s : tensor<128xf32>) bias(%b : tensor<128xf32>)
      residual(%g : tensor<16x128xf32>) outs(%c : tensor<16x128xf32>)
      {combine = #nm.combine<mul>} : tensor<16x64xf32>, !w -> tensor<16x128xf32>
  return %y : tensor<16x128xf32>
}

// CHECK-LABEL: func.func @epilogues(
// CHECK: #nm.epilogue<relu>
// CHECK: #nm.epilogue<gelu_tanh>
// CHECK: #nm.epilogue<silu>
func.func @epilogues(%x: memref<16x64xf32>, %w: !w, %c: memref<16x128xf32>) {
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) {epilogue = #nm.epilogue<relu>} : memref<16x64xf32>, !w
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) {epilogue = #nm.epilogue<gelu_tanh>} : memref<16x64xf32>, !w
  nm.spmm %x, %w outs(%c : memref<16x128xf32>) {epilogue = #nm.epilogue<silu>} : memref<16x64xf32>, !w
  return
}

// CHECK-LABEL: func.func @scheduled(
// CHECK: schedule = #nm.schedule<kind = #nm.fma<warps = [2, 2], lanes = [8, 4], thread = [4, 16]>, block = [64, 128, 32], packed = true, stages = 2>
func.func @scheduled(%x: memref<?x64xf32>, %w: !w, %c: memref<?x128xf32>) {
  nm.spmm %x, %w outs(%c : memref<?x128xf32>)
      {schedule = #nm.schedule<kind = #nm.fma<warps = [2, 2], lanes = [8, 4], thread = [4, 16]>,
                               block = [64, 128, 32], packed = true, stages = 2>}
      : memref<?x64xf32>, !w
  return
}

// CHECK-LABEL: func.func @spmv(
// CHECK: nm.spmv %{{.*}}, %{{.*}} scale(%{{.*}} : tensor<128xf32>) bias(%{{.*}} : tensor<128xf32>) outs(%{{.*}} : tensor<128xf32>) {epilogue = #nm.epilogue<relu>} : tensor<64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<128xf32>
func.func @spmv(%x: tensor<64xf32>, %w: !w, %b: tensor<128xf32>, %c: tensor<128xf32>) -> tensor<128xf32> {
  %y = nm.spmv %x, %w scale(%b : tensor<128xf32>) bias(%b : tensor<128xf32>) outs(%c : tensor<128xf32>)
      {epilogue = #nm.epilogue<relu>} : tensor<64xf32>, !w -> tensor<128xf32>
  return %y : tensor<128xf32>
}

// Activations, weights and results of every type that go together.
// CHECK-LABEL: func.func @types(
// CHECK: nm.spmm {{.*}} : memref<16x64xbf16>, !nm.condensed<64x128xbf16, #nm.pattern<2:4>>
// CHECK: nm.spmm {{.*}} {acc = i32, epilogue = #nm.epilogue<relu>} : memref<16x64xi8>, !nm.condensed<64x128xi8, #nm.pattern<2:4>>
// CHECK: nm.spmm {{.*}} scale({{.*}} : memref<128xf32>) outs({{.*}} : memref<16x128xf16>) {acc = i32, epilogue = #nm.epilogue<silu>} : memref<16x64xi8>, !nm.condensed<64x128xi8,
// CHECK: nm.spmm {{.*}} : memref<16x64xbf16>, !nm.condensed<64x128xi8, #nm.pattern<2:4>>
// CHECK: nm.spmm {{.*}} : memref<16x64xf32>, !nm.condensed<64x128xbf16, #nm.pattern<2:4>>
// CHECK: nm.spmm {{.*}} {acc = f64, epilogue = #nm.epilogue<gelu_erf>} : memref<16x64xf64>, !nm.condensed<64x128xf64, #nm.pattern<2:4>>
// CHECK: nm.spmm {{.*}} {acc = f64} : memref<16x64xf64>, !nm.condensed<64x128xi8, #nm.pattern<2:4>>
!f64 = !nm.condensed<64x128xf64, #nm.pattern<2:4>>
!bf16 = !nm.condensed<64x128xbf16, #nm.pattern<2:4>>
!i8 = !nm.condensed<64x128xi8, #nm.pattern<2:4>>
func.func @types(%xb: memref<16x64xbf16>, %xi: memref<16x64xi8>, %xf: memref<16x64xf32>,
                 %wb: !bf16, %wi: !i8, %b: memref<128xi32>, %s: memref<128xf32>,
                 %cb: memref<16x128xbf16>, %ci: memref<16x128xi32>, %cf: memref<16x128xf16>,
                 %xd: memref<16x64xf64>, %wd: !f64, %cd: memref<16x128xf64>, %sd: memref<128xf64>) {
  nm.spmm %xb, %wb outs(%cb : memref<16x128xbf16>) : memref<16x64xbf16>, !bf16
  nm.spmm %xi, %wi bias(%b : memref<128xi32>) residual(%ci : memref<16x128xi32>)
      outs(%ci : memref<16x128xi32>) {acc = i32, epilogue = #nm.epilogue<relu>} : memref<16x64xi8>, !i8
  nm.spmm %xi, %wi scale(%s : memref<128xf32>) outs(%cf : memref<16x128xf16>)
      {acc = i32, epilogue = #nm.epilogue<silu>} : memref<16x64xi8>, !i8
  nm.spmm %xb, %wi outs(%cf : memref<16x128xf16>) : memref<16x64xbf16>, !i8
  nm.spmm %xf, %wb outs(%cb : memref<16x128xbf16>) : memref<16x64xf32>, !bf16
  nm.spmm %xd, %wd scale(%sd : memref<128xf64>) bias(%sd : memref<128xf64>) residual(%cd : memref<16x128xf64>)
      outs(%cd : memref<16x128xf64>) {acc = f64, epilogue = #nm.epilogue<gelu_erf>} : memref<16x64xf64>, !f64
  nm.spmm %xd, %wi outs(%cd : memref<16x128xf64>) {acc = f64} : memref<16x64xf64>, !i8
  return
}
