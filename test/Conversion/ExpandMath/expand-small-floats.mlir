// RUN: nm-opt %s --nm-expand-small-floats | FileCheck %s --implicit-check-not="arith.{{(extf|truncf) .*f8}}"
// RUN: nm-opt %s --nm-expand-small-floats --canonicalize | FileCheck %s --check-prefix=VALUE

// The constant folder, which has APFloat's conversions, and the ops of the pass,
// folded, give the same for every number of both types.
// RUN: nm-opt %S/Inputs/every-small-float.mlir --canonicalize -o %t.expected
// RUN: nm-opt %S/Inputs/every-small-float.mlir --nm-expand-small-floats --canonicalize -o %t.got
// RUN: diff %t.expected %t.got
// RUN: FileCheck %s --check-prefix=FOLDED --input-file=%t.got
// FOLDED-NOT: {{arith[.][^c]}}

// CHECK-LABEL: func.func @widen
// CHECK-SAME: (%[[X:.*]]: vector<4xf8E4M3FN>)
// CHECK: %[[BYTES:.*]] = arith.bitcast %[[X]] : vector<4xf8E4M3FN> to vector<4xi8>
// CHECK: %[[CODE:.*]] = arith.extui %[[BYTES]] : vector<4xi8> to vector<4xi32>
// CHECK: %[[MAGNITUDE:.*]] = arith.andi %[[CODE]], %cst{{.*}}
// CHECK: %[[BITS:.*]] = arith.shli %[[MAGNITUDE]]
// CHECK: %[[TINY:.*]] = arith.bitcast %[[BITS]] : vector<4xi32> to vector<4xf32>
// CHECK: arith.mulf %[[TINY]]
// CHECK: arith.cmpi ule, %[[MAGNITUDE]]
func.func @widen(%x: vector<4xf8E4M3FN>) -> vector<4xf32> {
  %y = arith.extf %x : vector<4xf8E4M3FN> to vector<4xf32>
  return %y : vector<4xf32>
}

// Through f32, which holds them all.
// CHECK-LABEL: func.func @other_widths
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.extf %{{.*}} : f16 to f32
func.func @other_widths(%x: f8E4M3FN, %h: f16) -> (f16, f64, f8E4M3FN) {
  %f16 = arith.extf %x : f8E4M3FN to f16
  %f64 = arith.extf %x : f8E4M3FN to f64
  %f8 = arith.truncf %h : f16 to f8E4M3FN
  return %f16, %f64, %f8 : f16, f64, f8E4M3FN
}

// CHECK-LABEL: func.func @arithmetic
// CHECK: %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.minsi
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f8E4M3FN
func.func @arithmetic(%x: f8E4M3FN, %y: f8E4M3FN) -> f8E4M3FN {
  %sum = arith.addf %x, %y : f8E4M3FN
  %less = arith.cmpf olt, %sum, %y : f8E4M3FN
  %least = arith.select %less, %sum, %y : f8E4M3FN
  return %least : f8E4M3FN
}

// f16 and bf16 are LLVM's own.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT: arith.truncf %{{.*}} : f32 to f16
// CHECK-NEXT: arith.addf %{{.*}} : f16
// CHECK-NEXT: return
func.func @others(%x: bf16) -> f16 {
  %wide = arith.extf %x : bf16 to f32
  %half = arith.truncf %wide : f32 to f16
  %sum = arith.addf %half, %half : f16
  return %sum : f16
}

// Ties go to the even one: 1.0625 to 1, 1.1875 to 1.25, 464 to 448, 2^-10 to 0,
// 3 * 2^-10 to 2^-8. From 1.99 * 2^-7 on, 2^-6 is nearest. There is no infinity: 465
// and all beyond are NaN.
// VALUE-LABEL: func.func @rounded
// VALUE: arith.constant dense<[0, -128, 56, 56, 57, 58, 126, -2, 127, 0, 1, 2, 8, 127, -1, 127]> : vector<16xi8>
// VALUE-NEXT: return
func.func @rounded() -> vector<16xi8> {
  %x = arith.constant dense<[0.0, -0.0, 1.0, 1.0625, 1.0626, 1.1875, 464.0, -464.0,
    464.1, 0.0009765625, 0.00097657, 0.0029296875, 0.01555, 0x7F800000, 0xFF800000,
    0x7FC00000]> : vector<16xf32>
  %y = arith.truncf %x : vector<16xf32> to vector<16xf8E4M3FN>
  %bits = arith.bitcast %y : vector<16xf8E4M3FN> to vector<16xi8>
  return %bits : vector<16xi8>
}

// What is widened is rounded to itself, NaN included.
// VALUE-LABEL: func.func @round_trip
// VALUE: arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF"> : vector<256xi8>
// VALUE-NEXT: return
func.func @round_trip() -> vector<256xi8> {
  %x = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF"> : vector<256xf8E4M3FN>
  %wide = arith.extf %x : vector<256xf8E4M3FN> to vector<256xf32>
  %y = arith.truncf %wide : vector<256xf32> to vector<256xf8E4M3FN>
  %bits = arith.bitcast %y : vector<256xf8E4M3FN> to vector<256xi8>
  return %bits : vector<256xi8>
}

// 61440 is between the largest number and infinity. The first and the second are
// 2^-17, a tie, and the next f32.
// VALUE-LABEL: func.func @rounded_e5m2
// VALUE: arith.constant dense<[0, 1, 123, 124, 124, 126]> : vector<6xi8>
// VALUE-NEXT: return
func.func @rounded_e5m2() -> vector<6xi8> {
  %x = arith.constant dense<[0x37000000, 0x37000001, 61439.0, 61440.0, 0x7F800000, 0x7FC00000]> : vector<6xf32>
  %y = arith.truncf %x : vector<6xf32> to vector<6xf8E5M2>
  %bits = arith.bitcast %y : vector<6xf8E5M2> to vector<6xi8>
  return %bits : vector<6xi8>
}

// One rounding: 1.0625 + 2^-40 is nearer to 1.125, and as an f32 it is a tie.
// CHECK-LABEL: func.func @from_f64
// CHECK: %[[NEAREST:.*]] = arith.truncf %[[X:.*]] : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NEAREST]] : f32 to f64
// CHECK: arith.cmpf one, %[[BACK]], %[[X]] : f64
func.func @from_f64(%x: f64) -> f8E4M3FN {
  %y = arith.truncf %x : f64 to f8E4M3FN
  return %y : f8E4M3FN
}
