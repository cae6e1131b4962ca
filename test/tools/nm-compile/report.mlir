// RUN: nm-compile %s -o %t.ptx --report=%t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: nm-compile %s -o %t.ptx --report=- | FileCheck %s
// RUN: %python %S/../check_report.py %t.json --sparse=1 --dense=1

// JSON: "chip": "sm_90"
// JSON: "kernels": [
// JSON-COUNT-1: "name": "f_0_spmv"
// JSON: "llvm_version": "22.
// JSON: "products": [
// JSON: "c_layout": "token_major"
// JSON-NEXT: "element_type": "f32"
// JSON-NEXT: "function": "f"
// JSON-NEXT: "fused": []
// JSON-NEXT: "kernel": "f_0_spmv"
// JSON-NEXT: "launch": "f_0_spmv"
// JSON-NEXT: "location": "{{.*}}report.mlir:{{[0-9]+}}:8"
// JSON-NEXT: "name": "product 0"
// JSON-NEXT: "op": "nm.spmv"
// JSON-NEXT: "packed_values": 0
// JSON-NEXT: "packed_weight": 0
// JSON-NEXT: "pattern": "#nm.pattern<1:2>"
// JSON-NEXT: "raised": true
// JSON-NEXT: "reason": "gemv: 32 columns
// JSON-NEXT: "schedule": "#nm.schedule<kind = #nm.gemv<warps = [1, 16], lanes = [32, 1], thread = [1, 1, {{[0-9]+}}]>, block = [1, 32, 64]
// JSON: "shape": {
// JSON-NEXT: "k": 64,
// JSON-NEXT: "m": 1,
// JSON-NEXT: "n": 1
// JSON: "weight_bytes": {
// JSON-NEXT: "condensed": 160,
// JSON-NEXT: "dense": 256,
// JSON: "op": "linalg.matmul"
// JSON-NEXT: "pattern": null
// JSON-NEXT: "raised": false
// JSON-NEXT: "reason": "{{.+}}"
// JSON: "totals": {
// JSON: "not_raised": 1,
// JSON-NEXT: "raised": 1,

// CHECK: report.mlir for sm_90 (nm {{.*}}, LLVM 22.
// CHECK-NEXT: layers: 1 sparse, 1 dense
// CHECK-NEXT: layer {{ *}}op {{ *}}pattern {{ *}}type {{ *}}m {{ *}}n {{ *}}k {{ *}}dense bytes {{ *}}value bytes {{ *}}padding {{ *}}index bytes {{ *}}fused {{ *}}schedule {{ *}}location {{ *}}why
// CHECK-NEXT: product 0 {{ *}}nm.spmv {{ *}}1:2 {{ *}}f32 {{ *}}1 {{ *}}1 {{ *}}64 {{ *}}256 {{.*}} - {{ *}}kind = #nm.gemv<{{.*}}report.mlir:{{[0-9]+}}:8 {{ *}}gemv: 32 columns
// CHECK-NEXT: - {{ *}}linalg.matmul {{ *}}dense {{ *}}- {{ *}}2 {{ *}}2 {{ *}}2 {{ *}}16 {{.*}}report.mlir:{{[0-9]+}}:8 {{ *}}the weight
// CHECK: weights of sparse layers: 256 bytes dense, 160 condensed, {{[0-9]+}} packed, {{[0-9]+}} of them padding
// CHECK: kernels:
// CHECK: function {{ *}}arguments {{ *}}constants {{ *}}buffers {{ *}}live maximum
// CHECK-NEXT: f {{ *}}256

func.func @f(%x: tensor<64xf32>) -> tensor<1xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<32x1xf32>, indices = dense<0> : tensor<32x1xi8>} : !nm.condensed<64x1xf32, #nm.pattern<1:2>>
  %e = tensor.empty() : tensor<1xf32>
  %r = nm.spmv %x, %w outs(%e : tensor<1xf32>) : tensor<64xf32>, !nm.condensed<64x1xf32, #nm.pattern<1:2>> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

func.func @g(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
