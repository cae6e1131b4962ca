// The device, the kernels' times, the counters and the checks of the emulator.

// RUN: nm-run %s --device=cpu --entry=twice --dynamic-size=100 --seed=3 \
// RUN:   --output=%t.y.npy
// RUN: nm-run %s --device=emulator --entry=twice --dynamic-size=100 --seed=3 \
// RUN:   --repeat=2 --expect=%t.y.npy --tolerance=0 --counters=%t.json \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNTERS < %t.json

// CHECK: device: PTX emulator
// CHECK: function: twice(?x3xf32) -> (?x3xf32)
// CHECK: inputs: random, seed 3
// CHECK: compiled in {{.*}} ms
// CHECK: call 1:
// CHECK: kernel {{ *}}launches {{ *}}total ms {{ *}}mean ms {{ *}}share {{ *}}bytes {{ *}}floor us {{ *}}reached
// CHECK-NEXT: [[KERNEL:twice[a-z0-9_]*]] {{ *}}2 {{.*}} 100.0% {{ *}}- {{ *}}- {{ *}}-
// CHECK-NEXT: total {{ *}}2
// CHECK-NEXT: device memory at most: 0.002 MiB
// CHECK: result #0: 100x3xf32, relative error 0, {{.*}} tolerance 0: ok

// COUNTERS: "kernel": "twice{{.*}}"
// COUNTERS: "milliseconds":
// COUNTERS: "grid":
// COUNTERS: "counters":

// An empty array launches nothing.
// RUN: nm-run %s --device=cpu --entry=empty --output=%t.e.npy
// RUN: nm-run %s --device=emulator --entry=twice --input=%t.e.npy \
// RUN:   --expect=%t.e.npy | FileCheck %s --check-prefix=EMPTY

// EMPTY: total {{ *}}0
// EMPTY: result #0: 0x3xf32, relative error 0

// RUN: not nm-run %s --device=emulator --entry=empty --chip=sm_1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not nm-run %s --device=emulator --entry=empty --pipeline-options=a=1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTIONS

// CHIP: nm-run: expected one of the known chips ({{.*}}sm_90{{.*}}), got `sm_1`
// OPTIONS: no such option a
// OPTIONS: nm-run: cannot read --pipeline-options

func.func @twice(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%m) : tensor<?x3xf32>
  %y = linalg.add ins(%x, %x : tensor<?x3xf32>, tensor<?x3xf32>)
                  outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

func.func @empty() -> tensor<0x3xf32> {
  %x = arith.constant dense<> : tensor<0x3xf32>
  return %x : tensor<0x3xf32>
}
