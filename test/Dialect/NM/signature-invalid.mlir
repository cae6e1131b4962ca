// RUN: nm-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected `nm.name` to be a string, got 3 : i64}}
func.func private @name_c1(tensor<2xf32> {nm.name = 3})

// -----

// expected-error @below {{expected `nm.name` to be a string, got unit}}
func.func private @name_c1_result(tensor<2xf32>) -> (tensor<2xf32> {nm.name})

// -----

// expected-error @below {{expected `nm.unsigned` to be a unit attribute of an argument or a result of i8, got unit on 'i16'}}
func.func private @unsigned_c1(i16 {nm.unsigned})

// -----

// expected-error @below {{expected `nm.unsigned` to be a unit attribute of an argument or a result of i8, got "yes" on 'tensor<2xi8>'}}
func.func private @unsigned_c1_result() -> (tensor<2xi8> {nm.unsigned = "yes"})

// -----

// expected-error @below {{expected `nm.state` to be elements of the type of argument #1, 'tensor<2xf32>'}}
func.func private @state_c1(f32, tensor<2xf32> {nm.state = dense<0.0> : tensor<3xf32>})

// -----

// expected-error @below {{expected `nm.state` to be elements of the type of argument #0, 'tensor<?xf32>'}}
func.func private @state_c1_dynamic(tensor<?xf32> {nm.state = dense<0.0> : tensor<3xf32>})
