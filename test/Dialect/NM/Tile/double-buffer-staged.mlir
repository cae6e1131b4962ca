// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-double-buffer %s | FileCheck %s

// Three stages: two steps are under way, in two slots. A step waits for the next one's
// copies, too, whose tile it transposes into the one of two that nobody reads.
// CHECK-LABEL: func.func @three
// CHECK: gpu.launch
// CHECK-DAG: %[[VALUES:.*]] = memref.alloc() : memref<3x8x64xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[TILES:.*]] = memref.alloc() : memref<2x32x36xf32, #gpu.address_space<workgroup>>
// CHECK-DAG: %[[STAGING:.*]] = memref.alloc() {nm.swizzle} : memref<2x32x32xf32, #gpu.address_space<workgroup>>
// CHECK: nm.tile_fetch {{.*}} {async}
// CHECK: nm.commit
// CHECK: nm.tile_fetch {{.*}} {async}
// CHECK: nm.commit
// CHECK-NEXT: nm.wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: nm.tile_transpose
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[OF2:[a-z0-9]+]] = %c0{{.*}}, %[[OF3:[a-z0-9]+]] = %c0
// CHECK-NEXT: nm.wait {pending = 0 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: %[[FETCHED:.*]] = memref.subview %[[STAGING]][%[[OF2]], 0, 0]
// CHECK: nm.tile_fetch %{{.*}}, %[[FETCHED]] if %[[MORE]] {async}
// CHECK: nm.commit
// CHECK: %[[TILE:.*]] = memref.subview %[[TILES]][%[[OF2]], 0, 0]
// CHECK: memref.subview %[[VALUES]][%[[OF3]], 0, 0]
// CHECK: %[[NEXT:.*]] = arith.addi %[[OF2]], %c1
// CHECK: %[[OTHER:.*]] = arith.select %{{.*}}, %{{.*}}, %[[NEXT]]
// CHECK-NOT: nm.wait
// CHECK: %[[FROM:.*]] = memref.subview %[[STAGING]][%[[OTHER]], 0, 0]
// CHECK: %[[TO:.*]] = memref.subview %[[TILES]][%[[OTHER]], 0, 0]
// CHECK: nm.tile_transpose %[[FROM]], %[[TO]]
// CHECK-NEXT: nm.tile_mma %[[TILE]],
// CHECK-NOT: gpu.barrier
// CHECK: scf.yield
func.func @three(%a: memref<64x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 32], stages = 3>}
    : memref<64x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}
