// RUN: nm-opt %s --nm-set-target=chip=sm_80 --nm-map-rows -split-input-file -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @no_schedule(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected memrefs and a schedule; run one-shot-bufferize and nm-schedule-rows first}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @no_clusters(%x: memref<256xf32>, %y: memref<256xf32>) {
  // expected-error @below {{expected one part of a row that is reduced, as the chip has no clusters, got 2}}
  nm.rows ins(%x : memref<256xf32>) outs(%y : memref<256xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64,
      schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 1, chunks = 1, parts = 2>} {
  ^bb0(%a: f32):
    %s = nm.reduce addf %a, %a : f32
    nm.yield %s : f32
  }
  return
}
