// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 %s | FileCheck %s

#vw = #nm.pattern<8:32, unit = 1x32>

// One row: lanes read 16 bytes of the weight's rows, and eight warps share k.
// CHECK-LABEL: func.func @f32
// CHECK: kind = #nm.gemv<warps = [1, 8], lanes = [8, 4], thread = [1, 4, 4]>, block = [1, 32, 8192], promote_weight = false>
func.func @f32(%a: tensor<8192xf32>, %w: !nm.condensed<8192x8192xf32, #vw>, %c: tensor<8192xf32>) -> tensor<8192xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf32>) : tensor<8192xf32>, !nm.condensed<8192x8192xf32, #vw> -> tensor<8192xf32>
  return %r : tensor<8192xf32>
}

// CHECK-LABEL: func.func @f16
// CHECK: kind = #nm.mma_gemv<warps = [1, 8], tile = [1, 32]>, block = [1, 32, 8192], promote_weight = false>
func.func @f16(%a: tensor<1x8192xf16>, %w: !nm.condensed<8192x8192xf16, #vw>, %c: tensor<1x8192xf16>) -> tensor<1x8192xf16> {
  %r = nm.spmm %a, %w outs(%c : tensor<1x8192xf16>) : tensor<1x8192xf16>, !nm.condensed<8192x8192xf16, #vw> -> tensor<1x8192xf16>
  return %r : tensor<1x8192xf16>
}

// Threads of a slice of 96 condensed rows have fewer rows each.
// CHECK-LABEL: func.func @few_rows
// CHECK: kind = #nm.gemv<warps = [1, {{[0-9]+}}], lanes = [8, 4], thread = [1, 4, {{[12]}}]>
func.func @few_rows(%a: tensor<1024xf32>, %w: !nm.condensed<1024x4096xf32, #nm.pattern<3:32, unit = 1x32>>, %c: tensor<4096xf32>) -> tensor<4096xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<4096xf32>) : tensor<1024xf32>, !nm.condensed<1024x4096xf32, #nm.pattern<3:32, unit = 1x32>> -> tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// A step is of whole windows.
// CHECK-LABEL: func.func @tail
// CHECK: kind = #nm.gemv<{{.*}}>, block = [1, 32, 1024],
func.func @tail(%a: tensor<1001xf32>, %w: !nm.condensed<1001x1000xf32, #vw>, %c: tensor<1000xf32>) -> tensor<1000xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<1000xf32>) : tensor<1001xf32>, !nm.condensed<1001x1000xf32, #vw> -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}

// Single columns have no row of neighbours: a thread reads rows of one, as many as a mask is of
// where that takes less than bytes.
// CHECK-LABEL: func.func @columns
// CHECK: kind = #nm.gemv<warps = [2, 16], lanes = [32, 1], thread = [1, 1, 8]>, block = [1, 64, 8192], promote_weight = false>
func.func @columns(%a: tensor<8192xf32>, %w: !nm.condensed<8192x8192xf32, #nm.pattern<8:32>>, %c: tensor<8192xf32>) -> tensor<8192xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf32>) : tensor<8192xf32>, !nm.condensed<8192x8192xf32, #nm.pattern<8:32>> -> tensor<8192xf32>
  return %r : tensor<8192xf32>
}

// Few rows want many warps, whose first loads are under way together.
// CHECK-LABEL: func.func @few_of_a_column
// CHECK: kind = #nm.gemv<warps = [1, 16], lanes = [32, 1], thread = [1, 1, 8]>, block = [1, 32, 8192], promote_weight = false>
func.func @few_of_a_column(%a: tensor<8192xf16>, %w: !nm.condensed<8192x8192xf16, #nm.pattern<4:32>>, %c: tensor<8192xf16>) -> tensor<8192xf16> {
  %r = nm.spmv %a, %w outs(%c : tensor<8192xf16>) : tensor<8192xf16>, !nm.condensed<8192x8192xf16, #nm.pattern<4:32>> -> tensor<8192xf16>
  return %r : tensor<8192xf16>
}

// Of 250 windows, 256 are whole slices of whole masks.
// CHECK-LABEL: func.func @padded
// CHECK: kind = #nm.gemv<warps = [1, 16], lanes = [32, 1], thread = [1, 1, 16]>, block = [1, 32, 1024], promote_weight = false>
func.func @padded(%a: tensor<1000xf32>, %w: !nm.condensed<1000x1024xf32, #nm.pattern<2:4>>, %c: tensor<1024xf32>) -> tensor<1024xf32> {
  %r = nm.spmv %a, %w outs(%c : tensor<1024xf32>) : tensor<1000xf32>, !nm.condensed<1000x1024xf32, #nm.pattern<2:4>> -> tensor<1024xf32>
  return %r : tensor<1024xf32>
}

// Sums of f64 are no words of a shuffle.
// CHECK-LABEL: func.func @f64
// CHECK: kind = #nm.fma<
func.func @f64(%a: tensor<1024xf64>, %w: !nm.condensed<1024x1024xf64, #vw>, %c: tensor<1024xf64>) -> tensor<1024xf64> {
  %r = nm.spmv %a, %w outs(%c : tensor<1024xf64>) {acc = f64} : tensor<1024xf64>, !nm.condensed<1024x1024xf64, #vw> -> tensor<1024xf64>
  return %r : tensor<1024xf64>
}
