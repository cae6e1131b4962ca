// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-lower-tensor-maps))' | FileCheck %s

gpu.module @kernels {
  // Each cast is the argument, which is a pointer; the kernel says which it was.
  // CHECK-LABEL: gpu.func @copies
  // CHECK-SAME: (%[[N:.*]]: index, %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr)
  // CHECK-SAME: workgroup(%{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>)
  // CHECK-SAME: kernel attributes {nm.tensor_maps = array<i32: 1, 2>}
  gpu.func @copies(%n: index, %a: !nm.tensor_map, %b: !nm.tensor_map) workgroup(%w : memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %address = arith.constant 64 : i64
    %barrier = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %target = llvm.addrspacecast %barrier : !llvm.ptr<3> to !llvm.ptr<7>
    %first = builtin.unrealized_conversion_cast %a : !nm.tensor_map to !llvm.ptr
    // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[A]],
    nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %first, %barrier, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
    scf.for %i = %c1 to %n step %c1 {
      %again = builtin.unrealized_conversion_cast %a : !nm.tensor_map to !llvm.ptr
      // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[A]],
      nvvm.cp.async.bulk.tensor.shared.cluster.global %target, %again, %barrier, box[%c0, %c0] : !llvm.ptr<7>, !llvm.ptr
    }
    gpu.return
  }

  // CHECK: gpu.func @plain(%{{.*}}: index) kernel {
  gpu.func @plain(%n: index) kernel {
    gpu.return
  }
}
