// RUN: nm-opt %s --pass-pipeline="builtin.module(gpu.module(nm-lower-kernel-asserts))" | FileCheck %s

// Equal messages are one constant; a failing thread stores its address in the
// slot that the variable points to, and ends.
// CHECK-LABEL: gpu.module @kernels
// CHECK-DAG: llvm.mlir.global internal constant @nm_assertion_0("too small\00\00{{.*}}") {addr_space = 1 : i32, alignment = 1 : i64}
// CHECK-DAG: llvm.mlir.global internal constant @nm_assertion_1("too large\00\00{{.*}}")
// CHECK-NOT: @nm_assertion_2
// CHECK-DAG: llvm.mlir.global external @nm_failed_assertion(0 : i64) {addr_space = 1 : i32, alignment = 8 : i64} : i64
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @kernel
  // CHECK: cf.cond_br %{{.*}}, ^[[NEXT:.*]], ^[[FIRST:.*]]
  // CHECK: ^[[NEXT]]:
  // CHECK: cf.cond_br
  // CHECK: memref.store
  // CHECK: ^[[FIRST]]:
  // CHECK-NEXT: %[[TEXT:.*]] = llvm.mlir.addressof @nm_assertion_0
  // CHECK-NEXT: %[[ADDRESS:.*]] = llvm.ptrtoint %[[TEXT]]
  // CHECK-NEXT: %[[PLACE:.*]] = llvm.mlir.addressof @nm_failed_assertion
  // CHECK-NEXT: %[[SLOT:.*]] = llvm.load %[[PLACE]] : !llvm.ptr<1> -> i64
  // CHECK-NEXT: %[[POINTER:.*]] = llvm.inttoptr %[[SLOT]] : i64 to !llvm.ptr<1>
  // CHECK-NEXT: llvm.store volatile %[[ADDRESS]], %[[POINTER]]
  // CHECK-NEXT: gpu.return
  gpu.func @kernel(%m: memref<4xf32>, %v: f32, %a: i1, %b: i1) kernel {
    %c0 = arith.constant 0 : index
    cf.assert %a, "too small"
    cf.assert %b, "too large"
    memref.store %v, %m[%c0] : memref<4xf32>
    cf.assert %a, "too small"
    gpu.return
  }
}

// CHECK-LABEL: gpu.module @without
// CHECK-NOT: llvm.mlir.global
gpu.module @without {
  gpu.func @kernel() kernel {
    gpu.return
  }
}
