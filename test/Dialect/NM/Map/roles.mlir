// RUN: nm-opt --nm-set-target=chip=sm_90a --nm-tile --nm-promote-shared --nm-assign-roles --nm-tensor-copies --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s
// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-tile --nm-promote-shared --nm-assign-roles --nm-tensor-copies --nm-load-fragments --nm-map-to-threads --cse --canonicalize %s | FileCheck %s --check-prefix=KEEP
// RUN: nm-opt --nm-tile --nm-promote-shared --nm-assign-roles --nm-tensor-copies --nm-load-fragments --nm-prefetch-fragments --cse %s | FileCheck %s --check-prefix=PREFETCH

// Only sm_90a moves registers between warps.
// KEEP-NOT: nvvm.setmaxregister

#vw = #nm.pattern<8:32, unit = 1x32>
#packing = #nm.packing<block_n = 64, step_k = 64>
#wide = #nm.packing<block_n = 128, step_k = 64>

// Eight warps compute and four copy. Of 168 registers each, 65536 / 384, producers give 128.
// CHECK-LABEL: func.func @threads
// CHECK: threads(%[[THREAD:[^,]*]], {{.*}}) in (%{{[^ ]*}} = %c384
// CHECK-COUNT-3: nvvm.mbarrier.init %{{.*}}, %c128_i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK-COUNT-3: nvvm.mbarrier.init %{{.*}}, %c256_i32
// CHECK: nvvm.fence.mbarrier.init
// CHECK: gpu.barrier
// What warp this is, is the same for its threads, and known to be.
// CHECK: %[[WARP:.*]] = arith.index_castui %{{.*}} : index to i32
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle idx %[[WARP]], %c0_i32, %c32_i32
// CHECK: %[[CONSUMES:.*]] = arith.cmpi ult, %[[FIRST]], %c8_i32
// CHECK: scf.if %[[CONSUMES]]
// CHECK-NEXT: nvvm.setmaxregister increase 232
// A consumer waits for its slot, without a barrier of the block, reads, and releases.
// CHECK: scf.for
// CHECK: %[[ODD:.*]] = arith.extui
// CHECK: scf.while
// CHECK: nvvm.mbarrier.try_wait %{{.*}}, %[[ODD]]
// CHECK-NOT: barrier
// CHECK: vector.load
// CHECK-NOT: scf.if
// CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3>
// CHECK: scf.yield
// CHECK: } else {
// CHECK-NEXT: nvvm.setmaxregister decrease 40
// Threads of producers are counted from theirs on.
// CHECK: %[[OWN:.*]] = arith.subi %[[THREAD]], %c256
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait
// CHECK: arith.divui %[[OWN]], %c16
// CHECK: nvgpu.device_async_copy
// CHECK-NOT: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.mbarrier.arrive %{{.*}} {noinc = true} : !llvm.ptr<3>
func.func @threads(%a: memref<256x128xf32>, %v: memref<1x64x128xf32>, %d: memref<4x4x16xi32>, %c: memref<128x128xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x128xf32>, memref<4x4x16xi32> -> !nm.condensed<256x128xf32, #vw, #wide>
  nm.spmm %a, %w outs(%c : memref<128x128xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [2, 4], lanes = [8, 4], thread = [4, 8]>, block = [64, 128, 64], stages = 3, producers = 4>}
    : memref<256x128xf32>, !nm.condensed<256x128xf32, #vw, #wide>
  return
}

// Where the engine copies, the first warp of the producers does all there is, with the
// least of registers; one thread of it begins a copy.
// CHECK-LABEL: func.func @engine
// CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %c1_i32
// CHECK: %[[FIRST:.*]], %{{.*}} = gpu.shuffle
// CHECK: arith.cmpi ult, %[[FIRST]], %c8_i32
// CHECK: nvvm.setmaxregister increase 240
// Reads of a slot are done for the copy engine, too, before it is released.
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: nvvm.mbarrier.arrive
// CHECK: } else {
// CHECK-NEXT: nvvm.setmaxregister decrease 24
// CHECK-NEXT: %[[LEADS:.*]] = arith.cmpi ult, %{{[^ ]*}}, %c9_i32
// CHECK-NEXT: scf.if %[[LEADS]]
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c24832_i32
// CHECK: nvvm.elect.sync -> i1
// CHECK: scf.if
// CHECK: %[[TO:.*]] = llvm.addrspacecast %{{.*}} : !llvm.ptr<3> to !llvm.ptr<7>
// The innermost dimension is named first: columns of m, then rows of k.
// CHECK: %[[M:.*]] = arith.index_cast %[[TILE:.*]] : index to i32
// CHECK: %[[K:.*]] = arith.index_cast %[[ROW:.*]] : index to i32
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %[[TO]], %{{.*}}, %{{.*}}, box[%[[M]], %[[K]]]
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %c8192_i32
// CHECK: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, %c256_i32
// CHECK-NOT: nvvm.cp.async.mbarrier.arrive

