// Which loads of a weight say that L2 need not keep it.

// RUN: nm-opt --split-input-file --nm-set-target=chip=sm_90 --nm-tile --nm-promote-shared --nm-load-fragments --nm-map-to-threads %s | FileCheck %s

#vw = #nm.pattern<16:32, unit = 1x32>
#packing = #nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true>
!weight = !nm.condensed<64x32xf16, #vw, #packing>
#schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false>

// One of the caller's: of its values, not of its positions, which several warps read.
// CHECK-LABEL: func.func @argument
// CHECK: vector.load {{.*}} {alignment = 4 : i64} : memref<1x32xi8, {{.*}}>, vector<4xi8>
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64, nontemporal = true} : memref<2x512xf16, {{.*}}>, vector<8xf16>
// CHECK-NOT: nontemporal
func.func @argument(%a: memref<8x64xf16>, %v: memref<1x2x512xf16> {nm.part = [#nm.part<weight = 0, layout = 0, kind = values, type = !weight>]}, %d: memref<1x1x32xi8> {nm.part = [#nm.part<weight = 0, layout = 0, kind = indices, type = !weight>]}, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x2x512xf16>, memref<1x1x32xi8> -> !weight
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #schedule} : memref<8x64xf16>, !weight
  return
}

// An argument that may be written to is one that L2 has.
// CHECK-LABEL: func.func @written
// CHECK-NOT: nontemporal
func.func @written(%a: memref<8x64xf16>, %v: memref<1x2x512xf16>, %d: memref<1x1x32xi8>, %c: memref<8x32xf16>) {
  %w = nm.assemble %v, %d : memref<1x2x512xf16>, memref<1x1x32xi8> -> !weight
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #schedule} : memref<8x64xf16>, !weight
  return
}

// -----

#vw = #nm.pattern<16:32, unit = 1x32>
#packing = #nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true>
!weight = !nm.condensed<64x32xf16, #vw, #packing>
#schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false>

// Of a module whose constants L2 holds from call to call: what is no constant does not count.
// CHECK-LABEL: func.func @held
// CHECK-NOT: nontemporal
memref.global "private" constant @values : memref<1x2x512xf16> = dense<1.0>
memref.global "private" constant @indices : memref<1x1x32xi8> = dense<0>
memref.global "private" @state : memref<13107200xf32> = uninitialized
func.func @held(%a: memref<8x64xf16>, %c: memref<8x32xf16>) {
  %v = memref.get_global @values : memref<1x2x512xf16>
  %d = memref.get_global @indices : memref<1x1x32xi8>
  %w = nm.assemble %v, %d : memref<1x2x512xf16>, memref<1x1x32xi8> -> !weight
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #schedule} : memref<8x64xf16>, !weight
  return
}

// -----

#vw = #nm.pattern<16:32, unit = 1x32>
#packing = #nm.packing<block_n = 32, step_k = 64, lane_rows = 16, coding = positions, fragments = true>
!weight = !nm.condensed<64x32xf16, #vw, #packing>
#schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 2], tile = [8, 32]>, block = [8, 32, 64], promote_weight = false>

// Of one whose other constants take the 50 MB of L2.
// CHECK-LABEL: func.func @streamed
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64, nontemporal = true} : memref<2x512xf16, {{.*}}>, vector<8xf16>
memref.global "private" constant @values : memref<1x2x512xf16> = dense<1.0>
memref.global "private" constant @indices : memref<1x1x32xi8> = dense<0>
memref.global "private" constant @others : memref<13107200xf32> = dense<1.0>
func.func @streamed(%a: memref<8x64xf16>, %c: memref<8x32xf16>) {
  %v = memref.get_global @values : memref<1x2x512xf16>
  %d = memref.get_global @indices : memref<1x1x32xi8>
  %w = nm.assemble %v, %d : memref<1x2x512xf16>, memref<1x1x32xi8> -> !weight
  nm.spmm %a, %w outs(%c : memref<8x32xf16>) {schedule = #schedule} : memref<8x64xf16>, !weight
  return
}
