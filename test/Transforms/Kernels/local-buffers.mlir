// RUN: nm-opt %s --nm-local-buffers --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @local
// CHECK: gpu.launch
// CHECK-NEXT: %[[M:.*]] = memref.alloca() : memref<7xf32>
// CHECK-NOT: memref.dealloc
// CHECK: memref.store %{{.*}}, %[[M]]
func.func @local(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%g0 = %c1, %g1 = %c1, %g2 = %c1)
             threads(%d, %e, %f) in (%b0 = %c1, %b1 = %c1, %b2 = %c1) {
    scf.for %i = %c0 to %n step %c1 {
      %m = memref.alloc() : memref<7xf32>
      memref.store %x, %m[%c0] : memref<7xf32>
      memref.dealloc %m : memref<7xf32>
    }
    gpu.terminator
  }
  return
}

// -----

func.func @unknown(%n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%g0 = %c1, %g1 = %c1, %g2 = %c1)
             threads(%d, %e, %f) in (%b0 = %c1, %b1 = %c1, %b2 = %c1) {
    // expected-error @+1 {{unsupported: memory of 'memref<?xf32>' for each thread of a kernel; expected a known size of 16384 bytes at most}}
    %m = memref.alloc(%n) : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @large() {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%g0 = %c1, %g1 = %c1, %g2 = %c1)
             threads(%d, %e, %f) in (%b0 = %c1, %b1 = %c1, %b2 = %c1) {
    // expected-error @+1 {{unsupported: memory of 'memref<4097xf32>' for each thread}}
    %m = memref.alloc() : memref<4097xf32>
    gpu.terminator
  }
  return
}
