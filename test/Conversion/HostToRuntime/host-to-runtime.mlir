// RUN: nm-opt %s --nm-host-to-runtime | FileCheck %s
// RUN: nm-opt %s --nm-host-to-runtime=host | FileCheck %s --check-prefix=HOST
// RUN: nm-opt %s --pass-pipeline="builtin.module(nm-host-pipeline)" | FileCheck %s --check-prefix=LLVM

// CHECK-DAG: llvm.mlir.global internal constant @{{.*}}("too small\00")

// LLVM: llvm.func @_mlir_ciface_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64) -> i32
// LLVM-NOT: unrealized_conversion_cast

memref.global "private" constant @weights : memref<2xf32> = dense<[1.0, 2.0]>

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[CTX:[a-z0-9]+]]: !llvm.ptr, %[[RESULT:[a-z0-9]+]]: !llvm.ptr, %{{.*}}: memref<?xf32>, %{{.*}}: index) -> i32 attributes {llvm.emit_c_interface}
// HOST-LABEL: func.func @main(
// HOST-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: memref<?xf32>, %{{.*}}: index) -> i32
func.func @main(%x: memref<?xf32>, %n: index) -> memref<?xf32> {
  %c1 = arith.constant 1 : index
  %true = arith.cmpi sgt, %n, %c1 : index
  // CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[FAILED:bb[0-9]+]]
  // HOST: llvm.call @nmrtAssertionFailed
  cf.assert %true, "too small"
  // The overflow of n * 4 asks for more than there is.
  // CHECK: llvm.intr.umul.with.overflow
  // CHECK: %[[STATUS:.*]] = llvm.call @nmrtAllocFor(%[[CTX]],
  // CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
  // CHECK: cf.cond_br %[[OK]], ^{{.*}}, ^[[ERROR:.*]](%[[STATUS]] : i32)
  // HOST: %[[HSTATUS:.*]] = llvm.call @nmrtHostAlloc(
  // HOST: %[[HOK:.*]] = llvm.icmp "eq" %[[HSTATUS]]
  // HOST: cf.cond_br %[[HOK]], ^{{.*}}, ^{{.*}}(%[[HSTATUS]] : i32)
  %y = memref.alloc(%n) : memref<?xf32>
  // CHECK: llvm.call @nmrtCopy(%[[CTX]],
  // HOST: llvm.intr.memcpy
  memref.copy %x, %y : memref<?xf32> to memref<?xf32>
  // A layout may say in strides what is contiguous.
  // CHECK: llvm.call @nmrtCopy(%[[CTX]],
  // HOST: llvm.intr.memcpy
  // HOST-NOT: memref.copy
  %v = memref.cast %x : memref<?xf32> to memref<?xf32, strided<[1]>>
  memref.copy %v, %y : memref<?xf32, strided<[1]>> to memref<?xf32>
  // CHECK: llvm.call @nmrtConstant(%[[CTX]],
  // HOST: memref.get_global
  // HOST-NOT: nmrtConstant
  %w = memref.get_global @weights : memref<2xf32>
  // CHECK: llvm.call @nmrtFree(%[[CTX]],
  %t = memref.alloc() : memref<2xf32>
  memref.copy %w, %t : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  // CHECK: llvm.store %{{.*}}, %[[RESULT]] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  // CHECK: return %{{.*}} : i32
  return %y : memref<?xf32>
  // CHECK: ^[[ERROR]](%[[S:.*]]: i32):
  // CHECK: llvm.call @nmrtFree
  // CHECK: return %[[S]] : i32
}
