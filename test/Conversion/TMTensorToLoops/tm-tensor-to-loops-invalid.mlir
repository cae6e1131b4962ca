// RUN: nm-opt %s --split-input-file --verify-diagnostics --nm-tm-tensor-to-loops

func.func @tensors(%k: tensor<4xi32>) -> tensor<4xi32> {
  // expected-error @+1 {{'tm_tensor.sort' op expected operands that are buffers, got tensors; run one-shot-bufferize first}}
  %0 = tm_tensor.sort dimension(0) outs(%k : tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.cmpi slt, %a, %b : i32
    tm_tensor.yield %c : i1
  } -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @attention(%q: memref<8x16xf32>, %o: memref<8x16xf32>) {
  // expected-error @+1 {{'tm_tensor.attention' op expected to be gone; run nm-decompose-attention on tensors first}}
  tm_tensor.attention ins(%q, %q, %q : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) outs(%o : memref<8x16xf32>)
  return
}
