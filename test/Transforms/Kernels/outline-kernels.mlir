// RUN: nm-opt %s --nm-outline-kernels | FileCheck %s

// What a launch says of its kernel stays; a launch without a name is outlined as well. Its
// bytes are those of the arrays that it uses, or what it says, and none of unknown extents.
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch_func @nm_kernels::@f_0_rows {{.*}} {nm.bytes = 16 : i64}
// CHECK: gpu.launch_func @nm_kernels::@f_1_rows {{.*}} {nm.bytes = 7 : i64}
// CHECK: gpu.launch_func @nm_kernels::@f_2_rows
// CHECK-NOT: nm.bytes
// CHECK: gpu.launch_func @f_kernel::@f_kernel
// CHECK-DAG: gpu.func @f_0_rows({{.*}}) kernel attributes {{{.*}}nm.resident = 8 : i64
// CHECK-DAG: gpu.func @f_kernel({{.*}}) kernel attributes {known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 1, 1, 1>}
func.func @f(%x: memref<4xf32>, %y: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1) threads(%h, %i, %j) in (%k = %c1, %l = %c1, %m = %c1) module(@nm_kernels) function(@f_0_rows) {
    %v = memref.load %x[%h] : memref<4xf32>
    memref.store %v, %x[%h] : memref<4xf32>
    gpu.terminator
  } {nm.resident = 8 : i64}
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1) threads(%h, %i, %j) in (%k = %c1, %l = %c1, %m = %c1) module(@nm_kernels) function(@f_1_rows) {
    %v = memref.load %x[%h] : memref<4xf32>
    memref.store %v, %x[%i] : memref<4xf32>
    gpu.terminator
  } {nm.bytes = 7 : i64}
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1) threads(%h, %i, %j) in (%k = %c1, %l = %c1, %m = %c1) module(@nm_kernels) function(@f_2_rows) {
    %v = memref.load %x[%h] : memref<4xf32>
    memref.store %v, %y[%i] : memref<?xf32>
    gpu.terminator
  }
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1) threads(%h, %i, %j) in (%k = %c1, %l = %c1, %m = %c1) {
    %v = memref.load %x[%h] : memref<4xf32>
    memref.store %v, %x[%a] : memref<4xf32>
    gpu.terminator
  }
  return
}
