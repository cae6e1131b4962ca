// RUN: nm-opt %s | nm-opt | FileCheck %s
// RUN: nm-opt %s --mlir-print-op-generic | nm-opt | FileCheck %s

// CHECK: module attributes {nm.target = #nm.target<"sm_90a">}
module attributes {nm.target = #nm.target<"sm_90a">} {
}
