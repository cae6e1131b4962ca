// DEFINE: %{map} = --nm-set-target=chip=sm_90 --nm-tile --nm-promote-shared --nm-load-fragments --nm-map-to-threads --nm-allocate-shared --canonicalize --cse
// RUN: nm-opt %{map} --nm-load-weights-ahead --canonicalize %s | FileCheck %s
// RUN: nm-opt %{map} --nm-load-weights-ahead --remarks-filter='nm-load-weights.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#vw = #nm.pattern<16:32, unit = 1x32>
memref.global "private" constant @values : memref<1024x32xf32> = dense<1.0>
memref.global "private" constant @indices : memref<1024x1xi8> = dense<0>
memref.global "private" constant @slice_values : memref<8x32xf32> = dense<1.0>
memref.global "private" constant @slice_indices : memref<8x32xi8> = dense<0>
memref.global "private" constant @few_values : memref<64x32xf32> = dense<1.0>
memref.global "private" constant @few_indices : memref<64x1xi8> = dense<0>

// Turns of 256 condensed rows, of which a thread has eight, 16 bytes of each, and as
// many indices. The first ones are loaded before the tile of A, those of
// each other turn in the one before, and none in the last.
// REMARK: remark: [Passed] weights-ahead | Category:nm-load-weights-ahead | Function=turns | before A=16, loads=16
// CHECK-LABEL: func.func @turns
// CHECK: gpu.launch
// CHECK-NOT: memref<1x2048xf32>, vector
// CHECK-COUNT-8: vector.load {{.*}} : memref<1024x32xf32{{.*}}>, vector<4xf32>
// CHECK-NOT: memref<1024x32xf32
// CHECK: vector.load {{.*}} : memref<1x2048xf32>, vector<4xf32>
// CHECK-NOT: memref<1024x32xf32
// CHECK: gpu.barrier
// CHECK: scf.for %[[TURN:.*]] = %c0 to %c1024 step %[[STEP:c[0-9]+]] iter_args(
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[TURN]], %[[STEP]]
// CHECK-NEXT: %[[IS_THERE:.*]] = arith.cmpi slt, %[[NEXT]], %c1024
// CHECK-NEXT: scf.if %[[IS_THERE]]
// CHECK-COUNT-8: vector.load {{.*}} : memref<1024x32xf32{{.*}}>, vector<4xf32>
// CHECK: } else {
// CHECK-NEXT: scf.yield %{{[0-9]+}}, {{.*}}
// CHECK-NOT: memref<1024x32xf32
// CHECK: llvm.intr.fma
// CHECK: scf.yield
// CHECK-NOT: vector.load {{.*}} : memref<1024x32xf32
func.func @turns(%a: memref<2048xf32>, %c: memref<32xf32>) {
  %v = memref.get_global @values : memref<1024x32xf32>
  %d = memref.get_global @indices : memref<1024x1xi8>
  %w = nm.assemble %v, %d : memref<1024x32xf32>, memref<1024x1xi8> -> !nm.condensed<2048x32xf32, #vw>
  nm.spmv %a, %w outs(%c : memref<32xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 0], promote_weight = false>} : memref<2048xf32>, !nm.condensed<2048x32xf32, #vw>
  return
}

// Two turns of eight products on tensor cores, which are written out: the second one's loads
// precede all products, and there is no loop over turns.
// REMARK: remark: [Passed] weights-ahead | {{.*}} | Function=written_out | before A=12, loads=12
// CHECK-LABEL: func.func @written_out
// CHECK: gpu.launch
// CHECK-NOT: memref<8x4096xbf16>, vector
// CHECK-COUNT-8: vector.load {{.*}} : memref<64x512xbf16{{.*}}>, vector<8xbf16>
// CHECK-NOT: memref<64x512xbf16
// CHECK: vector.load {{.*}} : memref<8x4096xbf16>, vector<8xbf16>
// CHECK-NOT: memref<64x512xbf16
// CHECK: gpu.barrier
// CHECK-NOT: scf.for
// CHECK-COUNT-8: vector.load {{.*}} : memref<64x512xbf16{{.*}}>, vector<8xbf16>
// CHECK-NOT: {{scf.for|memref<64x512xbf16}}
// CHECK-COUNT-16: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: gpu.barrier
memref.global "private" constant @mma_values : memref<1x64x512xbf16> = dense<1.0>
memref.global "private" constant @mma_indices : memref<1x1x1024xi8> = dense<0>
!mma_weight = !nm.condensed<4096x32xbf16, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 32, step_k = 4096, lane_rows = 16, coding = positions, fragments = true>>
func.func @written_out(%a: memref<8x4096xbf16>, %c: memref<8x32xbf16>) {
  %v = memref.get_global @mma_values : memref<1x64x512xbf16>
  %d = memref.get_global @mma_indices : memref<1x1x1024xi8>
  %w = nm.assemble %v, %d : memref<1x64x512xbf16>, memref<1x1x1024xi8> -> !mma_weight
  nm.spmm %a, %w outs(%c : memref<8x32xbf16>) {schedule = #nm.schedule<kind = #nm.mma_gemv<warps = [1, 8], tile = [8, 32]>, block = [8, 32, 4096], promote_weight = false>} : memref<8x4096xbf16>, !mma_weight
  return
}

// One turn: no loop, but the weight is loaded before the tile of A.
// REMARK: remark: [Passed] weights-ahead | {{.*}} | Function=one_turn | before A=4, loads=0
// CHECK-LABEL: func.func @one_turn
// CHECK: gpu.launch
// CHECK-COUNT-2: vector.load {{.*}} : memref<64x32xf32{{.*}}>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK-NOT: memref<64x32xf32
// CHECK: llvm.intr.fma
func.func @one_turn(%a: memref<128xf32>, %c: memref<32xf32>) {
  %v = memref.get_global @few_values : memref<64x32xf32>
  %d = memref.get_global @few_indices : memref<64x1xi8>
  %w = nm.assemble %v, %d : memref<64x32xf32>, memref<64x1xi8> -> !nm.condensed<128x32xf32, #vw>
  nm.spmv %a, %w outs(%c : memref<32xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 0], promote_weight = false>} : memref<128xf32>, !nm.condensed<128x32xf32, #vw>
  return
}

