//===- NMKinds.td - Instruction kinds of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMKINDS_TD
#define NM_DIALECT_NM_IR_NMKINDS_TD

include "mlir/IR/AttrTypeBase.td"
include "nm/Dialect/NM/IR/NMDialect.td"
include "nm/Dialect/NM/IR/NMInterfaces.td"

class NM_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<NM_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

/// An instruction kind: its geometry is in a file beside the attributes, the IR that
/// it becomes in lib/Dialect/NM/Map.
class NM_Kind<string name, string attrMnemonic, list<string> more = []>
    : NM_Attr<name, attrMnemonic, [DeclareAttrInterfaceMethods<
          NM_InstructionKind,
          !listconcat(["getNumThreads", "getBlockM", "getBlockN", "getSliceRows",
                       "getRowPadding", "verifyProduct"], more)>]> {
  let genVerifyDecl = 1;
}

def NM_FmaAttr : NM_Kind<"Fma", "fma"> {
  let summary = "multiply-adds on CUDA cores";
  let description = [{
    - `warps = [wm, wn]`: warps of a block;
    - `lanes = [lm, ln]`, lm * ln = 32: lanes of a warp;
    - `thread = [tm, tn]`: elements of a thread.

    A block is wm lm tm rows by wn ln tn columns of C.
  }];
  let parameters = (ins
      "::mlir::DenseI64ArrayAttr":$warps, "::mlir::DenseI64ArrayAttr":$lanes,
      "::mlir::DenseI64ArrayAttr":$thread);
  let assemblyFormat = "`<` struct(params) `>`";
}

def NM_GemvAttr : NM_Kind<"Gemv", "gemv", ["getSumThreads", "countSharedSums",
                                           "readsAlongK", "getWordRows", "chooseForm",
                                           "readsForm"]> {
  let summary = "multiply-adds on CUDA cores, for few rows of C";
  let description = [{
    Threads share k: each adds the products of some condensed rows, and the block
    the sums of all.

    - `warps = [wn, wk]`: warps of a block;
    - `lanes = [ln, lk]`, ln * lk = 32: lanes of a warp;
    - `thread = [tm, tn, tk]`: rows and columns of C of a thread, and condensed rows
      that follow each other.

    A block is tm rows by wn ln tn columns of C, and wk lk tk condensed rows are
    multiplied at once.
  }];
  let parameters = (ins
      "::mlir::DenseI64ArrayAttr":$warps, "::mlir::DenseI64ArrayAttr":$lanes,
      "::mlir::DenseI64ArrayAttr":$thread);
  let assemblyFormat = "`<` struct(params) `>`";
}

def NM_MmaGemvAttr : NM_Kind<"MmaGemv", "mma_gemv", ["getSumThreads", "countSharedSums",
                                                     "keepsTiles", "readsAlongK",
                                                     "chooseForm", "readsForm"]> {
  let summary = "mma.sync on tensor cores, for few rows of C";
  let description = [{
    `mma.sync.m16n8k16` of f16 or bf16 with f32 sums, as in `mma_sync`, but warps share k
    as in `gemv`: 16 columns of the weight, which lanes read from global memory as
    they are an operand, by 8 rows of A, elements of which they gather from shared
    memory. A weight of i8 becomes f16 or bf16 in registers.

    - `warps = [wn, wk]`: warps of a block;
    - `tile = [tm, tn]`: rows and columns of C of a warp; tn is a multiple of 16.

    A block is tm rows by wn tn columns of C, and 16 wk condensed rows are multiplied
    at once.
  }];
  let parameters = (ins
      "::mlir::DenseI64ArrayAttr":$warps, "::mlir::DenseI64ArrayAttr":$tile);
  let assemblyFormat = "`<` struct(params) `>`";
}

def NM_MmaSyncAttr : NM_Kind<"MmaSync", "mma_sync", ["chooseForm", "readsForm"]> {
  let summary = "mma.sync on tensor cores";
  let description = [{
    `mma.sync.m16n8k16` of f16 or bf16 with f32 sums; 16 columns of the weight are
    its first operand, so that they share the rows of A that are its second. Where a
    unit may end among 16 columns, 8 are its second operand, and 16 rows of C its
    first.

    - `warps = [wm, wn]`: warps of a block;
    - `tile = [tm, tn]`: rows and columns of C of a warp, multiples of 16.

    A block is wm tm rows by wn tn columns of C.
  }];
  let parameters = (ins
      "::mlir::DenseI64ArrayAttr":$warps, "::mlir::DenseI64ArrayAttr":$tile);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // NM_DIALECT_NM_IR_NMKINDS_TD
