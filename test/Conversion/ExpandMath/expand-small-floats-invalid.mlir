// RUN: nm-opt %s --nm-expand-small-floats --split-input-file --verify-diagnostics

func.func @no_negative_zero(%x: f8E4M3FNUZ) -> f32 {
  // expected-error @below {{unsupported: conversion of 'f8E4M3FNUZ'}}
  %y = arith.extf %x : f8E4M3FNUZ to f32
  return %y : f32
}

// -----

func.func @no_nan(%x: f4E2M1FN, %y: f4E2M1FN) -> f4E2M1FN {
  // expected-error @below {{unsupported: conversion of 'f4E2M1FN'}}
  %z = arith.addf %x, %y : f4E2M1FN
  return %z : f4E2M1FN
}

// -----

func.func @no_sign(%x: f32) -> f8E8M0FNU {
  // expected-error @below {{unsupported: conversion of 'f8E8M0FNU'}}
  %y = arith.truncf %x : f32 to f8E8M0FNU
  return %y : f8E8M0FNU
}

// -----

func.func @toward_zero(%x: f32) -> f8E4M3FN {
  // expected-error @below {{unsupported: rounding to 'f8E4M3FN' in another way than to nearest even}}
  %y = arith.truncf %x toward_zero : f32 to f8E4M3FN
  return %y : f8E4M3FN
}