// Slices one after another: a product stands between their loads, and all precede the barrier.
// REMARK: remark: [Passed] weights-ahead | {{.*}} | Function=slices | before A=8, loads=0
// CHECK-LABEL: func.func @slices
// CHECK: gpu.launch
// CHECK-COUNT-4: memref.load {{.*}} : memref<8x32xf32{{.*}}>
// CHECK: gpu.barrier
// CHECK-NOT: memref<8x32xf32
// CHECK: llvm.intr.fma
func.func @slices(%a: memref<2x16xf32>, %c: memref<2x32xf32>) {
  %v = memref.get_global @slice_values : memref<8x32xf32>
  %d = memref.get_global @slice_indices : memref<8x32xi8>
  %w = nm.assemble %v, %d : memref<8x32xf32>, memref<8x32xi8> -> !nm.condensed<16x32xf32, #nm.pattern<2:4>>
  nm.spmm %a, %w outs(%c : memref<2x32xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 2], lanes = [32, 1], thread = [2, 1, 1]>, block = [2, 32, 0], promote_weight = false>} : memref<2x16xf32>, !nm.condensed<16x32xf32, #nm.pattern<2:4>>
  return
}

// A weight that is no constant may be what a kernel before it writes, which later passes wait
// for: its first turn stays behind the barrier.
// REMARK: remark: [Passed] weights-ahead | {{.*}} | Function=argument | before A=0, loads=16
// CHECK-LABEL: func.func @argument
// CHECK: vector.load {{.*}} : memref<1x2048xf32>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK-COUNT-8: vector.load {{.*}} : memref<1024x32xf32{{.*}}>, vector<4xf32>
// CHECK: scf.for
// CHECK: scf.if
func.func @argument(%a: memref<2048xf32>, %v: memref<1024x32xf32>, %d: memref<1024x1xi8>, %c: memref<32xf32>) {
  %w = nm.assemble %v, %d : memref<1024x32xf32>, memref<1024x1xi8> -> !nm.condensed<2048x32xf32, #vw>
  nm.spmv %a, %w outs(%c : memref<32xf32>) {schedule = #nm.schedule<kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 2]>, block = [1, 32, 0], promote_weight = false>} : memref<2048xf32>, !nm.condensed<2048x32xf32, #vw>
  return
}

// Threads of kind fma copy the weight to shared memory: there is nothing to be loaded ahead.
// REMARK-NOT: Function=shared
// CHECK-LABEL: func.func @shared
func.func @shared(%a: memref<64x256xf32>, %v: memref<128x64xf32>, %d: memref<128x2xi8>, %c: memref<64x64xf32>) {
  %w = nm.assemble %v, %d : memref<128x64xf32>, memref<128x2xi8> -> !nm.condensed<256x64xf32, #vw>
  nm.spmm %a, %w outs(%c : memref<64x64xf32>) {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>} : memref<64x256xf32>, !nm.condensed<256x64xf32, #vw>
  return
}

// A turn of a thread reads the rows of eight columns: more than registers hold twice.
// REMARK: remark: [Missed] weights-not-ahead | Category:nm-load-weights-ahead | Function=too_many | Reason="a turn of a thread loads {{[0-9]+}} registers, and those of two turns have room up to 64"
// CHECK-LABEL: func.func @too_many
// CHECK: scf.for %{{.*}} iter_args(
// CHECK-NOT: scf.if
// CHECK: llvm.intr.fma
func.func @too_many(%a: memref<256x512xf16>, %v: memref<128x32xf16>, %d: memref<128x32xi8>, %c: memref<512x32xf16>) {
  %w = nm.assemble %v, %d : memref<128x32xf16>, memref<128x32xi8> -> !nm.condensed<256x32xf16, #nm.pattern<128:all>>
  nm.spmm %a, %w outs(%c : memref<512x32xf16>) {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [32, 1], thread = [4, 8]>, block = [128, 32, 0], promote_a = false, promote_weight = false>} : memref<256x512xf16>, !nm.condensed<256x32xf16, #nm.pattern<128:all>>
  return
}
