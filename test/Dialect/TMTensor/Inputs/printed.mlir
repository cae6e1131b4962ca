module {
  func.func @inclusive(%arg0: tensor<2x16xi64>, %arg1: tensor<2x16xi64>, %arg2: tensor<2xi64>) -> (tensor<2x16xi64>, tensor<2xi64>) {
    %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : tensor<2x16xi64>) outs(%arg1, %arg2 : tensor<2x16xi64>, tensor<2xi64>) {
    ^bb0(%arg3: i64, %arg4: i64):
      %1 = arith.addi %arg3, %arg4 : i64
      tm_tensor.yield %1 : i64
    } -> tensor<2x16xi64>, tensor<2xi64>
    return %0#0, %0#1 : tensor<2x16xi64>, tensor<2xi64>
  }
  func.func @exclusive(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>, %arg2: tensor<f32>) -> tensor<?xf32> {
    %0:2 = tm_tensor.scan dimension(0) inclusive(false) {nm.note = "kept"} ins(%arg0 : tensor<?xf32>) outs(%arg1, %arg2 : tensor<?xf32>, tensor<f32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.mulf %arg3, %arg4 : f32
      tm_tensor.yield %1 : f32
    } -> tensor<?xf32>, tensor<f32>
    return %0#0 : tensor<?xf32>
  }
  func.func @on_buffers(%arg0: memref<8x3xi32>, %arg1: memref<8x3xi32>, %arg2: memref<3xi32>) {
    tm_tensor.scan dimension(0) inclusive(true) ins(%arg0 : memref<8x3xi32>) outs(%arg1, %arg2 : memref<8x3xi32>, memref<3xi32>) {
    ^bb0(%arg3: i32, %arg4: i32):
      %0 = arith.maxsi %arg3, %arg4 : i32
      tm_tensor.yield %0 : i32
    }
    return
  }
  func.func @all_dimensions(%arg0: tensor<64x1x1x1x1xf32>, %arg1: tensor<64x4xi64>, %arg2: tensor<1x4x32x16xf32>) -> tensor<1x4x32x16xf32> {
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0, 1, 2, 3>} unique_indices(true) ins(%arg0, %arg1 : tensor<64x1x1x1x1xf32>, tensor<64x4xi64>) outs(%arg2 : tensor<1x4x32x16xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      tm_tensor.yield %arg3 : f32
    } -> tensor<1x4x32x16xf32>
    return %0 : tensor<1x4x32x16xf32>
  }
  func.func @rows_added(%arg0: tensor<?x?xi32>, %arg1: tensor<?x1xi32>, %arg2: tensor<?x?xi32>) -> tensor<?x?xi32> {
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0>, nm.note = "kept"} unique_indices(false) ins(%arg0, %arg1 : tensor<?x?xi32>, tensor<?x1xi32>) outs(%arg2 : tensor<?x?xi32>) {
    ^bb0(%arg3: i32, %arg4: i32):
      %1 = arith.addi %arg3, %arg4 : i32
      tm_tensor.yield %1 : i32
    } -> tensor<?x?xi32>
    return %0 : tensor<?x?xi32>
  }
  func.func @transposed_map(%arg0: memref<3xf16>, %arg1: memref<3x2xi64>, %arg2: memref<4x5xf16>) {
    tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true) ins(%arg0, %arg1 : memref<3xf16>, memref<3x2xi64>) outs(%arg2 : memref<4x5xf16>) {
    ^bb0(%arg3: f16, %arg4: f16):
      tm_tensor.yield %arg3 : f16
    }
    return
  }
  func.func @pairs(%arg0: tensor<10x4xf32>, %arg1: tensor<10x4xi64>) -> tensor<10x4xi64> {
    %0:2 = tm_tensor.sort dimension(1) outs(%arg0, %arg1 : tensor<10x4xf32>, tensor<10x4xi64>) {
    ^bb0(%arg2: f32, %arg3: f32, %arg4: i64, %arg5: i64):
      %1 = arith.cmpf oge, %arg2, %arg3 : f32
      tm_tensor.yield %1 : i1
    } -> tensor<10x4xf32>, tensor<10x4xi64>
    return %0#1 : tensor<10x4xi64>
  }
  func.func @one_operand(%arg0: memref<?xi32>) {
    tm_tensor.sort {nm.note = "kept"} dimension(0) outs(%arg0 : memref<?xi32>) {
    ^bb0(%arg1: i32, %arg2: i32):
      %0 = arith.cmpi slt, %arg1, %arg2 : i32
      tm_tensor.yield %0 : i1
    }
    return
  }
  func.func @values(%arg0: tensor<20x10xf32>, %arg1: tensor<20x3xf32>, %arg2: tensor<20x3xi32>) -> tensor<20x3xi32> {
    %0:2 = tm_tensor.topk dimension(1) ins(%arg0 : tensor<20x10xf32>) outs(%arg1, %arg2 : tensor<20x3xf32>, tensor<20x3xi32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.cmpf ogt, %arg3, %arg4 : f32
      tm_tensor.yield %1 : i1
    } -> tensor<20x3xf32>, tensor<20x3xi32>
    return %0#1 : tensor<20x3xi32>
  }
  func.func @values_and_indices(%arg0: tensor<?x2xi8>, %arg1: tensor<?x2xi32>, %arg2: tensor<3x2xi8>, %arg3: tensor<3x2xi32>) -> tensor<3x2xi8> {
    %0:2 = tm_tensor.topk {nm.note = "kept"} dimension(0) ins(%arg0, %arg1 : tensor<?x2xi8>, tensor<?x2xi32>) outs(%arg2, %arg3 : tensor<3x2xi8>, tensor<3x2xi32>) {
    ^bb0(%arg4: i8, %arg5: i8):
      %1 = arith.cmpi slt, %arg4, %arg5 : i8
      tm_tensor.yield %1 : i1
    } -> tensor<3x2xi8>, tensor<3x2xi32>
    return %0#0 : tensor<3x2xi8>
  }
  func.func @plain(%arg0: tensor<8x16x64xf32>, %arg1: tensor<8x24x64xf32>, %arg2: tensor<8x24x32xf32>, %arg3: tensor<8x16x32xf32>) -> tensor<8x16x32xf32> {
    %0 = tm_tensor.attention ins(%arg0, %arg1, %arg2 : tensor<8x16x64xf32>, tensor<8x24x64xf32>, tensor<8x24x32xf32>) outs(%arg3 : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
    return %0 : tensor<8x16x32xf32>
  }
  func.func @scaled_and_masked(%arg0: tensor<2x?x16x64xf16>, %arg1: tensor<2x?x24x64xf16>, %arg2: tensor<2x?x24x32xf16>, %arg3: tensor<2x?x16x24xi1>, %arg4: tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16> {
    %0 = tm_tensor.attention {scale = 1.250000e-01 : f64} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x?x16x64xf16>, tensor<2x?x24x64xf16>, tensor<2x?x24x32xf16>, tensor<2x?x16x24xi1>) outs(%arg4 : tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16>
    return %0 : tensor<2x?x16x32xf16>
  }
  func.func @on_buffers_2(%arg0: memref<8x16xf32>, %arg1: memref<8x16xf32>) {
    tm_tensor.attention ins(%arg0, %arg0, %arg0 : memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) outs(%arg1 : memref<8x16xf32>)
    return
  }
}

