// RUN: nm-opt --nm-tile --nm-promote-shared --nm-assign-roles %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-assign-roles --remarks-filter='nm-assign.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-assign-roles --nm-assign-roles --remarks-filter='nm-assign.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-assign-roles --nm-double-buffer --remarks-filter='nm-double.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERED
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-assign-roles --nm-overlap-tiles --remarks-filter='nm-overlap.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-stage-transposes --nm-assign-roles --remarks-filter='nm-assign.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAGED
// RUN: nm-opt --nm-tile --nm-assign-roles --remarks-filter='nm-assign.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNPROMOTED
// RUN: nm-opt --nm-set-target=chip=sm_80 --nm-tile --nm-promote-shared --nm-assign-roles --remarks-filter='nm-assign.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=AMPERE
// RUN: nm-opt --nm-assign-roles %s | FileCheck %s --check-prefix=ALONE

// AMPERE: remark: [Missed] no-roles | Category:nm-assign-roles | Function=one | Reason="the chip has no barriers that wait"
// UNPROMOTED: remark: [Missed] no-roles | Category:nm-assign-roles | Function=one | Reason="nothing is promoted"
// TWICE: remark: [Missed] no-roles | Category:nm-assign-roles | Function=one | Reason="copies are issued ahead already"
// BUFFERED: remark: [Missed] not-buffered | Category:nm-double-buffer | Function=one | Reason="copies are issued ahead already"

// What is no kernel yet is left alone.
// ALONE-LABEL: func.func @one
// ALONE: nm.spmm

#vw = #nm.pattern<8:32, unit = 1x32>
#packing = #nm.packing<block_n = 64, step_k = 64>

