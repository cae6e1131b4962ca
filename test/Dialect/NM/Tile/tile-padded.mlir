// RUN: nm-opt --nm-tile %s | FileCheck %s

// A is part of a buffer of longer rows of m, of which nothing else is used:
// tiles of both products have what is behind it, too, and end where the buffer
// does. C has as many rows as A.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[M:[a-z0-9]+]]: index, %[[LONGER:[a-z0-9]+]]: index
// CHECK: %[[BUFFER:.*]] = memref.alloc(%[[LONGER]])
// CHECK: %[[A:.*]] = memref.subview %[[BUFFER]][0, 0] [128, %[[M]]] [1, 1]
// CHECK-COUNT-2: memref.subview %[[BUFFER]][%{{.*}}, %{{.*}}] [64, %{{.*}}] [1, 1]
// CHECK-NOT: memref.subview %[[A]]
#schedule = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64]>
#pattern = #nm.pattern<8:32, unit = 1x32>
func.func @dynamic(%m: index, %longer: index, %v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<?x64xf32>) {
  %buffer = memref.alloc(%longer) : memref<128x?xf32>
  %a = memref.subview %buffer[0, 0] [128, %m] [1, 1] : memref<128x?xf32> to memref<128x?xf32, strided<[?, 1]>>
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #pattern>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>) {a_layout = #nm.layout<feature_major>, schedule = #schedule}
    : memref<128x?xf32, strided<[?, 1]>>, !nm.condensed<128x64xf32, #pattern>
  nm.spmm %a, %w outs(%c : memref<?x64xf32>) {a_layout = #nm.layout<feature_major>, schedule = #schedule}
    : memref<128x?xf32, strided<[?, 1]>>, !nm.condensed<128x64xf32, #pattern>
  memref.dealloc %buffer : memref<128x?xf32>
  return
}

// All tiles of A are whole.
// CHECK-LABEL: func.func @static
// CHECK: %[[BUFFER:.*]] = memref.alloc()
// CHECK: memref.subview %[[BUFFER]][%{{.*}}, %{{.*}}] [64, 32] [1, 1] : memref<128x64xf32>
func.func @static(%v: memref<32x64xf32>, %d: memref<32x2xi8>, %c: memref<40x64xf32>) {
  %buffer = memref.alloc() : memref<128x64xf32>
  %a = memref.subview %buffer[0, 0] [128, 40] [1, 1] : memref<128x64xf32> to memref<128x40xf32, strided<[64, 1]>>
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #pattern>
  nm.spmm %a, %w outs(%c : memref<40x64xf32>) {a_layout = #nm.layout<feature_major>, schedule = #schedule}
    : memref<128x40xf32, strided<[64, 1]>>, !nm.condensed<128x64xf32, #pattern>
  memref.dealloc %buffer : memref<128x64xf32>
  return
}

// Others use the rest of the buffer: C may lie there.
// CHECK-LABEL: func.func @shared
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[0, 0] [128, 40] [1, 1]
// CHECK: memref.subview %[[A]][%{{.*}}, %{{.*}}] [64, %{{.*}}] [1, 1]
func.func @shared(%v: memref<32x64xf32>, %d: memref<32x2xi8>) -> memref<128x24xf32, strided<[64, 1], offset: 40>> {
  %buffer = memref.alloc() : memref<128x64xf32>
  %a = memref.subview %buffer[0, 0] [128, 40] [1, 1] : memref<128x64xf32> to memref<128x40xf32, strided<[64, 1]>>
  %rest = memref.subview %buffer[0, 40] [128, 24] [1, 1] : memref<128x64xf32> to memref<128x24xf32, strided<[64, 1], offset: 40>>
  %w = nm.assemble %v, %d : memref<32x64xf32>, memref<32x2xi8> -> !nm.condensed<128x64xf32, #pattern>
  %c = memref.alloc() : memref<40x64xf32>
  nm.spmm %a, %w outs(%c : memref<40x64xf32>) {a_layout = #nm.layout<feature_major>, schedule = #schedule}
    : memref<128x40xf32, strided<[64, 1]>>, !nm.condensed<128x64xf32, #pattern>
  return %rest : memref<128x24xf32, strided<[64, 1], offset: 40>>
}

// Behind a row of k of a token-major A nothing may be read: a value of the
// weight that is padded with zero would be multiplied by it.
// CHECK-LABEL: func.func @token_major
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[0, 0] [40, 96] [1, 1]
// CHECK: memref.subview %[[A]]
func.func @token_major(%v: memref<24x64xf32>, %d: memref<24x2xi8>, %c: memref<40x64xf32>) {
  %buffer = memref.alloc() : memref<40x128xf32>
  %a = memref.subview %buffer[0, 0] [40, 96] [1, 1] : memref<40x128xf32> to memref<40x96xf32, strided<[128, 1]>>
  %w = nm.assemble %v, %d : memref<24x64xf32>, memref<24x2xi8> -> !nm.condensed<96x64xf32, #pattern>
  nm.spmm %a, %w outs(%c : memref<40x64xf32>) {schedule = #schedule}
    : memref<40x96xf32, strided<[128, 1]>>, !nm.condensed<96x64xf32, #pattern>
  memref.dealloc %buffer : memref<40x128xf32>
  return
}

// Nor where A lacks rows of k that the buffer has.
// CHECK-LABEL: func.func @fewer_rows
// CHECK: %[[A:.*]] = memref.subview %{{.*}}[0, 0] [96, 40] [1, 1]
// CHECK: memref.subview %[[A]]
func.func @fewer_rows(%v: memref<24x64xf32>, %d: memref<24x2xi8>, %c: memref<40x64xf32>) {
  %buffer = memref.alloc() : memref<128x64xf32>
  %a = memref.subview %buffer[0, 0] [96, 40] [1, 1] : memref<128x64xf32> to memref<96x40xf32, strided<[64, 1]>>
  %w = nm.assemble %v, %d : memref<24x64xf32>, memref<24x2xi8> -> !nm.condensed<96x64xf32, #pattern>
  nm.spmm %a, %w outs(%c : memref<40x64xf32>) {a_layout = #nm.layout<feature_major>, schedule = #schedule}
    : memref<96x40xf32, strided<[64, 1]>>, !nm.condensed<96x64xf32, #pattern>
  memref.dealloc %buffer : memref<128x64xf32>
  return
}