// The slot that is loaded ahead is waited for at the end of a step, and its own is
// released behind those loads: the last step loads of its own once more.
// PREFETCH-LABEL: func.func @engine
// PREFETCH: } consumers {
// PREFETCH: nm.wait for
// PREFETCH: nm.load_positions
// PREFETCH: scf.for %{{[a-z0-9]+}} = {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9_]+}}, %[[SLOT:[a-z0-9]+]] = %{{[a-z0-9_]+}}, %[[ODD:[a-z0-9]+]] =
// PREFETCH-NOT: nm.wait
// PREFETCH: %[[WRAPS:.*]] = arith.cmpi eq
// PREFETCH: %[[AFTER:.*]] = arith.select %[[WRAPS]]
// PREFETCH: %[[FLIPPED:.*]] = arith.xori %[[ODD]], %[[WRAPS]]
// PREFETCH: %[[MORE:.*]] = arith.cmpi slt
// PREFETCH-DAG: %[[NEXT:.*]] = arith.select %[[MORE]], %[[AFTER]], %[[SLOT]]
// PREFETCH-DAG: %[[PHASE:.*]] = arith.select %[[MORE]], %[[FLIPPED]], %[[ODD]] : i1
// PREFETCH: %[[BARRIER:.*]] = memref.subview %{{.*}}[%[[NEXT]]] [1] [1]
// PREFETCH-NEXT: nm.wait for %[[BARRIER]] phase %[[PHASE]]
// PREFETCH-NOT: gpu.barrier
// PREFETCH: nm.load_positions
// PREFETCH: nm.load_rows
// PREFETCH: nm.load_values
// PREFETCH-NEXT: nm.arrive %[[RELEASED:[a-z0-9_]+]] {fence} :
// PREFETCH-NEXT: nm.mma
// PREFETCH: scf.yield
func.func @engine(%a: memref<256x128xf32>, %v: memref<1x64x128xf32>, %d: memref<4x4x16xi32>, %c: memref<128x128xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x128xf32>, memref<4x4x16xi32> -> !nm.condensed<256x128xf32, #vw, #wide>
  nm.spmm %a, %w outs(%c : memref<128x128xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [2, 4], lanes = [8, 4], thread = [4, 8]>, block = [64, 128, 64], stages = 2, prefetch = true, engine = tma, producers = 4>}
    : memref<256x128xf32>, !nm.condensed<256x128xf32, #vw, #wide>
  return
}

// On tensor cores one lane of a warp releases a slot for all, when they are there.
// CHECK-LABEL: func.func @warps
// CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %c128_i32
// CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %c8_i32
// CHECK: nvvm.bar.warp.sync %c-1_i32
// CHECK-NEXT: %[[LANE:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK-NEXT: scf.if %[[LANE]]
// CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3>
func.func @warps(%a: memref<256x128xf16>, %v: memref<1x64x128xf16>, %d: memref<4x4x16xi32>, %c: memref<128x128xf16>) {
  %w = nm.assemble %v, %d : memref<1x64x128xf16>, memref<4x4x16xi32> -> !nm.condensed<256x128xf16, #vw, #wide>
  nm.spmm %a, %w outs(%c : memref<128x128xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [2, 4], tile = [64, 32]>, block = [128, 128, 64], stages = 2, producers = 4>}
    : memref<256x128xf16>, !nm.condensed<256x128xf16, #vw, #wide>
  return
}

// Two warps are no group of four, which gives registers together.
// CHECK-LABEL: func.func @few
// CHECK-NOT: nvvm.setmaxregister
// CHECK: gpu.terminator
func.func @few(%a: memref<256x128xf32>, %v: memref<1x64x64xf32>, %d: memref<4x2x16xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d : memref<1x64x64xf32>, memref<4x2x16xi32> -> !nm.condensed<256x64xf32, #vw, #packing>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [2, 2], lanes = [8, 4], thread = [4, 8]>, block = [64, 64, 64], stages = 2, producers = 2>}
    : memref<256x128xf32>, !nm.condensed<256x64xf32, #vw, #packing>
  return
}

// Barriers of one role are of its threads, each role's by a name of its own.
// CHECK-LABEL: func.func @barriers
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: nvvm.barrier id = %c1_i32 number_of_threads = %c128_i32
// CHECK: } else {
// CHECK: nvvm.barrier id = %c2_i32 number_of_threads = %c64_i32
func.func @barriers(%a: memref<64x64xf32>, %v: memref<16x64xf32>, %d: memref<16x2xi8>, %c: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %c192 = arith.constant 192 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c192, %sy = %c1, %sz = %c1) {
    gpu.barrier
    nm.roles producers = 2 {
      gpu.barrier
    } consumers {
      gpu.barrier
      %zero = nm.tile_zero : !nm.fragment<64x64xf32>
      %sum = nm.tile_mma %a, %v, %d, %zero {pattern = #vw} : memref<64x64xf32>, memref<16x64xf32>, memref<16x2xi8> -> !nm.fragment<64x64xf32>
      nm.tile_store %sum, %c : !nm.fragment<64x64xf32>, memref<64x64xf32>
    }
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [2, 2], lanes = [8, 4], thread = [4, 8]>, block = [64, 64, 64], stages = 2, producers = 2>}
  return
}