// One warp beside two. Its 32 threads fill a slot, and 64 release it.
// REMARK: remark: [Passed] roles | Category:nm-assign-roles | Function=one | bytes=61920, warps=1
// CHECK-LABEL: func.func @one
// CHECK: threads({{.*}}) in (%{{[^ ]*}} = %c96
// CHECK: %[[FULL:.*]] = memref.alloc() : memref<3xi64, #gpu.address_space<workgroup>>
// CHECK-NEXT: nm.init_barriers %[[FULL]] {arrivals = 32 : i64}
// CHECK-NEXT: %[[FREE:.*]] = memref.alloc() : memref<3xi64, #gpu.address_space<workgroup>>
// CHECK-NEXT: nm.init_barriers %[[FREE]] {arrivals = 64 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[D:.*]] = memref.alloc() : memref<3x2x20xi32, #gpu.address_space<workgroup>>
// CHECK: %[[V:.*]] = memref.alloc() : memref<3x16x64xf32, #gpu.address_space<workgroup>>
// CHECK: %[[A:.*]] = memref.alloc() : memref<3x64x64xf32, #gpu.address_space<workgroup>>
// Nothing else is left of the block's barriers.
// CHECK-NOT: gpu.barrier
// CHECK: nm.roles producers = 1 {
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: scf.for %[[STEP:[a-z0-9]+]] = {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] = %[[C0]], %[[ODD:[a-z0-9]+]] = %[[FALSE]]) -> (index, i1)
// Slots are free before the first round: the phase before the first one is complete.
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK: %[[EVEN:.*]] = arith.xori %[[ODD]], %[[TRUE]]
// CHECK: %[[B:.*]] = memref.subview %[[FREE]][%[[SLOT]]] [1] [1]
// CHECK: nm.wait for %[[B]] phase %[[EVEN]] : memref<1xi64, {{[^{]*$}}
// CHECK-DAG: %[[AS:.*]] = memref.subview %[[A]][%[[SLOT]], 0, 0] [1, 64, 64]
// CHECK-DAG: %[[VS:.*]] = memref.subview %[[V]][%[[SLOT]], 0, 0] [1, 16, 64]
// CHECK-DAG: %[[DS:.*]] = memref.subview %[[D]][%[[SLOT]], 0, 0] [1, 2, 16]
// CHECK: %[[ROW:.*]] = arith.muli %[[STEP]], %c64
// CHECK: %[[SOURCE:.*]] = memref.subview %arg0[%[[ROW]], %{{.*}}] [64, 64]
// CHECK: nm.tile_copy %[[SOURCE]], %[[AS]] {async}
// CHECK-NEXT: nm.tile_copy %{{[a-z0-9_]+}}, %[[VS]] {async}
// CHECK-NEXT: nm.tile_copy %{{[a-z0-9_]+}}, %[[DS]] {async}
// CHECK-NEXT: %[[F:.*]] = memref.subview %[[FULL]][%[[SLOT]]] [1] [1]
// CHECK-NEXT: nm.arrive %[[F]] {copies}
// Behind the last slot comes the first, and the phases are the other ones.
// CHECK: %[[NEXT:.*]] = arith.addi %[[SLOT]], %c1
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c3
// CHECK: %[[NEXTSLOT:.*]] = arith.select %[[WRAPS]], %c0{{.*}}, %[[NEXT]]
// CHECK: %[[NEXTODD:.*]] = arith.xori %[[ODD]], %[[WRAPS]]
// CHECK: scf.yield %[[NEXTSLOT]], %[[NEXTODD]]
// CHECK: } consumers {
// CHECK: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[FALSE:.*]] = arith.constant false
// CHECK: %[[SUM:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[SLOT:[a-z0-9]+]] = %[[C0]], %[[ODD:[a-z0-9]+]] = %[[FALSE]])
// CHECK-NEXT: %[[F:.*]] = memref.subview %[[FULL]][%[[SLOT]]] [1] [1]
// CHECK-NEXT: nm.wait for %[[F]] phase %[[ODD]] : memref<1xi64, {{[^{]*$}}
// CHECK-DAG: %[[AS:.*]] = memref.subview %[[A]][%[[SLOT]], 0, 0]
// CHECK-DAG: %[[VS:.*]] = memref.subview %[[V]][%[[SLOT]], 0, 0]
// CHECK-DAG: %[[DS:.*]] = memref.subview %[[D]][%[[SLOT]], 0, 0]
// CHECK-NOT: nm.tile_copy
// CHECK: %[[NEW:.*]] = nm.tile_mma %[[AS]], %[[VS]], %[[DS]], %[[ACC]]
// CHECK-NEXT: %[[B:.*]] = memref.subview %[[FREE]][%[[SLOT]]] [1] [1]
// CHECK-NEXT: nm.arrive %[[B]] : memref<1xi64
// CHECK: %[[NEXT:.*]] = arith.addi %[[SLOT]], %c1
// CHECK: %[[WRAPS:.*]] = arith.cmpi eq, %[[NEXT]], %c3
// CHECK: %[[NEXTSLOT:.*]] = arith.select %[[WRAPS]], %c0{{.*}}, %[[NEXT]]
// CHECK: %[[NEXTODD:.*]] = arith.xori %[[ODD]], %[[WRAPS]]
// CHECK: scf.yield %[[NEW]], %[[NEXTSLOT]], %[[NEXTODD]]
// CHECK: nm.tile_store %[[SUM]]#0
func.func @one(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, producers = 1>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// Slot and phase go on from tile to tile, in both roles. Nothing is issued for the next
// tile before one is stored: producers are ahead anyway.
// REMARK: remark: [Passed] roles | Category:nm-assign-roles | Function=persistent | bytes=41280, warps=4
// OVERLAP: remark: [Missed] not-overlapped | Category:nm-overlap-tiles | Function=persistent |
// CHECK-LABEL: func.func @persistent
// CHECK: threads({{.*}}) in (%{{[^ ]*}} = %c192
// CHECK: nm.init_barriers %{{.*}} {arrivals = 128 : i64} : memref<2xi64
// CHECK: nm.init_barriers %{{.*}} {arrivals = 64 : i64} : memref<2xi64
// CHECK: nm.roles producers = 4 {
// CHECK: %[[TILES:.*]]:2 = scf.for %[[TILE:[a-z0-9]+]] = {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %[[ODD:[a-z0-9]+]] = %false{{[_0-9]*}})
// CHECK-NOT: nm.tile_zero
// CHECK: arith.muli %[[TILE]]
// CHECK: %[[STEPS:.*]]:2 = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %[[SLOT]], %{{[a-z0-9]+}} = %[[ODD]])
// CHECK: nm.tile_copy
// CHECK-NOT: nm.tile_store
// CHECK: scf.yield %{{.*}}, %{{.*}} : index, i1
// CHECK: scf.yield %[[STEPS]]#0, %[[STEPS]]#1
// CHECK: } consumers {
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %[[ODD:[a-z0-9]+]] = %false{{[_0-9]*}})
// CHECK: %[[ZERO:.*]] = nm.tile_zero
// CHECK: %[[STEPS:.*]]:3 = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %[[ZERO]], %{{[a-z0-9]+}} = %[[SLOT]], %{{[a-z0-9]+}} = %[[ODD]])
// CHECK: nm.tile_store %[[STEPS]]#0
// CHECK: scf.yield %[[STEPS]]#1, %[[STEPS]]#2
func.func @persistent(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 2, persistent = 1, producers = 4>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// Producers know where the steps of their block begin in a tile, and how many they are;
// they leave the sums to the others.
// REMARK: remark: [Passed] roles | Category:nm-assign-roles | Function=stream | bytes=61920, warps=1
// CHECK-LABEL: func.func @stream
// CHECK: nm.roles producers = 1 {
// CHECK: scf.for {{.*}} iter_args(%[[SLOT:[a-z0-9]+]] =
// CHECK: arith.minui %{{.*}}, %c4
// CHECK: %[[COUNT:.*]] = arith.minui %{{.*}}, %c4
// CHECK: scf.for %[[STEP:[a-z0-9]+]] = %c0{{.*}} to %[[COUNT]] {{.*}} iter_args(%{{[a-z0-9]+}} = %[[SLOT]],
// CHECK: %[[OWN:.*]] = arith.addi %[[STEP]], %{{.*}}
// CHECK: arith.muli %[[OWN]], %c64
// CHECK-NOT: nm.tile_reduce
// CHECK: } consumers {
// CHECK: %[[STEPS:.*]]:3 = scf.for {{.*}} -> (!nm.fragment<64x64xf32>, index, i1)
// CHECK: %[[SUM:.*]] = nm.tile_reduce %[[STEPS]]#0 across(grid)
// CHECK: nm.tile_store %[[SUM]]
// CHECK: scf.yield %[[STEPS]]#1, %[[STEPS]]#2
func.func @stream(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, stream_k = 3, producers = 1>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// On tensor cores a warp releases a slot by one arrival.
// REMARK: remark: [Passed] roles | Category:nm-assign-roles | Function=on_tensor_cores | bytes=31200, warps=1
// CHECK-LABEL: func.func @on_tensor_cores
// CHECK: nm.init_barriers %{{.*}} {arrivals = 32 : i64}
// CHECK: nm.init_barriers %{{.*}} {arrivals = 2 : i64}
// CHECK: nm.arrive %{{.*}} {copies}
// CHECK: } consumers {
// CHECK: nm.arrive %{{.*}} {warp}
func.func @on_tensor_cores(%a: memref<256x128xf16>, %v: memref<1x64x64xf16>, %d: memref<4x2x16xi32>, %c: memref<128x64xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf16>, memref<4x2x16xi32> -> !nm.condensed<256x64xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [64, 32]>, block = [64, 64, 64], stages = 3, producers = 1>}
    : memref<256x128xf16>, !nm.condensed<256x64xf16, #vw, #packing>
  return
}

// Rows of two bytes cannot be copied asynchronously.
// REMARK: remark: [Missed] no-roles | Category:nm-assign-roles | Function=bytes | Reason="threads would wait for what a copy loads"
// BUFFERED: remark: [Passed] buffered | Category:nm-double-buffer | Function=bytes |
// CHECK-LABEL: func.func @bytes
// CHECK: threads({{.*}}) in (%{{[^ ]*}} = %c64
// CHECK-NOT: nm.roles
func.func @bytes(%a: memref<256x128xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, producers = 1>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw>
  return
}

// Nor rows of f16 whose number is anything.
// REMARK: remark: [Missed] no-roles | Category:nm-assign-roles | Function=any_m | Reason="threads would wait for what a copy loads"
// CHECK-LABEL: func.func @any_m
func.func @any_m(%a: memref<256x?xf16>, %v: memref<1x64x64xf16>, %d: memref<4x2x16xi32>, %c: memref<?x64xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf16>, memref<4x2x16xi32> -> !nm.condensed<256x64xf16, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<?x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [64, 32]>, block = [64, 64, 64], stages = 3, producers = 1>}
    : memref<256x?xf16>, !nm.condensed<256x64xf16, #vw, #packing>
  return
}

