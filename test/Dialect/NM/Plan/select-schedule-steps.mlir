// RUN: nm-opt --nm-set-target=chip=sm_90a --nm-select-schedule=tuning=0 %s | FileCheck %s

// Kernels of one product have equal steps where that costs little.

// Steps of 128 rows would be faster for 512 rows alone, which a product of so many has: one
// order for all is worth more.
// CHECK-LABEL: func.func @equal
// CHECK: nm.most_rows = 256 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: nm.most_rows = 512 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: nm.most_rows = 1024 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: return
func.func @equal(%x: tensor<?x768xbf16>, %w: !nm.condensed<768x3072xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<?x3072xbf16>) -> tensor<?x3072xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<?x3072xbf16>) : tensor<?x768xbf16>, !nm.condensed<768x3072xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<?x3072xbf16>
  return %r : tensor<?x3072xbf16>
}

// CHECK-LABEL: func.func @alone
// CHECK: schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 128]
func.func @alone(%x: tensor<768x512xbf16>, %w: !nm.condensed<768x3072xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<512x3072xbf16>) -> tensor<512x3072xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<512x3072xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<768x512xbf16>, !nm.condensed<768x3072xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<512x3072xbf16>
  return %r : tensor<512x3072xbf16>
}

// Steps of 256 rows, which 512 rows have, are predicted to be a tenth slower for 1024: less, in
// truth, so that those have them, too.
// CHECK-LABEL: func.func @many
// CHECK: nm.most_rows = 512 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: nm.most_rows = 1024 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: return
func.func @many(%x: tensor<?x4096xbf16>, %w: !nm.condensed<4096x4096xbf16, #nm.pattern<8:32, unit = 1x128>>, %c: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<?x4096xbf16>) : tensor<?x4096xbf16>, !nm.condensed<4096x4096xbf16, #nm.pattern<8:32, unit = 1x128>> -> tensor<?x4096xbf16>
  return %r : tensor<?x4096xbf16>
}

// They are too much slower for 256 rows, and those of 128 for 128: each has its own.
// CHECK-LABEL: func.func @unequal
// CHECK: nm.most_rows = 128 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: nm.most_rows = 256 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 128]
// CHECK: return
func.func @unequal(%x: tensor<?x4096xbf16>, %w: !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x128>>, %c: tensor<?x11008xbf16>) -> tensor<?x11008xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<?x11008xbf16>) : tensor<?x4096xbf16>, !nm.condensed<4096x11008xbf16, #nm.pattern<8:32, unit = 1x128>> -> tensor<?x11008xbf16>
  return %r : tensor<?x11008xbf16>
}

// Of another kind, the fastest counts: mma_sync with steps of the others would be 3 % slower.
// CHECK-LABEL: func.func @other_kind
// CHECK: nm.most_rows = 64 : index, schedule = #nm.schedule<kind = #nm.mma_gemv<
// CHECK: nm.most_rows = 128 : index, schedule = #nm.schedule<kind = #nm.mma_sync<{{[^>]*}}>, block = [{{[0-9]+, [0-9]+}}, 256]
// CHECK: return
func.func @other_kind(%x: tensor<?x5120xbf16>, %w: !nm.condensed<5120x4096xbf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<?x4096xbf16>) -> tensor<?x4096xbf16> {
  %r = nm.spmm %x, %w outs(%c : tensor<?x4096xbf16>) : tensor<?x5120xbf16>, !nm.condensed<5120x4096xbf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<?x4096xbf16>
  return %r : tensor<?x4096xbf16>
}
