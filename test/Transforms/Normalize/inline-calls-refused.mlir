// RUN: nm-opt %s --nm-inline-calls --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Calls that hand over constants and stay, and why.

// REMARK: remark: [Missed] not-inlined | Category:nm-inline-calls | Function=stays | Callee=marked, Reason="it is marked no_inline"
// REMARK: remark: [Missed] not-inlined | Category:nm-inline-calls | Function=stays | Callee=recursive, Reason="the function calls itself"
// REMARK: remark: [Missed] not-inlined | Category:nm-inline-calls | Function=stays | Callee=blocks, Reason="the function has several blocks"
// REMARK-NOT: remark

func.func private @marked(%w: tensor<8x2xf32>) -> tensor<8x2xf32> attributes {no_inline} {
  return %w : tensor<8x2xf32>
}
func.func private @recursive(%w: tensor<8x2xf32>, %n: i1) -> tensor<8x2xf32> {
  %r = scf.if %n -> tensor<8x2xf32> {
    %false = arith.constant false
    %again = func.call @other(%w, %false) : (tensor<8x2xf32>, i1) -> tensor<8x2xf32>
    scf.yield %again : tensor<8x2xf32>
  } else {
    scf.yield %w : tensor<8x2xf32>
  }
  return %r : tensor<8x2xf32>
}
func.func private @other(%w: tensor<8x2xf32>, %n: i1) -> tensor<8x2xf32> {
  %r = call @recursive(%w, %n) : (tensor<8x2xf32>, i1) -> tensor<8x2xf32>
  return %r : tensor<8x2xf32>
}
func.func private @blocks(%w: tensor<8x2xf32>) -> tensor<8x2xf32> {
  cf.br ^next(%w : tensor<8x2xf32>)
^next(%v: tensor<8x2xf32>):
  return %v : tensor<8x2xf32>
}

// CHECK-LABEL: func.func @stays
// CHECK: call @marked
// CHECK: call @recursive
// CHECK: call @blocks
func.func @stays(%n: i1) -> (tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>) {
  %w = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]> : tensor<8x2xf32>
  %a = call @marked(%w) : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %b = call @recursive(%w, %n) : (tensor<8x2xf32>, i1) -> tensor<8x2xf32>
  %c = call @blocks(%w) : (tensor<8x2xf32>) -> tensor<8x2xf32>
  return %a, %b, %c : tensor<8x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>
}

// A module inside the module has functions of its own.
// CHECK: func.func private @linear
func.func private @linear(%w: tensor<8x2xf32>) -> tensor<8x2xf32> {
  return %w : tensor<8x2xf32>
}
// CHECK-LABEL: module @inner
// CHECK: call @linear
module @inner {
  func.func private @linear(%w: tensor<8x2xf32>) -> tensor<8x2xf32> {
    return %w : tensor<8x2xf32>
  }
  func.func @use() -> tensor<8x2xf32> {
    %w = arith.constant dense<[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [3.0, 0.0], [0.0, 4.0]]> : tensor<8x2xf32>
    %y = call @linear(%w) : (tensor<8x2xf32>) -> tensor<8x2xf32>
    return %y : tensor<8x2xf32>
  }
}
