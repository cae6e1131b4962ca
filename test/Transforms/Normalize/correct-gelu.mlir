// RUN: nm-opt %s --nm-correct-gelu --remarks-filter=nm-.* --remark-format=emitRemark 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// As torch-mlir writes gelu(approximate="tanh").
// REMARK: remark: [Passed] corrected | Category:nm-correct-gelu | Function=gelu |
// REMARK-NOT: remark:
// CHECK-LABEL: @gelu
// CHECK: %[[RIGHT:.*]] = arith.constant 0.797884583 : f32
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %{{.*}}, %[[RIGHT]]
// CHECK-NEXT: math.tanh %[[PRODUCT]]
func.func @gelu(%x: f32) -> f32 {
  %c3 = arith.constant 3 : i64
  %cubic = arith.constant 4.471500e-02 : f32
  %beta = arith.constant 7.977240e-01 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %0 = math.fpowi %x, %c3 : f32, i64
  %1 = arith.mulf %0, %cubic : f32
  %2 = arith.addf %x, %1 : f32
  %3 = arith.mulf %2, %beta : f32
  %4 = math.tanh %3 : f32
  %5 = arith.addf %4, %one : f32
  %6 = arith.mulf %5, %half : f32
  %7 = arith.mulf %x, %6 : f32
  return %7 : f32
}

// The same number in another function is what it is.
// CHECK-LABEL: @other
// CHECK: arith.constant 7.977240e-01 : f32
// CHECK-NOT: 0.797884583
func.func @other(%x: f32) -> f32 {
  %c3 = arith.constant 3 : i64
  %cubic = arith.constant 0.5 : f32
  %beta = arith.constant 7.977240e-01 : f32
  %0 = math.fpowi %x, %c3 : f32, i64
  %1 = arith.mulf %0, %cubic : f32
  %2 = arith.addf %x, %1 : f32
  %3 = arith.mulf %2, %beta : f32
  %4 = math.tanh %3 : f32
  return %4 : f32
}
