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

