// The name of a location, as nm.export writes it, is the layer's in the report, in
// remarks and in errors. One line of a model's source serves all of its layers.

// RUN: nm-compile %s -o %t.ptx --report=- | FileCheck %s
// RUN: nm-compile %s -o %t.ptx --report=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python %S/../check_report.py %t.json --sparse=2 --dense=2
// RUN: nm-opt %s --nm-import-linalg --nm-select-schedule --nm-pack-weights \
// RUN:   --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: nm-compile %s -o %t.ptx --keep=1 --window=4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WARNING

// WARNING: nm-compile: warning: in `layers.0.up.weight`: the weight violates the forced pattern

// CHECK: layers.0.up {{ *}}nm.spmm {{ *}}1:2 {{.*}} model.py:7 {{ *}}gemv
// CHECK-NEXT: layers.1.up {{ *}}nm.spmm {{ *}}1:2 {{.*}} model.py:7 {{ *}}gemv
// CHECK-NEXT: layers.0.head {{ *}}linalg.matmul {{ *}}dense {{ *}}- {{ *}}2 {{ *}}2 {{ *}}4 {{.*}} model.py:9 {{ *}}the weight
// CHECK-NEXT: layers.1.head {{ *}}linalg.matmul {{ *}}dense {{ *}}- {{ *}}2 {{ *}}3 {{ *}}4 {{.*}} model.py:9 {{ *}}the weight
// CHECK: name {{ *}}launches {{ *}}grid {{ *}}block {{ *}}shared bytes {{ *}}layers
// CHECK: f_{{.*}}_spmm {{.*}} layers.0.up and 1 more
// CHECK: f_{{.*}}_matmul {{.*}} layers.1.head

// JSON: "layers": [
// JSON-NEXT: "layers.0.up"
// JSON: "name": "layers.1.head",

// REMARK: model.py:7:0: remark: [Passed] raised | Category:nm-import-linalg | Function=f | Layer=layers.0.up, Op=nm.spmm
// REMARK: model.py:9:0: remark: [Missed] not-raised | {{.*}} Layer=layers.0.head, Op=linalg.matmul
// REMARK: model.py:7:0: remark: [Passed] selected | {{.*}} Layer=layers.1.up, Reason
// REMARK: [Passed] packed | {{.*}} Layer=layers.0.up.weight, Rows=4, of rows=4

#up0 = loc("layers.0.up"("model.py":7:0))
#up1 = loc("layers.1.up"("model.py":7:0))
#head0 = loc("layers.0.head"("model.py":9:0))
#head1 = loc("layers.1.head"("model.py":9:0))
func.func @f(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x3xf32>) {
  %w0 = arith.constant dense<[[1.0, 0.0, 2.0], [0.0, 3.0, 0.0], [4.0, 0.0, 5.0], [0.0, 6.0, 0.0]]> : tensor<4x3xf32> loc("layers.0.up.weight")
  %w1 = arith.constant dense<[[0.0, 1.0, 2.0], [7.0, 0.0, 0.0], [0.0, 0.0, 5.0], [8.0, 6.0, 0.0]]> : tensor<4x3xf32>
  %h0 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %h1 = arith.constant dense<[[1.0, 2.0, 9.0], [3.0, 4.0, 9.0], [5.0, 6.0, 9.0], [7.0, 8.0, 9.0]]> : tensor<4x3xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %d = tensor.empty() : tensor<2x2xf32>
  %g = linalg.fill ins(%z : f32) outs(%d : tensor<2x2xf32>) -> tensor<2x2xf32>
  %u0 = linalg.matmul ins(%x, %w0 : tensor<2x4xf32>, tensor<4x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32> loc(#up0)
  %r0 = linalg.matmul ins(%y, %h0 : tensor<2x4xf32>, tensor<4x2xf32>) outs(%g : tensor<2x2xf32>) -> tensor<2x2xf32> loc(#head0)
  %u1 = linalg.matmul ins(%y, %w1 : tensor<2x4xf32>, tensor<4x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32> loc(#up1)
  %r1 = linalg.matmul ins(%x, %h1 : tensor<2x4xf32>, tensor<4x3xf32>) outs(%f : tensor<2x3xf32>) -> tensor<2x3xf32> loc(#head1)
  return %u0, %u1, %r0, %r1 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x3xf32>
}
