// RUN: split-file %s %t
// RUN: nm-opt --nm-verify-imported --verify-diagnostics --split-input-file %t/imported.mlir
// RUN: nm-opt --nm-verify-planned --verify-diagnostics --split-input-file %t/planned.mlir
// RUN: nm-opt --nm-verify-tiled --verify-diagnostics --split-input-file %t/tiled.mlir
// RUN: nm-opt --nm-verify-promoted --verify-diagnostics %t/promoted.mlir
// RUN: nm-opt --nm-verify-packed --verify-diagnostics %t/packed.mlir
// RUN: nm-opt --nm-verify-buffered --verify-diagnostics %t/buffered.mlir
// RUN: nm-opt --nm-verify-loaded --verify-diagnostics %t/loaded.mlir
// RUN: nm-opt --nm-verify-mapped --verify-diagnostics --split-input-file %t/mapped.mlir
// RUN: not nm-opt --nm-verify-promoted %t/product.mlir 2>&1 | FileCheck %t/product.mlir
// RUN: not nm-opt --nm-verify-packed %t/product.mlir 2>&1 | FileCheck %t/product.mlir
// RUN: not nm-opt --nm-verify-buffered %t/product.mlir 2>&1 | FileCheck %t/product.mlir
// RUN: not nm-opt --nm-verify-loaded %t/product.mlir 2>&1 | FileCheck %t/product.mlir
// RUN: not nm-opt --nm-verify-mapped %t/product.mlir 2>&1 | FileCheck %t/product.mlir
// RUN: nm-opt --nm-verify-lowered --verify-diagnostics %t/lowered.mlir

//--- imported.mlir
func.func @condense() -> !nm.condensed<4x1xf32, #nm.pattern<2:4>> {
  %d = arith.constant dense<[[1.0], [2.0], [0.0], [0.0]]> : tensor<4x1xf32>
  // expected-error @below {{expected a constant weight in condensed form (nm.constant)}}
  // expected-note @below {{nm-import-linalg, or canonicalize where nm.condense was written, probably missed it}}
  %w = nm.condense %d : tensor<4x1xf32> -> !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
}


// -----

