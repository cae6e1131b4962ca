// RUN: nm-opt %s --nm-tile-transposes --split-input-file --remarks-filter='nm-.*' --remark-format=emitRemark -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: nm-opt %s --nm-map-linalg-pipeline --split-input-file | FileCheck %s --check-prefix=PIPELINE
// RUN: nm-opt %s --nm-map-linalg-pipeline=tile-transposes=0 --split-input-file | FileCheck %s --check-prefix=PLAIN

// Tiles of 32 rows of 33 words. Each of eight warps reads, stores, loads and writes four.
// REMARK: [Passed] tiled | Category:nm-tile-transposes | Function=words | bytes=4220
// CHECK-LABEL: func.func @words(
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c6, {{.*}}) threads({{.*}}) in (%{{.*}} = %c256, {{.*}} function(@words_0_transpose)
// CHECK: memref.alloc() : memref<1055xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-4: vector.load {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
// CHECK-NOT: scf.if
// CHECK-COUNT-4: vector.store {{.*}} : memref<1055xf32, {{.*}}>, vector<1xf32>
// CHECK: gpu.barrier
// CHECK-COUNT-4: vector.store {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
// CHECK-NOT: linalg.transpose
// PIPELINE-LABEL: func.func @words(
// PIPELINE: gpu.launch {{.*}} dynamic_shared_memory_size
// PIPELINE: memref.view
// PLAIN-LABEL: func.func @words(
// PLAIN: gpu.launch
// PLAIN-NOT: gpu.barrier
// PLAIN: return
func.func @words(%a: memref<64x96xf32>, %b: memref<96x64xf32>) {
  linalg.transpose ins(%a : memref<64x96xf32>) outs(%b : memref<96x64xf32>) permutation = [1, 0]
  return
}

// -----

// Two elements a word, and parts of tiles at the ends: what is not there is not read. Of two
// rows, a lane stores the first elements as one word, and the second ones 66 elements behind.
// CHECK-LABEL: func.func @pairs(
// CHECK: memref.alloc() : memref<4224xbf16, #gpu.address_space<workgroup>>
// CHECK: %[[X:.*]] = scf.if {{.*}} -> (vector<2xbf16>)
// CHECK:   vector.load {{.*}} {alignment = 4 : i64} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
// CHECK: %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK: %[[X1:.*]] = vector.extract %[[X]][1]
// CHECK: %[[Y:.*]] = scf.if
// CHECK: %[[Y0:.*]] = vector.extract %[[Y]][0]
// CHECK: %[[Y1:.*]] = vector.extract %[[Y]][1]
// CHECK: %[[FIRST:.*]] = vector.from_elements %[[X0]], %[[Y0]] : vector<2xbf16>
// CHECK: vector.store %[[FIRST]], %{{.*}}[%[[PLACE:.*]]] {alignment = 4 : i64}
// CHECK: %[[NEXT:.*]] = arith.addi %[[PLACE]], %c66
// CHECK: %[[SECOND:.*]] = vector.from_elements %[[X1]], %[[Y1]] : vector<2xbf16>
// CHECK: vector.store %[[SECOND]], %{{.*}}[%[[NEXT]]]
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK:   vector.store {{.*}} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
func.func @pairs(%a: memref<66x70xbf16>, %b: memref<70x66xbf16>) {
  linalg.transpose ins(%a : memref<66x70xbf16>) outs(%b : memref<70x66xbf16>) permutation = [1, 0]
  return
}

// -----

// Rows of one of both are no whole words: those are moved element by element.
// CHECK-LABEL: func.func @odd(
// CHECK: memref.alloc() : memref<4224xbf16, #gpu.address_space<workgroup>>
// CHECK: vector.load {{.*}} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
// CHECK: gpu.barrier
// CHECK-COUNT-2: vector.store {{.*}} {alignment = 2 : i64} : memref<?xbf16, strided<[1]>>, vector<1xbf16>
func.func @odd(%a: memref<65x70xbf16>, %b: memref<70x65xbf16>) {
  linalg.transpose ins(%a : memref<65x70xbf16>) outs(%b : memref<70x65xbf16>) permutation = [1, 0]
  return
}

// -----

// Dimensions that stay together are one; those in front number the matrices.
// CHECK-LABEL: func.func @groups(
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c16,
// CHECK: vector.load {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
// CHECK: vector.store {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
func.func @groups(%a: memref<2x34x3x36xf32>, %b: memref<2x36x34x3xf32>) {
  linalg.transpose ins(%a : memref<2x34x3x36xf32>) outs(%b : memref<2x36x34x3xf32>) permutation = [0, 3, 1, 2]
  return
}

// -----

// Dimensions of one element lie anywhere.
// CHECK-LABEL: func.func @units(
// CHECK: vector.load {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
// CHECK: vector.store {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
func.func @units(%a: memref<1x2x64x32xf32>, %b: memref<2x32x1x64xf32>) {
  linalg.transpose ins(%a : memref<1x2x64x32xf32>) outs(%b : memref<2x32x1x64xf32>) permutation = [1, 3, 0, 2]
  return
}

// -----

// A matrix of any number of rows, and parts of matrices.
// REMARK: Function=dynamic | bytes=4220
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x96xf32>
// CHECK: %[[ROWS:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[ROWS]], %c32
// CHECK: %[[OF_ALL:.*]] = arith.muli %{{.*}}, %[[TILES]]
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[OF_ALL]], %c3
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]],
// CHECK: %[[BEHIND:.*]] = arith.subi %[[ROWS]], %{{.*}}
// CHECK: %[[OF_TILE:.*]] = arith.minui %[[BEHIND]], %c32
// CHECK: %[[NARROW:.*]] = arith.index_cast %[[OF_TILE]] : index to i32
// CHECK: %[[LEFT:.*]] = arith.subi %[[NARROW]], %{{.*}} : i32
// CHECK: arith.cmpi sgt, %[[LEFT]], %c0_i32
// CHECK: vector.load {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
// CHECK: arith.cmpi sgt, %[[LEFT]], %c8_i32
// CHECK: vector.load {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
// CHECK: vector.store {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
func.func @dynamic(%a: memref<?x96xf32>, %b: memref<96x?xf32>) {
  linalg.transpose ins(%a : memref<?x96xf32>) outs(%b : memref<96x?xf32>) permutation = [1, 0]
  return
}

