// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-double-buffer --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNPROMOTED

// Three slots: two steps are issued before the loop, one barrier a step.
// REMARK: remark: [Passed] buffered | Category:nm-double-buffer | Function=f | bytes=40032, slots=3
// UNPROMOTED: remark: [Missed] not-buffered | Category:nm-double-buffer | Function=f | Reason="nothing is promoted"
// CHECK-LABEL: func.func @f
// CHECK: gpu.launch
// CHECK-DAG: memref.alloc() : memref<3x16x2xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() : memref<3x16x64xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[RING:.*]] = memref.alloc() : memref<3x64x36xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK: nm.commit
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK: nm.commit
// The slot of a step is carried; what is beyond the last step is not copied.
// CHECK: scf.for %[[STEP:[a-z0-9]+]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SLOT:[a-z0-9]+]] = %c0{{.*}})
// CHECK-NEXT: nm.wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[NEXT:.*]] = arith.addi %[[STEP]], %c2
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %
// CHECK: %[[PREVIOUS:.*]] = arith.select
// CHECK-NOT: scf.if
// CHECK: memref.subview %{{.*}}[%[[PREVIOUS]], 0, 0]
// CHECK-COUNT-3: nm.tile_copy {{.*}} if %[[MORE]] {{.*}}async
// CHECK: nm.commit
// CHECK: %[[A:.*]] = memref.subview %[[RING]][%[[SLOT]], 0, 0] [1, 64, 32]
// CHECK-NOT: gpu.barrier
// CHECK: nm.tile_mma %[[A]],
func.func @f(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-buffered | Category:nm-double-buffer | Function=one_stage | Reason="the schedule has one stage"
// CHECK-LABEL: func.func @one_stage
// CHECK-NOT: async
func.func @one_stage(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Rings of a byte a value.
// REMARK: remark: [Passed] buffered | Category:nm-double-buffer | Function=i8 | bytes={{[0-9]+}}, slots=2
// CHECK-LABEL: func.func @i8
// CHECK-DAG: memref.alloc() : memref<2x16x64xi8, #gpu.address_space<workgroup>>
// CHECK-DAG: memref.alloc() : memref<2x64x48xi8, #gpu.address_space<workgroup>>
func.func @i8(%a: memref<?x128xi8>, %v: memref<32x64xi8>, %d: memref<32x2xi8>, %c: memref<?x64xi32>) {
  %w = nm.assemble %v, %d : memref<32x64xi8>, memref<32x2xi8> -> !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xi32>)
    {acc = i32, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2>}
    : memref<?x128xi8>, !nm.condensed<128x64xi8, #nm.pattern<8:32, unit = 1x32>>
  return
}

// Of three blocks that share four steps, the first has two: the others name their last
// step again, of which nothing is copied.
// REMARK: remark: [Passed] buffered | Category:nm-double-buffer | Function=uneven |
// CHECK-LABEL: func.func @uneven
// CHECK: %[[END:.*]] = arith.select
// CHECK-COUNT-3: nm.tile_copy {{.*}}async
// CHECK: nm.commit
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %c1{{.*}}, %[[END]]
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %c1
// CHECK: arith.minsi %c1{{.*}}, %[[LAST]]
// CHECK-COUNT-3: nm.tile_copy {{.*}} if %[[MORE]] {{.*}}async
// CHECK: nm.commit
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
func.func @uneven(%a: memref<?x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 3, split_k = 3>}
    : memref<?x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
