// RUN: nm-opt --nm-approximate-math %s | FileCheck %s

// CHECK-LABEL: func.func @exp2
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[Y:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[X]]) : (f32) -> f32
// CHECK: return %[[Y]]
func.func @exp2(%x: f32) -> f32 {
  %y = math.exp2 %x fastmath<afn> : f32
  return %y : f32
}

// CHECK-LABEL: func.func @exp(
// CHECK-SAME: %[[X:.*]]: f32)
// CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X]], %[[LOG2E]] : f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(%[[SCALED]])
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x fastmath<fast> : f32
  return %y : f32
}

// CHECK-LABEL: func.func @quotient
// CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK: %[[ABOVE:.*]] = arith.cmpf ogt
// CHECK: %[[BELOW:.*]] = arith.cmpf olt
// CHECK: %[[UP:.*]] = arith.select %[[BELOW]]
// CHECK: %[[SCALE:.*]] = arith.select %[[ABOVE]], %{{.*}}, %[[UP]] : f32
// CHECK: %[[T:.*]] = arith.mulf %[[Y]], %[[SCALE]] : f32
// CHECK: %[[R:.*]] = nvvm.rcp.approx.ftz.f %[[T]] : f32
// CHECK: %[[S:.*]] = arith.mulf %[[X]], %[[SCALE]] : f32
// CHECK: arith.mulf %[[S]], %[[R]] : f32
func.func @quotient(%x: f32, %y: f32) -> f32 {
  %z = arith.divf %x, %y fastmath<afn> : f32
  return %z : f32
}

// CHECK-LABEL: func.func @reciprocal
// CHECK: %[[R:.*]] = nvvm.rcp.approx.ftz.f %{{.*}} : f32
// CHECK-NOT: arith.mulf
// CHECK: return %[[R]]
func.func @reciprocal(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %y = arith.divf %one, %x fastmath<afn> : f32
  return %y : f32
}

// What may not be approximate, has no such instruction, or is a vector stays.
// CHECK-LABEL: func.func @others
// CHECK: math.exp2 %{{.*}} : f32
// CHECK: arith.divf %{{.*}} fastmath<arcp> : f32
// CHECK: math.tanh %{{.*}} fastmath<afn> : f32
// CHECK: math.exp %{{.*}} fastmath<afn> : f64
// CHECK: math.exp %{{.*}} fastmath<afn> : vector<2xf32>
// CHECK: arith.extf
func.func @others(%x: f32, %y: f64, %z: vector<2xf32>, %h: f16) -> (f32, f32, f32, f64, vector<2xf32>, f32) {
  %a = math.exp2 %x : f32
  %b = arith.divf %x, %a fastmath<arcp> : f32
  %c = math.tanh %x fastmath<afn> : f32
  %d = math.exp %y fastmath<afn> : f64
  %e = math.exp %z fastmath<afn> : vector<2xf32>
  %f = arith.extf %h : f16 to f32
  return %a, %b, %c, %d, %e, %f : f32, f32, f32, f64, vector<2xf32>, f32
}
