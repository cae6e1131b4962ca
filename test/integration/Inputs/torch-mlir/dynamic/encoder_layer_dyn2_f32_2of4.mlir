#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @forward(%arg0: tensor<?x?x16xf32>) -> tensor<?x?x16xf32> {
    %c3_i64 = arith.constant 3 : i64
    %c16_i64 = arith.constant 16 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c48_i64 = arith.constant 48 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c8_i64 = arith.constant 8 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_1 = arith.constant 0.000000e+00 : f64
    %c32_i64 = arith.constant 32 : i64
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense_resource<torch_tensor_16_torch.float32_5> : tensor<16xf32>
    %cst_4 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_5 = arith.constant dense_resource<torch_tensor_16_torch.float32_3> : tensor<16xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_16_32_torch.float32> : tensor<16x32xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_32_torch.float32> : tensor<32xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_32_16_torch.float32> : tensor<32x16xf32>
    %cst_9 = arith.constant dense_resource<torch_tensor_16_torch.float32_2> : tensor<16xf32>
    %cst_10 = arith.constant dense_resource<torch_tensor_16_torch.float32_1> : tensor<16xf32>
    %cst_11 = arith.constant 1.000000e-05 : f64
    %cst_12 = arith.constant dense_resource<torch_tensor_16_torch.float32> : tensor<16xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_16_16_torch.float32> : tensor<16x16xf32>
    %cst_14 = arith.constant 0xFFF0000000000000 : f64
    %cst_15 = arith.constant 0.59460355750136051 : f64
    %cst_16 = arith.constant dense_resource<torch_tensor_48_torch.float32> : tensor<48xf32>
    %cst_17 = arith.constant dense_resource<torch_tensor_48_16_torch.float32> : tensor<48x16xf32>
    %cst_18 = arith.constant 1.600000e+01 : f64
    %cst_19 = arith.constant 1.600000e+01 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x16xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_20 = tensor.dim %arg0, %c1 : tensor<?x?x16xf32>
    %1 = arith.index_cast %dim_20 : index to i64
    %2 = tensor.empty(%dim_20, %dim) : tensor<?x?x16xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<?x?x16xf32>) outs(%2 : tensor<?x?x16xf32>) permutation = [1, 0, 2] 
    %3 = tensor.empty() : tensor<16x48xf32>
    %transposed_21 = linalg.transpose ins(%cst_17 : tensor<48x16xf32>) outs(%3 : tensor<16x48xf32>) permutation = [1, 0] 
    %4 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %5 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    %6 = tensor.empty(%dim_20, %dim) : tensor<?x?x16xf32>
    %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%6 : tensor<?x?x16xf32>) {
    ^bb0(%out: f32):
      %273 = linalg.index 0 : index
      %274 = linalg.index 1 : index
      %275 = linalg.index 2 : index
      %276 = arith.cmpi eq, %dim_20, %c1 : index
      %277 = arith.select %276, %c0, %273 : index
      %278 = arith.cmpi eq, %dim, %c1 : index
      %279 = arith.select %278, %c0, %274 : index
      %extracted = tensor.extract %transposed[%277, %279, %275] : tensor<?x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x16xf32>
    %8 = arith.cmpi slt, %1, %c0_i64 : i64
    %9 = arith.select %8, %c1_i64, %1 : i64
    %10 = arith.extui %8 : i1 to i64
    %11 = arith.muli %9, %0 : i64
    %12 = arith.addi %10, %c1_i64 : i64
    %13 = arith.cmpi slt, %0, %c0_i64 : i64
    %14 = arith.select %13, %9, %11 : i64
    %15 = arith.select %13, %12, %10 : i64
    %16 = arith.muli %14, %c16_i64 : i64
    %17 = arith.cmpi sle, %15, %c1_i64 : i64
    cf.assert %17, "must have at most one inferred (negative) dimension"
    %18 = arith.muli %1, %0 : i64
    %19 = arith.muli %18, %c16_i64 : i64
    %20 = arith.divsi %19, %16 : i64
    %21 = arith.select %8, %20, %1 : i64
    %22 = arith.select %13, %20, %0 : i64
    %from_elements = tensor.from_elements %21, %22, %c16_i64 : tensor<3xi64>
    %reshape = tensor.reshape %7(%from_elements) : (tensor<?x?x16xf32>, tensor<3xi64>) -> tensor<?x?x16xf32>
    cf.assert %4, "negative values not allowed in new dimensions"
    %23 = tensor.empty(%dim_20) : tensor<?x16x48xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_21 : tensor<16x48xf32>) outs(%23 : tensor<?x16x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x16x48xf32>
    %25 = arith.index_cast %21 : i64 to index
    %26 = arith.index_cast %22 : i64 to index
    %27 = arith.cmpi eq, %21, %1 : i64
    cf.assert %27, "mismatching contracting dimension"
    %28 = tensor.empty(%25, %26) : tensor<?x?x48xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<?x?x48xf32>) -> tensor<?x?x48xf32>
    %30 = linalg.batch_matmul ins(%reshape, %24 : tensor<?x?x16xf32>, tensor<?x16x48xf32>) outs(%29 : tensor<?x?x48xf32>) -> tensor<?x?x48xf32>
    %31 = arith.muli %14, %c48_i64 : i64
    cf.assert %17, "must have at most one inferred (negative) dimension"
    %32 = arith.muli %21, %22 : i64
    %33 = arith.muli %32, %c48_i64 : i64
    %34 = arith.divsi %33, %31 : i64
    %35 = arith.select %8, %34, %1 : i64
    %36 = arith.select %13, %34, %0 : i64
    %from_elements_22 = tensor.from_elements %35, %36, %c48_i64 : tensor<3xi64>
    %reshape_23 = tensor.reshape %30(%from_elements_22) : (tensor<?x?x48xf32>, tensor<3xi64>) -> tensor<?x?x48xf32>
    %37 = arith.index_cast %35 : i64 to index
    %38 = arith.index_cast %36 : i64 to index
    %39 = tensor.empty(%37, %38) : tensor<?x?x48xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape_23, %cst_16 : tensor<?x?x48xf32>, tensor<48xf32>) outs(%39 : tensor<?x?x48xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x?x48xf32>
    cf.assert %17, "must have at most one inferred (negative) dimension"
    %41 = arith.muli %35, %36 : i64
    %42 = arith.muli %41, %c48_i64 : i64
    %43 = arith.divsi %42, %31 : i64
    %44 = arith.select %8, %43, %1 : i64
    %45 = arith.select %13, %43, %0 : i64
    %from_elements_24 = tensor.from_elements %44, %45, %c3_i64, %c16_i64 : tensor<4xi64>
    %reshape_25 = tensor.reshape %40(%from_elements_24) : (tensor<?x?x48xf32>, tensor<4xi64>) -> tensor<?x?x3x16xf32>
    %46 = arith.index_cast %44 : i64 to index
    %47 = arith.index_cast %45 : i64 to index
    %expanded = tensor.expand_shape %reshape_25 [[0, 1], [2], [3], [4]] output_shape [1, %46, %47, 3, 16] : tensor<?x?x3x16xf32> into tensor<1x?x?x3x16xf32>
    %48 = tensor.empty(%46, %47) : tensor<3x?x?x1x16xf32>
    %transposed_26 = linalg.transpose ins(%expanded : tensor<1x?x?x3x16xf32>) outs(%48 : tensor<3x?x?x1x16xf32>) permutation = [3, 1, 2, 0, 4] 
    %collapsed = tensor.collapse_shape %transposed_26 [[0], [1], [2, 3], [4]] : tensor<3x?x?x1x16xf32> into tensor<3x?x?x16xf32>
    %extracted_slice = tensor.extract_slice %collapsed[0, 0, 0, 0] [1, %46, %47, 16] [1, 1, 1, 1] : tensor<3x?x?x16xf32> to tensor<1x?x?x16xf32>
    %collapsed_27 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x?x?x16xf32> into tensor<?x?x16xf32>
    %extracted_slice_28 = tensor.extract_slice %collapsed[1, 0, 0, 0] [1, %46, %47, 16] [1, 1, 1, 1] : tensor<3x?x?x16xf32> to tensor<1x?x?x16xf32>
    %collapsed_29 = tensor.collapse_shape %extracted_slice_28 [[0, 1], [2], [3]] : tensor<1x?x?x16xf32> into tensor<?x?x16xf32>
    %extracted_slice_30 = tensor.extract_slice %collapsed[2, 0, 0, 0] [1, %46, %47, 16] [1, 1, 1, 1] : tensor<3x?x?x16xf32> to tensor<1x?x?x16xf32>
    %collapsed_31 = tensor.collapse_shape %extracted_slice_30 [[0, 1], [2], [3]] : tensor<1x?x?x16xf32> into tensor<?x?x16xf32>
    %49 = arith.muli %0, %c2_i64 : i64
    %50 = arith.muli %9, %49 : i64
    %51 = arith.cmpi slt, %49, %c0_i64 : i64
    %52 = arith.select %51, %9, %50 : i64
    %53 = arith.select %51, %12, %10 : i64
    %54 = arith.muli %52, %c8_i64 : i64
    %55 = arith.cmpi sle, %53, %c1_i64 : i64
    cf.assert %55, "must have at most one inferred (negative) dimension"
    %56 = arith.muli %44, %45 : i64
    %57 = arith.muli %56, %c16_i64 : i64
    %58 = arith.divsi %57, %54 : i64
    %59 = arith.select %8, %58, %1 : i64
    %60 = arith.select %51, %58, %49 : i64
    %from_elements_32 = tensor.from_elements %59, %60, %c8_i64 : tensor<3xi64>
    %reshape_33 = tensor.reshape %collapsed_27(%from_elements_32) : (tensor<?x?x16xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %61 = arith.index_cast %60 : i64 to index
    %62 = arith.index_cast %59 : i64 to index
    %63 = tensor.empty(%61, %62) : tensor<?x?x8xf32>
    %transposed_34 = linalg.transpose ins(%reshape_33 : tensor<?x?x8xf32>) outs(%63 : tensor<?x?x8xf32>) permutation = [1, 0, 2] 
    cf.assert %55, "must have at most one inferred (negative) dimension"
    %reshape_35 = tensor.reshape %collapsed_29(%from_elements_32) : (tensor<?x?x16xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %transposed_36 = linalg.transpose ins(%reshape_35 : tensor<?x?x8xf32>) outs(%63 : tensor<?x?x8xf32>) permutation = [1, 0, 2] 
    cf.assert %55, "must have at most one inferred (negative) dimension"
    %reshape_37 = tensor.reshape %collapsed_31(%from_elements_32) : (tensor<?x?x16xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %transposed_38 = linalg.transpose ins(%reshape_37 : tensor<?x?x8xf32>) outs(%63 : tensor<?x?x8xf32>) permutation = [1, 0, 2] 
    %64 = arith.select %13, %c1_i64, %0 : i64
    %65 = arith.extui %13 : i1 to i64
    %66 = arith.muli %64, %c2_i64 : i64
    %67 = arith.muli %66, %1 : i64
    %68 = arith.addi %65, %c1_i64 : i64
    %69 = arith.select %8, %66, %67 : i64
    %70 = arith.select %8, %68, %65 : i64
    %71 = arith.muli %69, %c8_i64 : i64
    %72 = arith.cmpi sle, %70, %c1_i64 : i64
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %73 = arith.muli %60, %59 : i64
    %74 = arith.muli %73, %c8_i64 : i64
    %75 = arith.divsi %74, %71 : i64
    %76 = arith.select %13, %75, %0 : i64
    %77 = arith.select %8, %75, %1 : i64
    %from_elements_39 = tensor.from_elements %76, %c2_i64, %77, %c8_i64 : tensor<4xi64>
    %reshape_40 = tensor.reshape %transposed_34(%from_elements_39) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x2x?x8xf32>
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %reshape_41 = tensor.reshape %transposed_36(%from_elements_39) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x2x?x8xf32>
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %reshape_42 = tensor.reshape %transposed_38(%from_elements_39) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x2x?x8xf32>
    %78 = arith.index_cast %76 : i64 to index
    %79 = arith.index_cast %77 : i64 to index
    %80 = tensor.empty(%78, %79) : tensor<?x2x?x8xf32>
    %81 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_40 : tensor<?x2x?x8xf32>) outs(%80 : tensor<?x2x?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.truncf %cst_15 : f64 to f32
      %274 = arith.mulf %in, %273 : f32
      linalg.yield %274 : f32
    } -> tensor<?x2x?x8xf32>
    %82 = tensor.empty(%78, %79) : tensor<?x2x8x?xf32>
    %transposed_43 = linalg.transpose ins(%reshape_41 : tensor<?x2x?x8xf32>) outs(%82 : tensor<?x2x8x?xf32>) permutation = [0, 1, 3, 2] 
    %83 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_43 : tensor<?x2x8x?xf32>) outs(%82 : tensor<?x2x8x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.truncf %cst_15 : f64 to f32
      %274 = arith.mulf %in, %273 : f32
      linalg.yield %274 : f32
    } -> tensor<?x2x8x?xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %84 = tensor.empty(%dim, %dim_20) : tensor<?x2x?x8xf32>
    %85 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%84 : tensor<?x2x?x8xf32>) {
    ^bb0(%out: f32):
      %273 = linalg.index 0 : index
      %274 = linalg.index 1 : index
      %275 = linalg.index 2 : index
      %276 = linalg.index 3 : index
      %277 = arith.cmpi eq, %78, %c1 : index
      %278 = arith.select %277, %c0, %273 : index
      %279 = arith.cmpi eq, %79, %c1 : index
      %280 = arith.select %279, %c0, %275 : index
      %extracted = tensor.extract %81[%278, %274, %280, %276] : tensor<?x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x8xf32>
    %86 = arith.select %51, %c1_i64, %49 : i64
    %87 = arith.extui %51 : i1 to i64
    %88 = arith.muli %86, %1 : i64
    %89 = arith.addi %87, %c1_i64 : i64
    %90 = arith.select %8, %86, %88 : i64
    %91 = arith.select %8, %89, %87 : i64
    %92 = arith.muli %90, %c8_i64 : i64
    %93 = arith.cmpi sle, %91, %c1_i64 : i64
    cf.assert %93, "must have at most one inferred (negative) dimension"
    %94 = arith.muli %49, %1 : i64
    %95 = arith.muli %94, %c8_i64 : i64
    %96 = arith.divsi %95, %92 : i64
    %97 = arith.select %51, %96, %49 : i64
    %98 = arith.select %8, %96, %1 : i64
    %from_elements_44 = tensor.from_elements %97, %98, %c8_i64 : tensor<3xi64>
    %reshape_45 = tensor.reshape %85(%from_elements_44) : (tensor<?x2x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %99 = tensor.empty(%dim, %dim_20) : tensor<?x2x8x?xf32>
    %100 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%99 : tensor<?x2x8x?xf32>) {
    ^bb0(%out: f32):
      %273 = linalg.index 0 : index
      %274 = linalg.index 1 : index
      %275 = linalg.index 2 : index
      %276 = linalg.index 3 : index
      %277 = arith.cmpi eq, %78, %c1 : index
      %278 = arith.select %277, %c0, %273 : index
      %279 = arith.cmpi eq, %79, %c1 : index
      %280 = arith.select %279, %c0, %276 : index
      %extracted = tensor.extract %83[%278, %274, %275, %280] : tensor<?x2x8x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x8x?xf32>
    %101 = arith.muli %86, %c8_i64 : i64
    %102 = arith.muli %101, %1 : i64
    %103 = arith.select %8, %101, %102 : i64
    cf.assert %93, "must have at most one inferred (negative) dimension"
    %104 = arith.muli %0, %c16_i64 : i64
    %105 = arith.muli %104, %1 : i64
    %106 = arith.divsi %105, %103 : i64
    %107 = arith.select %51, %106, %49 : i64
    %108 = arith.select %8, %106, %1 : i64
    %from_elements_46 = tensor.from_elements %107, %c8_i64, %108 : tensor<3xi64>
    %reshape_47 = tensor.reshape %100(%from_elements_46) : (tensor<?x2x8x?xf32>, tensor<3xi64>) -> tensor<?x8x?xf32>
    %109 = arith.index_cast %97 : i64 to index
    %110 = arith.index_cast %98 : i64 to index
    %111 = arith.index_cast %108 : i64 to index
    %112 = arith.cmpi eq, %97, %107 : i64
    cf.assert %112, "mismatching contracting dimension"
    %113 = tensor.empty(%109, %110, %111) : tensor<?x?x?xf32>
    %114 = linalg.fill ins(%cst : f32) outs(%113 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %115 = linalg.batch_matmul ins(%reshape_45, %reshape_47 : tensor<?x?x8xf32>, tensor<?x8x?xf32>) outs(%114 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %116 = arith.muli %69, %1 : i64
    %117 = arith.addi %70, %c1_i64 : i64
    %118 = arith.select %8, %66, %116 : i64
    %119 = arith.select %8, %117, %65 : i64
    %120 = arith.cmpi sle, %119, %c1_i64 : i64
    cf.assert %120, "must have at most one inferred (negative) dimension"
    %121 = arith.muli %97, %98 : i64
    %122 = arith.muli %121, %108 : i64
    %123 = arith.divsi %122, %118 : i64
    %124 = arith.select %13, %123, %0 : i64
    %125 = arith.select %8, %123, %1 : i64
    %from_elements_48 = tensor.from_elements %124, %c2_i64, %125, %125 : tensor<4xi64>
    %reshape_49 = tensor.reshape %115(%from_elements_48) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x2x?x?xf32>
    %126 = arith.index_cast %124 : i64 to index
    %127 = arith.index_cast %125 : i64 to index
    %128 = tensor.empty(%126, %127) : tensor<?x2x?xi64>
    %129 = linalg.fill ins(%c0_i64 : i64) outs(%128 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64>
    %130 = tensor.empty(%126, %127) : tensor<?x2x?xf32>
    %131 = linalg.fill ins(%cst_0 : f32) outs(%130 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %132:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%reshape_49 : tensor<?x2x?x?xf32>) outs(%131, %129 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_73: i64):
      %273 = linalg.index 3 : index
      %274 = arith.index_cast %273 : index to i64
      %275 = arith.maximumf %in, %out : f32
      %276 = arith.cmpf ogt, %in, %out : f32
      %277 = arith.select %276, %274, %out_73 : i64
      linalg.yield %275, %277 : f32, i64
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>)
    %expanded_50 = tensor.expand_shape %132#0 [[0], [1], [2, 3]] output_shape [%126, 2, %127, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32>
    %133 = tensor.empty(%126, %127, %127) : tensor<?x2x?x?xf32>
    %134 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_49, %expanded_50 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%133 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.subf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x2x?x?xf32>
    %135 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<?x2x?x?xf32>) outs(%133 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = math.exp %in : f32
      linalg.yield %273 : f32
    } -> tensor<?x2x?x?xf32>
    %136 = tensor.empty(%126, %127) : tensor<?x2x?x1xf32>
    %137 = linalg.fill ins(%cst : f32) outs(%136 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32>
    %138 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%135 : tensor<?x2x?x?xf32>) outs(%137 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %in, %out : f32
      linalg.yield %273 : f32
    } -> tensor<?x2x?x1xf32>
    %139 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %138 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%133 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.divf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x2x?x?xf32>
    %140 = tensor.empty(%126, %127, %127) : tensor<?x2x?x?xi1>
    %141 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_49 : tensor<?x2x?x?xf32>) outs(%140 : tensor<?x2x?x?xi1>) {
    ^bb0(%in: f32, %out: i1):
      %273 = arith.extf %in : f32 to f64
      %274 = arith.cmpf oeq, %273, %cst_14 : f64
      linalg.yield %274 : i1
    } -> tensor<?x2x?x?xi1>
    %142 = tensor.empty(%126, %127) : tensor<?x2x?x1xi1>
    %143 = linalg.fill ins(%true : i1) outs(%142 : tensor<?x2x?x1xi1>) -> tensor<?x2x?x1xi1>
    %144 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%141 : tensor<?x2x?x?xi1>) outs(%143 : tensor<?x2x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %273 = arith.andi %in, %out : i1
      linalg.yield %273 : i1
    } -> tensor<?x2x?x1xi1>
    %145 = arith.cmpi sge, %124, %c0_i64 : i64
    cf.assert %145, "negative values not allowed in new dimensions"
    %146 = arith.index_cast %124 : i64 to index
    %147 = arith.cmpi sge, %125, %c0_i64 : i64
    cf.assert %147, "negative values not allowed in new dimensions"
    %148 = arith.index_cast %125 : i64 to index
    cf.assert %147, "negative values not allowed in new dimensions"
    %149 = tensor.empty(%146, %148, %148) : tensor<?x2x?x?xf32>
    %150 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%149 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x2x?x?xf32>
    %151 = arith.cmpi eq, %126, %146 : index
    cf.assert %151, "mismatched size for broadcast"
    %152 = arith.cmpi eq, %127, %148 : index
    cf.assert %152, "mismatched size for broadcast"
    %153 = arith.cmpi eq, %148, %127 : index
    cf.assert %153, "mismatched size for broadcast"
    %154 = tensor.empty(%126, %127, %148) : tensor<?x2x?x?xf32>
    %155 = linalg.generic {indexing_maps = [#map5, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %150, %139 : tensor<?x2x?x1xi1>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) outs(%154 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: i1, %in_73: f32, %in_74: f32, %out: f32):
      %273 = arith.select %in, %in_73, %in_74 : f32
      linalg.yield %273 : f32
    } -> tensor<?x2x?x?xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %156 = tensor.empty(%dim, %dim_20, %dim_20) : tensor<?x2x?x?xf32>
    %157 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%156 : tensor<?x2x?x?xf32>) {
    ^bb0(%out: f32):
      %273 = linalg.index 0 : index
      %274 = linalg.index 1 : index
      %275 = linalg.index 2 : index
      %276 = linalg.index 3 : index
      %277 = arith.cmpi eq, %126, %c1 : index
      %278 = arith.select %277, %c0, %273 : index
      %279 = arith.cmpi eq, %127, %c1 : index
      %280 = arith.select %279, %c0, %275 : index
      %281 = arith.cmpi eq, %148, %c1 : index
      %282 = arith.select %281, %c0, %276 : index
      %extracted = tensor.extract %155[%278, %274, %280, %282] : tensor<?x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x?xf32>
    %158 = arith.muli %90, %1 : i64
    %159 = arith.addi %91, %c1_i64 : i64
    %160 = arith.select %8, %86, %158 : i64
    %161 = arith.select %8, %159, %87 : i64
    %162 = arith.cmpi sle, %161, %c1_i64 : i64
    cf.assert %162, "must have at most one inferred (negative) dimension"
    %163 = arith.muli %94, %1 : i64
    %164 = arith.divsi %163, %160 : i64
    %165 = arith.select %51, %164, %49 : i64
    %166 = arith.select %8, %164, %1 : i64
    %from_elements_51 = tensor.from_elements %165, %166, %166 : tensor<3xi64>
    %reshape_52 = tensor.reshape %157(%from_elements_51) : (tensor<?x2x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    cf.assert %5, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %4, "unimplemented: dynamic negative broadcast sizes"
    %167 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%84 : tensor<?x2x?x8xf32>) {
    ^bb0(%out: f32):
      %273 = linalg.index 0 : index
      %274 = linalg.index 1 : index
      %275 = linalg.index 2 : index
      %276 = linalg.index 3 : index
      %277 = arith.cmpi eq, %78, %c1 : index
      %278 = arith.select %277, %c0, %273 : index
      %279 = arith.cmpi eq, %79, %c1 : index
      %280 = arith.select %279, %c0, %275 : index
      %extracted = tensor.extract %reshape_42[%278, %274, %280, %276] : tensor<?x2x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x8xf32>
    cf.assert %93, "must have at most one inferred (negative) dimension"
    %reshape_53 = tensor.reshape %167(%from_elements_44) : (tensor<?x2x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %168 = arith.index_cast %165 : i64 to index
    %169 = arith.index_cast %166 : i64 to index
    %170 = arith.cmpi eq, %165, %97 : i64
    cf.assert %170, "mismatching contracting dimension"
    %171 = arith.cmpi eq, %166, %98 : i64
    cf.assert %171, "mismatching contracting dimension"
    %172 = tensor.empty(%168, %169) : tensor<?x?x8xf32>
    %173 = linalg.fill ins(%cst : f32) outs(%172 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %174 = linalg.batch_matmul ins(%reshape_52, %reshape_53 : tensor<?x?x?xf32>, tensor<?x?x8xf32>) outs(%173 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %175 = arith.muli %165, %166 : i64
    %176 = arith.muli %175, %c8_i64 : i64
    %177 = arith.divsi %176, %71 : i64
    %178 = arith.select %13, %177, %0 : i64
    %179 = arith.select %8, %177, %1 : i64
    %from_elements_54 = tensor.from_elements %178, %c2_i64, %179, %c8_i64 : tensor<4xi64>
    %reshape_55 = tensor.reshape %174(%from_elements_54) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x2x?x8xf32>
    %180 = arith.index_cast %179 : i64 to index
    %181 = tensor.empty(%180) : tensor<?x1x2x8xf32>
    %cast = tensor.cast %reshape_55 : tensor<?x2x?x8xf32> to tensor<1x2x?x8xf32>
    %transposed_56 = linalg.transpose ins(%cast : tensor<1x2x?x8xf32>) outs(%181 : tensor<?x1x2x8xf32>) permutation = [2, 0, 1, 3] 
    %collapsed_57 = tensor.collapse_shape %transposed_56 [[0], [1, 2, 3]] : tensor<?x1x2x8xf32> into tensor<?x16xf32>
    %182 = tensor.empty() : tensor<16x16xf32>
    %transposed_58 = linalg.transpose ins(%cst_13 : tensor<16x16xf32>) outs(%182 : tensor<16x16xf32>) permutation = [1, 0] 
    %183 = arith.index_cast %179 : i64 to index
    %184 = tensor.empty(%183) : tensor<?x16xf32>
    %185 = linalg.fill ins(%cst : f32) outs(%184 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %186 = linalg.matmul ins(%collapsed_57, %transposed_58 : tensor<?x16xf32>, tensor<16x16xf32>) outs(%185 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %187 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%186, %cst_12 : tensor<?x16xf32>, tensor<16xf32>) outs(%184 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x16xf32>
    cf.assert %17, "must have at most one inferred (negative) dimension"
    %188 = arith.muli %179, %c16_i64 : i64
    %189 = arith.divsi %188, %16 : i64
    %190 = arith.select %8, %189, %1 : i64
    %191 = arith.select %13, %189, %0 : i64
    %from_elements_59 = tensor.from_elements %190, %191, %c16_i64 : tensor<3xi64>
    %reshape_60 = tensor.reshape %187(%from_elements_59) : (tensor<?x16xf32>, tensor<3xi64>) -> tensor<?x?x16xf32>
    %192 = arith.index_cast %191 : i64 to index
    %193 = arith.index_cast %190 : i64 to index
    %194 = tensor.empty(%192, %193) : tensor<?x?x16xf32>
    %transposed_61 = linalg.transpose ins(%reshape_60 : tensor<?x?x16xf32>) outs(%194 : tensor<?x?x16xf32>) permutation = [1, 0, 2] 
    %195 = arith.cmpi eq, %dim, %192 : index
    cf.assert %195, "mismatched size for broadcast"
    %196 = arith.cmpi eq, %dim_20, %193 : index
    cf.assert %196, "mismatched size for broadcast"
    %197 = tensor.empty(%dim, %dim_20) : tensor<?x?x16xf32>
    %198 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %transposed_61 : tensor<?x?x16xf32>, tensor<?x?x16xf32>) outs(%197 : tensor<?x?x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x?x16xf32>
    %199 = tensor.empty(%dim, %dim_20) : tensor<?x?x16xf64>
    %200 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198 : tensor<?x?x16xf32>) outs(%199 : tensor<?x?x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %273 = arith.extf %in : f32 to f64
      linalg.yield %273 : f64
    } -> tensor<?x?x16xf64>
    %201 = tensor.empty(%dim, %dim_20) : tensor<?x?x1xf64>
    %202 = linalg.fill ins(%cst_1 : f64) outs(%201 : tensor<?x?x1xf64>) -> tensor<?x?x1xf64>
    %203 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%200 : tensor<?x?x16xf64>) outs(%202 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.addf %in, %out : f64
      linalg.yield %273 : f64
    } -> tensor<?x?x1xf64>
    %204 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<?x?x1xf64>) outs(%201 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.divf %in, %cst_18 : f64
      linalg.yield %273 : f64
    } -> tensor<?x?x1xf64>
    %205 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%200, %204 : tensor<?x?x16xf64>, tensor<?x?x1xf64>) outs(%199 : tensor<?x?x16xf64>) {
    ^bb0(%in: f64, %in_73: f64, %out: f64):
      %273 = arith.subf %in, %in_73 : f64
      linalg.yield %273 : f64
    } -> tensor<?x?x16xf64>
    %206 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205, %205 : tensor<?x?x16xf64>, tensor<?x?x16xf64>) outs(%199 : tensor<?x?x16xf64>) {
    ^bb0(%in: f64, %in_73: f64, %out: f64):
      %273 = arith.mulf %in, %in_73 : f64
      linalg.yield %273 : f64
    } -> tensor<?x?x16xf64>
    %207 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%206 : tensor<?x?x16xf64>) outs(%202 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.addf %in, %out : f64
      linalg.yield %273 : f64
    } -> tensor<?x?x1xf64>
    %208 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207 : tensor<?x?x1xf64>) outs(%201 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.divf %in, %cst_18 : f64
      linalg.yield %273 : f64
    } -> tensor<?x?x1xf64>
    %209 = tensor.empty(%dim, %dim_20) : tensor<?x?x1xf32>
    %210 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208 : tensor<?x?x1xf64>) outs(%209 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %273 = arith.truncf %in : f64 to f32
      linalg.yield %273 : f32
    } -> tensor<?x?x1xf32>
    %211 = linalg.fill ins(%cst : f32) outs(%209 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %212 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%198 : tensor<?x?x16xf32>) outs(%211 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %in, %out : f32
      linalg.yield %273 : f32
    } -> tensor<?x?x1xf32>
    %213 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<?x?x1xf32>) outs(%209 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %in, %cst_19 : f32
      linalg.yield %273 : f32
    } -> tensor<?x?x1xf32>
    %214 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<?x?x1xf32>) outs(%209 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.truncf %cst_11 : f64 to f32
      %274 = arith.addf %in, %273 : f32
      linalg.yield %274 : f32
    } -> tensor<?x?x1xf32>
    %215 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214 : tensor<?x?x1xf32>) outs(%209 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = math.rsqrt %in : f32
      linalg.yield %273 : f32
    } -> tensor<?x?x1xf32>
    %216 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198, %213 : tensor<?x?x16xf32>, tensor<?x?x1xf32>) outs(%197 : tensor<?x?x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.subf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x?x16xf32>
    %217 = tensor.empty(%dim) : tensor<?x1x16xf32>
    %218 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216, %215 : tensor<?x?x16xf32>, tensor<?x?x1xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.mulf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %219 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218, %cst_10 : tensor<?x1x16xf32>, tensor<16xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.mulf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %220 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219, %cst_9 : tensor<?x1x16xf32>, tensor<16xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %collapsed_62 = tensor.collapse_shape %220 [[0], [1, 2]] : tensor<?x1x16xf32> into tensor<?x16xf32>
    %221 = tensor.empty() : tensor<16x32xf32>
    %transposed_63 = linalg.transpose ins(%cst_8 : tensor<32x16xf32>) outs(%221 : tensor<16x32xf32>) permutation = [1, 0] 
    %222 = tensor.empty(%dim) : tensor<?x32xf32>
    %223 = linalg.fill ins(%cst : f32) outs(%222 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %224 = linalg.matmul ins(%collapsed_62, %transposed_63 : tensor<?x16xf32>, tensor<16x32xf32>) outs(%223 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %225 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%224, %cst_7 : tensor<?x32xf32>, tensor<32xf32>) outs(%222 : tensor<?x32xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x32xf32>
    %226 = arith.muli %64, %1 : i64
    %227 = arith.select %8, %64, %226 : i64
    %228 = arith.muli %227, %c32_i64 : i64
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %229 = arith.muli %0, %c32_i64 : i64
    %230 = arith.divsi %229, %228 : i64
    %231 = arith.select %13, %230, %0 : i64
    %232 = arith.select %8, %230, %1 : i64
    %from_elements_64 = tensor.from_elements %231, %232, %c32_i64 : tensor<3xi64>
    %reshape_65 = tensor.reshape %225(%from_elements_64) : (tensor<?x32xf32>, tensor<3xi64>) -> tensor<?x?x32xf32>
    %233 = arith.index_cast %231 : i64 to index
    %234 = tensor.empty(%233) : tensor<?x1x32xf32>
    %cast_66 = tensor.cast %reshape_65 : tensor<?x?x32xf32> to tensor<?x1x32xf32>
    %235 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cast_66 : tensor<?x1x32xf32>) outs(%234 : tensor<?x1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.cmpf ugt, %in, %cst : f32
      %274 = arith.select %273, %in, %cst : f32
      linalg.yield %274 : f32
    } -> tensor<?x1x32xf32>
    %collapsed_67 = tensor.collapse_shape %235 [[0], [1, 2]] : tensor<?x1x32xf32> into tensor<?x32xf32>
    %236 = tensor.empty() : tensor<32x16xf32>
    %transposed_68 = linalg.transpose ins(%cst_6 : tensor<16x32xf32>) outs(%236 : tensor<32x16xf32>) permutation = [1, 0] 
    %237 = arith.index_cast %231 : i64 to index
    %238 = tensor.empty(%237) : tensor<?x16xf32>
    %239 = linalg.fill ins(%cst : f32) outs(%238 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %240 = linalg.matmul ins(%collapsed_67, %transposed_68 : tensor<?x32xf32>, tensor<32x16xf32>) outs(%239 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %241 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%240, %cst_5 : tensor<?x16xf32>, tensor<16xf32>) outs(%238 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x16xf32>
    %242 = arith.muli %227, %c16_i64 : i64
    cf.assert %72, "must have at most one inferred (negative) dimension"
    %243 = arith.muli %231, %c16_i64 : i64
    %244 = arith.divsi %243, %242 : i64
    %245 = arith.select %13, %244, %0 : i64
    %246 = arith.select %8, %244, %1 : i64
    %from_elements_69 = tensor.from_elements %245, %246, %c16_i64 : tensor<3xi64>
    %reshape_70 = tensor.reshape %241(%from_elements_69) : (tensor<?x16xf32>, tensor<3xi64>) -> tensor<?x?x16xf32>
    %247 = arith.index_cast %245 : i64 to index
    %248 = arith.cmpi eq, %dim, %247 : index
    cf.assert %248, "mismatched size for broadcast"
    %249 = arith.index_cast %246 : i64 to index
    %250 = arith.cmpi eq, %249, %c1 : index
    cf.assert %250, "mismatched size for broadcast"
    %cast_71 = tensor.cast %reshape_70 : tensor<?x?x16xf32> to tensor<?x1x16xf32>
    %251 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220, %cast_71 : tensor<?x1x16xf32>, tensor<?x1x16xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %252 = tensor.empty(%dim) : tensor<?x1x16xf64>
    %253 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251 : tensor<?x1x16xf32>) outs(%252 : tensor<?x1x16xf64>) {
    ^bb0(%in: f32, %out: f64):
      %273 = arith.extf %in : f32 to f64
      linalg.yield %273 : f64
    } -> tensor<?x1x16xf64>
    %254 = tensor.empty(%dim) : tensor<?x1x1xf64>
    %255 = linalg.fill ins(%cst_1 : f64) outs(%254 : tensor<?x1x1xf64>) -> tensor<?x1x1xf64>
    %256 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%253 : tensor<?x1x16xf64>) outs(%255 : tensor<?x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.addf %in, %out : f64
      linalg.yield %273 : f64
    } -> tensor<?x1x1xf64>
    %257 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%256 : tensor<?x1x1xf64>) outs(%254 : tensor<?x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.divf %in, %cst_18 : f64
      linalg.yield %273 : f64
    } -> tensor<?x1x1xf64>
    %258 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%253, %257 : tensor<?x1x16xf64>, tensor<?x1x1xf64>) outs(%252 : tensor<?x1x16xf64>) {
    ^bb0(%in: f64, %in_73: f64, %out: f64):
      %273 = arith.subf %in, %in_73 : f64
      linalg.yield %273 : f64
    } -> tensor<?x1x16xf64>
    %259 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258, %258 : tensor<?x1x16xf64>, tensor<?x1x16xf64>) outs(%252 : tensor<?x1x16xf64>) {
    ^bb0(%in: f64, %in_73: f64, %out: f64):
      %273 = arith.mulf %in, %in_73 : f64
      linalg.yield %273 : f64
    } -> tensor<?x1x16xf64>
    %260 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%259 : tensor<?x1x16xf64>) outs(%255 : tensor<?x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.addf %in, %out : f64
      linalg.yield %273 : f64
    } -> tensor<?x1x1xf64>
    %261 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%260 : tensor<?x1x1xf64>) outs(%254 : tensor<?x1x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %273 = arith.divf %in, %cst_18 : f64
      linalg.yield %273 : f64
    } -> tensor<?x1x1xf64>
    %262 = tensor.empty(%dim) : tensor<?x1x1xf32>
    %263 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%261 : tensor<?x1x1xf64>) outs(%262 : tensor<?x1x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %273 = arith.truncf %in : f64 to f32
      linalg.yield %273 : f32
    } -> tensor<?x1x1xf32>
    %264 = linalg.fill ins(%cst : f32) outs(%262 : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
    %265 = linalg.generic {indexing_maps = [#map, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%251 : tensor<?x1x16xf32>) outs(%264 : tensor<?x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %in, %out : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x1xf32>
    %266 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%265 : tensor<?x1x1xf32>) outs(%262 : tensor<?x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %in, %cst_19 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x1xf32>
    %267 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263 : tensor<?x1x1xf32>) outs(%262 : tensor<?x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.truncf %cst_11 : f64 to f32
      %274 = arith.addf %in, %273 : f32
      linalg.yield %274 : f32
    } -> tensor<?x1x1xf32>
    %268 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%267 : tensor<?x1x1xf32>) outs(%262 : tensor<?x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = math.rsqrt %in : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x1xf32>
    %269 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%251, %266 : tensor<?x1x16xf32>, tensor<?x1x1xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.subf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %270 = linalg.generic {indexing_maps = [#map, #map9, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%269, %268 : tensor<?x1x16xf32>, tensor<?x1x1xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.mulf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %271 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%270, %cst_4 : tensor<?x1x16xf32>, tensor<16xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.mulf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %272 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%271, %cst_3 : tensor<?x1x16xf32>, tensor<16xf32>) outs(%217 : tensor<?x1x16xf32>) {
    ^bb0(%in: f32, %in_73: f32, %out: f32):
      %273 = arith.addf %in, %in_73 : f32
      linalg.yield %273 : f32
    } -> tensor<?x1x16xf32>
    %cast_72 = tensor.cast %272 : tensor<?x1x16xf32> to tensor<?x?x16xf32>
    return %cast_72 : tensor<?x?x16xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_16_torch.float32_5: "0x04000000A309543C5F29F33D18B454BDB819F03D8B1647BE23C3EABC3BE4FEBCBB16DB3C9FD5353E09B28DBC42828B3D661D46BD2392A3BC4030EB3C83B616BEC3F173BD",
      torch_tensor_16_torch.float32_4: "0x04000000760C933FF258743F668D493FEECD903FE564633FA2B0683F3475883FB528713FD7DF8F3FDEE1803F8B23833FCC456B3FDC39633F90B6703FCA6F613F27F1763F",
      torch_tensor_16_torch.float32_3: "0x040000004A573CBD3900633DD91E0B3B7BDDBF3D7BDE96BDCA6ACD3D2342A0BD1392AE3CAC8A01BE94EF743CFC85E1BC6ADCA93BA11FD13C4AA816BEA741393B2CF924BE",
      torch_tensor_16_32_torch.float32: "0x04000000918FDFBD00000000000000007384913D0000000016CB113E00000000CA8126BE4EFEA63D00000000652F123E00000000300524BE0000000000000000B8741BBD00000000F6BAE63D00000000540E2D3E6271A6BD0000000025B1823D000000000000000000000000C27662BD103B033D878D0CBE0000000000000000AA631FBE32ED11BE0000000000000000F49EFDBD000000003C28DE3D00000000DAAB16BE000000000000000036781F3EB2B5193ED63F193E000000009EA5F83D00000000286F1C3E00000000000000007240A0BD49BFF6BD000000008CFAF03D00000000000000002B3A07BE000000001536103E00000000000000005B29163E82B4E83D0000000091A7343E0000000026AB2C3E15B02B3E00000000D443D6BD0000000038CF083E0000000024E926BE0000000000000000D547F5BC000000002A08D93D000000003E44243E00000000CF5EBF3D00000000A02BA7BD116EBBBD00000000000000007AF62A3E3A7034BE000000008C87A1BD474C573D00000000000000007F7E143E00000000DE3F29BE000000000000000067FA0ABE53F5163E0000000000000000ACEC283EBDDFF7BD0000000000000000949F97BDACC314BE000000000000000000000000DBCDA03D84DD18BE000000008FD5213E000000008D360D3EE3DF193E00000000000000007E5499BD45F1153E50A11C3E0000000000000000000000000000000090A2B63DBA3A95BD46D5C93D000000004E9E3D3D00000000000000002EE50CBE000000007240EEBD1C69193E3BA4103E0000000000000000EFF4613DCDBD98BD00000000000000000000000089A51EBE04873D3D000000005B7C2D3E0000000000000000B818033ED39BF13D00000000000000001AF50D3EF93CF9BD00000000000000003C30ADBD00000000877100BD0000000087E621BE00000000000000006858003E853F113E0000000000000000478CC33D65C7C13D000000000F15F43DA169623D00000000000000004334103E724F0DBE00000000000000000000000079062DBE9B9A2A3E51B5313E00000000680C303E00000000FBCDB9BD00000000000000003EE48FBD0000000000000000DBB82DBE3119153E00000000EE291EBD5AC6E2BC00000000204ED43D000000006B41303E0000000000000000F565A83D3835223E0000000000000000F8BC1F3E1B72F53D0000000000000000000000001D057FBD7DE1B5BD0000000000000000B3C91BBE31A0303E48A10C3E00000000DEB4F8BD0000000000000000C96E063E00C6053E00000000000000004C062DBD00000000AE59ADBD0000000098D214BEAF63213E000000009F3428BE0000000000000000476234BE0000000057DA323E711F303E0000000000000000000000001788123E9455FF3D00000000000000000421B2BD123FDEBD27032EBE00000000000000004CC5F13D000000000000000069A726BE9EFCED3D3CF0E6BDA2B7A9BD0000000000000000A16375BD11D910BE0000000000000000485D0EBE000000000000000094F0073E000000000000000081C628BE42FC313EDD68B7BD0000000000000000D739D43D3E79B8BD000000004853D5BD0000000000000000672C0CBE8D45293E0000000085810BBE000000000000000028E9323E000000001ED4243E99EF2C3E000000006A5EDABD0000000000000000E451C6BD6EB5293E00000000E9B910BE0000000000000000BA8E02BE6732FDBD00000000804A113EA469A13D00000000000000008D5225BD00000000000000009832193E0000000026720CBEBFF21D3E000000007027093E00000000B1641EBE000000000000000087091DBEA8341CBD00000000000000000000000043E3253E0BF5183E00000000D5EF16BEDE0422BE00000000000000008312E43D000000008854C6BD00000000400098BD00000000521B7B3D3A9DBA3D06C3B6BD0000000000000000B4910C3E21FB12BE0000000000000000E83B13BD210934BE00000000000000000000000000000000804EBDBDF4CCBF3DFB9929BE31D7D73D000000000000000000000000FC6034BE0000000018F8AFBDBE41013EC6C921BE00000000000000000D2911BE00000000000000002FFD333E0000000055EE2BBED2E320BE000000007595193E6263273E000000000000000000000000833B1A3EA605C73D000000003C868A3DA96028BE000000000000000000000000000000002B9F19BEE689063E00000000000000006CDD073ED489EA3D00000000D960ECBD00000000382417BE0000000000000000A0CF113EA55813BE74D3FB3D000000000000000074DA393D00000000000000003FABF53DBF1300BEABCCF73D00000000E253AC3D0000000000000000A480133E0000000009FFE33D0000000000000000B88976BDF2D6F73D55309F3D36BC19BE00000000000000005E992E3E000000002F8E27BE00000000229F233E00000000000000008F91253E0DF6F0BDAA2A75BD000000000000000000000000E51594BD00000000568B0ABE853C22BEC9D92E3E0000000000000000FE3817BE0000000000000000AB09CA3D26B0F83D000000000000000091CBA73D000000000000000047D884BD9C15FF3D0000000000000000F2B50DBE57E5ED3D0C6205BE000000009AD40D3E00000000A1B0243E0000000000000000EF3CF83D000000002C20C0BD00000000DF731DBE000000000BD1333E042F19BE0000000000000000DA3F1A3E77EE2EBE00000000000000000C8E2B3E00000000B0DE1A3E663FC13D123B083E000000000000000000000000000000007A3E28BE1E472FBE000000000000000033E71E3E415ADB3D0000000000000000027808BE995AD9BD",
      torch_tensor_32_torch.float32: "0x04000000245F2ABED0E5B63DCE487FBE5040E2BC0E4577BEB814623D1C81053E70A4BA3D40B409BDD80497BDB4A5AA3D7090AF3D6A43693EC098EF3D8ADD20BE985C31BD803D2CBB32FA543EF47E6DBE7A6D25BE5EAB0ABE4C23183E125350BE2810073D2601303E2C02C83D0832F3BDFAF63DBEC03F8EBDE8F02D3D505B6B3DB05009BD",
      torch_tensor_32_16_torch.float32: "0x04000000AE3927BE0000000004FB3FBE000000000000000000000000B0765FBEF8824D3EF033143E707B2D3E0000000000000000EA6B193E00000000823A03BE00000000000000006CAD50BE98E32DBE000000000000000000000000A8DB463E3A9D6F3E0000000000000000D6E239BEEA4F44BE000000007E34693E00000000FC9277BEDC863B3E000000006CB727BE0000000000000000C6F62FBE00000000C488653E0000000000000000B66F11BE4E6E573E2AB03DBE08D360BE0000000000000000C09C4E3E00000000F45BE73D00000000166F413E00000000000000002AF5273E00000000A8AE66BD0000000066725DBE80B1C53D0000000000000000CA8A62BE7CF71A3E00000000A04A603E00000000829706BE00000000B6E7053E00000000CC5135BE0000000000000000A024B0BD000000009E2950BE000000001CF007BE0000000000000000E8883C3E10B71E3E00000000D6C03EBE00000000605C6E3E00000000D8585BBEC4BFB9BD0000000000000000EE4A34BE000000000C41633E00000000FE64463E4ED358BE000000008C04333E5EC2083E00000000000000000000000000000000EC5B423E2868623D0290793E701D733E0000000000000000000000008A085FBE0000000046871E3E3AB94D3E00000000000000008642703E000000004ACC24BE00000000FED66ABEF6931F3E000000005EE8173E0000000000000000A63D4BBE34296BBE00000000D66334BE0000000000000000ECFD1C3E34DB8DBDECF2FCBD00000000000000004A1E78BECC6414BE0000000000000000000000007C40723E0000000018C025BD000000000000000034BC09BE3CAB373E681E3BBE4EA91D3E0000000000000000D84C293E0000000082F017BE0000000054D1ACBD0000000010C91BBE0000000000000000A20E6D3E000E603E00000000000000000621643EAAAA7D3E0000000000000000A8E02E3EF28F11BE000000000000000074B74C3E00000000E4A9C8BD0056463E00000000B02C4A3E00000000E2C8333E000000000A15723E000000000000000088B5273E000000000CD34D3E10DD113E000000007459303E0000000062087E3EB6993A3E00000000000000000000000000000000D0AEC93D441EF4BD0000000000000000140CA2BDB0ABAD3CECAF1FBEFA626A3E0000000000000000000000000000000036AD63BE68F8433EB6743BBE0000000000000000684DE63D00000000E0B8393EA0E0663D000000000000000070A67EBE42467FBE00000000A21564BE0000000000000000141D74BE0000000000000000E01A19BE2E404F3E0000000000000000041D703E8E88403E90C517BE0000000000000000F2ED49BE6447543EFA236EBE00000000000000000000000046CD663E00000000703867BE00000000000000006E102C3EFC56573E96601F3E000000000000000048FBD0BDFE8B40BE0000000000000000E6C80FBEC41DAABD000000000000000008E4B73D9E391F3E000000008AD428BE0000000000000000F62A6D3E1880643D0000000064DA60BE0000000000000000B06A7EBEDC1360BE00000000BEB733BE0000000000000000000000008AD30E3EFC64ECBD000000000000000050A080BDCAA04E3E0000000000000000F0B1FABDCEC3493E00000000000000005A1866BE60DC723E843B2A3E000000000000000084B8E3BD000000003094C83D544CD33D00000000000000005C9131BEF68510BE00000000000000005E9728BE0000000024C0E6BD5080013EFA453A3E000000000000000000000000268A113E16374F3E000000000000000044EA5BBEB63434BE000000000000000046D4523E50FE2DBD0000000000000000CEF968BEE89FF8BD0000000010E549BE00000000000000002E2F53BE000000007601573EDAC60DBE00000000000000000000000066B95C3E743ADD3D4036DEBD985234BD00000000000000000000000000000000E87A6DBECCC542BE122A7ABEDEAF333E000000000000000000000000AA6541BE000000008035713E0000000000000000167B7BBE1681533E000000009E591ABEF2D97BBE000000009EF47A3E1A2874BE000000000000000068B3603D1A2A39BE000000000000000000000000CE60633E00000000E80ECF3D2495433E000000006A13523E00000000000000007CA94A3ED8BA553E00000000DEEB26BE000000009256023E0000000000000000B6974BBE7AEC3DBE000000000000000082322D3ECC243B3E00000000000000003AAD7B3EE40250BE00000000203A9C3D00000000A06E41BE00000000D4992C3E58824CBE0000000000000000000000005475183E00000000F4E68C3D2A21573E00000000000000002A4E1FBE288C7E3E0000000000000000F88A363E0A3E013E000000000000000006D36EBE0000000010F663BE96086F3E0000000000000000348E113E00000000CC60673EEAA50DBE00000000B81ED83D000000009CD3C7BD0000000008BEF2BD000000000000000092AE78BED27740BE000000000000000008B507BE000000006CAD0BBEE0DC83BC0000000040C77DBE0000000000000000E80A67BE000000001C1F363E00000000F83E403E08F306BE0000000000000000AC9AC83D7E79143E00000000000000003249573EE43ECCBD0000000000000000082C073E9C1038BE00000000A270293E000000007413FEBD0000000000000000000000002693733EF0A1BB3D0000000012B544BE2057403E0000000000000000BC23463E1A28413E00000000000000002097D3BD0000000040297CBE640774BE9E781A3E000000000000000098BC5CBD584CBEBD0000000000000000A21371BE0000000028CD47BE00000000",
      torch_tensor_16_torch.float32_2: "0x04000000CB05F4BD952A6A3D6CBABABD343D18BD15687ABD6332BDBD094FBEBC1071103ED476AA3DC27E1C3E5306DC3D939B193DE204E93DA3C743BE2FA6813A02BA88BD",
      torch_tensor_16_torch.float32_1: "0x040000007684753F6C468D3F6F0B843F27FA753FE03F443F3E08A13FEB51793F7CA8873F050A673FEA65703FE8BE873FD57A953FAE944D3F6341703F582B6B3FA4658D3F",
      torch_tensor_16_torch.float32: "0x040000007FAFADBD331E0E3DBA882B3EF36E163D6DB2093D53F8AFBD33E02EBDF38710BD377DC6397BD2DC3B980B213C87ED773D648FCBBD5B865A3D2166383DE7EA8ABD",
      torch_tensor_16_16_torch.float32: "0x04000000CEB033BE00000000A0A8783E0000000000000000DC3EC63D00000000683D3EBE000000008E84593E00000000309E103E4C96E9BD0000000060C5083E00000000C0844BBE00000000D8691B3E0000000008E73D3E0000000018412C3E0000000094CE2D3EB68761BE00000000000000000000000000000000B648413ED0BC2CBE000000000000000086FC443E74F558BE56E57A3E1C751CBE0000000000000000000000009ED8313E00000000D2E71CBECA600DBE00000000000000002A150CBE000000008E3C21BE00000000B04CDE3D00000000C8CD92BD00000000DC66B33DC47AFDBD0000000050FD273E0000000000000000104E67BE42B255BE00000000000000008E7E1A3E9C423EBE000000000000000000000000E0BF703EFAD677BE00000000AEB5193E00000000784319BE0000000000000000406D463E9CAE643E00000000CE707BBE000000004C470DBE4C075A3E76AB713E0000000000000000DCCF76BE00000000401FC5BD00000000000000000000000040A1103E58CB7C3E5078523E0000000088B3263E000000000486CD3DBEC7723E00000000000000006AC710BE0000000000000000DABF34BE00000000B04E8ABD9C314DBE0000000000000000DA83643E000000004C087A3E4E4F133E44BC7A3E0000000000000000C2A159BE00000000ECAC253E0000000000000000000000001A2D053E8E2E14BE000000000000000068C1D63DAAEF5D3E147B5CBE0000000000000000BC9DD7BD000000000000000084E449BEF8224EBE00000000DC5F273E4E3F7C3E00000000D6722FBEF4B0A1BD0000000000000000000000001002C7BD00000000E20D5E3E8CFD30BE00000000B25619BE00000000905F673E1474E63D0000000000000000BA0C503EF023A33D0000000000000000000000000000000052F224BED85FCFBD809F47BE6277143E0000000000000000528E09BE00000000D03DF8BD00000000F4C36A3E00000000BC6359BE000000000000000044CB783E00000000AE625E3E000000003CFCFBBD0000000050AD91BD0000000000000000BACF43BE64E126BEF8EB853D0000000000000000982C203D00000000A04203BE000000002AAB3FBE000000000000000066231E3E3C408B3D806FC8BD30D91E3E0000000000000000528A21BE6406173E0000000000000000E60E66BE4497673E0000000000000000FA307B3E0000000000000000ECB7103E0000000000000000AC8762BEAC1773BE7627623EDE2F47BE000000000000000000000000D849E13D00000000AACD413E00000000000000001E7601BEF06B703EBC3486BD00000000908D0BBE00000000F8613B3EA447563E00000000000000008801B7BD6851F7BD0000000000000000DC5090BD000000001CAF5ABE000000000000000000000000B26A6D3E462077BE",
      torch_tensor_48_torch.float32: "0x04000000B5342BBD90F1A43C055ED33DCF94803DCB740DBE30350BBE9D2DD63C136219BDC37E3FBEB63D8B3C264E8D3CFEAB363E135F2E3EAD44CE3B6757063EC2AAA33D9BFF58BBE54931BE0BB06CBDB271A53D4D337BBD2F385CBC11D10C3EB89FF73C67B76DBD339F45BD49433ABCE796063E33D2183CCB6A0BBE0B021D3D6BEA8A3CC11D313D67D1F63CA30EFDBD6208E63D67CC21BDBDD9543EE3C2C93C1FDAE7BCEA7F93BC67B1383D9BEA5A3D5BF018BDC5B97C3C7DB62DBC32B6903D2754103E",
      torch_tensor_48_16_torch.float32: "0x040000005E6A0CBE00000000EB8F97BE0000000000000000135197BEB60A1D3E00000000000000007FEF883E00000000E272B73D03BC8B3E00000000000000009C6EF23D00000000393902BE0000000007F18EBE0000000044E7433E6CF7893E000000005B377BBE00000000A627963E00000000A4571D3E00000000000000000B9D57BE00000000E215423E00000000BC4421BEDD7E3F3E58438DBE00000000000000005EC37A3E00000000000000000BA3C23DCCFE933D000000009668013E00000000FBBF79BE0000000000000000EBC381BEFC1F39BE0000000000000000B9D969BD45AE5D3E000000006E0D3D3E000000000000000064FD98BE7E510DBE0000000000000000D9D755BE00000000D2758C3E0C887FBE0000000000000000CB28F9BD0000000027AF4E3EC52C99BE0000000000000000124D253E0000000002702EBE0000000000000000055A28BE4B5D5C3E000000000BF2F6BDC7ED7D3E00000000CD5088BE00000000D01B213E000000001BB02B3E00000000000000004B214B3E00000000D6B7593E56A14B3E00000000D3F492BE00000000C74071BE000000000000000098B31F3E00000000E2B9A83D00000000853B37BE000000009F1218BE000000001F6EBF3D000000007D72CDBD000000007716853E000000002BA48F3EA4F497BEC8F7A93D0000000000000000871A7BBEED537E3E0000000000000000000000005E269CBE0F5A73BE000000000C8173BE0000000000000000BB78F03D00000000218628BE00000000DC4621BE706484BE00000000B40F8B3E00000000000000006032A43D08DD77BE0000000049B29CBEE35084BE00000000000000006E9E83BEC7B0633E000000000000000000000000000000002E616ABEE0837EBE00000000F2C22EBE0000000005A182BE00000000B9AA68BEDBAB5ABE000000000000000000000000B9DB1BBE99CDC7BD49D3953E00000000000000005C4D73BE0000000089C7273EA77087BE0000000000000000A3FC94BE20888CBE000000000000000005B6873E00000000782D41BE00000000E6FC0A3E00000000CABA573E000000009A1C80BDD7F378BE00000000527560BE00000000AB33F4BD000000009D2C8DBE00000000A09A493E00000000168C0CBE00000000EB9779BE000000008E6E9CBE00000000231F933E00000000F6C9633E0000000000000000064183BE8BD3503E00000000E46C7EBE00000000000000001D458C3E0000000081088CBE5363033E00000000000000007924A73D00000000869091BE000000001DAB92BE1D7E78BE0000000000000000142D943E0000000000000000EFCA573EF38B7EBE00000000A4FE45BD1A9881BD00000000B7CF873DB786CB3D0000000000000000BF62603E00000000A21A9BBD00000000000000000000000093898A3E0C3578BE0FE269BE8C0D96BE00000000000000000000000000000000F2941ABEE8918EBE000000000000000034B8863EF14C843ECBD8B8BDB33094BE000000000000000000000000501C96BE00000000C80258BE000000007CD5843ECD1A933E000000000000000000000000249D5E3ED66250BE4C0C5FBE00000000A27E233E000000004F090F3E00000000E8CCE03D0000000000000000B40D8D3E00000000A7B98FBD0000000039CF973E000000007B7066BEDD8A9B3E0000000000000000BBAFC4BD000000000000000079A48D3EDA57CBBD07E438BE00000000549C603E000000000B1D2E3E0000000000000000FE737EBE39FD53BE0000000091F684BE0000000000000000000000005B8CF33DDEB5653E59706BBE00000000A047953E0000000000000000CE37983E00000000D9291D3EA117503E0000000081ED5EBE000000003D44C03DB6EA573E000000000000000066E68C3E00000000000000001535503E000000009421003EF3C622BE0000000000000000000000009DA9873E8BD875BE6B8E4E3E56AC97BE0000000000000000000000002332D9BDAFCBE23D00000000044947BE8D3BD73D000000000000000000000000C9CB5E3E00000000C686933E000000006D223E3E7E7595BE000000000000000000000000BED9373EF2D784BE0000000077F636BE000000009F3D62BE7AAE6BBE000000005B398CBE0000000000000000000000009B21753EE2DC89BE0000000000000000014552BE15EDECBD000000000000000031C467BE51F160BE02D4F73D00000000000000002797813EEE0738BE00000000D5E95D3E00000000000000000000000010B9803D44835ABEC1D1503E00000000000000004BF1713E00000000A8E369BE6C408FBE00000000576A283E00000000F6CD60BD0000000000000000000000003F0451BE371F7A3E60CC0B3E00000000D41C843E000000000000000098D143BE000000001A57303EACFA88BE000000008497883E00000000097F85BE0000000000000000D8F889BE7BBC833D000000008F7ED63D000000000000000000000000456F5CBEF61E8ABE0000000007D36F3E5A2B813E0000000038E4A3BD974E1EBE0000000000000000B699383E00000000A17EFABD00000000083317BE0000000030A2CC3D000000000000000056DB02BEA00F963E0000000000000000517E6A3E00000000536A483E00000000F328EA3D0FA627BE0000000000000000C78026BE000000002190883E122290BE0000000000000000CFF7863EFCE948BE00000000000000009DEA9BBE61515B3EC53C7B3E000000000000000000000000E6A546BE85E8423E00000000000000009C0CF0BDC5DE28BE000000000000000000000000F23689BE87312D3E8F9F94BE0000000000000000501D7CBE0DF8773E7A4896BE0000000000000000F575873E00000000D74496BE00000000FCFE3EBE000000000000000028D499BE975A6F3E8CF14ABE000000000000000000000000FB988C3E0000000022D3593E00000000000000007885483E81FA53BE88B598BE00000000D9257DBE00000000BE178ABE000000007026763E00000000000000003C365EBEE18C37BE000000000000000000000000EAFE8ABE5E7680BE3A15513E0000000000000000D5D6653E2010493E0000000000000000275688BE00000000E72C243E0000000068036F3E00000000A14575BEF955143E0000000000000000000000000C9E9A3EB52E313EB335023E3E1636BE0000000000000000373A783EC16E72BE0000000000000000B32D2ABE8D7D893E00000000000000006D6DFEBDF540283E0000000000000000700D64BEB704553E00000000000000000000000000000000E3F61B3E6D8473BE000000009C1699BEE6A68ABE00000000000000004165453E000000001C2E76BE3B1E31BE00000000F4E5EB3D0000000000000000F7CA763EA96076BE00000000E213DD3D0000000000000000FA608B3E57BC8D3EE9EE5BBE000000000000000000000000000000009094FC3CFAC1543D0000000044876B3E333030BE000000000000000068FB6C3E00000000F7D585BE00000000635F8FBE0000000029B798BE00000000000000009F5934BE8AC377BE2DD5503EA5B5703E0000000000000000C32D67BEDA6B8B3E00000000000000002FB05C3E00000000046B603E00000000000000002B251D3EF4A582BE0000000000000000AF54003E0000000011F00DBE00000000089482BE000000009FB587BE00000000CAAB57BEE9EFD13D00000000000000004D3B663E478D173E000000000FDC6DBE00000000CADE41BE00000000000000000000000079ED86BE381C7B3E00000000A8DA74BE00000000A3BA8FBE000000006FE4453E00000000FA9D843E000000009A3C9CBE000000001AB3973E8ED193BE00000000000000004ACF913E0000000041F940BE000000004A69593ECD293D3E000000004C02DFBD00000000000000002A752EBEE400F93D000000006E22923E30778F3E000000000000000000000000547D003E00000000FCEB723E78BB1FBE00000000F087303E0000000000000000EF393CBE00000000651D453E00000000FE1D393E00000000C50D763E0000000000000000899F343EC1BC843E0000000000000000D545493E4EF7623EE5BD323E1C8F1EBE0000000000000000000000000B09943E000000008E7F703E00000000AA996DBE0000000008C3473EE6DCFC3D0000000000000000B5DB58BE0000000000000000F39CAC3D1D0223BE4A1E833E0000000000000000FF4F05BE0000000066114C3E2046233E0000000000000000000000007631773E7B0C67BE00000000C3A284BE3FD078BE00000000"
    }
  }
#-}
