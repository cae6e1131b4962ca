// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-propagate-layouts --remarks-filter='nm-.*' --remark-format=emitRemark %s -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: nm-opt --nm-plan-pipeline="chip=sm_90 variants=0" %s | FileCheck %s
// RUN: not nm-opt --nm-propagate-layouts=stages=9 %s 2>&1 | FileCheck %s --check-prefix=STAGES

// Products that keep their layouts.
// STAGES: expected stages from 1 to 4, got 9
// CHECK-NOT: linalg.transpose

#vw = #nm.pattern<8:32, unit = 1x32>
!w = !nm.condensed<4096x4096xbf16, #vw>

// REMARK: [Missed] not-propagated | Category:nm-propagate-layouts | Function=small | Reason="too little for {{.*}} us of transpositions for 1 product: {{.*}} us become {{.*}} us, predicted"
func.func @small(%x: tensor<512x256xbf16>, %w: !nm.condensed<256x256xbf16, #vw>) -> tensor<512x256xbf16> {
  %e = tensor.empty() : tensor<512x256xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<512x256xbf16>) : tensor<512x256xbf16>, !nm.condensed<256x256xbf16, #vw> -> tensor<512x256xbf16>
  return %y : tensor<512x256xbf16>
}

func.func @one_row(%x: tensor<1x4096xbf16>, %w: !w) -> tensor<1x4096xbf16> {
  %e = tensor.empty() : tensor<1x4096xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<1x4096xbf16>) : tensor<1x4096xbf16>, !w -> tensor<1x4096xbf16>
  return %y : tensor<1x4096xbf16>
}

func.func @vector(%x: tensor<4096xbf16>, %w: !w) -> tensor<4096xbf16> {
  %e = tensor.empty() : tensor<4096xbf16>
  %y = nm.spmv %x, %w outs(%e : tensor<4096xbf16>) : tensor<4096xbf16>, !w -> tensor<4096xbf16>
  return %y : tensor<4096xbf16>
}

// Copies of 16 bytes would not be aligned, or might not.
// REMARK: Function=odd | Reason="the rows of a feature-major A may begin at other than multiples of 16 bytes: {{.*}} us become
func.func @odd(%x: tensor<4095x4096xbf16>, %w: !w) -> tensor<4095x4096xbf16> {
  %e = tensor.empty() : tensor<4095x4096xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<4095x4096xbf16>) : tensor<4095x4096xbf16>, !w -> tensor<4095x4096xbf16>
  return %y : tensor<4095x4096xbf16>
}

// REMARK: Function=dynamic | Reason="the rows of a feature-major A may begin at other than
func.func @dynamic(%x: tensor<?x4096xbf16>, %e: tensor<?x4096xbf16>, %w: !w) -> tensor<?x4096xbf16> {
  %y = nm.spmm %x, %w outs(%e : tensor<?x4096xbf16>) : tensor<?x4096xbf16>, !w -> tensor<?x4096xbf16>
  return %y : tensor<?x4096xbf16>
}

func.func @feature_major(%x: tensor<4096x4096xbf16>, %w: !w) -> tensor<4096x4096xbf16> {
  %e = tensor.empty() : tensor<4096x4096xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<4096x4096xbf16>) {a_layout = #nm.layout<feature_major>} : tensor<4096x4096xbf16>, !w -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// A schedule that somebody wrote is for the layout that is there.
func.func @scheduled(%x: tensor<4096x4096xbf16>, %w: !w) -> tensor<4096x4096xbf16> {
  %e = tensor.empty() : tensor<4096x4096xbf16>
  %y = nm.spmm %x, %w outs(%e : tensor<4096x4096xbf16>)
    {schedule = #nm.schedule<kind = #nm.mma_sync<warps = [1, 2], tile = [16, 32]>, block = [16, 64, 64]>}
    : tensor<4096x4096xbf16>, !w -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// Elements that no product has.
// CHECK-LABEL: func.func @complex
// CHECK: linalg.transpose
func.func @complex(%x: tensor<4x8xcomplex<f64>>, %e: tensor<8x4xcomplex<f64>>) -> tensor<8x4xcomplex<f64>> {
  %t = linalg.transpose ins(%x : tensor<4x8xcomplex<f64>>) outs(%e : tensor<8x4xcomplex<f64>>) permutation = [1, 0]
  return %t : tensor<8x4xcomplex<f64>>
}

// An encoding may be about the order of dimensions.
// CHECK-LABEL: func.func @encoding
// CHECK: linalg.transpose
func.func @encoding(%x: tensor<16x4096xbf16>, %w: !w) -> tensor<4096x16xbf16, "encoding"> {
  %e = tensor.empty() : tensor<16x4096xbf16, "encoding">
  %y = nm.spmm %x, %w outs(%e : tensor<16x4096xbf16, "encoding">) : tensor<16x4096xbf16>, !w -> tensor<16x4096xbf16, "encoding">
  %t = tensor.empty() : tensor<4096x16xbf16, "encoding">
  %z = linalg.transpose ins(%y : tensor<16x4096xbf16, "encoding">) outs(%t : tensor<4096x16xbf16, "encoding">) permutation = [1, 0]
  return %z : tensor<4096x16xbf16, "encoding">
}
