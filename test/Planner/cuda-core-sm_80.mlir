// RUN: nm-opt --nm-set-target=chip=sm_80 --nm-select-schedule=tuning=0 --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s

// Without clusters, blocks that share a tile leave their sums in a workspace, which
// takes no shared memory but a second kernel. With all steps shared there is none.

#vw = #nm.pattern<8:32, unit = 1x32>

// CHECK: Function=medium | Reason="cuda-core: 128x256 tile, {{.*}}, shared by {{[2-8]}} blocks through a workspace, {{[0-9]+}} bytes of shared memory{{.*}}, all steps shared by 108 blocks
func.func private @medium(%a: tensor<512x4096xf32>, %w: !nm.condensed<4096x1024xf32, #vw>, %c: tensor<512x1024xf32>) -> tensor<512x1024xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<512x1024xf32>) : tensor<512x4096xf32>, !nm.condensed<4096x1024xf32, #vw> -> tensor<512x1024xf32>
  return %r : tensor<512x1024xf32>
}

// A second launch takes longer than is saved.
// CHECK: Function=small | Reason="cuda-core: 32x128 tile, 64 rows a step, {{[0-9]+}} bytes
func.func private @small(%a: tensor<96x256xf32>, %w: !nm.condensed<256x256xf32, #vw>, %c: tensor<96x256xf32>) -> tensor<96x256xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<96x256xf32>) : tensor<96x256xf32>, !nm.condensed<256x256xf32, #vw> -> tensor<96x256xf32>
  return %r : tensor<96x256xf32>
}

// A workspace of tiles would grow with a number of rows that nobody knows, one of blocks
// does not.
// CHECK: Function=unknown_rows | Reason="cuda-core: {{[0-9x]+}} tile, {{[0-9]+}} rows a step, all steps shared by 108 blocks, {{[0-9]+}} bytes
// CHECK: Function=unknown_rows | Reason="up to 256 rows: cuda-core: {{.*}}, all steps shared by {{[0-9]+}} blocks, {{[0-9]+}} bytes
func.func private @unknown_rows(%a: tensor<?x4096xf32>, %w: !nm.condensed<4096x1024xf32, #vw>, %c: tensor<?x1024xf32>) -> tensor<?x1024xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<?x1024xf32>) : tensor<?x4096xf32>, !nm.condensed<4096x1024xf32, #vw> -> tensor<?x1024xf32>
  return %r : tensor<?x1024xf32>
}
