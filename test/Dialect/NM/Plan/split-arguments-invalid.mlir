// RUN: nm-opt %s -nm-split-arguments -split-input-file -verify-diagnostics

// expected-error @below {{unsupported: a weight as an argument of a function that is not public, or has no body}}
func.func private @private(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) {
  return
}

// -----

// expected-error @below {{unsupported: a weight as an argument of a function that is not public, or has no body}}
func.func private @external(!nm.condensed<128x64xf16, #nm.pattern<1:2>>)

// -----

// expected-error @below {{unsupported: a weight as a result; expected tensors and numbers}}
func.func @result(%w: !nm.condensed<128x64xf16, #nm.pattern<1:2>>) -> !nm.condensed<128x64xf16, #nm.pattern<1:2>> {
  return %w : !nm.condensed<128x64xf16, #nm.pattern<1:2>>
}
