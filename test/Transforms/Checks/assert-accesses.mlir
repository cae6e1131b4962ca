// RUN: nm-opt %s --nm-assert-accesses | FileCheck %s
// RUN: %python -c "import numpy as np; [np.save('%t.%%d.npy' %% i, np.int64(i)) for i in (-1, 3, 4, 10**12)]"
// RUN: nm-run %s --entry=extract --device=cpu --input=%t.3.npy
// RUN: not nm-run %s --entry=extract --device=cpu --input=%t.4.npy 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not nm-run %s --entry=extract --device=cpu --input=%t.-1.npy 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not nm-run %s --entry=insert --device=cpu --input=%t.1000000000000.npy 2>&1 | FileCheck %s --check-prefix=INSERT

// EXTRACT: tensor.extract: the index leaves dimension 0 of tensor<4xf32>
// CHECK-LABEL: @extract
// CHECK: %[[OK:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK: cf.assert %[[OK]], "tensor.extract: the index leaves dimension 0 of tensor<4xf32>"
// CHECK-NEXT: tensor.extract
#id = affine_map<() -> ()>
func.func @extract(%i: tensor<i64>) -> tensor<f32> {
  %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %empty = tensor.empty() : tensor<f32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = []} ins(%i : tensor<i64>) outs(%empty : tensor<f32>) {
  ^bb0(%in: i64, %out: f32):
    %index = arith.index_cast %in : i64 to index
    %element = tensor.extract %table[%index] : tensor<4xf32>
    linalg.yield %element : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// INSERT: tensor.insert: the index leaves dimension 0 of tensor<4xf32>
// CHECK-LABEL: @insert
// CHECK: cf.assert %{{.*}}, "tensor.insert: the index leaves dimension 0 of tensor<4xf32>"
func.func @insert(%i: i64) -> tensor<4xf32> {
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<4xf32>
  %index = arith.index_cast %i : i64 to index
  %y = tensor.insert %one into %zeros[%index] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// What is known needs no check.
// CHECK-LABEL: @known
// CHECK-NOT: cf.assert
func.func @known(%x: tensor<4xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %y = tensor.extract %x[%c3] : tensor<4xf32>
  return %y : f32
}
