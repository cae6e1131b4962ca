// RUN: nm-opt %s -split-input-file -verify-diagnostics

// expected-error-re @below {{expected one of the known chips (sm_80, {{.*}}), got `sm_12`}}
func.func private @target_c1() attributes {t = #nm.target<"sm_12">}

// -----

// expected-error @below {{expected `nm.target` to be a #nm.target on a module, got "sm_90"}}
module attributes {nm.target = "sm_90"} {
  func.func private @target_c2_text()
}

// -----

// expected-error @below {{expected `nm.target` to be a #nm.target on a module, got #nm.target<"sm_90">}}
func.func private @target_c2_function() attributes {nm.target = #nm.target<"sm_90">}

// -----

// expected-error @below {{expected `nm.most_rows` to be an index of at least 1, got 8 : i64}}
func.func private @most_rows_c1_type() attributes {nm.most_rows = 8 : i64}

// -----

// expected-error @below {{expected `nm.merged` to be an array of at least two ascending numbers of products, got 8 : i64}}
func.func private @merged_c1_type() attributes {nm.merged = 8 : i64}

// -----

// expected-error @below {{expected `nm.merged` to be an array of at least two ascending numbers of products, got array<i64: 3>}}
func.func private @merged_c1_one() attributes {nm.merged = array<i64: 3>}

// -----

// expected-error @below {{expected `nm.merged` to be an array of at least two ascending numbers of products, got array<i64: 3, 3>}}
func.func private @merged_c1_equal() attributes {nm.merged = array<i64: 3, 3>}

// -----

// expected-error @below {{expected `nm.merged` to be an array of at least two ascending numbers of products, got array<i64: -1, 3>}}
func.func private @merged_c1_negative() attributes {nm.merged = array<i64: -1, 3>}

// -----

// expected-error @below {{expected `nm.few_rows` to be a unit attribute of a gpu.launch, got unit}}
func.func private @few_rows_c1_op() attributes {nm.few_rows}

// -----

// expected-error @below {{expected `nm.bytes` to be a number of bytes of a launch, got 1 : i64}}
func.func private @bytes_c1_op() attributes {nm.bytes = 1 : i64}

// -----

func.func @bytes_c1_number(%c: index) {
  // expected-error @below {{expected `nm.bytes` to be a number of bytes of a launch, got -1 : i64}}
  gpu.launch blocks(%a, %b, %d) in (%e = %c, %f = %c, %g = %c) threads(%h, %i, %j) in (%k = %c, %l = %c, %m = %c) {
    gpu.terminator
  } {nm.bytes = -1 : i64}
  return
}

// -----

// expected-error @below {{expected `nm.resident` to be a number of blocks, at least 1, of a gpu.launch or a kernel, got 0 : i64}}
func.func private @resident_c1() attributes {nm.resident = 0 : i64}

// -----

// expected-error @below {{expected `nm.resident` to be a number of blocks, at least 1, of a gpu.launch or a kernel, got 1 : i64}}
module @resident_c1_op attributes {nm.resident = 1 : i64} {}

// -----

// expected-error @below {{expected `nm.behind_others` to be a unit attribute of a func.func, got true}}
func.func private @behind_others_c1_type() attributes {nm.behind_others = true}

// -----

// expected-error @below {{expected `nm.behind_others` to be a unit attribute of a func.func, got unit}}
module @behind_others_c1_op attributes {nm.behind_others} {}

// -----

func.func @few_rows_c1_type(%c: index) {
  // expected-error @below {{expected `nm.few_rows` to be a unit attribute of a gpu.launch, got 1 : i64}}
  gpu.launch blocks(%a, %b, %d) in (%e = %c, %f = %c, %g = %c) threads(%h, %i, %j) in (%k = %c, %l = %c, %m = %c) {
    gpu.terminator
  } {nm.few_rows = 1 : i64}
  return
}

// -----

func.func @fused_launch_c1_type(%c: index) {
  // expected-error @below {{expected `nm.fused_launch` to be a string on a gpu.launch, got 1 : i64}}
  gpu.launch blocks(%a, %b, %d) in (%e = %c, %f = %c, %g = %c) threads(%h, %i, %j) in (%k = %c, %l = %c, %m = %c) {
    gpu.terminator
  } {nm.fused_launch = 1 : i64}
  return
}

// -----

// expected-error @below {{expected `nm.fused_launch` to be a string on a gpu.launch, got "f"}}
func.func private @fused_launch_c1_op() attributes {nm.fused_launch = "f"}

// -----

// expected-error @below {{expected `nm.most_rows` to be an index of at least 1, got 0 : index}}
func.func private @most_rows_c1_none() attributes {nm.most_rows = 0 : index}
