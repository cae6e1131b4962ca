// RUN: nm-opt --nm-bulk-copies %s | FileCheck %s
// RUN: nm-opt --nm-bulk-copies --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A kernel that computes all of k at once, from global memory.
// REMARK: remark: [Missed] not-bulk | Category:nm-bulk-copies | Function=f | Reason="no loop over steps copies ahead"
// CHECK-LABEL: func.func @f
// CHECK-NOT: nm.init_barriers
// CHECK: nm.tile_mma
func.func @f(%a: memref<32x128xf32>, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<32x64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %zero = nm.tile_zero : !nm.fragment<32x64xf32>
    %acc = nm.tile_mma %a, %v, %d, %zero {a_layout = #nm.layout<token_major>, pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<32x128xf32>, memref<32x64xf32>, memref<32x2xi8> -> !nm.fragment<32x64xf32>
    nm.tile_store %acc, %c : !nm.fragment<32x64xf32>, memref<32x64xf32>
    gpu.terminator
  } {nm.schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 128], promote_a = false, promote_weight = false, stages = 2, engine = bulk>}
  return
}
