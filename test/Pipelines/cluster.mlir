// REQUIRES: ptxas
// RUN: nm-compile %s --chip=sm_90 -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: nm-compile %s --chip=sm_90 --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT
// RUN: nm-compile %s --chip=sm_90a --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT
// RUN: nm-compile %s --chip=sm_100 --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT
// RUN: nm-compile %s --chip=sm_120 --emit=cubin -o %t.cubin --report=- | FileCheck %s --check-prefix=REPORT

// Accumulators meet in distributed shared memory, 16 bytes at a time: a block of two
// reads half of 64 sums of both blocks. The fastest tile of small products spills nothing.
// REPORT-DAG: split_k = 2 (2 blocks of a cluster)
// REPORT-DAG: {{^ *}}fma_0_spmm {{.*}} 0{{$}}
// REPORT-DAG: {{^ *}}matrices_0_spmm {{.*}} 0{{$}}
// CHECK-LABEL: .entry fma_0_spmm(
// CHECK: %cluster_ctaid.x
// CHECK: fma.rn.f32
// CHECK-COUNT-16: st.shared.v4.b32
// CHECK: barrier.cluster.arrive.aligned;
// CHECK: barrier.cluster.wait.aligned;
// CHECK-DAG: mapa.shared::cluster.u64 %{{.*}}, 0;
// CHECK-DAG: mapa.shared::cluster.u64 %{{.*}}, 1;
// CHECK-DAG: ld.shared::cluster.v4.{{[bf]}}32
// CHECK: barrier.cluster.arrive.aligned;
// CHECK: st.global.v4
// CHECK: barrier.cluster.wait.aligned;
// CHECK-NEXT: ret;
// CHECK-LABEL: .entry matrices_0_spmm(
// CHECK: mma.sync
// CHECK: barrier.cluster.arrive.aligned;
// CHECK: mapa.shared::cluster.u64
// CHECK: ld.shared::cluster.v4.{{[bf]}}32
// CHECK: barrier.cluster.wait.aligned;
// CHECK-NEXT: ret;

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
