// RUN: nm-opt --nm-pack-tile --split-input-file --verify-diagnostics %s
// RUN: nm-opt --nm-pack-tile --split-input-file --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s

// A buffer that the product does not have to itself is not replaced: the product
// reads it through the list, which is as right. Columns of another shape are
// refused by the op's verifier, and kernels of another form as in
// map-to-threads-invalid.mlir.

// CHECK: Function=used_elsewhere | Reason="A's buffer is not filled by one nm.tile_copy beside the product, for it alone; pack before buffers are doubled"
// CHECK: Function=filled_twice | Reason="A's buffer is not filled
// CHECK: Function=filled_in_part | Reason="A's buffer is not filled
// CHECK-NOT: remark

func.func @used_elsewhere(%a: memref<64x64xf32>, %l: memref<1x40xi32>, %v: memref<16x128xf32>, %d: memref<4x16xi32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
    %e = memref.load %s[%c0, %c0] : memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = nm.tile_mma %s, %v, %d, %zero columns(%l : memref<1x40xi32>) {pattern = #nm.pattern<8:32, unit = 1x32>, coding = #nm.coding<rows>}
      : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<4x16xi32> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @filled_twice(%a: memref<64x64xf32>, %l: memref<1x40xi32>, %v: memref<16x128xf32>, %d: memref<4x16xi32>, %p: i1) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
    nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
    %r = nm.tile_mma %s, %v, %d, %zero columns(%l : memref<1x40xi32>) {pattern = #nm.pattern<8:32, unit = 1x32>, coding = #nm.coding<rows>}
      : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<4x16xi32> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}

// -----

func.func @filled_in_part(%a: memref<64x64xf32>, %l: memref<1x40xi32>, %v: memref<16x128xf32>, %d: memref<4x16xi32>, %p: i1) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c128, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<64x128xf32>
    %s = memref.alloc() : memref<64x64xf32, #gpu.address_space<workgroup>>
    scf.if %p {
      nm.tile_copy %a, %s : memref<64x64xf32> to memref<64x64xf32, #gpu.address_space<workgroup>>
    }
    %r = nm.tile_mma %s, %v, %d, %zero columns(%l : memref<1x40xi32>) {pattern = #nm.pattern<8:32, unit = 1x32>, coding = #nm.coding<rows>}
      : memref<64x64xf32, #gpu.address_space<workgroup>>, memref<16x128xf32>, memref<4x16xi32> -> !nm.fragment<64x128xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64]>}
  return
}
