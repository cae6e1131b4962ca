// Loops and branches around tensors, scalars, and integer arithmetic.
func.func @loop(%x: tensor<4x6xf32>, %n: i64) -> (tensor<4x6xf32>, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x6xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %x, %k = %n) -> (tensor<4x6xf32>, i64) {
    %u = linalg.add ins(%t, %x : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
    %j = arith.index_cast %i : index to i64
    %l = arith.addi %k, %j : i64
    scf.yield %u, %l : tensor<4x6xf32>, i64
  }
  return %r#0, %r#1 : tensor<4x6xf32>, i64
}
// -----
func.func @branch(%x: tensor<5xf32>, %y: tensor<5xf32>, %p: i1) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %r = scf.if %p -> tensor<5xf32> {
    %a = linalg.mul ins(%x, %y : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
    scf.yield %a : tensor<5xf32>
  } else {
    scf.yield %y : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}
// -----
func.func @parallel(%x: tensor<9xf32>, %o: tensor<9xf32>) -> tensor<9xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.forall (%i) = (1) to (8) step (2) shared_outs(%t = %o) -> tensor<9xf32> {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<9xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %t[%i] [1] [1] : tensor<1xf32> into tensor<9xf32>
    }
  }
  return %r : tensor<9xf32>
}
// -----
func.func @arithmetic(%x: tensor<6xi32>, %y: tensor<6xi32>, %z: tensor<6xf32>) -> (tensor<6xi32>, tensor<6xf32>) {
  %e = tensor.empty() : tensor<6xi32>
  %g = tensor.empty() : tensor<6xf32>
  %one = arith.constant 1 : i32
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %y, %z : tensor<6xi32>, tensor<6xi32>, tensor<6xf32>) outs(%e, %g : tensor<6xi32>, tensor<6xf32>) {
  ^bb0(%a: i32, %b: i32, %c: f32, %u: i32, %v: f32):
    %s = arith.subi %a, %b : i32
    %t = arith.maxsi %s, %one : i32
    %d = arith.divsi %a, %t : i32
    %f = arith.sitofp %d : i32 to f32
    %h = math.exp %c : f32
    %k = arith.mulf %f, %h : f32
    linalg.yield %d, %k : i32, f32
  } -> (tensor<6xi32>, tensor<6xf32>)
  return %r#0, %r#1 : tensor<6xi32>, tensor<6xf32>
}
// -----
func.func @calls(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %a = call @square(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %b = call @square(%a) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %b : tensor<3x4xf32>
}
func.func private @square(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %y = linalg.square ins(%x : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}
