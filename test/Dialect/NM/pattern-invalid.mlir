// RUN: nm-opt %s -split-input-file -verify-diagnostics

// One function for each rule of #nm.pattern in docs/Spec.md.

// expected-error @below {{expected at least 1 kept unit, got 0}}
func.func private @pattern_c1() attributes {p = #nm.pattern<0:4>}

// -----

// expected-error @below {{expected at most 4 kept units (the window), got 5}}
func.func private @pattern_c2() attributes {p = #nm.pattern<5:4>}

// -----

// expected-error @below {{expected a unit of positive extents, got 0x4}}
func.func private @pattern_c3() attributes {p = #nm.pattern<2:4, unit = 0x4>}

// -----

// expected-error @below {{expected a window of less than 2^31 rows, got 65536 units of 65536x1, 1 kept}}
func.func private @pattern_c4_rows() attributes {p = #nm.pattern<1:65536, unit = 65536x1>}

// -----

// expected-error @below {{expected a window of less than 2^31 rows, got 4 units of 1x4294967296, 1 kept}}
func.func private @pattern_c4_unit() attributes {p = #nm.pattern<1:4, unit = 1x4294967296>}

// -----

// A pattern's text is checked before its rules.

// expected-error @below {{expected a window of at least 1 unit, got 0}}
func.func private @window_of_0() attributes {p = #nm.pattern<0:0>}

// -----

// expected-error @below {{expected a unit of 2 extents (BkxBn), got 3}}
func.func private @unit_of_3_extents() attributes {p = #nm.pattern<2:4, unit = 1x2x3>}
