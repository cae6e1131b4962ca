// RUN: nm-opt %s --nm-write-in-place | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Both halves are written where they are copied to.
// CHECK-LABEL: func @halves
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<4x16xf32>
// CHECK: %[[LO:.*]] = memref.subview %[[ALL]][0, 0]
// CHECK: linalg.generic {{.*}} outs(%[[LO]] :
// CHECK: %[[HI:.*]] = memref.subview %[[ALL]][0, 8]
// CHECK: linalg.generic {{.*}} outs(%[[HI]] :
// CHECK-NOT: memref.copy
// CHECK-NOT: memref.alloc
// CHECK: return %[[ALL]]
func.func @halves(%x: memref<4x8xf32>) -> memref<4x16xf32> {
  %a = memref.alloc() : memref<4x8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%a : memref<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  }
  %b = memref.alloc() : memref<4x8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<4x8xf32>) outs(%b : memref<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %n = arith.negf %p : f32
    linalg.yield %n : f32
  }
  %c = memref.alloc() : memref<4x16xf32>
  %lo = memref.subview %c[0, 0] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
  memref.copy %a, %lo : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  %hi = memref.subview %c[0, 8] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  memref.copy %b, %hi : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: 8>>
  return %c : memref<4x16xf32>
}

// The source is read, too.
// CHECK-LABEL: func @read
// CHECK: memref.copy
func.func @read(%x: memref<4x8xf32>, %y: memref<4x8xf32>) -> memref<4x16xf32> {
  %a = memref.alloc() : memref<4x8xf32>
  linalg.copy ins(%x : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  linalg.copy ins(%a : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  %c = memref.alloc() : memref<4x16xf32>
  %lo = memref.subview %c[0, 0] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
  memref.copy %a, %lo : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return %c : memref<4x16xf32>
}

// The part is read between, by way of another view that overlaps it.
// CHECK-LABEL: func @between
// CHECK: memref.copy
func.func @between(%x: memref<4x8xf32>, %y: memref<4x8xf32>) -> memref<4x16xf32> {
  %c = memref.alloc() : memref<4x16xf32>
  %lo = memref.subview %c[0, 0] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1]>>
  linalg.copy ins(%y : memref<4x8xf32>) outs(%lo : memref<4x8xf32, strided<[16, 1]>>)
  %mid = memref.subview %c[0, 4] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: 4>>
  %a = memref.alloc() : memref<4x8xf32>
  linalg.copy ins(%x : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  linalg.copy ins(%mid : memref<4x8xf32, strided<[16, 1], offset: 4>>) outs(%y : memref<4x8xf32>)
  memref.copy %a, %lo : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  return %c : memref<4x16xf32>
}

// The place is known at run time alone.
// CHECK-LABEL: func @dynamic
// CHECK: memref.copy
func.func @dynamic(%x: memref<4x8xf32>, %i: index) -> memref<4x16xf32> {
  %a = memref.alloc() : memref<4x8xf32>
  linalg.copy ins(%x : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  %c = memref.alloc() : memref<4x16xf32>
  %lo = memref.subview %c[0, %i] [4, 8] [1, 1] : memref<4x16xf32> to memref<4x8xf32, strided<[16, 1], offset: ?>>
  memref.copy %a, %lo : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1], offset: ?>>
  return %c : memref<4x16xf32>
}

// What writes the source in more dimensions writes the target so, whose rows are further
// apart.
// CHECK-LABEL: func @expanded
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<5x8xf32>
// CHECK: %[[PART:.*]] = memref.subview %[[ALL]][1, 0]
// CHECK: %[[WIDE:.*]] = memref.expand_shape %[[PART]] {{\[}}[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32, strided<[8, 1], offset: 8>>
// CHECK: linalg.copy {{.*}} outs(%[[WIDE]] :
// CHECK-NOT: memref.copy
// CHECK: return %[[ALL]]
func.func @expanded(%x: memref<2x2x8xf32>) -> memref<5x8xf32> {
  %a = memref.alloc() : memref<4x8xf32>
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  linalg.copy ins(%x : memref<2x2x8xf32>) outs(%e : memref<2x2x8xf32>)
  %c = memref.alloc() : memref<5x8xf32>
  %s = memref.subview %c[1, 0] [4, 8] [1, 1] : memref<5x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 8>>
  memref.copy %a, %s : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 8>>
  return %c : memref<5x8xf32>
}

// It is read in more dimensions.
// CHECK-LABEL: func @read_expanded
// CHECK: memref.copy
func.func @read_expanded(%x: memref<4x8xf32>, %y: memref<2x2x8xf32>) -> memref<5x8xf32> {
  %a = memref.alloc() : memref<4x8xf32>
  linalg.copy ins(%x : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  linalg.copy ins(%e : memref<2x2x8xf32>) outs(%y : memref<2x2x8xf32>)
  %c = memref.alloc() : memref<5x8xf32>
  %s = memref.subview %c[1, 0] [4, 8] [1, 1] : memref<5x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 8>>
  memref.copy %a, %s : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1], offset: 8>>
  return %c : memref<5x8xf32>
}
