// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt -mlir-print-op-generic %s | nm-opt | FileCheck %s

// The types, and the ops that make condensed weights and take them apart.

// CHECK-LABEL: func.func @types(
// CHECK-SAME: !nm.condensed<64x128xf32, #nm.pattern<2:4>>
// CHECK-SAME: !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>
// CHECK-SAME: !nm.condensed<64x256xf16, #nm.pattern<16:32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 8, coding = mask>>
// CHECK-SAME: !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 32>>
// CHECK-SAME: !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 64, columns = 48>>
// CHECK-SAME: !nm.fragment<64x128xf32>
func.func @types(
    %plain: !nm.condensed<64x128xf32, #nm.pattern<2:4>>,
    %tails: !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>,
    %lanes: !nm.condensed<64x256xf16, #nm.pattern<16:32>, #nm.packing<block_n = 32, step_k = 64, lane_rows = 8, coding = mask>>,
    %packed: !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 32>>,
    %gathered: !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 64, columns = 48>>,
    %fragment: !nm.fragment<64x128xf32>) {
  return
}

// CHECK-LABEL: func.func @constant(
// CHECK: nm.constant {indices = dense<{{.*}}> : tensor<2x2xi8>, values = dense<{{.*}}> : tensor<2x2xf32>} : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
func.func @constant() -> !nm.condensed<4x2xf32, #nm.pattern<2:4>> {
  %w = nm.constant {values = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>,
                    indices = dense<[[0, 1], [3, 2]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
}

// A window of 257 units needs i16 indices, read as unsigned: 200 in i8 is valid.
// CHECK-LABEL: func.func @constant_index_widths(
// CHECK: tensor<1x1xi8>
// CHECK: tensor<1x1xi16>
func.func @constant_index_widths() {
  %0 = nm.constant {values = dense<1.0> : tensor<1x1xf32>,
                    indices = dense<200> : tensor<1x1xi8>}
      : !nm.condensed<256x1xf32, #nm.pattern<1:256>>
  %1 = nm.constant {values = dense<1.0> : tensor<1x1xf32>,
                    indices = dense<200> : tensor<1x1xi16>}
      : !nm.condensed<257x1xf32, #nm.pattern<1:all>>
  return
}

// CHECK-LABEL: func.func @resource(
// CHECK: values = dense_resource<kept> : tensor<2x2xf32>
func.func @resource() -> !nm.condensed<4x2xf32, #nm.pattern<2:4>> {
  %w = nm.constant {values = dense_resource<kept> : tensor<2x2xf32>,
                    indices = dense<[[0, 1], [3, 2]]> : tensor<2x2xi8>}
      : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
  return %w : !nm.condensed<4x2xf32, #nm.pattern<2:4>>
}

// CHECK-LABEL: func.func @condense_and_expand(
// CHECK: %[[W:.*]] = nm.condense %{{.*}} : tensor<64x128xf32> -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
// CHECK: nm.expand %[[W]] : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<64x128xf32>
func.func @condense_and_expand(%dense: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %w = nm.condense %dense : tensor<64x128xf32>
      -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
  %d = nm.expand %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>> -> tensor<64x128xf32>
  return %d : tensor<64x128xf32>
}

// A partial last window (65 rows) and a partial last unit column (127) are padded.
// CHECK-LABEL: func.func @parts(
// CHECK: nm.values %{{.*}} : !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<24x127xf16>
// CHECK: nm.indices %{{.*}} : !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>> -> tensor<24x4xi8>
// CHECK: nm.assemble %{{.*}}, %{{.*}} : tensor<24x127xf16>, tensor<24x4xi8> -> !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>
func.func @parts(%w: !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>)
    -> !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>> {
  %v = nm.values %w : !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>
      -> tensor<24x127xf16>
  %i = nm.indices %w : !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>
      -> tensor<24x4xi8>
  %a = nm.assemble %v, %i : tensor<24x127xf16>, tensor<24x4xi8>
      -> !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>
  return %a : !nm.condensed<65x127xf16, #nm.pattern<8:32, unit = 1x32>>
}

// CHECK-LABEL: func.func @assemble_packed(
// CHECK: nm.assemble %{{.*}}, %{{.*}} columns(%{{.*}} : memref<2x48xi32>) : memref<2x16x128xf32>, memref<2x128x16xi32>
func.func @assemble_packed(%v: memref<2x16x128xf32>, %i: memref<2x128x16xi32>,
                           %c: memref<2x48xi32>) {
  %w = nm.assemble %v, %i columns(%c : memref<2x48xi32>)
      : memref<2x16x128xf32>, memref<2x128x16xi32>
      -> !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 64, columns = 48>>
  return
}

// Blocks of 128 columns whose values lie in panels of 64.
// CHECK-LABEL: func.func @assemble_panels(
// CHECK: nm.assemble {{.*}} : memref<4x16x64xf32>, memref<2x128x16xi32> -> !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 64, panels = 2>>
func.func @assemble_panels(%v: memref<4x16x64xf32>, %i: memref<2x128x16xi32>) {
  %w = nm.assemble %v, %i : memref<4x16x64xf32>, memref<2x128x16xi32>
      -> !nm.condensed<64x256xf32, #nm.pattern<8:32>, #nm.packing<block_n = 128, step_k = 64, panels = 2>>
  return
}
