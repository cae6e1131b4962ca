// RUN: nm-opt --nm-set-target=chip=sm_90a --nm-select-schedule=tuning=0 %s | FileCheck %s

// Kernels of one product have equal steps where that costs little.

#vw = #nm.pattern<8:32, unit = 1x128>

// Steps of 256 rows would be up to 5 % faster for 128, 256 and 512 rows.
// CHECK-LABEL: func.func @equal
// CHECK-NOT: {{kind = #nm.mma_sync<[^>]*>, block = \[[0-9]+, [0-9]+, (64|256)\]}}
// CHECK: nm.most_rows = 256 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 128]
// CHECK-NOT: {{kind = #nm.mma_sync<[^>]*>, block = \[[0-9]+, [0-9]+, (64|256)\]}}
// CHECK: return
func.func @equal(%x: tensor<?x2048xbf16>, %w: !nm.condensed<2048x2048xbf16, #vw>, %c: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<?x2048xbf16>) : tensor<?x2048xbf16>, !nm.condensed<2048x2048xbf16, #vw> -> tensor<?x2048xbf16>
  return %r : tensor<?x2048xbf16>
}

// Of another kind, the fastest counts.
// CHECK-LABEL: func.func @other_kind
// CHECK: nm.most_rows = 64 : index, schedule = #nm.schedule<kind = #nm.mma_gemv<
// CHECK: return
func.func @other_kind(%x: tensor<?x11008xbf16>, %w: !nm.condensed<11008x4096xbf16, #vw>, %c: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<?x4096xbf16>) : tensor<?x11008xbf16>, !nm.condensed<11008x4096xbf16, #vw> -> tensor<?x4096xbf16>
  return %r : tensor<?x4096xbf16>
}
