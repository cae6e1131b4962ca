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
