// RUN: nm-opt %s --nm-expand-math --split-input-file --verify-diagnostics

func.func @exp_f128(%x: f128) -> f128 {
  // expected-error @+1 {{unsupported: no expansion of this op on 'f128'}}
  %y = math.exp %x : f128
  return %y : f128
}

// -----

func.func @vector_remainder(%x: vector<2xf32>) -> vector<2xf32> {
  // expected-error @+1 {{unsupported: this op on vectors; expected scalars}}
  %y = arith.remf %x, %x : vector<2xf32>
  return %y : vector<2xf32>
}

// -----

func.func @vector_sine(%x: vector<2xf32>) -> vector<2xf32> {
  // expected-error @+1 {{unsupported: this op on vectors; expected scalars}}
  %y = math.sin %x : vector<2xf32>
  return %y : vector<2xf32>
}

// -----

func.func @matrix(%x: vector<2x2xf32>) -> vector<2x2xf32> {
  // expected-error @+1 {{unsupported: vector of rank 2; expected scalars or vectors of rank 1}}
  %y = math.exp %x : vector<2x2xf32>
  return %y : vector<2x2xf32>
}
