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
  } {nm.schedule = #nm.schedule<block = [64, 128, 64], warps = [1, 4], lanes = [8, 4], thread = [8, 8], stages = 2>}
  return
}

