// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt -mlir-print-op-generic %s | nm-opt | FileCheck %s

// One slice of a step, whose operands are fragments.

// CHECK-LABEL: func.func @slice(
func.func @slice(%a: memref<64x64xf32, #gpu.address_space<workgroup>>, %v: memref<16x128xf32>,
                 %d: memref<4x16xi32>, %cols: memref<1x40xi32>,
                 %acc: !nm.fragment<64x128xf32>) -> !nm.fragment<64x128xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // CHECK: nm.load_positions %{{.*}}[%{{.*}}] columns(%{{.*}} : memref<1x40xi32>) {coding = #nm.coding<rows>, pattern = #nm.pattern<8:32, unit = 1x32>} : memref<4x16xi32> -> !nm.fragment<4x4xindex, positions>
  %p = nm.load_positions %d[%c4] columns(%cols : memref<1x40xi32>)
      {coding = #nm.coding<rows>, pattern = #nm.pattern<8:32, unit = 1x32>}
      : memref<4x16xi32> -> !nm.fragment<4x4xindex, positions>
  // CHECK: nm.load_rows %{{.*}}[%{{.*}}, %{{.*}}] {listed, unit = 3 : i64} : memref<64x64xf32, #gpu.address_space<workgroup>>, !nm.fragment<4x4xindex, positions> -> !nm.fragment<64x1xf32, rows>
  %x = nm.load_rows %a[%p, %c0] {listed, unit = 3 : i64}
      : memref<64x64xf32, #gpu.address_space<workgroup>>, !nm.fragment<4x4xindex, positions>
      -> !nm.fragment<64x1xf32, rows>
  // CHECK: nm.load_values %{{.*}}[%{{.*}}] : memref<16x128xf32> -> !nm.fragment<1x128xf32, values>
  %w = nm.load_values %v[%c4] : memref<16x128xf32> -> !nm.fragment<1x128xf32, values>
  // CHECK: nm.mma %{{.*}}, %{{.*}}, %{{.*}} : !nm.fragment<64x1xf32, rows>, !nm.fragment<1x128xf32, values> -> !nm.fragment<64x128xf32>
  %r = nm.mma %x, %w, %acc : !nm.fragment<64x1xf32, rows>, !nm.fragment<1x128xf32, values> -> !nm.fragment<64x128xf32>
  return %r : !nm.fragment<64x128xf32>
}
