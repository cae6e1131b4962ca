// RUN: nm-opt --nm-widen-bf16 %s | FileCheck %s --implicit-check-not="arith.extf %{{.*}}bf16"

// A word of two becomes two f32 by a shift and a mask, in order.
// CHECK-LABEL: func.func @words
// CHECK-SAME: (%[[X:.*]]: vector<4xbf16>)
// CHECK-DAG: %[[BITS:.*]] = arith.constant dense<16> : vector<2xi32>
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<-65536> : vector<2xi32>
// CHECK: %[[W:.*]] = vector.bitcast %[[X]] : vector<4xbf16> to vector<2xi32>
// CHECK: %[[LOW:.*]] = arith.shli %[[W]], %[[BITS]]
// CHECK: %[[HIGH:.*]] = arith.andi %[[W]], %[[MASK]]
// CHECK: %[[EVEN:.*]] = arith.bitcast %[[LOW]] : vector<2xi32> to vector<2xf32>
// CHECK: %[[ODD:.*]] = arith.bitcast %[[HIGH]] : vector<2xi32> to vector<2xf32>
// CHECK: vector.shuffle %[[EVEN]], %[[ODD]] [0, 2, 1, 3]
func.func @words(%x: vector<4xbf16>) -> vector<4xf32> {
  %y = arith.extf %x : vector<4xbf16> to vector<4xf32>
  return %y : vector<4xf32>
}

// CHECK-LABEL: func.func @number
// CHECK: %[[H:.*]] = arith.bitcast %{{.*}} : bf16 to i16
// CHECK: %[[W:.*]] = arith.extui %[[H]] : i16 to i32
// CHECK: %[[S:.*]] = arith.shli %[[W]], %c16_i32
// CHECK: arith.bitcast %[[S]] : i32 to f32
func.func @number(%x: bf16) -> f32 {
  %y = arith.extf %x : bf16 to f32
  return %y : f32
}

// CHECK-LABEL: func.func @odd
// CHECK: arith.shli %{{.*}} : vector<3xi32>
func.func @odd(%x: vector<3xbf16>) -> vector<3xf32> {
  %y = arith.extf %x : vector<3xbf16> to vector<3xf32>
  return %y : vector<3xf32>
}

// CHECK-LABEL: func.func @to_f64
// CHECK: %[[F:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.extf %[[F]] : f32 to f64
func.func @to_f64(%x: bf16) -> f64 {
  %y = arith.extf %x : bf16 to f64
  return %y : f64
}

// Rounding to bf16 is an instruction, and other types are not touched.
// CHECK-LABEL: func.func @others
// CHECK: arith.truncf %{{.*}} : f32 to bf16
// CHECK: arith.extf %{{.*}} : f16 to f32
func.func @others(%x: f32, %y: f16) -> (bf16, f32) {
  %a = arith.truncf %x : f32 to bf16
  %b = arith.extf %y : f16 to f32
  return %a, %b : bf16, f32
}
