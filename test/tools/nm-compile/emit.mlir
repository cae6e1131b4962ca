// RUN: nm-compile %s -o %t.ptx && FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: nm-compile %s --emit=nvvm -o - | FileCheck %s --check-prefix=NVVM
// RUN: nm-compile %s --emit=mlir -o %t.plan.mlir && FileCheck %s --check-prefix=MLIR < %t.plan.mlir
// RUN: nm-compile %s --emit=mlir --last-stage=promote-shared -o %t.promoted.mlir
// RUN: nm-compile %s --emit=mlir --last-stage=double-buffer -o %t.buffered.mlir
// RUN: nm-compile %s --emit=mlir --last-stage=map-linalg -o %t.mapped.mlir

// The chip of a GPU of some capability is the one with the most instructions.
// RUN: nm-compile %s --capability=90 -o - | FileCheck %s --check-prefix=CAP90
// RUN: nm-compile %s --capability=80 -o - | FileCheck %s --check-prefix=CAP80

// Equal input, equal output; and a module that was stopped at any stage goes on
// from there.
// RUN: nm-compile %s -o %t.again.ptx && cmp %t.ptx %t.again.ptx
// RUN: nm-compile %t.plan.mlir -o %t.again.ptx && cmp %t.ptx %t.again.ptx
// RUN: nm-compile %t.promoted.mlir -o %t.again.ptx && cmp %t.ptx %t.again.ptx
// RUN: nm-compile %t.buffered.mlir -o %t.again.ptx && cmp %t.ptx %t.again.ptx
// RUN: nm-compile %t.mapped.mlir -o %t.again.ptx && cmp %t.ptx %t.again.ptx

// Optional stages can be left out.
// RUN: nm-compile %s --no-double-buffer --no-pack-tile -o - | FileCheck %s --check-prefix=PLAIN
// RUN: nm-compile %s --no-promote -o - | FileCheck %s --check-prefix=GLOBAL

// Every stage leaves its module; large constants are elided there only.
// RUN: rm -rf %t.stages && nm-compile %s -o %t.ptx --dump-stages=%t.stages/new
// RUN: ls %t.stages/new | FileCheck %s --check-prefix=STAGES
// RUN: FileCheck %s --check-prefix=DUMP < %t.stages/new/04-bufferize.mlir
// RUN: cmp %t.ptx %t.stages/new/kernels.ptx

// CAP90: .target sm_90a
// CAP80: .target sm_80
// PTX: .visible .entry f_0_spmm(
// PTX: cp.async
// NVVM: gpu.module @nm_kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">]
// NVVM: llvm.func @f_0_spmm
// MLIR: dense<"0x
// MLIR: nm.spmm {{.*}}schedule = #nm.schedule<
// PLAIN-NOT: cp.async
// PLAIN: bar.sync
// GLOBAL-NOT: bar.sync
// GLOBAL: fma.rn.f32
// STAGES: 01-import.mlir
// STAGES-NEXT: 02-fuse.mlir
// STAGES-NEXT: 03-plan.mlir
// STAGES-NEXT: 04-bufferize.mlir
// STAGES-NEXT: 05-tile.mlir
// STAGES-NEXT: 06-promote-shared.mlir
// STAGES-NEXT: 07-pack-tile.mlir
// STAGES-NEXT: 08-double-buffer.mlir
// STAGES-NEXT: 09-load-fragments.mlir
// STAGES-NEXT: 10-map-to-threads.mlir
// STAGES-NEXT: 11-map-linalg.mlir
// STAGES-NEXT: 12-outline.mlir
// STAGES-NEXT: 13-lower-to-nvvm.mlir
// STAGES-NEXT: 14-emit-ptx.mlir
// STAGES-NEXT: kernels.ptx
// DUMP: dense_resource<__elided__>
func.func @f(%x: tensor<64x256xf32>) -> tensor<64x64xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<64x64xf32>, indices = dense<[[0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31],
    [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31], [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31],
    [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31], [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31],
    [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31], [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31],
    [0, 0], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 31]]> : tensor<64x2xi8>} : !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>>
  %e = tensor.empty() : tensor<64x64xf32>
  %r = nm.spmm %x, %w outs(%e : tensor<64x64xf32>) : tensor<64x256xf32>, !nm.condensed<256x64xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
