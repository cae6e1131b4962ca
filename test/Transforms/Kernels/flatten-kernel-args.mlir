// RUN: nm-opt %s --nm-flatten-kernel-args | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @nm_kernels {
    // Sizes that are known, and strides that follow from sizes, are no arguments.
    // CHECK: gpu.func @k(
    // CHECK-SAME: %[[A:[a-z0-9]+]]: memref<f32> {llvm.noalias, llvm.readonly}, %[[D:[a-z0-9]+]]: index,
    // CHECK-SAME: %[[B:[a-z0-9]+]]: memref<f32> {llvm.noalias}, %[[OFFSET:[a-z0-9]+]]: index, %[[STRIDE:[a-z0-9]+]]: index, %{{.*}}: f32
    // CHECK: memref.reinterpret_cast %[[A]] to offset: [0], sizes: [4, %[[D]]], strides: [%[[D]], 1]
    // CHECK: memref.reinterpret_cast %[[B]] to offset: [%[[OFFSET]]], sizes: [4], strides: [%[[STRIDE]]]
    gpu.func @k(%a: memref<4x?xf32>, %b: memref<4xf32, strided<[?], offset: ?>>, %c: f32) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0, %c0] : memref<4x?xf32>
      %y = arith.addf %x, %c : f32
      memref.store %y, %b[%c0] : memref<4xf32, strided<[?], offset: ?>>
      gpu.return
    }
    // The same memory twice, one argument written: nothing is proven.
    // CHECK: gpu.func @aliased(%{{.*}}: memref<f32> {llvm.readonly}, %{{.*}}: memref<f32>)
    gpu.func @aliased(%a: memref<4xf32>, %b: memref<4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0] : memref<4xf32>
      memref.store %x, %b[%c0] : memref<4xf32>
      gpu.return
    }
    // By a map the kernel may write to what it is of, and to nothing else.
    // CHECK: gpu.func @mapped(%{{.*}}: memref<f32> {llvm.readonly}, %{{.*}}: memref<f32> {llvm.noalias, llvm.readonly}, %{{.*}}: !nm.tensor_map)
    gpu.func @mapped(%a: memref<8x32xf32>, %b: memref<4xf32>, %map: !nm.tensor_map) kernel {
      %c0 = arith.constant 0 : index
      %x = memref.load %a[%c0, %c0] : memref<8x32xf32>
      %y = memref.load %b[%c0] : memref<4xf32>
      gpu.return
    }
    // Which tensor a map is of is not known.
    // CHECK: gpu.func @chosen(%{{.*}}: memref<f32>, %{{.*}}: !nm.tensor_map)
    gpu.func @chosen(%a: memref<4xf32>, %map: !nm.tensor_map) kernel {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %a[%c0] : memref<4xf32>
      gpu.return
    }
  }
  func.func @main(%a: memref<4x?xf32>, %n: index, %c: f32, %m: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    %all = memref.alloc(%n) : memref<?xf32>
    %b = memref.subview %all[%n] [4] [%n] : memref<?xf32> to memref<4xf32, strided<[?], offset: ?>>
    // CHECK: memref.extract_strided_metadata
    // CHECK: gpu.launch_func @nm_kernels::@k {{.*}} args(%{{.*}} : memref<f32>, %{{.*}} : index, %{{.*}} : memref<f32>, %{{.*}} : index, %{{.*}} : index, %{{.*}} : f32)
    gpu.launch_func @nm_kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4x?xf32>, %b : memref<4xf32, strided<[?], offset: ?>>, %c : f32)
    gpu.launch_func @nm_kernels::@aliased blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%m : memref<4xf32>, %m : memref<4xf32>)
    return
  }
  func.func @maps(%a: memref<8x32xf32>, %b: memref<16x32xf32>, %first: i1) {
    %c1 = arith.constant 1 : index
    %own = memref.alloc() : memref<4xf32>
    %rows = memref.subview %a[4, 0] [4, 32] [1, 1] : memref<8x32xf32> to memref<4x32xf32, strided<[32, 1], offset: 128>>
    %map = nm.tensor_map %rows box = [4, 32] swizzle = 128 : memref<4x32xf32, strided<[32, 1], offset: 128>>
    gpu.launch_func @nm_kernels::@mapped blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<8x32xf32>, %own : memref<4xf32>, %map : !nm.tensor_map)
    %other = nm.tensor_map %b box = [4, 32] swizzle = 128 : memref<16x32xf32>
    %one = arith.select %first, %map, %other : !nm.tensor_map
    gpu.launch_func @nm_kernels::@chosen blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%own : memref<4xf32>, %one : !nm.tensor_map)
    return
  }
}
