// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s
// RUN: nm-opt %s --emit-bytecode | nm-opt | FileCheck %s

// CHECK-LABEL: @matrix
// CHECK: nm.tensor_map %{{.*}} box = [32, 64] swizzle = 128 : memref<?x4096xf16, strided<[4096, 1], offset: ?>>
func.func @matrix(%a: memref<?x4096xf16, strided<[4096, 1], offset: ?>>) {
  %map = nm.tensor_map %a box = [32, 64] swizzle = 128 : memref<?x4096xf16, strided<[4096, 1], offset: ?>>
  return
}

// All dynamic extents, and strides that are not those of the extents.
// CHECK-LABEL: @all
// CHECK: nm.tensor_map %{{.*}} box = [1, 2, 256, 1, 16] swizzle = 0 : memref<?x?x?x?x?xi8, strided<[4096, 1024, 64, 16, 1]>>
func.func @all(%a: memref<?x?x?x?x?xi8, strided<[4096, 1024, 64, 16, 1]>>) {
  %map = nm.tensor_map %a box = [1, 2, 256, 1, 16] swizzle = 0 : memref<?x?x?x?x?xi8, strided<[4096, 1024, 64, 16, 1]>>
  return
}

// CHECK-LABEL: @types
func.func @types(%a: memref<8x64xbf16>, %b: memref<8x64xf32>, %c: memref<8x64xf64>, %d: memref<8x64xi16>, %e: memref<8x64xi32>, %f: memref<8x64xi64>) {
  // CHECK-COUNT-6: nm.tensor_map
  %0 = nm.tensor_map %a box = [8, 16] swizzle = 32 : memref<8x64xbf16>
  %1 = nm.tensor_map %b box = [8, 16] swizzle = 64 : memref<8x64xf32>
  %2 = nm.tensor_map %c box = [8, 16] swizzle = 128 : memref<8x64xf64>
  %3 = nm.tensor_map %d box = [8, 8] swizzle = 32 : memref<8x64xi16>
  %4 = nm.tensor_map %e box = [8, 32] swizzle = 128 : memref<8x64xi32>
  %5 = nm.tensor_map %f box = [256, 256] swizzle = 0 : memref<8x64xi64>
  return
}

// Strides that the call makes known.
// CHECK-LABEL: @strides
// CHECK: nm.tensor_map %{{.*}} box = [8, 64] swizzle = 128 : memref<?x?xf16>
func.func @strides(%a: memref<?x?xf16>) {
  %map = nm.tensor_map %a box = [8, 64] swizzle = 128 : memref<?x?xf16>
  return
}

// The type as an argument of a kernel, and of a launch.
// CHECK: gpu.func @k(%{{.*}}: !nm.tensor_map) kernel
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%map: !nm.tensor_map) kernel {
      gpu.return
    }
  }
  func.func @launches(%a: memref<8x64xf32>) {
    %c1 = arith.constant 1 : index
    %map = nm.tensor_map %a box = [8, 32] swizzle = 128 : memref<8x64xf32>
    // CHECK: gpu.launch_func @kernels::@k {{.*}} args(%{{.*}} : !nm.tensor_map)
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%map : !nm.tensor_map)
    return
  }
}
