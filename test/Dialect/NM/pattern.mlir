// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt -mlir-print-op-generic %s | nm-opt | FileCheck %s

// The forms of a pattern. A unit of 1x1 is the default and is not printed.

// CHECK-LABEL: func.func private @element_wise(
// CHECK-SAME: #nm.pattern<2:4>
func.func private @element_wise() attributes {p = #nm.pattern<2:4, unit = 1x1>}

// CHECK-LABEL: func.func private @vector_wise(
// CHECK-SAME: #nm.pattern<8:32, unit = 1x32>
func.func private @vector_wise() attributes {p = #nm.pattern<8:32, unit = 1x32>}

// CHECK-LABEL: func.func private @block_wise(
// CHECK-SAME: #nm.pattern<2:4, unit = 4x4>
func.func private @block_wise() attributes {p = #nm.pattern<2:4, unit = 4x4>}

// CHECK-LABEL: func.func private @uniform(
// CHECK-SAME: #nm.pattern<16:all>
func.func private @uniform() attributes {p = #nm.pattern<16:all>}

// CHECK-LABEL: func.func private @uniform_of_blocks(
// CHECK-SAME: #nm.pattern<16:all, unit = 16x8>
func.func private @uniform_of_blocks() attributes {p = #nm.pattern<16:all, unit = 16x8>}

// A dense weight may be written as the pattern with N = M.
// CHECK-LABEL: func.func private @dense(
// CHECK-SAME: #nm.pattern<1:1>
func.func private @dense() attributes {p = #nm.pattern<1:1>}
