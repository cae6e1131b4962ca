"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x16xi64>, tensor<2x16xi64>, tensor<2xi64>) -> (tensor<2x16xi64>, tensor<2xi64>), sym_name = "inclusive"}> ({
  ^bb0(%arg56: tensor<2x16xi64>, %arg57: tensor<2x16xi64>, %arg58: tensor<2xi64>):
    %15:2 = "tm_tensor.scan"(%arg56, %arg57, %arg58) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg59: i64, %arg60: i64):
      %16 = "arith.addi"(%arg59, %arg60) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "tm_tensor.yield"(%16) : (i64) -> ()
    }) : (tensor<2x16xi64>, tensor<2x16xi64>, tensor<2xi64>) -> (tensor<2x16xi64>, tensor<2xi64>)
    "func.return"(%15#0, %15#1) : (tensor<2x16xi64>, tensor<2xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>, sym_name = "exclusive"}> ({
  ^bb0(%arg51: tensor<?xf32>, %arg52: tensor<?xf32>, %arg53: tensor<f32>):
    %13:2 = "tm_tensor.scan"(%arg51, %arg52, %arg53) <{dimension = 0 : i64, inclusive = false, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg54: f32, %arg55: f32):
      %14 = "arith.mulf"(%arg54, %arg55) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tm_tensor.yield"(%14) : (f32) -> ()
    }) {nm.note = "kept"} : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> (tensor<?xf32>, tensor<f32>)
    "func.return"(%13#0) : (tensor<?xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<8x3xi32>, memref<8x3xi32>, memref<3xi32>) -> (), sym_name = "on_buffers"}> ({
  ^bb0(%arg46: memref<8x3xi32>, %arg47: memref<8x3xi32>, %arg48: memref<3xi32>):
    "tm_tensor.scan"(%arg46, %arg47, %arg48) <{dimension = 0 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg49: i32, %arg50: i32):
      %12 = "arith.maxsi"(%arg49, %arg50) : (i32, i32) -> i32
      "tm_tensor.yield"(%12) : (i32) -> ()
    }) : (memref<8x3xi32>, memref<8x3xi32>, memref<3xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<64x1x1x1x1xf32>, tensor<64x4xi64>, tensor<1x4x32x16xf32>) -> tensor<1x4x32x16xf32>, sym_name = "all_dimensions"}> ({
  ^bb0(%arg41: tensor<64x1x1x1x1xf32>, %arg42: tensor<64x4xi64>, %arg43: tensor<1x4x32x16xf32>):
    %11 = "tm_tensor.scatter"(%arg41, %arg42, %arg43) <{dimension_map = array<i64: 0, 1, 2, 3>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
    ^bb0(%arg44: f32, %arg45: f32):
      "tm_tensor.yield"(%arg44) : (f32) -> ()
    }) : (tensor<64x1x1x1x1xf32>, tensor<64x4xi64>, tensor<1x4x32x16xf32>) -> tensor<1x4x32x16xf32>
    "func.return"(%11) : (tensor<1x4x32x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x?xi32>, tensor<?x1xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>, sym_name = "rows_added"}> ({
  ^bb0(%arg36: tensor<?x?xi32>, %arg37: tensor<?x1xi32>, %arg38: tensor<?x?xi32>):
    %9 = "tm_tensor.scatter"(%arg36, %arg37, %arg38) <{dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
    ^bb0(%arg39: i32, %arg40: i32):
      %10 = "arith.addi"(%arg39, %arg40) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      "tm_tensor.yield"(%10) : (i32) -> ()
    }) {nm.note = "kept"} : (tensor<?x?xi32>, tensor<?x1xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
    "func.return"(%9) : (tensor<?x?xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<3xf16>, memref<3x2xi64>, memref<4x5xf16>) -> (), sym_name = "transposed_map"}> ({
  ^bb0(%arg31: memref<3xf16>, %arg32: memref<3x2xi64>, %arg33: memref<4x5xf16>):
    "tm_tensor.scatter"(%arg31, %arg32, %arg33) <{dimension_map = array<i64: 1, 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
    ^bb0(%arg34: f16, %arg35: f16):
      "tm_tensor.yield"(%arg34) : (f16) -> ()
    }) : (memref<3xf16>, memref<3x2xi64>, memref<4x5xf16>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<10x4xf32>, tensor<10x4xi64>) -> tensor<10x4xi64>, sym_name = "pairs"}> ({
  ^bb0(%arg25: tensor<10x4xf32>, %arg26: tensor<10x4xi64>):
    %7:2 = "tm_tensor.sort"(%arg25, %arg26) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 2>}> ({
    ^bb0(%arg27: f32, %arg28: f32, %arg29: i64, %arg30: i64):
      %8 = "arith.cmpf"(%arg27, %arg28) <{fastmath = #arith.fastmath<none>, predicate = 3 : i64}> : (f32, f32) -> i1
      "tm_tensor.yield"(%8) : (i1) -> ()
    }) : (tensor<10x4xf32>, tensor<10x4xi64>) -> (tensor<10x4xf32>, tensor<10x4xi64>)
    "func.return"(%7#1) : (tensor<10x4xi64>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<?xi32>) -> (), sym_name = "one_operand"}> ({
  ^bb0(%arg22: memref<?xi32>):
    "tm_tensor.sort"(%arg22) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg23: i32, %arg24: i32):
      %6 = "arith.cmpi"(%arg23, %arg24) <{predicate = 2 : i64}> : (i32, i32) -> i1
      "tm_tensor.yield"(%6) : (i1) -> ()
    }) {nm.note = "kept"} : (memref<?xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<20x10xf32>, tensor<20x3xf32>, tensor<20x3xi32>) -> tensor<20x3xi32>, sym_name = "values"}> ({
  ^bb0(%arg17: tensor<20x10xf32>, %arg18: tensor<20x3xf32>, %arg19: tensor<20x3xi32>):
    %4:2 = "tm_tensor.topk"(%arg17, %arg18, %arg19) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg20: f32, %arg21: f32):
      %5 = "arith.cmpf"(%arg20, %arg21) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      "tm_tensor.yield"(%5) : (i1) -> ()
    }) : (tensor<20x10xf32>, tensor<20x3xf32>, tensor<20x3xi32>) -> (tensor<20x3xf32>, tensor<20x3xi32>)
    "func.return"(%4#1) : (tensor<20x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x2xi8>, tensor<?x2xi32>, tensor<3x2xi8>, tensor<3x2xi32>) -> tensor<3x2xi8>, sym_name = "values_and_indices"}> ({
  ^bb0(%arg11: tensor<?x2xi8>, %arg12: tensor<?x2xi32>, %arg13: tensor<3x2xi8>, %arg14: tensor<3x2xi32>):
    %2:2 = "tm_tensor.topk"(%arg11, %arg12, %arg13, %arg14) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 2>}> ({
    ^bb0(%arg15: i8, %arg16: i8):
      %3 = "arith.cmpi"(%arg15, %arg16) <{predicate = 2 : i64}> : (i8, i8) -> i1
      "tm_tensor.yield"(%3) : (i1) -> ()
    }) {nm.note = "kept"} : (tensor<?x2xi8>, tensor<?x2xi32>, tensor<3x2xi8>, tensor<3x2xi32>) -> (tensor<3x2xi8>, tensor<3x2xi32>)
    "func.return"(%2#0) : (tensor<3x2xi8>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x16x64xf32>, tensor<8x24x64xf32>, tensor<8x24x32xf32>, tensor<8x16x32xf32>) -> tensor<8x16x32xf32>, sym_name = "plain"}> ({
  ^bb0(%arg7: tensor<8x16x64xf32>, %arg8: tensor<8x24x64xf32>, %arg9: tensor<8x24x32xf32>, %arg10: tensor<8x16x32xf32>):
    %1 = "tm_tensor.attention"(%arg7, %arg8, %arg9, %arg10) <{operandSegmentSizes = array<i32: 3, 1>}> : (tensor<8x16x64xf32>, tensor<8x24x64xf32>, tensor<8x24x32xf32>, tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
    "func.return"(%1) : (tensor<8x16x32xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x?x16x64xf16>, tensor<2x?x24x64xf16>, tensor<2x?x24x32xf16>, tensor<2x?x16x24xi1>, tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16>, sym_name = "scaled_and_masked"}> ({
  ^bb0(%arg2: tensor<2x?x16x64xf16>, %arg3: tensor<2x?x24x64xf16>, %arg4: tensor<2x?x24x32xf16>, %arg5: tensor<2x?x16x24xi1>, %arg6: tensor<2x?x16x32xf16>):
    %0 = "tm_tensor.attention"(%arg2, %arg3, %arg4, %arg5, %arg6) <{operandSegmentSizes = array<i32: 4, 1>, scale = 1.250000e-01 : f64}> : (tensor<2x?x16x64xf16>, tensor<2x?x24x64xf16>, tensor<2x?x24x32xf16>, tensor<2x?x16x24xi1>, tensor<2x?x16x32xf16>) -> tensor<2x?x16x32xf16>
    "func.return"(%0) : (tensor<2x?x16x32xf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<8x16xf32>, memref<8x16xf32>) -> (), sym_name = "on_buffers_2"}> ({
  ^bb0(%arg0: memref<8x16xf32>, %arg1: memref<8x16xf32>):
    "tm_tensor.attention"(%arg0, %arg0, %arg0, %arg1) <{operandSegmentSizes = array<i32: 3, 1>}> : (memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>, memref<8x16xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

