// RUN: nm-opt %s --nm-allocate-shared --split-input-file --verify-diagnostics

func.func @vectors() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%i, %j, %k) in (%tx = %c1, %ty = %c1, %tz = %c1) {
    // expected-error @+1 {{unsupported: workgroup buffer of type 'memref<4xvector<4xf32>, #gpu.address_space<workgroup>>'; expected a static shape of numbers}}
    %m = memref.alloc() : memref<4xvector<4xf32>, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @dynamic(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%i, %j, %k) in (%tx = %c1, %ty = %c1, %tz = %c1) {
    // expected-error @+1 {{unsupported: workgroup buffer of type 'memref<?xf32, #gpu.address_space<workgroup>>'}}
    %m = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

// What a block may have is the chip's.
module attributes {nm.target = #nm.target<"sm_86">} {
  func.func @too_large() {
    %c1 = arith.constant 1 : index
    // expected-error @+1 {{'gpu.launch' op expected at most 101376 bytes of shared memory a block, got 101392; choose a smaller block, step or number of stages}}
    gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%i, %j, %k) in (%tx = %c1, %ty = %c1, %tz = %c1) {
      %m = memref.alloc() : memref<25345xf32, #gpu.address_space<workgroup>>
      gpu.terminator
    }
    return
  }
}
