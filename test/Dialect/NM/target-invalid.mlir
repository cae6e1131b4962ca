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
