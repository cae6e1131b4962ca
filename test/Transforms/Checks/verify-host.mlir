// RUN: nm-opt %s --nm-verify-host --remark-format=emitRemark --remarks-filter=nm-verify-host 2>&1 | FileCheck %s

// A single element may be read, at the price of a wait.
// CHECK: verify-host.mlir:[[#@LINE + 4]]:{{.*}} remark: [Analysis] host-read | Category:nm-verify-host | Function=loads | Remark="the host waits for the device and reads an element
// CHECK-NOT: remark
func.func @loads(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}