// -----

// Any number of matrices of any extents: a head's tokens become its columns.
// CHECK-LABEL: func.func @heads(
// CHECK: %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : memref<?x?x12x64xf16> into memref<?x?x768xf16>
// CHECK: %[[Y:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] : memref<?x12x64x?xf16> into memref<?x768x?xf16>
// CHECK: gpu.launch
// CHECK: memref.extract_strided_metadata %[[X]]
// CHECK: vector.load {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: gpu.barrier
// CHECK: memref.extract_strided_metadata %[[Y]]
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: } else {
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<1xf16>
func.func @heads(%a: memref<?x?x12x64xf16>, %b: memref<?x12x64x?xf16>) {
  linalg.transpose ins(%a : memref<?x?x12x64xf16>) outs(%b : memref<?x12x64x?xf16>) permutation = [0, 2, 3, 1]
  return
}

// -----

// CHECK-LABEL: func.func @strided(
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c4
// CHECK: memref.extract_strided_metadata {{.*}} : memref<64x64xf32, strided<[128, 1]>>
// CHECK: vector.load {{.*}} : memref<?xf32, strided<[1]>>, vector<1xf32>
func.func @strided(%a: memref<64x64xf32, strided<[128, 1]>>, %b: memref<64x64xf32>) {
  linalg.transpose ins(%a : memref<64x64xf32, strided<[128, 1]>>) outs(%b : memref<64x64xf32>) permutation = [1, 0]
  return
}

// -----

// Rows of the target that have room for whole words are written in words. Those of one
// that others use are not, and of any length are where the call has whole words.
// CHECK-LABEL: func.func @padded(
// CHECK-SAME: %[[ANY:[a-z0-9]+]]: memref<96x?xf16>)
// CHECK: vector.load {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: vector.load {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<1xf16>
// CHECK: %[[LENGTH:.*]] = memref.dim %[[ANY]], %c1
// CHECK: %[[REST:.*]] = arith.remui %[[LENGTH]], %c2
// CHECK: %[[WORDS:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: vector.load {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: gpu.barrier
// CHECK: scf.if %[[WORDS]] {
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: } else {
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<1xf16>
func.func @padded(%a: memref<?x96xf16>, %m: index, %any: memref<96x?xf16>) -> memref<96x?xf16> {
  %c64 = arith.constant 64 : index
  %n = arith.ceildivui %m, %c64 : index
  %length = arith.muli %n, %c64 : index
  %own = memref.alloc(%length) : memref<96x?xf16>
  %b = memref.subview %own[0, 0] [96, %m] [1, 1] : memref<96x?xf16> to memref<96x?xf16, strided<[?, 1]>>
  linalg.transpose ins(%a : memref<?x96xf16>) outs(%b : memref<96x?xf16, strided<[?, 1]>>) permutation = [1, 0]
  %shared = memref.alloc(%length) : memref<96x?xf16>
  %c = memref.subview %shared[0, 0] [96, %m] [1, 1] : memref<96x?xf16> to memref<96x?xf16, strided<[?, 1]>>
  linalg.transpose ins(%a : memref<?x96xf16>) outs(%c : memref<96x?xf16, strided<[?, 1]>>) permutation = [1, 0]
  linalg.transpose ins(%a : memref<?x96xf16>) outs(%any : memref<96x?xf16>) permutation = [1, 0]
  return %shared : memref<96x?xf16>
}

// -----

// So are those of one that others read, by other views, too: nobody has written what they
// find there. One of which a view is written to is of others.
// CHECK-LABEL: func.func @read(
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<2xf16>
// CHECK: vector.store {{.*}} : memref<?xf16, strided<[1]>>, vector<1xf16>
func.func @read(%a: memref<?x96xf16>, %m: index, %at: index, %x: f16) -> f16 {
  %c64 = arith.constant 64 : index
  %n = arith.ceildivui %m, %c64 : index
  %length = arith.muli %n, %c64 : index
  %own = memref.alloc(%length) : memref<96x?xf16>
  %b = memref.subview %own[0, 0] [96, %m] [1, 1] : memref<96x?xf16> to memref<96x?xf16, strided<[?, 1]>>
  linalg.transpose ins(%a : memref<?x96xf16>) outs(%b : memref<96x?xf16, strided<[?, 1]>>) permutation = [1, 0]
  %tile = memref.subview %own[0, %at] [32, 64] [1, 1] : memref<96x?xf16> to memref<32x64xf16, strided<[?, 1], offset: ?>>
  %y = memref.load %tile[%at, %at] : memref<32x64xf16, strided<[?, 1], offset: ?>>
  %shared = memref.alloc(%length) : memref<96x?xf16>
  %c = memref.subview %shared[0, 0] [96, %m] [1, 1] : memref<96x?xf16> to memref<96x?xf16, strided<[?, 1]>>
  linalg.transpose ins(%a : memref<?x96xf16>) outs(%c : memref<96x?xf16, strided<[?, 1]>>) permutation = [1, 0]
  %rest = memref.subview %shared[0, %at] [32, 64] [1, 1] : memref<96x?xf16> to memref<32x64xf16, strided<[?, 1], offset: ?>>
  memref.store %x, %rest[%at, %at] : memref<32x64xf16, strided<[?, 1], offset: ?>>
  return %y : f16
}

// -----

// Of few columns, rows of a tile lie as one in memory, and as in memory in the tile: 1024 of
// six bytes. Columns are rows of the target, of which each 256 threads have 512 elements.
// REMARK: [Passed] tiled | Category:nm-tile-transposes | Function=colours | bytes=6208
// CHECK-LABEL: func.func @colours(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?x?x3xbf16>
// CHECK-DAG: %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2, 3]] : memref<?x?x?x3xbf16> into memref<?xbf16>
// CHECK-DAG: %[[Y:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1, 2, 3]] : memref<?x3x?x?xbf16> into memref<?xbf16>
// CHECK: arith.ceildivui %{{.*}}, %c1024
// CHECK: gpu.launch
// CHECK: %[[TILE:.*]] = memref.alloc() : memref<3104xbf16, #gpu.address_space<workgroup>>
// CHECK-COUNT-6: vector.load %[[X]][{{.*}}] {alignment = 4 : i64} : memref<?xbf16>, vector<2xbf16>
// CHECK-COUNT-6: vector.store {{.*}}, %[[TILE]][{{.*}}] {alignment = 4 : i64}
// CHECK: } else {
// CHECK-COUNT-12: vector.load %[[X]][{{.*}}] {alignment = 2 : i64} : memref<?xbf16>, vector<1xbf16>
// CHECK: gpu.barrier
// CHECK: vector.load %[[TILE]][%[[PLACE:.*]]] {alignment = 2 : i64}
// CHECK: vector.load %[[TILE]]
// CHECK: vector.store {{.*}}, %[[Y]][{{.*}}] {alignment = 4 : i64} : memref<?xbf16>, vector<2xbf16>
// CHECK: } else {
// CHECK: vector.store {{.*}}, %[[Y]][{{.*}}] {alignment = 2 : i64} : memref<?xbf16>, vector<1xbf16>
func.func @colours(%a: memref<?x?x?x3xbf16>, %b: memref<?x3x?x?xbf16>) {
  linalg.transpose ins(%a : memref<?x?x?x3xbf16>) outs(%b : memref<?x3x?x?xbf16>) permutation = [0, 3, 1, 2]
  return
}

// -----

// Of few rows, those are read a row at once, and put in columns of the tile. Threads that
// have nothing of a tile's last part move nothing.
// CHECK-LABEL: func.func @few_rows(
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c8,
// CHECK: %[[TILE:.*]] = memref.alloc() : memref<1986xf32, #gpu.address_space<workgroup>>
// CHECK-COUNT-8: vector.load {{.*}} : memref<15872xf32>
// CHECK-COUNT-7: vector.store {{.*}}, %[[TILE]]
// CHECK: scf.if
// CHECK-NEXT: vector.from_elements
// CHECK-NEXT: vector.store {{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK-COUNT-8: vector.store {{.*}} : memref<15872xf32>
func.func @few_rows(%a: memref<31x512xf32>, %b: memref<512x31xf32>) {
  linalg.transpose ins(%a : memref<31x512xf32>) outs(%b : memref<512x31xf32>) permutation = [1, 0]
  return
}

// -----

// Where only the call knows that columns, or rows, are few, the host chooses among three kernels.
// One for few columns has 256 words of each in a tile, of up to 31 columns: an odd number, as
// an element lies behind each even one. Four columns a turn are moved at once.
// REMARK: [Passed] tiled | Category:nm-tile-transposes | Function=any | bytes=31744
// REMARK: [Passed] tiled | Category:nm-tile-transposes | Function=any | bytes=31744
// REMARK: [Passed] tiled | Category:nm-tile-transposes | Function=any | bytes=8448
// CHECK-LABEL: func.func @any(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<?x?xbf16>
// CHECK: %[[ROWS:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[COLUMNS:.*]] = memref.dim %[[A]], %c1
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %[[COLUMNS]], %c31
// CHECK: %[[LOW:.*]] = arith.cmpi ule, %[[ROWS]], %c31
// CHECK: scf.if %[[FEW]] {
// CHECK: arith.ceildivui %[[ROWS]], %c512
// CHECK: %[[FRACTION:.*]] = arith.ceildivui %c4294967296, %{{.*}}
// CHECK: arith.select %{{.*}}, %[[FRACTION]], %c0
// CHECK: gpu.launch
// CHECK: memref.alloc() : memref<15872xbf16, #gpu.address_space<workgroup>>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[COLUMNS]] step %c4
// CHECK-COUNT-4: vector.load {{.*}} : memref<?xbf16>, vector<2xbf16>
// CHECK: arith.mului_extended
// CHECK: gpu.barrier
// CHECK: } else {
// CHECK: scf.if %[[LOW]] {
// CHECK: gpu.launch
// CHECK: memref.alloc() : memref<15872xbf16, #gpu.address_space<workgroup>>
// CHECK: } else {
// CHECK: gpu.launch
// CHECK: memref.alloc() : memref<4224xbf16, #gpu.address_space<workgroup>>
// CHECK-NOT: gpu.launch
// CHECK: return
func.func @any(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>) {
  linalg.transpose ins(%a : memref<?x?xbf16>) outs(%b : memref<?x?xbf16>) permutation = [1, 0]
  return
}

// -----

// Units of three elements are moved as one. A tile has 32 x 32 of them, and 98 elements a row:
// 48 threads move a row in words, four rows at once, and each takes elements of a column one by
// one. What it has of the next columns lies 12 elements behind.
// REMARK: [Passed] tiled | Category:nm-tile-transposes | Function=points | bytes=6272
// CHECK-LABEL: func.func @points(
// CHECK: %[[X:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : memref<?x40x70x3xbf16> into memref<?x40x210xbf16>
// CHECK: %[[Y:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] : memref<?x70x40x3xbf16> into memref<?x70x120xbf16>
// CHECK: gpu.launch blocks({{.*}}) threads({{.*}}) in (%{{.*}} = %c192,
// CHECK: %[[TILE:.*]] = memref.alloc() : memref<3136xbf16, #gpu.address_space<workgroup>>
// CHECK: memref.extract_strided_metadata %[[X]]
// CHECK-COUNT-8: vector.load {{.*}} {alignment = 4 : i64} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
// CHECK-COUNT-8: vector.store {{.*}}, %[[TILE]][{{.*}}] {alignment = 4 : i64}
// CHECK: gpu.barrier
// CHECK: memref.extract_strided_metadata %[[Y]]
// CHECK: %[[UNIT:.*]] = arith.divui %[[FIRST:.*]], %c3
// CHECK: %[[ROW:.*]] = arith.muli %[[UNIT]], %c98
// CHECK: arith.remui %[[FIRST]], %c3
// CHECK: vector.load %[[TILE]][%[[PLACE:.*]]] {alignment = 2 : i64}
// CHECK: vector.load %[[TILE]]
// CHECK: vector.store {{.*}} {alignment = 4 : i64} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
// CHECK: %[[NEXT:.*]] = arith.addi %[[PLACE]], %c12
// CHECK: vector.load %[[TILE]][%[[NEXT]]]
// CHECK-COUNT-7: vector.store {{.*}} {alignment = 4 : i64} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
func.func @points(%a: memref<?x40x70x3xbf16>, %b: memref<?x70x40x3xbf16>) {
  linalg.transpose ins(%a : memref<?x40x70x3xbf16>) outs(%b : memref<?x70x40x3xbf16>) permutation = [0, 2, 1, 3]
  return
}

// -----

// Larger units have a tile of 16 x 16. Rows that are no whole words are moved element by
// element, a half of a row at once, in calls that have such.
// REMARK: Function=large_points | bytes=3648
// CHECK-LABEL: func.func @large_points(
// CHECK: gpu.launch blocks({{.*}}) threads({{.*}}) in (%{{.*}} = %c224,
// CHECK: scf.if
// CHECK-COUNT-4: vector.load {{.*}} {alignment = 4 : i64} : memref<?xbf16, strided<[1]>>, vector<2xbf16>
// CHECK: } else {
// CHECK-COUNT-8: vector.load {{.*}} {alignment = 2 : i64} : memref<?xbf16, strided<[1]>>, vector<1xbf16>
// CHECK: gpu.barrier
func.func @large_points(%a: memref<?x?x7xbf16>, %b: memref<?x?x7xbf16>) {
  linalg.transpose ins(%a : memref<?x?x7xbf16>) outs(%b : memref<?x?x7xbf16>) permutation = [1, 0, 2]
  return
}

// -----

// CHECK-LABEL: func.func @left(
// CHECK-COUNT-6: linalg.transpose
// CHECK-NOT: gpu.launch
func.func @left(%a: memref<2x64x3x64xf32>, %b: memref<2x3x64x64xf32>,
                %narrow: memref<64x5x3xf32>, %t: memref<64x3x5xf32>,
                %flags: memref<64x64xi1>, %w: memref<64x64xi1>,
                %complex: memref<64x64xcomplex<f32>>, %z: memref<64x64xcomplex<f32>>,
                %wide: memref<64x40x3xf32, strided<[128, 3, 1]>>, %units: memref<40x64x3xf32>,
                %huge: memref<2097152x2097152x3xi8>) {
  // The last dimension stays: rows are moved as they are.
  linalg.transpose ins(%a : memref<2x64x3x64xf32>) outs(%b : memref<2x3x64x64xf32>) permutation = [0, 2, 1, 3]
  // Rows and columns are few.
  linalg.transpose ins(%narrow : memref<64x5x3xf32>) outs(%t : memref<64x3x5xf32>) permutation = [0, 2, 1]
  linalg.transpose ins(%flags : memref<64x64xi1>) outs(%w : memref<64x64xi1>) permutation = [1, 0]
  linalg.transpose ins(%complex : memref<64x64xcomplex<f32>>) outs(%z : memref<64x64xcomplex<f32>>) permutation = [1, 0]
  // There are gaps between rows of units.
  linalg.transpose ins(%wide : memref<64x40x3xf32, strided<[128, 3, 1]>>) outs(%units : memref<40x64x3xf32>) permutation = [1, 0, 2]
  // A grid has not as many blocks.
  linalg.transpose ins(%huge : memref<2097152x2097152x3xi8>) outs(%huge : memref<2097152x2097152x3xi8>) permutation = [1, 0, 2]
  return
}