// A tile of A is transposed on its way, by what copies it or behind that.
// REMARK: remark: [Missed] no-roles | Category:nm-assign-roles | Function=transposed | Reason="threads would wait for what a copy loads"
// STAGED: remark: [Missed] no-roles | Category:nm-assign-roles | Function=transposed | Reason="a tile is transposed in shared memory"
func.func @transposed(%a: memref<128x256xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, producers = 1>}
    : memref<128x256xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// REMARK: remark: [Missed] no-roles | Category:nm-assign-roles | Function=one_step | Reason="there is one step"
func.func @one_step(%a: memref<64x128xf32>, %v: memref<1x16x64xf32>, %d: memref<1x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x16x64xf32>, memref<1x2x16xi32> -> !nm.condensed<64x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, producers = 1>}
    : memref<64x128xf32>, !nm.condensed<64x64xf32, #vw, #packing>
  return
}

// Many tiles of one step are as good as many steps.
// REMARK: remark: [Passed] roles | Category:nm-assign-roles | Function=one_step_of_tiles |
func.func @one_step_of_tiles(%a: memref<64x128xf32>, %v: memref<1x16x64xf32>, %d: memref<1x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x16x64xf32>, memref<1x2x16xi32> -> !nm.condensed<64x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [8, 8]>, block = [64, 64, 64], stages = 3, persistent = 1, producers = 1>}
    : memref<64x128xf32>, !nm.condensed<64x64xf32, #vw, #packing>
  return
}

