// RUN: nm-reduce %s -reduction-tree='traversal-mode=0 test=%S/Inputs/has-product.sh' | FileCheck %s

// What is left of a module is the function that the script looks for.
// CHECK-NOT: @unrelated
// CHECK: func.func @wanted
// CHECK: nm.spmv
// CHECK-NOT: @unrelated

func.func @unrelated(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.addf %a, %a : tensor<4xf32>
  %c = arith.mulf %b, %a : tensor<4xf32>
  return %c : tensor<4xf32>
}

func.func @wanted(%a: tensor<8xf32>, %w: !nm.condensed<8x2xf32, #nm.pattern<1:2>>, %c: tensor<2xf32>) -> tensor<2xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<2xf32>) : tensor<8xf32>, !nm.condensed<8x2xf32, #nm.pattern<1:2>> -> tensor<2xf32>
  return %r : tensor<2xf32>
}

func.func @unrelated_too(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
