// REQUIRES: ptxas
// RUN: nm-compile %s --chip=sm_80 -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: nm-compile %s --chip=sm_80 --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT
// RUN: nm-compile %s --chip=sm_86 --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT
// RUN: nm-compile %s --chip=sm_89 --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT

// Chips without clusters add the sums of blocks that share a tile in a second kernel.
// Sums are stored 16 bytes at a time, read and added in order; nothing spills.
// REPORT-DAG: split_k = 2 (2 blocks through a workspace)
// REPORT-DAG: {{^ *}}fma_0_spmm {{.*}} 0{{$}}
// REPORT-DAG: {{^ *}}fma_0_spmm_sum {{.*}} 0{{$}}
// REPORT-DAG: {{^ *}}matrices_0_spmm {{.*}} 0{{$}}
// REPORT-DAG: {{^ *}}matrices_0_spmm_sum {{.*}} 0{{$}}
// CHECK-NOT: cluster
// CHECK-LABEL: .entry fma_0_spmm(
// CHECK: fma.rn.f32
// CHECK-COUNT-16: st.global.v4.b32
// CHECK: ret;
// CHECK-LABEL: .entry fma_0_spmm_sum(
// CHECK: add.rn.f32
// CHECK: st.global.b32
// CHECK-LABEL: .entry matrices_0_spmm(
// CHECK: mma.sync
// CHECK: st.global.v4.b32
// CHECK-LABEL: .entry matrices_0_spmm_sum(
// CHECK-COUNT-3: add.rn.f32
// CHECK: cvt.rn.f16.f32
// CHECK: st.global.b16

#vw = #nm.pattern<16:32, unit = 1x32>

func.func @fma(%a: tensor<512x256xf32>, %v: tensor<256x512xf32>, %d: tensor<256x16xi8>, %c: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %w = nm.assemble %v, %d : tensor<256x512xf32>, tensor<256x16xi8> -> !nm.condensed<512x512xf32, #vw>
  %r = nm.spmm %a, %w outs(%c : tensor<256x512xf32>) {a_layout = #nm.layout<feature_major>,
      schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 32], stages = 3, split_k = 2>}
      : tensor<512x256xf32>, !nm.condensed<512x512xf32, #vw> -> tensor<256x512xf32>
  return %r : tensor<256x512xf32>
}

func.func @matrices(%a: tensor<512x256xf16>, %v: tensor<256x512xf16>, %d: tensor<256x16xi8>, %c: tensor<256x512xf16>) -> tensor<256x512xf16> {
  %w = nm.assemble %v, %d : tensor<256x512xf16>, tensor<256x16xi8> -> !nm.condensed<512x512xf16, #vw>
  %r = nm.spmm %a, %w outs(%c : tensor<256x512xf16>) {a_layout = #nm.layout<feature_major>,
      schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 4], tile = [32, 32]>, block = [32, 128, 64], stages = 3, split_k = 4>}
      : tensor<512x256xf16>, !nm.condensed<512x512xf16, #vw> -> tensor<256x512xf16>
  return %r : tensor<256x512xf16>
}