// REMARK: remark: [Missed] no-roles | Category:nm-assign-roles | Function=no_loop | Reason="no loop over steps"
func.func @no_loop(%a: memref<64x32xf32>, %v: memref<16x64xf32>, %d: memref<16x2xi8>, %c: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<32x64xf32>
    %r = nm.tile_mma %a, %v, %d, %zero {pattern = #vw} : memref<64x32xf32>, memref<16x64xf32>, memref<16x2xi8> -> !nm.fragment<32x64xf32>
    nm.tile_store %r, %c : !nm.fragment<32x64xf32>, memref<32x64xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2, producers = 1>}
  return
}

// Where a tile begins stands in memory, which producers would load once more.
// REMARK: remark: [Missed] no-roles | Category:nm-assign-roles | Function=loaded | Reason="what is copied depends on what is loaded for the tile"
func.func @loaded(%a: memref<256x32xf32>, %v: memref<16x64xf32>, %d: memref<16x2xi32>, %c: memref<32x64xf32>, %rows: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %s = memref.alloc() : memref<64x32xf32, #gpu.address_space<workgroup>>
    scf.for %tile = %bx to %c4 step %c1 {
      %zero = nm.tile_zero : !nm.fragment<32x64xf32>
      %row = memref.load %rows[%tile] : memref<4xindex>
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (!nm.fragment<32x64xf32>) {
        %t = memref.subview %a[%row, 0] [64, 32] [1, 1] : memref<256x32xf32> to memref<64x32xf32, strided<[32, 1], offset: ?>>
        gpu.barrier
        nm.tile_copy %t, %s : memref<64x32xf32, strided<[32, 1], offset: ?>> to memref<64x32xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %n = nm.tile_mma %s, %v, %d, %acc {pattern = #vw} : memref<64x32xf32, #gpu.address_space<workgroup>>, memref<16x64xf32>, memref<16x2xi32> -> !nm.fragment<32x64xf32>
        scf.yield %n : !nm.fragment<32x64xf32>
      }
      nm.tile_store %r, %c : !nm.fragment<32x64xf32>, memref<32x64xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2, persistent = 1, producers = 1>}
  return
}
