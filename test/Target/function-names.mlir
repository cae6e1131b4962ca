// RUN: nm-compile %s -o %t.ptx && FileCheck %s < %t.ptx
// RUN: nm-run %s --entry=my-model.forward --device=emulator

// Names of kernels are names in PTX, whatever the function is called and wherever
// it is from. Equal kernels are one: these differ.
// CHECK: .visible .entry _0a_b_0_spmm(
// CHECK: .visible .entry my_model_forward_0_spmm(
func.func @"0a b"(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 1]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  %e = tensor.empty() : tensor<4x2xf32>
  %y = nm.spmm %x, %w outs(%e : tensor<4x2xf32>)
      : tensor<4x4xf32>, !nm.condensed<4x2xf32, #nm.pattern<2:4>> -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
func.func @"my-model.forward"(%x: tensor<4x4xf32>) -> tensor<4x2xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<2x2xf32>, indices = dense<[[0, 0], [1, 1]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  %e = tensor.empty() : tensor<4x2xf32>
  %y = nm.spmm %x, %w outs(%e : tensor<4x2xf32>) {epilogue = #nm.epilogue<relu>}
      : tensor<4x4xf32>, !nm.condensed<4x2xf32, #nm.pattern<2:4>> -> tensor<4x2xf32>
  %z = linalg.exp ins(%y : tensor<4x2xf32>) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32> loc(unknown)
  return %z : tensor<4x2xf32>
} loc(unknown)
