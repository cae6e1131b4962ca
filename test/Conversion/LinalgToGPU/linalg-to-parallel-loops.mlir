// RUN: nm-opt %s --nm-linalg-to-parallel-loops --split-input-file | FileCheck %s

// CHECK-LABEL: func @fill
func.func @fill(%m: memref<4x?xf32>, %c: f32) {
  // CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
  // CHECK:   memref.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : memref<4x?xf32>
  // CHECK: nm.kernel_name = "fill"
  linalg.fill ins(%c : f32) outs(%m : memref<4x?xf32>)
  return
}

// -----

// The parallel dimension goes outside, the reduction into the thread.
// CHECK-LABEL: func @reduction_first
func.func @reduction_first(%a: memref<8x4xf32>, %b: memref<4xf32>) {
  // CHECK: scf.parallel (%{{.*}}) =
  // CHECK:   scf.for
  // CHECK:     memref.load %{{.*}} : memref<8x4xf32>
  // CHECK:     memref.store %{{.*}} : memref<4xf32>
  // CHECK: nm.kernel_name = "generic_reduce_addf"
  linalg.generic {indexing_maps = [affine_map<(r, p) -> (r, p)>, affine_map<(r, p) -> (p)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<8x4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
  }
  return
}

// -----

// Iterations of a parallel loop that write one element are done in order.
// CHECK-LABEL: func @shared_element
func.func @shared_element(%a: memref<8x4xf32>, %b: memref<1xf32>) {
  // CHECK: scf.parallel (%{{.*}}) = (%c0{{.*}}) to (%c1{{.*}})
  // CHECK: scf.for {{.*}} to %c8
  // CHECK: scf.for {{.*}} to %c4
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<8x4xf32>) outs(%b : memref<1xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
  }
  return
}

// -----

// The same for one of two outputs, and for two loops that choose one element
// together. A loop of one iteration stays parallel.
// CHECK-LABEL: func @shared_by_one_output
func.func @shared_by_one_output(%a: memref<8x4xf32>, %b: memref<4xf32>, %c: memref<1x8x4xf32>, %d: memref<11xf32>) {
  // CHECK: scf.parallel (%{{[^,]*}}) = (%c0{{.*}}) to (%c4{{.*}})
  // CHECK: scf.for %{{.*}} to %c8
  // CHECK: memref.store %{{.*}} : memref<8x4xf32>
  // CHECK: memref.store %{{.*}} : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                  iterator_types = ["parallel", "parallel"]}
      outs(%a, %b : memref<8x4xf32>, memref<4xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %x, %acc : f32
      linalg.yield %s, %s : f32, f32
  }
  // CHECK: scf.parallel (%{{[^,]*}}) = (%c0{{.*}}) to (%c1{{.*}})
  // CHECK: scf.for {{.*}} to %c8
  // CHECK: scf.for {{.*}} to %c4
  linalg.generic {indexing_maps = [affine_map<(u, i, j) -> (u, i, j)>, affine_map<(u, i, j) -> (i + j)>],
                  iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : memref<1x8x4xf32>) outs(%d : memref<11xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
  }
  return
}

// -----

// A reduction to a scalar is one iteration.
// CHECK-LABEL: func @to_scalar
func.func @to_scalar(%a: memref<8xf32>, %b: memref<f32>) {
  // CHECK: scf.parallel (%{{.*}}) = (%c0{{.*}}) to (%c1{{.*}})
  // CHECK:   scf.for
  linalg.dot ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%b : memref<f32>)
  return
}

// -----

// A copy becomes a loop, over one dimension where both sides are row-major.
// CHECK-LABEL: func @copies
// CHECK-NOT: memref.copy
func.func @copies(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  // CHECK: scf.parallel (%{{[a-z0-9]+}}) =
  // CHECK: nm.kernel_name = "copy"
  // CHECK: scf.parallel (%{{.*}}, %{{.*}}) =
  // CHECK: nm.kernel_name = "copy"
  memref.copy %a, %b : memref<8x8xf32> to memref<8x8xf32>
  %s = memref.subview %a[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %t = memref.subview %b[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  memref.copy %s, %t : memref<8x4xf32, strided<[8, 1]>> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  return
}

// -----

// The fill of what is accumulated into is the first store of the loop; one that
// something else reads is not.
#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i, 0)>
// CHECK-LABEL: func @filled_accumulator
func.func @filled_accumulator(%x: memref<4x8xf32>, %y: memref<4x1xf32>) -> memref<4x1xf32> {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK-NOT: scf.parallel
  // CHECK: scf.parallel (%[[I:.*]]) =
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK-NEXT: memref.store %{{.*}}, %[[A]][%[[I]], %[[ZERO]]]
  // CHECK: scf.for
  // CHECK: nm.kernel_name = "generic_reduce_addf"
  // CHECK: nm.kernel_name = "fill"
  // CHECK: nm.kernel_name = "copy"
  // CHECK: nm.kernel_name = "generic_reduce_addf"
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4x1xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4x1xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%a : memref<4x1xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  %b = memref.alloc() : memref<4x1xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<4x1xf32>)
  memref.copy %b, %y : memref<4x1xf32> to memref<4x1xf32>
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%b : memref<4x1xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  memref.dealloc %b : memref<4x1xf32>
  return %a : memref<4x1xf32>
}

// -----

// A fill that the loop would do in part only stays: an index of 0 is not all of
// three columns, nor of an unknown number of them.
#id = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i, 0)>
// CHECK-LABEL: func @first_column
func.func @first_column(%x: memref<4x8xf32>) -> memref<4x3xf32> {
  // CHECK: nm.kernel_name = "fill"
  // CHECK: nm.kernel_name = "generic_reduce_addf"
  %c = arith.constant 5.0 : f32
  %a = memref.alloc() : memref<4x3xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4x3xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%a : memref<4x3xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  return %a : memref<4x3xf32>
}

// CHECK-LABEL: func @first_of_unknown
func.func @first_of_unknown(%x: memref<4x8xf32>, %n: index) -> memref<4x?xf32> {
  // CHECK: nm.kernel_name = "fill"
  // CHECK: nm.kernel_name = "generic_reduce_addf"
  %c = arith.constant 5.0 : f32
  %a = memref.alloc(%n) : memref<4x?xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4x?xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%a : memref<4x?xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  return %a : memref<4x?xf32>
}

// -----

// As does one of a single element of several, of every second element, and of a
// diagonal.
#in = affine_map<(i, k) -> (i, k)>
// CHECK-LABEL: func @parts
func.func @parts(%x: memref<4x8xf32>) -> (memref<3xf32>, memref<7xf32>, memref<4x4xf32>) {
  // CHECK-COUNT-3: nm.kernel_name = "fill"
  %c = arith.constant 5.0 : f32
  %a = memref.alloc() : memref<3xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<3xf32>)
  linalg.generic {indexing_maps = [#in, affine_map<(i, k) -> (0)>], iterator_types = ["reduction", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%a : memref<3xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  %b = memref.alloc() : memref<7xf32>
  linalg.fill ins(%c : f32) outs(%b : memref<7xf32>)
  linalg.generic {indexing_maps = [#in, affine_map<(i, k) -> (i * 2)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%b : memref<7xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  %d = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%c : f32) outs(%d : memref<4x4xf32>)
  linalg.generic {indexing_maps = [#in, affine_map<(i, k) -> (i, i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%d : memref<4x4xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %r = arith.addf %acc, %v : f32
      linalg.yield %r : f32
  }
  return %a, %b, %d : memref<3xf32>, memref<7xf32>, memref<4x4xf32>
}
