// RUN: nm-opt %s --nm-export-shared-memory | FileCheck %s

// Only an array of no elements in shared memory is the one that launches size.
gpu.module @kernels {
  // CHECK: llvm.mlir.global external @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @sized() {addr_space = 3 : i32} : !llvm.array<16 x i8>
  llvm.mlir.global internal @sized() {addr_space = 3 : i32} : !llvm.array<16 x i8>
  // CHECK: llvm.mlir.global internal @scalar() {addr_space = 3 : i32} : i32
  llvm.mlir.global internal @scalar() {addr_space = 3 : i32} : i32
  // CHECK: llvm.mlir.global internal @empty() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @empty() {addr_space = 1 : i32} : !llvm.array<0 x i8>
}

// Where boxes of tensors arrive, it begins where the pattern of the copy engine does.
gpu.module @tensors {
  // CHECK: llvm.mlir.global external @boxes() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @boxes() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @sized() {addr_space = 3 : i32} : !llvm.array<16 x i8>
  llvm.mlir.global internal @sized() {addr_space = 3 : i32} : !llvm.array<16 x i8>
  llvm.func @kernel(%map: !llvm.ptr, %to: !llvm.ptr<7>, %barrier: !llvm.ptr<3>, %i: i32) {
    nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %barrier, box[%i, %i] : !llvm.ptr<7>, !llvm.ptr
    llvm.return
  }
}
