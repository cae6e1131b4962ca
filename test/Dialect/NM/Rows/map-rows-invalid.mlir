// RUN: nm-opt %s --nm-map-rows -verify-diagnostics

#id = affine_map<(d0) -> (d0)>
func.func @no_schedule(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expected memrefs and a schedule; run one-shot-bufferize and nm-schedule-rows first}}
  nm.rows ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #id], rows = 0 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}
