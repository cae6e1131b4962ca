//===- NMInterfaces.td - Interfaces of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMINTERFACES_TD
#define NM_DIALECT_NM_IR_NMINTERFACES_TD

include "mlir/IR/OpBase.td"

def NM_ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let description = [{
    A product of a dense operand A, a matrix or a vector, and a condensed weight,
    with its epilogue: C = combine(activation((A x B) * scale + bias), residual).
    Passes ask this and not which op it is.
  }];
  let cppNamespace = "::nm";
  let methods = [
    InterfaceMethod<"The dense operand.", "::mlir::Value", "getA">,
    InterfaceMethod<"The condensed weight.", "::mlir::Value", "getWeight">,
    InterfaceMethod<"", "::mlir::OpOperand &", "getWeightMutable">,
    InterfaceMethod<"What C is written to.", "::mlir::Value", "getInit">,
    InterfaceMethod<"", "::mlir::OpOperand &", "getInitMutable">,
    InterfaceMethod<"C on tensors; null on memrefs.", "::mlir::Value",
                    "getResult">,
    InterfaceMethod<"A factor a column, or null.", "::mlir::Value", "getScale">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getScaleMutable">,
    InterfaceMethod<"A summand a column, or null.", "::mlir::Value", "getBias">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getBiasMutable">,
    InterfaceMethod<"What is combined with the result, or null.",
                    "::mlir::Value", "getResidual">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getResidualMutable">,
    InterfaceMethod<"The activation.", "::nm::Epilogue", "getEpilogue">,
    InterfaceMethod<"", "void", "setEpilogue", (ins "::nm::Epilogue":$epilogue)>,
    InterfaceMethod<"What is done with the residual.", "::nm::Combine",
                    "getCombine">,
    InterfaceMethod<"", "void", "setCombine", (ins "::nm::Combine":$combine)>,
    InterfaceMethod<"The type of the sums.", "::mlir::Type", "getAcc">,
    InterfaceMethod<"The schedule, or null.", "::nm::ScheduleAttr",
                    "getScheduleAttr">,
    InterfaceMethod<"", "void", "setScheduleAttr",
                    (ins "::nm::ScheduleAttr":$schedule)>,
    InterfaceMethod<"How A lies; a vector is one row.", "::nm::Layout",
                    "getALayout", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return Layout::TokenMajor;">,
    InterfaceMethod<"How C and the residual lie.", "::nm::Layout",
                    "getCLayout", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return Layout::TokenMajor;">,
  ];
  let extraSharedClassDeclaration = [{
    CondensedType getWeightType() {
      return ::llvm::cast<CondensedType>($_op.getWeight().getType());
    }
    ::mlir::ShapedType getAType() {
      return ::llvm::cast<::mlir::ShapedType>($_op.getA().getType());
    }
    ::mlir::ShapedType getInitType() {
      return ::llvm::cast<::mlir::ShapedType>($_op.getInit().getType());
    }
    /// Whether A and C are matrices, and not vectors.
    bool isOnMatrices() { return getAType().getRank() == 2; }
    bool isAFeatureMajor() {
      return $_op.getALayout() == Layout::FeatureMajor;
    }
    bool isCFeatureMajor() {
      return $_op.getCLayout() == Layout::FeatureMajor;
    }
    /// Rows of A and C: 1 for vectors, kDynamic where that is not known.
    int64_t getRows() {
      return isOnMatrices() ? getAType().getDimSize(isAFeatureMajor()) : 1;
    }
    /// What kernels of this product are called.
    ::llvm::StringRef getKernelName() {
      return $_op->getName().stripDialect();
    }
    /// The dimension of C along which its columns lie.
    unsigned getColumnDim() { return isOnMatrices() && !isCFeatureMajor(); }
  }];
}

def NM_InstructionKind : AttrInterface<"InstructionKind"> {
  let description = [{
    The instruction that does the multiply-adds of a kernel, and how a block's tile
    of C is spread over its threads for it. This is the geometry; the IR of a kind
    is built by its lowering (lib/Dialect/NM/Map).
  }];
  let cppNamespace = "::nm";
  let methods = [
    InterfaceMethod<"Threads of a block.", "int64_t", "getNumThreads">,
    InterfaceMethod<"Rows of C that a block computes.", "int64_t", "getBlockM">,
    InterfaceMethod<"Columns of C that a block computes.", "int64_t",
                    "getBlockN">,
    InterfaceMethod<"Condensed rows that are multiplied at once: a step is a "
                    "multiple of them.", "int64_t", "getSliceRows">,
    InterfaceMethod<"Bytes by which rows of tiles in shared memory are padded, so "
                    "that the loads of a warp have no bank conflicts, where they "
                    "are not swizzled (Swizzle.h); 0 where each load of a warp is "
                    "within a row.",
                    "int64_t", "getRowPadding">,
    InterfaceMethod<"Threads that add to one sum of a block, each the products of "
                    "rows of its own; 1 where each sum is of one thread.",
                    "int64_t", "getSumThreads", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<"Sums that threads of a block leave each other in shared memory, "
                    "where `blocks` blocks of a cluster share a tile of C.",
                    "int64_t", "countSharedSums", (ins "int64_t":$blocks),
                    /*methodBody=*/"", /*defaultImplementation=*/[{
                      return blocks == 1 ? 0
                                         : $_attr.getBlockM() * $_attr.getBlockN() *
                                               $_attr.getSumThreads();
                    }]>,
    InterfaceMethod<"Whether the sums that threads leave each other lie beside the tiles "
                    "of operands in shared memory, and not in their place.", "bool", "keepsTiles", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<"Whether its threads read elements of A one by one along k, for "
                    "which a token-major tile in shared memory is good as it lies.",
                    "bool", "readsAlongK", (ins), /*methodBody=*/"",
                    /*defaultImplementation=*/"return false;">,
    InterfaceMethod<"Rows of m whose elements its threads read as one word of shared "
                    "memory, where a token-major tile lies in panels of so many rows; "
                    "1 where it is good as it lies.",
                    "int64_t", "getWordRows", (ins "::mlir::Type":$element),
                    /*methodBody=*/"", /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<"The form in which its threads read a weight that is packed for "
                    "steps of `stepK` rows: from global memory, or where it "
                    "`isPromoted` from shared memory.", "::nm::WeightForm",
                    "chooseForm",
                    (ins "const ::nm::CondensedType &":$weight, "int64_t":$stepK,
                     "bool":$isPromoted),
                    /*methodBody=*/"",
                    /*defaultImplementation=*/"return ::nm::WeightForm();">,
    InterfaceMethod<"Whether its threads can read a weight of such a form.", "bool",
                    "readsForm",
                    (ins "const ::nm::PatternAttr &":$pattern,
                     "const ::nm::WeightForm &":$form),
                    /*methodBody=*/"",
                    /*defaultImplementation=*/"return form == ::nm::WeightForm();">,
    InterfaceMethod<"Checks what the kind can multiply.", "::llvm::LogicalResult",
                    "verifyProduct",
                    (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
                     "const ::nm::PatternAttr &":$pattern, "::mlir::Type":$a,
                     "::mlir::Type":$weight)>,
  ];
}

#endif // NM_DIALECT_NM_IR_NMINTERFACES_TD
