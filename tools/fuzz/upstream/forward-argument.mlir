// The parser takes arguments of a region for values that ops before it use, and frees
// them with the region that it gives up: mlir-opt writes to freed memory, as valgrind and
// AddressSanitizer see.
func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  %sum = arith.addf %old, %v : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
    ^bb0(%v: f32, %old: f32):
      linalg.yield %old : f32
    ^bb0(%v: f32, %old: f32):
  return
}
