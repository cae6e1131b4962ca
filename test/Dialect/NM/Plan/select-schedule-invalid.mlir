// RUN: nm-opt --nm-set-target=chip=sm_86 --nm-select-schedule --split-input-file --verify-diagnostics %s

func.func @too_large(%a: tensor<?x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  // expected-error @below {{expected a schedule within the 101376 bytes of shared memory of sm_86, got one of}}
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 256], stages = 4>}
    : tensor<?x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// -----

// A chip without clusters adds sums in a workspace: they take no shared memory, where
// those of a cluster would take 131072 bytes.
func.func @no_clusters(%a: tensor<128x64xf32>, %w: !nm.condensed<64x256xf32, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<128x256xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 8], lanes = [16, 2], thread = [8, 16]>, block = [128, 256, 32], split_k = 2>}
    : tensor<128x64xf32>, !nm.condensed<64x256xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<128x256xf32>
  return %r : tensor<128x256xf32>
}

// -----

// Swizzled rows have no padding: two slots of 50176 bytes fit, and with 16 bytes more a
// row they would not.
func.func @swizzled(%a: tensor<4096x1024xf16>, %w: !nm.condensed<4096x1024xf16, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<1024x1024xf16>)
    {a_layout = #nm.layout<feature_major>, schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [64, 64]>, block = [64, 128, 256], stages = 2>}
    : tensor<4096x1024xf16>, !nm.condensed<4096x1024xf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<1024x1024xf16>
  return %r : tensor<1024x1024xf16>
}

// RUN: not nm-opt --nm-select-schedule=stages=5 %s 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not nm-opt --nm-select-schedule=stages=0 %s 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: expected stages from 1 to 4, got {{[05]}}
// RUN: not nm-opt --nm-select-schedule=packing-threshold=nan %s 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// THRESHOLD: expected packing-threshold from 0 to 1, got nan
