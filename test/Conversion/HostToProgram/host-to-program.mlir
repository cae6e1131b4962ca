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
// CHECK-NEXT: Assert %[[INSIDE]], "the index of an element that the host reads leaves dimension 0 of memref<2xi64> (host-to-program.mlir:{{.*}})"
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

// A tensor map is 16 numbers, which a kernel takes as one parameter. Lists begin with the
// innermost dimension: extents, strides in bytes, the box. The first byte is that of
// row %n; 6 is f16, and 3 a swizzle of 128 bytes.
// CHECK-LABEL: maps_0:
// CHECK:      EncodeTensorMap %[[OTHER:[0-9]+]], &0, #0, 6, 0, #128, #16, #256, 8, 2
// CHECK-NEXT: MulI %[[ELEMENT:[0-9]+]], %{{[0-9]+}}, #128
// CHECK-NEXT: MulI %[[BYTE:[0-9]+]], %[[ELEMENT]], #2
// CHECK-NEXT: EncodeTensorMap %[[MAP:[0-9]+]], &0, %[[BYTE]], 6, 3, #64, #8, #256, 64, 8
// One of two, number by number; handed over by a branch in the same way. The kernels are
// one, since they differ in their arguments only.
// CHECK-NEXT: Select %[[ONE:[0-9]+]], %[[YES:[0-9]+]], %[[MAP]], %[[OTHER]]
// CHECK-COUNT-15: Select %{{[0-9]+}}, %[[YES]]
// CHECK-NEXT: Launch maps_kernel, "maps_kernel", {{.*}}, %[[ONE]]{{$}}
// CHECK:      Move %[[ANY:[0-9]+]], %[[OTHER]]
// CHECK-COUNT-15: Move %
// CHECK-NEXT: Branch
// CHECK-NEXT: Launch maps_0_fill
// CHECK-NEXT: Move %[[ANY]], %[[MAP]]
// CHECK-COUNT-15: Move %
// CHECK-NEXT: Branch
// CHECK-NEXT: Launch maps_kernel, {{.*}}, %[[ANY]]{{$}}
func.func @maps(%x: memref<16x128xf16>, %y: memref<4xf32>, %n: index, %yes: i1) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %rows = memref.subview %x[%n, 0] [8, 64] [1, 1] : memref<16x128xf16> to memref<8x64xf16, strided<[128, 1], offset: ?>>
  %map = nm.tensor_map %rows box = [8, 64] swizzle = 128 : memref<8x64xf16, strided<[128, 1], offset: ?>>
  %other = nm.tensor_map %x box = [2, 8] swizzle = 0 : memref<16x128xf16>
  %one = arith.select %yes, %map, %other : !nm.tensor_map
  gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    %address = builtin.unrealized_conversion_cast %one : !nm.tensor_map to !llvm.ptr
    nvvm.prefetch tensormap, %address : !llvm.ptr
    gpu.terminator
  }
  cf.cond_br %yes, ^bb1, ^bb2
^bb1:
  linalg.fill ins(%zero : f32) outs(%y : memref<4xf32>)
  cf.br ^bb3(%map : !nm.tensor_map)
^bb2:
  cf.br ^bb3(%other : !nm.tensor_map)
^bb3(%any: !nm.tensor_map):
  gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%bx = %c1, %by = %c1, %bz = %c1) {
    %address = builtin.unrealized_conversion_cast %any : !nm.tensor_map to !llvm.ptr
    nvvm.prefetch tensormap, %address : !llvm.ptr
    gpu.terminator
  }
  return
}
