// RUN: nm-opt %s --nm-set-target | FileCheck %s --check-prefix=DEFAULT
// RUN: nm-opt %s --nm-set-target=chip=sm_80 | FileCheck %s --check-prefix=GIVEN
// RUN: nm-opt %s --nm-set-target=chip=sm_80 --nm-set-target | FileCheck %s --check-prefix=GIVEN
// RUN: nm-opt %s --nm-set-target=chip=sm_80 --nm-set-target=chip=sm_90a | FileCheck %s --check-prefix=LAST

// What a module says stays unless the option says otherwise.
// DEFAULT: module attributes {nm.target = #nm.target<"sm_90">}
// GIVEN: module attributes {nm.target = #nm.target<"sm_80">}
// LAST: module attributes {nm.target = #nm.target<"sm_90a">}
func.func private @f()
