// RUN: nm-opt %s --nm-host-to-runtime | FileCheck %s
// RUN: nm-opt %s --nm-host-to-runtime --convert-to-llvm --reconcile-unrealized-casts | FileCheck %s --check-prefix=LLVM

// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("too small\00")
// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("a size of memref<?xf32> {{.*}} is negative\00")

// LLVM: llvm.func @_mlir_ciface_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64) -> i32
// LLVM-NOT: unrealized_conversion_cast

memref.global "private" constant @weights : memref<2xf32> = dense<[1.0, 2.0]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr, %[[RESULT:[a-z0-9]+]]: !llvm.ptr, %{{.*}}: memref<?xf32>, %{{.*}}: index) -> i32 attributes {llvm.emit_c_interface}
func.func @main(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %true = arith.cmpi sgt, %n, %c1 : index
  // CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED:bb[0-9]+]]
  // CHECK: ^[[FAILED]]:
  // CHECK: llvm.call @nmrtAssertionFailed(%[[CTX]],
  cf.assert %true, "too small"
  // The overflow of n * 4 asks for more than there is.
  // CHECK: llvm.intr.umul.with.overflow
  // CHECK: %[[STATUS:.*]] = llvm.call @nmrtHostAlloc(%[[CTX]],
  // CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
  // CHECK: cf.cond_br %[[OK]], ^{{.*}}, ^[[ERROR:.*]](%[[STATUS]] : i32)
  %y = memref.alloc(%n) : memref<?xf32>
  // CHECK: memref.get_global
  %w = memref.get_global @weights : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  %first = memref.load %w[%c1] : memref<2xf32>
  memref.store %first, %t[%c1] : memref<2xf32>
  // CHECK: memref.dealloc
  memref.dealloc %t : memref<2xf32>
  // CHECK: llvm.store %{{.*}}, %[[RESULT]] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  // CHECK: return %{{.*}} : i32
  return %y : memref<?xf32>
  // CHECK: ^[[ERROR]](%[[S:.*]]: i32):
  // CHECK: llvm.call @free
  // CHECK: return %[[S]] : i32
}
