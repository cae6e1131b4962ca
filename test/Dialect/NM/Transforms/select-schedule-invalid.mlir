// RUN: nm-opt --nm-set-target=chip=sm_86 --nm-select-schedule --split-input-file --verify-diagnostics %s

func.func @too_large(%a: tensor<?x4096xf32>, %w: !nm.condensed<4096x4096xf32, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  // expected-error @below {{expected a schedule within the 101376 bytes of shared memory of sm_86, got one of}}
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 256], stages = 4>}
    : tensor<?x4096xf32>, !nm.condensed<4096x4096xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// -----

func.func @no_clusters(%a: tensor<64x64xf32>, %w: !nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> {
  // expected-error @below {{expected a chip with clusters, which share the steps of a schedule with split_k = 2, got sm_86; remove split_k or compile for a chip that has them}}
  %r = nm.spmm %a, %w outs(%c : tensor<64x128xf32>)
    {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], split_k = 2>}
    : tensor<64x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

// RUN: not nm-opt --nm-select-schedule=stages=5 %s 2>&1 | FileCheck %s --check-prefix=STAGES
// RUN: not nm-opt --nm-select-schedule=stages=0 %s 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: expected stages from 1 to 4, got {{[05]}}
// RUN: not nm-opt --nm-select-schedule=packing-threshold=nan %s 2>&1 | FileCheck %s --check-prefix=THRESHOLD
// THRESHOLD: expected packing-threshold from 0 to 1, got nan
