// What is written where it is copied to (nm-write-in-place), and what may not be: the
// part is read before the copy.
//
// RUN: nm-run %s --entry=overwritten --device=cpu --output-dir=%t.cpu
// RUN: nm-run %s --entry=overwritten --device=emulator --output-dir=%t.emulator
// RUN: cmp %t.cpu/0.npy %t.emulator/0.npy

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @overwritten(%x: tensor<4x8xi32>, %z: tensor<4x16xi32>) -> tensor<4x8xi32> {
  %e = tensor.empty() : tensor<4x16xi32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<4x16xi32>) outs(%e : tensor<4x16xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.muli %a, %a : i32
    linalg.yield %0 : i32
  } -> tensor<4x16xi32>
  %f = tensor.empty() : tensor<4x8xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xi32>) outs(%f : tensor<4x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.addi %a, %a : i32
    linalg.yield %0 : i32
  } -> tensor<4x8xi32>
  %mid = tensor.extract_slice %w[0, 4] [4, 8] [1, 1] : tensor<4x16xi32> to tensor<4x8xi32>
  %g = tensor.empty() : tensor<8x4xi32>
  %t = linalg.transpose ins(%mid : tensor<4x8xi32>) outs(%g : tensor<8x4xi32>) permutation = [1, 0]
  %u = linalg.transpose ins(%t : tensor<8x4xi32>) outs(%f : tensor<4x8xi32>) permutation = [1, 0]
  %r = tensor.insert_slice %y into %w[0, 0] [4, 8] [1, 1] : tensor<4x8xi32> into tensor<4x16xi32>
  %part = tensor.extract_slice %r[0, 4] [4, 8] [1, 1] : tensor<4x16xi32> to tensor<4x8xi32>
  %v = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%u, %part : tensor<4x8xi32>, tensor<4x8xi32>) outs(%f : tensor<4x8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %0 = arith.subi %a, %b : i32
    linalg.yield %0 : i32
  } -> tensor<4x8xi32>
  return %v : tensor<4x8xi32>
}