// The copy [B, K, N] of a raised weight, asked for its extents only.
#map = affine_map<(b, k, n) -> (k, n)>
#id = affine_map<(b, k, n) -> (b, k, n)>
func.func @unread_batch() -> (!nm.condensed<4x1xf32, #nm.pattern<2:4>>, index) {
  %c1 = arith.constant 1 : index
  %d = arith.constant dense<[[1.0, 2.0, 0.0, 0.0]]> : tensor<1x4xf32>
  %t = tensor.empty() : tensor<4x1xf32>
  // expected-error @below {{expected no copy that nothing reads of a weight that is an nm.constant as well}}
  // expected-note @below {{nm-import-linalg probably missed it}}
  %transposed = linalg.transpose ins(%d : tensor<1x4xf32>) outs(%t : tensor<4x1xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<3x4x1xf32>
  %b = linalg.generic {indexing_maps = [#map, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%transposed : tensor<4x1xf32>) outs(%e : tensor<3x4x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x1xf32>
  %k = tensor.dim %b, %c1 : tensor<3x4x1xf32>
  %w = nm.constant {values = dense<[[1.0], [2.0]]> : tensor<2x1xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>} : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w, %k : !nm.condensed<4x1xf32, #nm.pattern<2:4>>, index
}

// -----

// A dead one, [N, K], of a resource.
func.func @unread_transposed() -> !nm.condensed<4x2xf16, #nm.pattern<1:2>> {
  %d = arith.constant dense_resource<w> : tensor<4x2xf16>
  %t = tensor.empty() : tensor<2x4xf16>
  // expected-error @below {{expected no copy that nothing reads of a weight that is an nm.constant as well}}
  // expected-note @below {{nm-import-linalg probably missed it}}
  %transposed = linalg.transpose ins(%d : tensor<4x2xf16>) outs(%t : tensor<2x4xf16>) permutation = [1, 0]
  %w = nm.constant {values = dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf16>, indices = dense<[[0, 0], [0, 1]]> : tensor<2x2xi8>} : !nm.condensed<4x2xf16, #nm.pattern<1:2>>
  return %w : !nm.condensed<4x2xf16, #nm.pattern<1:2>>
}
{-# dialect_resources: { builtin: { w: "0x02000000003c000000000000000000000000003c" } } #-}

//--- planned.mlir
func.func @schedule(%a: tensor<8x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, %c: tensor<8x128xf32>) -> tensor<8x128xf32> {
  // expected-error @below {{expected a schedule}}
  // expected-note @below {{nm-select-schedule probably missed it}}
  %r = nm.spmm %a, %w outs(%c : tensor<8x128xf32>) : tensor<8x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<8x128xf32>
  return %r : tensor<8x128xf32>
}

// -----

func.func @constant() -> !nm.condensed<4x1xf32, #nm.pattern<2:4>> {
  // expected-error @below {{expected the parts of a constant weight (nm.assemble)}}
  // expected-note @below {{nm-split-constants probably missed it}}
  %w = nm.constant {values = dense<1.0> : tensor<2x1xf32>, indices = dense<[[0], [1]]> : tensor<2x1xi8>} : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x1xf32, #nm.pattern<2:4>>
}

//--- tiled.mlir
func.func @product(%a: memref<64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<2:4>>, %c: memref<128xf32>) {
  // expected-error @below {{expected a gpu.launch in place of the product}}
  // expected-note @below {{nm-tile probably missed it}}
  nm.spmv %a, %w outs(%c : memref<128xf32>) : memref<64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  return
}

// -----

func.func @no_launch(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  // expected-error @below {{expected a gpu.launch with a schedule around it}}
  // expected-note @below {{nm-tile probably missed it}}
  %r = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>}
    : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return %r : !nm.fragment<64x128xf32>
}

//--- promoted.mlir
func.func @global_a(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    // expected-error @below {{expected A in workgroup memory, as the schedule says}}
    // expected-note @below {{nm-promote-shared probably missed it}}
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

//--- packed.mlir
func.func @whole_tile(%a: memref<64x64xf32, #gpu.address_space<workgroup>>, %cols: memref<1x40xi32>, %v: memref<16x128xf32>,
                      %d: memref<4x16xi32>, %acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  // expected-error @below {{expected a promoted A that holds the listed rows only}}
  // expected-note @below {{nm-pack-tile probably missed it}}
  %r = nm.tile_mma %a, %v, %d, %acc columns(%cols : memref<1x40xi32>)
    {pattern = #nm.pattern<8:32, unit = 1x32>, coding = #nm.coding<rows>}
    : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<4x16xi32> -> !nm.fragment<64x128xf32>
  return %r : !nm.fragment<64x128xf32>
}

//--- buffered.mlir
func.func @synchronous(%a: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @below {{expected an asynchronous copy in the loop over steps of a schedule with several stages}}
      // expected-note @below {{nm-double-buffer probably missed it}}
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>}
  return
}

//--- loaded.mlir
func.func @tile(%a: memref<64x64xf32>, %v: memref<16x128xf32>, %d: memref<16x4xi8>, %z: !nm.fragment<64x128xf32>) {
  // expected-error @below {{expected slices with operands in fragments}}
  // expected-note @below {{nm-load-fragments probably missed it}}
  %r = nm.tile_mma %a, %v, %d, %z {pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<64x64xf32>, memref<16x128xf32>, memref<16x4xi8> -> !nm.fragment<64x128xf32>
  return
}

//--- mapped.mlir
func.func @tile_op() {
  // expected-error @below {{expected ops of one thread in a kernel}}
  // expected-note @below {{nm-map-to-threads probably missed it}}
  nm.commit
  return
}

// -----

func.func @workgroup_alloc() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    // expected-error @below {{expected a place in dynamic shared memory}}
    // expected-note @below {{nm-allocate-shared probably missed it}}
    %s = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

//--- lowered.mlir
gpu.module @kernels {
  // expected-error @below {{expected only ops of the llvm and nvvm dialects in a gpu.module}}
  // expected-note @below {{convert-gpu-to-nvvm probably missed it}}
  gpu.func @k() kernel {
    gpu.return
  }
}

//--- product.mlir
// CHECK: 'nm.spmv' op expected a gpu.launch in place of the product
// CHECK: note: nm-tile probably missed it
func.func @product(%x: memref<4xf32>, %w: !nm.condensed<4x1xf32, #nm.pattern<2:4>>, %y: memref<1xf32>) {
  nm.spmv %x, %w outs(%y : memref<1xf32>) : memref<4xf32>, !nm.condensed<4x1xf32, #nm.pattern<2:4>>
  return
}
