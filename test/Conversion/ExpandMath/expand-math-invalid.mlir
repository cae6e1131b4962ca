// RUN: nm-opt %s --nm-expand-math --split-input-file --verify-diagnostics

func.func @exp_f64(%x: f64) -> f64 {
  // expected-error @+1 {{unsupported: no expansion of this op on 'f64'}}
  %y = math.exp %x : f64
  return %y : f64
}

// -----

func.func @matrix(%x: vector<2x2xf32>) -> vector<2x2xf32> {
  // expected-error @+1 {{unsupported: vector of rank 2; expected scalars or vectors of rank 1}}
  %y = math.exp %x : vector<2x2xf32>
  return %y : vector<2x2xf32>
}
