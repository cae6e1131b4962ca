// What becomes an instruction: reads of the host with checks of their indices, sizes
// with checks of their signs, launches with parameters as they lie in memory, state.

// RUN: nm-compile %s --emit=program -o %t.nm
// RUN: nm-run %t.nm --show-code | FileCheck %s

// CHECK: constants: 1, 8 bytes
// CHECK:   8  i64 state  state

memref.global "private" @state : memref<i64> = dense<7>

// The index is checked, then the bytes of the element are copied to the host.
// CHECK-LABEL: main:
// CHECK:      CmpULT %[[INSIDE:[0-9]+]], #1, #2
// CHECK-NEXT: Assert %[[INSIDE]], "the index of an element that the host reads leaves dimension 0 of memref<2xi64>"
// CHECK:      Load %[[N:[0-9]+]], &{{[0-9]+}}, %{{[0-9]+}}, 8
func.func @main(%flag: i1, %z: complex<f32>, %where: memref<2xi64>) -> (memref<?xf32>, memref<4xcomplex<f32>>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n64 = memref.load %where[%c1] : memref<2xi64>
  %n = arith.index_cast %n64 : i64 to index
  // The overflow of n * 4 asks for more than there is.
  // CHECK:      CmpSLE %[[NATURAL:[0-9]+]], #0, %[[N]]
  // CHECK-NEXT: Assert %[[NATURAL]], "a size of memref<?xf32> of @main ({{.*}}) is negative"
  // CHECK-NEXT: MulBytes %[[BYTES:[0-9]+]], #4, %[[N]]
  // CHECK-NEXT: Allocate &[[Y:[0-9]+]], %[[BYTES]], "memref<?xf32> of @main
  %y = memref.alloc(%n) : memref<?xf32>
  // CHECK: Launch main_0_generic_select, "main_0_generic_select", {{.*}} %[[N]], {{.*}}&[[Y]]
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%y : memref<?xf32>) {
  ^bb0(%o: f32):
    %v = arith.select %flag, %one, %two : f32
    linalg.yield %v : f32
  }
  // Both parts of a complex number are one parameter of 8 bytes.
  // CHECK:      ShLI %[[HIGH:[0-9]+]], %{{[0-9]+}}, #32
  // CHECK-NEXT: OrI %[[BOTH:[0-9]+]], %{{[0-9]+}}, %[[HIGH]]
  // CHECK-NEXT: Launch main_1_fill, {{.*}}, %[[BOTH]], &{{[0-9]+}}
  %c = memref.alloc() : memref<4xcomplex<f32>>
  linalg.fill ins(%z : complex<f32>) outs(%c : memref<4xcomplex<f32>>)
  // CHECK:      Constant &[[STATE:[0-9]+]], state
  // CHECK:      Launch main_2_copy, {{.*}}&[[STATE]]
  %state = memref.get_global @state : memref<i64>
  %first = memref.subview %where[0] [1] [1] : memref<2xi64> to memref<i64, strided<[]>>
  memref.copy %first, %state : memref<i64, strided<[]>> to memref<i64>
  // CHECK: Return
  return %y, %c : memref<?xf32>, memref<4xcomplex<f32>>
}
