//===- NMEnums.td - Enumerations of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMENUMS_TD
#define NM_DIALECT_NM_IR_NMENUMS_TD

include "mlir/IR/EnumAttr.td"

class NM_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::nm";
  let genSpecializedAttr = 0;
}

def NM_Layout : NM_Enum<"Layout", "how an activation lies in memory", [
    I32EnumAttrCase<"TokenMajor", 0, "token_major">,
    I32EnumAttrCase<"FeatureMajor", 1, "feature_major">]>;

def NM_Epilogue : NM_Enum<"Epilogue", "activation applied after the bias", [
    I32EnumAttrCase<"None", 0, "none">,
    I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"GeluErf", 2, "gelu_erf">,
    I32EnumAttrCase<"GeluTanh", 3, "gelu_tanh">,
    I32EnumAttrCase<"Silu", 4, "silu">]>;

def NM_Combine : NM_Enum<"Combine", "what is done with the residual", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">]>;

def NM_IndexCoding : NM_Enum<"IndexCoding", "how the index of a unit is written", [
    I32EnumAttrCase<"Window", 0, "window">,
    I32EnumAttrCase<"Rows", 1, "rows">,
    I32EnumAttrCase<"Positions", 2, "positions">,
    I32EnumAttrCase<"Mask", 3, "mask">,
    I32EnumAttrCase<"Bits", 4, "bits">]>;

def NM_CopyEngine : NM_Enum<"CopyEngine", "what copies tiles ahead", [
    I32EnumAttrCase<"CpAsync", 0, "cp_async">,
    I32EnumAttrCase<"Bulk", 1, "bulk">,
    I32EnumAttrCase<"Tma", 2, "tma">]>;

def NM_Role : NM_Enum<"Role", "what a fragment is of a product", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Rows", 1, "rows">,
    I32EnumAttrCase<"Values", 2, "values">,
    I32EnumAttrCase<"Positions", 3, "positions">]>;

def NM_PartKind : NM_Enum<"PartKind", "an array of a weight", [
    I32EnumAttrCase<"Values", 0, "values">,
    I32EnumAttrCase<"Indices", 1, "indices">]>;

#endif // NM_DIALECT_NM_IR_NMENUMS_TD
