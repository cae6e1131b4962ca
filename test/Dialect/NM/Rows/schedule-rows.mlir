// RUN: nm-opt %s --nm-schedule-rows | FileCheck %s
// RUN: sed s/sm_90a/sm_80/ %s | nm-opt --nm-schedule-rows | FileCheck %s --check-prefix=SM80

#bsh = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#sbh = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

module attributes {nm.target = #nm.target<"sm_90a">} {

// A warp a row, with three words of 16 bytes a thread; 37 rows are in ten blocks.
// CHECK-LABEL: func @warp
// CHECK: schedule = #nm.row_schedule<threads = 32, rows = 4, vector = 4, chunks = 3>
func.func @warp(%x: memref<37x384xf32>, %y: memref<37xf32>) {
  nm.rows ins(%x : memref<37x384xf32>) outs(%y : memref<37xf32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// A block a row.
// CHECK-LABEL: func @block
// CHECK: schedule = #nm.row_schedule<threads = 256, rows = 1, vector = 8, chunks = 2>
func.func @block(%x: memref<37x4096xf16>, %y: memref<37xf16>) {
  nm.rows ins(%x : memref<37x4096xf16>) outs(%y : memref<37xf16>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  return
}

// Nothing is reduced: four blocks a row, so that each SM has one.
// CHECK-LABEL: func @parts
// CHECK: schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 8, chunks = 1, parts = 4>
func.func @parts(%x: memref<37x4096xf16>, %y: memref<37x4096xf16>) {
  nm.rows ins(%x : memref<37x4096xf16>) outs(%y : memref<37x4096xf16>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f16):
    nm.yield %a : f16
  }
  return
}

// Rows that are longer than a block keeps, and are no whole vectors: two are shared by
// eight blocks each, where there are clusters.
// CHECK-LABEL: func @long
// CHECK: schedule = #nm.row_schedule<threads = 512, rows = 1, vector = 4, chunks = 4, parts = 8>
// SM80-LABEL: func @long
// SM80: schedule = #nm.row_schedule<threads = 512, rows = 1, vector = 4, chunks = 2, loops = true>
func.func @long(%x: memref<2x50257xf32>, %y: memref<2xf32>) {
  nm.rows ins(%x : memref<2x50257xf32>) outs(%y : memref<2xf32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// Of 32 such rows threads have more elements each, as SMs have two blocks; of 40 a block has
// one alone, and keeps in shared memory what it reads of it again: two blocks of an SM, or one.
// CHECK-LABEL: func @several
// CHECK: schedule = #nm.row_schedule<threads = 256, rows = 1, vector = 8, chunks = 4, parts = 8>
// CHECK: schedule = #nm.row_schedule<threads = 512, rows = 1, vector = 8, chunks = 2, loops = true, kept = 6>
// CHECK: schedule = #nm.row_schedule<threads = 1024, rows = 1, vector = 4, chunks = 2, loops = true, kept = 6>
func.func @several(%x: memref<32x50257xf16>, %u: memref<40x50257xf16>, %v: memref<40x50257xf32>) {
  nm.rows ins(%x : memref<32x50257xf16>) outs(%x : memref<32x50257xf16>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    %r = arith.divf %a, %s : f16
    nm.yield %r : f16
  }
  nm.rows ins(%u : memref<40x50257xf16>) outs(%u : memref<40x50257xf16>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    %r = arith.divf %a, %s : f16
    nm.yield %r : f16
  }
  nm.rows ins(%v : memref<40x50257xf32>) outs(%v : memref<40x50257xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    %r = arith.divf %a, %s : f32
    nm.yield %r : f32
  }
  return
}

// Long rows of two dimensions that vectors do not divide are read element by element, eight in
// a turn.
// CHECK-LABEL: func @planes
// CHECK: schedule = #nm.row_schedule<threads = 512, rows = 1, vector = 1, chunks = 8, loops = true>
func.func @planes(%x: memref<400x201x201xf32>, %y: memref<400xf32>) {
  nm.rows ins(%x : memref<400x201x201xf32>) outs(%y : memref<400xf32>) attributes {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// Many short rows: blocks of 512 threads, which move 12 KB. Vectors of half the width have
// all threads equal elements of 384. Many rows of 768 elements of 4 bytes are two warps' each.
// CHECK-LABEL: func @many
// CHECK: schedule = #nm.row_schedule<threads = 8, rows = 64, vector = 8, chunks = 2>
// CHECK: schedule = #nm.row_schedule<threads = 32, rows = 4, vector = 4, chunks = 3>
// CHECK: schedule = #nm.row_schedule<threads = 64, rows = 4, vector = 4, chunks = 3>
func.func @many(%x: memref<65536x128xf16>, %y: memref<65536xf16>, %u: memref<64x384xf16>, %v: memref<64xf16>, %w: memref<4096x768xf32>, %z: memref<4096xf32>) {
  nm.rows ins(%x : memref<65536x128xf16>) outs(%y : memref<65536xf16>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  nm.rows ins(%u : memref<64x384xf16>) outs(%v : memref<64xf16>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    nm.yield %s : f16
  }
  nm.rows ins(%w : memref<4096x768xf32>) outs(%z : memref<4096xf32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// Nothing is reduced of a long row of no whole vectors: these begin where memory has them.
// CHECK-LABEL: func @anywhere
// CHECK: schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 2, parts = 50>
func.func @anywhere(%x: memref<3x50257xf32>, %y: memref<3x50257xf32>) {
  nm.rows ins(%x : memref<3x50257xf32>) outs(%y : memref<3x50257xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// Short rows: a line of 128 bytes is read by eight threads, whatever they keep.
// CHECK-LABEL: func @short
// CHECK: schedule = #nm.row_schedule<threads = 8, rows = 16, vector = 4, chunks = 1>
func.func @short(%x: memref<64x32xf32>, %y: memref<64x32xf32>) {
  nm.rows ins(%x : memref<64x32xf32>) outs(%y : memref<64x32xf32>) attributes {indexing_maps = [#id, #id], rows = 1 : i64} {
  ^bb0(%a: f32):
    nm.yield %a : f32
  }
  return
}

// Rows follow each other, and not their elements.
// CHECK-LABEL: func @columns
// CHECK: schedule = #nm.row_schedule<threads = 1, rows = 128, vector = 1, chunks = 8, loops = true>
func.func @columns(%x: memref<128x384xf32>, %y: memref<384xf32>) {
  nm.rows ins(%x : memref<128x384xf32>) outs(%y : memref<384xf32>) attributes {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #row], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// Of an extent that is not known, a loop; what was chosen already stays.
// CHECK-LABEL: func @dynamic
// CHECK: schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 2, loops = true>
// CHECK: schedule = #nm.row_schedule<threads = 2, rows = 16, vector = 1, chunks = 1, loops = true>
func.func @dynamic(%x: memref<4x?xf32>, %y: memref<4xf32>) {
  nm.rows ins(%x : memref<4x?xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  nm.rows ins(%x : memref<4x?xf32>) outs(%y : memref<4xf32>) attributes {indexing_maps = [#id, #row], rows = 1 : i64, schedule = #nm.row_schedule<threads = 2, rows = 16, vector = 1, chunks = 1, loops = true>} {
  ^bb0(%a: f32):
    %c = arith.constant 0.0 : f32
    %s = nm.reduce addf %a, %c : f32
    nm.yield %s : f32
  }
  return
}

// Of elements that only the call counts, as many blocks as these need.
// CHECK-LABEL: func @of_the_call
// CHECK: schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 8, chunks = 2, parts = 0>
// CHECK: schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 8, chunks = 2, parts = 0>
func.func @of_the_call(%x: memref<?xf16>, %y: memref<?xf16>, %u: memref<?x?xf16>, %v: memref<?x?xf16>) {
  nm.rows ins(%x : memref<?xf16>) outs(%y : memref<?xf16>) attributes {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], rows = 0 : i64} {
  ^bb0(%a: f16):
    nm.yield %a : f16
  }
  nm.rows ins(%x, %u : memref<?xf16>, memref<?x?xf16>) outs(%v : memref<?x?xf16>) attributes {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id, #id], rows = 0 : i64} {
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    nm.yield %c : f16
  }
  return
}

// Rows that are not divided in vectors, or leave many threads without one, are not heeded
// where elements are all that is computed: vectors end in the next row, or are narrower ones
// that rows are divided in, if these are half as wide, and no longer than a row. Rows that
// fill a block, or are of few idle threads, are.
// CHECK-LABEL: func @layouts
// CHECK: rows = 0 : i64, schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 8, chunks = 2, parts = 0>
// CHECK: rows = 0 : i64, schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 4, chunks = 4, parts = 0>
// CHECK: rows = 0 : i64, schedule = #nm.row_schedule<threads = 128, rows = 1, vector = 2, chunks = 4, parts = 0>
// CHECK: rows = 2 : i64, schedule = #nm.row_schedule<threads = 8, rows = 64, vector = 8, chunks = 1>
// CHECK: rows = 2 : i64, schedule = #nm.row_schedule<threads = 128, {{.*}} parts = 2>
func.func @layouts(%a: memref<1024x512x77xf16>, %b: memref<512x1024x77xf16>, %c: memref<1024x512x76xf16>, %d: memref<512x1024x76xf16>, %e: memref<1024x512x3xf16>, %f: memref<512x1024x3xf16>, %g: memref<1024x512x64xf16>, %h: memref<512x1024x64xf16>, %i: memref<1024x512x2049xf16>, %j: memref<512x1024x2049xf16>) {
  nm.rows ins(%a : memref<1024x512x77xf16>) outs(%b : memref<512x1024x77xf16>) attributes {indexing_maps = [#bsh, #sbh], rows = 2 : i64} {
  ^bb0(%x: f16):
    nm.yield %x : f16
  }
  nm.rows ins(%c : memref<1024x512x76xf16>) outs(%d : memref<512x1024x76xf16>) attributes {indexing_maps = [#bsh, #sbh], rows = 2 : i64} {
  ^bb0(%x: f16):
    nm.yield %x : f16
  }
  nm.rows ins(%e : memref<1024x512x3xf16>) outs(%f : memref<512x1024x3xf16>) attributes {indexing_maps = [#bsh, #sbh], rows = 2 : i64} {
  ^bb0(%x: f16):
    nm.yield %x : f16
  }
  nm.rows ins(%g : memref<1024x512x64xf16>) outs(%h : memref<512x1024x64xf16>) attributes {indexing_maps = [#bsh, #sbh], rows = 2 : i64} {
  ^bb0(%x: f16):
    nm.yield %x : f16
  }
  nm.rows ins(%i : memref<1024x512x2049xf16>) outs(%j : memref<512x1024x2049xf16>) attributes {indexing_maps = [#bsh, #sbh], rows = 2 : i64} {
  ^bb0(%x: f16):
    nm.yield %x : f16
  }
  return
}

// What is stored transposed has 16 rows of 16 bits a block, a sector of 32 bytes; of rows
// that nothing reduces parts of 8 threads. Few long rows are shared by the warps of a
// cluster's blocks; else several warps have one, and a block of 1024 threads as many as it can.
// CHECK-LABEL: func @transposed
// CHECK: schedule = #nm.row_schedule<threads = 16, rows = 16, vector = 8, chunks = 2>
// CHECK: schedule = #nm.row_schedule<threads = 8, rows = 16, vector = 8, chunks = 1, parts = 4>
// CHECK: schedule = #nm.row_schedule<threads = 32, rows = 16, vector = 8, chunks = 2, parts = 8>
// SM80-LABEL: func @transposed
// SM80: schedule = #nm.row_schedule<threads = 128, rows = 8, vector = 8, chunks = 4>
func.func @transposed(%x: memref<64x256xf16>, %y: memref<256x64xf16>, %u: memref<64x4096xf16>, %v: memref<4096x64xf16>, %w: memref<4096x64xf16>) {
  nm.rows ins(%x : memref<64x256xf16>) outs(%y : memref<256x64xf16>) attributes {indexing_maps = [#id, #turned], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    %r = arith.divf %a, %s : f16
    nm.yield %r : f16
  }
  nm.rows ins(%x : memref<64x256xf16>) outs(%y : memref<256x64xf16>) attributes {indexing_maps = [#id, #turned], rows = 1 : i64} {
  ^bb0(%a: f16):
    nm.yield %a : f16
  }
  nm.rows ins(%u : memref<64x4096xf16>) outs(%v, %w : memref<4096x64xf16>, memref<4096x64xf16>) attributes {indexing_maps = [#id, #turned, #turned], rows = 1 : i64} {
  ^bb0(%a: f16):
    %c = arith.constant 0.0 : f16
    %s = nm.reduce addf %a, %c : f16
    %r = arith.divf %a, %s : f16
    nm.yield %r, %r : f16, f16
  }
  return
}

}
