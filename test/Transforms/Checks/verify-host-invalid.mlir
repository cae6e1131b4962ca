// RUN: nm-opt %s --nm-verify-host --split-input-file --verify-diagnostics

func.func @loads(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{reads device memory from the host; put it into a parallel loop or a gpu.launch}}
  %x = affine.load %m[%c0] : memref<4xf32>
  return %x : f32
}

// -----

func.func @fills(%m: memref<4xf32>, %c: f32) {
  // expected-error @+1 {{writes device memory from the host}}
  linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)
  return
}

// -----

func.func @copied(%a: memref<4xf32>, %b: memref<4xf32>) {
  // expected-error @+1 {{copies device memory from the host; run nm-linalg-to-parallel-loops}}
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return
}

// -----

// expected-error @below {{gives a tensor map, which does not keep what it is of; make it in the function that launches}}
func.func @gives(%x: memref<16x128xf16>) -> !nm.tensor_map {
  %map = nm.tensor_map %x box = [2, 8] swizzle = 0 : memref<16x128xf16>
  return %map : !nm.tensor_map
}

// -----

// What the runtime does, and kernels, are fine.
func.func @fine(%v: f32) -> memref<4xf32> {
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<4xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%i, %j, %k) in (%tx = %c1, %ty = %c1, %tz = %c1) {
    memref.store %v, %b[%i] : memref<4xf32>
    gpu.terminator
  }
  return %b : memref<4xf32>
}
