// RUN: nm-opt %s --nm-version-rows | FileCheck %s
// RUN: nm-opt %s --nm-version-rows --nm-set-target=chip=sm_90a --nm-schedule-rows | FileCheck %s --check-prefix=SCHEDULE

// The host chooses by the length of rows; of no elements they are no short ones.
// CHECK-LABEL: func @sums
// CHECK: %[[N:.*]] = memref.dim %{{.*}}, %c1
// CHECK: %[[LAST:.*]] = arith.subi %[[N]], %c1
// CHECK: %[[SHORT:.*]] = arith.cmpi ult, %[[LAST]], %c256
// CHECK: scf.if %[[SHORT]] {
// CHECK: nm.rows {{.*}} most = 256 : i64
// CHECK: } else {
// CHECK: scf.if
// CHECK: nm.rows {{.*}} most = 1024 : i64
// CHECK: } else {
// CHECK: nm.rows
// CHECK-NOT: most
// CHECK: }
// SCHEDULE-LABEL: func @sums
// SCHEDULE: most = 256 : i64, {{.*}}schedule = #nm.row_schedule<threads = 16, rows = 32, vector = 8, chunks = 2>
// SCHEDULE: most = 1024 : i64, {{.*}}schedule = #nm.row_schedule<threads = 32, rows = 8, vector = 8, chunks = 4>
// SCHEDULE: schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 8, chunks = 2, loops = true>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @sums(%x: memref<?x?xf16>, %y: memref<?xf16>) {
  nm.rows ins(%x : memref<?x?xf16>) outs(%y : memref<?xf16>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  return
}

// One kernel has no reduction, rows of a known length or of two dimensions,
// or columns, whose threads have a row each.
// CHECK-LABEL: func @one
// CHECK-NOT: scf.if
// CHECK: return
func.func @one(%v: memref<?xf16>, %x: memref<?x?xf16>, %k: memref<?x8xf16>, %z: memref<?x?x?xf16>, %y: memref<?xf16>) {
  nm.rows ins(%v : memref<?xf16>) outs(%y : memref<?xf16>) attributes {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], rows = 0 : i64} {
  ^bb0(%a: f16):
    nm.yield %a : f16
  }
  nm.rows ins(%k : memref<?x8xf16>) outs(%y : memref<?xf16>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  nm.rows ins(%z : memref<?x?x?xf16>) outs(%y : memref<?xf16>) attributes {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0)>], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  nm.rows ins(%x : memref<?x?xf16>) outs(%y : memref<?xf16>) attributes {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  return
}
