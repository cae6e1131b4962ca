// RUN: nm-opt %s --nm-verify-types --split-input-file --verify-diagnostics

// What every device has.
func.func @supported(%a: tensor<4xi1>, %b: tensor<?xcomplex<f64>>, %c: memref<4xcomplex<f32>>, %d: tensor<*xbf16>, %e: index, %f: vector<4xf32>) -> tensor<2xi48> {
  %y = tensor.empty() : tensor<2xi48>
  return %y : tensor<2xi48>
}

// -----

// expected-error @+1 {{unsupported: elements of type 'f8E4M3FNUZ'; expected f16, bf16, f32, f64, integers of 1 to 64 bits, index, complex<f32> or complex<f64>, got 'tensor<4xf8E4M3FNUZ>'}}
func.func @f8(%x: tensor<4xf8E4M3FNUZ>) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type 'vector<2xf32>'}}
func.func private @vector() -> memref<4xvector<2xf32>>

// -----

// expected-error @+1 {{unsupported: elements of type 'i0'}}
func.func @i0(%x: tensor<4xi0>) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type 'i128'}}
func.func @i128(%x: tensor<*xi128>) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type 'complex<f16>'}}
func.func @complex_f16(%x: tensor<4xcomplex<f16>>) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type 'complex<i32>'}}
func.func @complex_i32(%x: tensor<4xcomplex<i32>>) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type '!llvm.ptr'}}
func.func @pointer(%x: tensor<4x!llvm.ptr>) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type '!quant.uniform<i8:f32, 1.000000e-01>'}}
func.func @quantized(%x: tensor<4x!quant.uniform<i8:f32, 1.000000e-01>>) {
  return
}

// -----

func.func @inside() {
  // expected-error @+1 {{unsupported: elements of type 'f80'}}
  %x = tensor.empty() : tensor<4xf80>
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type 'f128'}}
func.func @scalar(%x: f128) {
  return
}

// -----

// expected-error @+1 {{unsupported: elements of type 'f8E5M2'}}
memref.global "private" constant @global : memref<4xf8E5M2> = dense<1.0>

// -----

// expected-error @+1 {{unsupported: elements of type 'f8E5M2'}}
ml_program.global private @state(dense<1.0> : tensor<4xf8E5M2>) : tensor<4xf8E5M2>
