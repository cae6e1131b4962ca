// DEFINE: %{map} = --nm-set-target=chip=sm_90 --nm-tile --nm-promote-shared --nm-pack-tile --nm-double-buffer --nm-load-fragments --nm-map-to-threads --nm-allocate-shared --canonicalize --cse
// RUN: nm-opt %{map} --nm-load-columns-ahead %s | FileCheck %s
// RUN: nm-opt %{map} --nm-load-columns-ahead --remarks-filter='nm-load-columns.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// 256 threads copy 100 rows of 32 chunks: each one of 12 rows, and some of a last one. The
// numbers of the twelve are carried; the last step loads its own again.
// REMARK: remark: [Passed] columns-ahead | Category:nm-load-columns-ahead | Function=alone | loads=12
// CHECK-LABEL: func.func @alone
// CHECK-COUNT-12: memref.load {{.*}}xi32, strided<[100, 1], offset: ?>>
// CHECK-NOT: memref.load {{.*}}xi32, strided<[100, 1]
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c3 step %c1 iter_args({{.*}}, %[[ROW:[a-z0-9]+]] = %{{[0-9]+}}) -> ({{.*}}i32, i32)
// CHECK: %[[AFTER:.*]] = arith.addi %[[STEP]], %c1
// CHECK: %[[IS_THERE:.*]] = arith.cmpi slt, %[[AFTER]], %c3
// CHECK: %[[FOLLOWING:.*]] = arith.select %[[IS_THERE]], %[[AFTER]], %[[STEP]]
// CHECK-COUNT-12: memref.load {{.*}}xi32, strided<[100, 1], offset: ?>>
// CHECK: arith.index_cast %[[ROW]]
// CHECK: scf.if
// CHECK: memref.load {{.*}}xi32, strided<[100, 1], offset: ?>>
// CHECK: scf.yield
func.func @alone(%a: memref<768x128xf32>, %v: memref<1x96x256xf32>, %d: memref<3x8x32xi32>, %l: memref<3x100xi32>, %c: memref<128x256xf32>) {
  %w = nm.assemble %v, %d columns(%l : memref<3x100xi32>) : memref<1x96x256xf32>, memref<3x8x32xi32>
    -> !nm.condensed<768x256xf32, #nm.pattern<4:32, unit = 1x32>, #nm.packing<block_n = 256, step_k = 256, columns = 100>>
  nm.spmm %a, %w outs(%c : memref<128x256xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 8], lanes = [16, 2], thread = [8, 16]>, block = [128, 256, 256], packed = true, stages = 2>}
    : memref<768x128xf32>, !nm.condensed<768x256xf32, #nm.pattern<4:32, unit = 1x32>, #nm.packing<block_n = 256, step_k = 256, columns = 100>>
  return
}

// Of several blocks on an SM, others compute while one waits for its columns.
// REMARK-NOT: Function=beside
// CHECK-LABEL: func.func @beside
// CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, index) {
func.func @beside(%a: memref<192x128xf32>, %v: memref<1x48x64xf32>, %d: memref<3x2x16xi32>, %l: memref<3x20xi32>, %c: memref<128x64xf32>) {
  %w = nm.assemble %v, %d columns(%l : memref<3x20xi32>) : memref<1x48x64xf32>, memref<3x2x16xi32>
    -> !nm.condensed<192x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 64, step_k = 64, columns = 20>>
  nm.spmm %a, %w outs(%c : memref<128x64xf32>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], packed = true, stages = 2>}
    : memref<192x128xf32>, !nm.condensed<192x64xf32, #nm.pattern<8:32, unit = 1x32>, #nm.packing<block_n = 64, step_k = 64, columns = 20>>
  return
}
