// A weight that several products share is stored once, and counted once in the
// totals: 8x2 of f32, of which one of four rows is kept. Packed for products of
// several sizes it is stored as often as it is packed.
//
// RUN: nm-compile %s -o /dev/null --report=- | FileCheck %s
// RUN: nm-compile %s -o /dev/null --report=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python %S/../check_report.py %t.json --sparse=4 --dense=0

// CHECK: layers: 4 sparse, 0 dense
// CHECK: weights of sparse layers: 128 bytes dense, 40 condensed,

// JSON: "weight": 0,
// JSON: "weight": 0,
// JSON: "weight": 1,
// JSON: "weight": 0,

func.func @main(%x: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]> : tensor<8x2xf32>
  %v = arith.constant dense<[[0.0, 5.0], [6.0, 0.0], [0.0, 0.0], [0.0, 0.0], [7.0, 0.0], [0.0, 8.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<8x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  %u = linalg.matmul ins(%z, %w : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  %t = linalg.matmul ins(%z, %v : tensor<4x8xf32>, tensor<8x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y, %u, %t : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

func.func @other(%x: tensor<1x8xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]> : tensor<8x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2xf32>) -> tensor<1x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<1x8xf32>, tensor<8x2xf32>) outs(%f : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
