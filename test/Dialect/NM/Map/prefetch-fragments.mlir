// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --cse %s | FileCheck %s
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-double-buffer --nm-load-fragments --nm-prefetch-fragments --nm-prefetch-fragments --remarks-filter='nm-prefetch.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE

// The first slice of step 0 is loaded before the loop, that of step s + 1 when
// all operands of step s are: the wait and the barrier stand there.
// REMARK: remark: [Passed] prefetched | Category:nm-prefetch-fragments | Function=f | slices=16
// TWICE: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=f | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @f
// CHECK: nm.commit
// CHECK: nm.wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: %[[P0:.*]] = nm.load_positions
// CHECK: %[[X0:.*]] = nm.load_rows %{{.*}}[%[[P0]], %{{.*}}] {{{.*}}unit = 0 : i64}
// CHECK: %[[W0:.*]] = nm.load_values
// CHECK: scf.for %[[S:[a-z0-9]+]] = {{.*}} iter_args(%[[ACC:[a-z0-9]+]] = %{{.*}}, %[[SLOT:[a-z0-9]+]] = %c0{{.*}}, %[[P:[a-z0-9]+]] = %[[P0]], %[[X:[a-z0-9]+]] = %[[X0]], %[[W:[a-z0-9]+]] = %[[W0]])
// CHECK-NOT: gpu.barrier
// CHECK: nm.commit
// CHECK: arith.addi %[[SLOT]], %c1
// CHECK: %[[NEXTSLOT:.*]] = arith.select
// CHECK: nm.mma %[[X]], %[[W]], %[[ACC]]
// CHECK: nm.load_rows %{{.*}}[%[[P]], %{{.*}}] {{{.*}}unit = 1 : i64}
// CHECK-COUNT-13: nm.mma
// CHECK: %[[XL:.*]] = nm.load_rows {{.*}}unit = 3 : i64
// CHECK: %[[WL:.*]] = nm.load_values
// CHECK: %[[MORE:.*]] = arith.cmpi slt
// CHECK: %[[LOADED:.*]] = arith.select %[[MORE]], %[[NEXTSLOT]], %[[SLOT]]
// CHECK: nm.wait {pending = 1 : i64}
// CHECK-NEXT: gpu.barrier
// CHECK: memref.subview %{{.*}}[%[[LOADED]], 0, 0]
// CHECK: %[[PN:.*]] = nm.load_positions
// CHECK: %[[XN:.*]] = nm.load_rows %{{.*}}[%[[PN]], %{{.*}}] {{{.*}}unit = 0 : i64}
// CHECK: %[[WN:.*]] = nm.load_values
// CHECK: %[[SUM:.*]] = nm.mma %[[XL]], %[[WL]],
// CHECK-NEXT: scf.yield %[[SUM]], %[[NEXTSLOT]], %[[PN]], %[[XN]], %[[WN]]
func.func @f(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3, prefetch = true>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// A step of one slice: all its operands are carried, those of the next loaded before
// its only product.
// REMARK: remark: [Passed] prefetched | Category:nm-prefetch-fragments | Function=one_slice | slices=1
// CHECK-LABEL: func.func @one_slice
// CHECK: nm.wait
// CHECK-NEXT: gpu.barrier
// CHECK: nm.load_values
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[ROWS:[a-z0-9]+]] = %{{[a-z0-9]+}}, %[[VALUES:[a-z0-9]+]] = %{{[a-z0-9]+}})
// CHECK-NOT: nm.load_
// CHECK: nm.commit
// CHECK: nm.wait
// CHECK-NEXT: gpu.barrier
// CHECK: nm.load_rows
// CHECK: nm.load_values
// CHECK: nm.mma %[[ROWS]], %[[VALUES]]
// CHECK-NOT: nm.mma
// CHECK: scf.yield
func.func @one_slice(%a: memref<128x32xf16>, %v: memref<64x64xf16>, %d: memref<64x2xi8>, %c: memref<32x64xf16>) {
  %w = nm.assemble %v, %d : memref<64x64xf16>, memref<64x2xi8> -> !nm.condensed<128x64xf16, #nm.pattern<16:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [32, 32]>, block = [32, 64, 32], stages = 3, prefetch = true>}
    : memref<128x32xf16>, !nm.condensed<128x64xf16, #nm.pattern<16:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=one_stage | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @one_stage
// CHECK: scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (!nm.fragment<32x64xf32>)
func.func @one_stage(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], prefetch = true>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=loop | Reason="the slices of a step are not written out"
func.func @loop(%a: memref<128x128xf32>, %v: memref<64x64xf32>, %d: memref<64x64xi8>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x64xi8> -> !nm.condensed<128x64xf32, #nm.pattern<2:4>>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3, prefetch = true>}
    : memref<128x128xf32>, !nm.condensed<128x64xf32, #nm.pattern<2:4>>
  return
}

// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=not_asked | Reason="the schedule does not ask for it"
func.func @not_asked(%a: memref<256x32xf32>, %v: memref<64x64xf32>, %d: memref<64x2xi8>, %c: memref<32x64xf32>) {
  %w = nm.assemble %v, %d : memref<64x64xf32>, memref<64x2xi8> -> !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  nm.spmm %a, %w outs(%c : memref<32x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 3>}
    : memref<256x32xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  return
}

// A step that goes on after its last product, here with a copy's commit.
// REMARK: remark: [Missed] not-prefetched | Category:nm-prefetch-fragments | Function=goes_on | Reason="the last product is not the end of a step"
func.func @goes_on(%a: memref<64x32xf32>, %v: memref<16x64xf32>, %d: memref<16x2xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<32x64xf32>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %zero) -> (!nm.fragment<32x64xf32>) {
      nm.wait {pending = 0 : i64}
      gpu.barrier
      %p = nm.load_positions %d[%c0] {pattern = #nm.pattern<8:32, unit = 1x32>} : memref<16x2xi8> -> !nm.fragment<4x2xindex, positions>
      %x = nm.load_rows %a[%p, %c0] {unit = 0 : i64} : memref<64x32xf32>, !nm.fragment<4x2xindex, positions> -> !nm.fragment<32x1xf32, rows>
      %w = nm.load_values %v[%c0] : memref<16x64xf32> -> !nm.fragment<1x64xf32, values>
      %s = nm.mma %x, %w, %acc : !nm.fragment<32x1xf32, rows>, !nm.fragment<1x64xf32, values> -> !nm.fragment<32x64xf32>
      %y = nm.load_rows %a[%p, %c0] {unit = 1 : i64} : memref<64x32xf32>, !nm.fragment<4x2xindex, positions> -> !nm.fragment<32x1xf32, rows>
      %u = nm.load_values %v[%c1] : memref<16x64xf32> -> !nm.fragment<1x64xf32, values>
      %t = nm.mma %y, %u, %s : !nm.fragment<32x1xf32, rows>, !nm.fragment<1x64xf32, values> -> !nm.fragment<32x64xf32>
      nm.commit
      scf.yield %t : !nm.fragment<32x64xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2, prefetch = true>}
  return
}
