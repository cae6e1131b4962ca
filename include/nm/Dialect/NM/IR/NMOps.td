//===- NMOps.td - Tensor-level ops of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMOPS_TD
#define NM_DIALECT_NM_IR_NMOPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "nm/Dialect/NM/IR/NMInterfaces.td"
include "nm/Dialect/NM/IR/NMTypes.td"

class NM_Op<string mnemonic, list<Trait> traits = []>
    : Op<NM_Dialect, mnemonic, traits>;

def NM_Number : Type<CPred<"::nm::isOperandType($_self)">,
                     "number">;
def NM_Tensor : RankedTensorOf<[NM_Number]>;
def NM_MemRef : StridedMemRefRankOf<[NM_Number], [1, 2, 3]>;
def NM_TensorOrMemRef : AnyTypeOf<[NM_Tensor, NM_MemRef]>;

/// A fragment of one role.
class NM_FragmentOf<string role>
    : Type<And<[CPred<"::llvm::isa<::nm::FragmentType>($_self)">,
                CPred<"::llvm::cast<::nm::FragmentType>($_self).getRole() == "
                      "::nm::Role::" # role>]>,
           "fragment of role " # !tolower(role), "::nm::FragmentType">;
def NM_Sum : NM_FragmentOf<"Sum">;
def NM_Rows : NM_FragmentOf<"Rows">;
def NM_Values : NM_FragmentOf<"Values">;
def NM_Positions : NM_FragmentOf<"Positions">;

//===----------------------------------------------------------------------===//
// Making condensed weights and taking them apart
//===----------------------------------------------------------------------===//

def NM_ConstantOp : NM_Op<"constant", [Pure, ConstantLike]> {
  let summary = "a constant condensed weight";
  let description = [{
    Holds the values, the indices and, when packed, the column information as
    dense or resource elements.

    ```mlir
    %w = nm.constant {values = dense<...> : tensor<32x128xf32>,
                      indices = dense<...> : tensor<32x128xi8>}
        : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    ```
  }];
  let arguments = (ins ElementsAttr:$values, ElementsAttr:$indices,
                       OptionalAttr<ElementsAttr>:$columns);
  let results = (outs NM_CondensedType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NM_CondenseOp : NM_Op<"condense", [Pure]> {
  let summary = "condenses a dense weight";
  let description = [{
    Makes the condensed form of `dense`, [k, n]. A constant is condensed when the
    op is folded: its data is checked against the pattern, and the first window
    that keeps more than N units is an error that names its rows, its columns
    and its count. -0.0 counts as zero.

    ```mlir
    %w = nm.condense %dense : tensor<64x128xf32>
        -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    ```
  }];
  let arguments = (ins NM_Tensor:$dense);
  let results = (outs NM_CondensedType:$result);
  let assemblyFormat = "$dense attr-dict `:` type($dense) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NM_ExpandOp : NM_Op<"expand", [Pure]> {
  let summary = "the dense form of a condensed weight";
  let description = [{
    The inverse of `nm.condense`: [k, n] with zeros at the pruned places.

    ```mlir
    %dense = nm.expand %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
        -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins NM_CondensedType:$weight);
  let results = (outs NM_Tensor:$dense);
  let assemblyFormat = "$weight attr-dict `:` qualified(type($weight)) `->` type($dense)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NM_PackOp : NM_Op<"pack", [Pure]> {
  let summary = "a weight of the caller's, laid out for a kernel";
  let description = [{
    The weight of an argument as a kernel reads it. It computes nothing: the
    caller has laid the weight out so before the call (`nm-split-arguments`,
    docs/Spec.md, section 5). `order` names an order of the rows of each
    `ordered_rows` rows of k (lib/Layout); a packing has no columns here, since
    how many there are depends on the data.

    ```mlir
    %p = nm.pack %w {order = "banks", ordered_rows = 64 : i64}
        : !nm.condensed<64x128xf16, #nm.pattern<2:4>>
        -> !nm.condensed<64x128xf16, #nm.pattern<2:4>, #nm.packing<block_n = 128, step_k = 64>>
    ```
  }];
  let arguments = (ins NM_CondensedType:$weight,
                       DefaultValuedAttr<StrAttr, "\"ascending\"">:$order,
                       DefaultValuedAttr<I64Attr, "0">:$ordered_rows);
  let results = (outs NM_CondensedType:$result);
  let assemblyFormat = "$weight attr-dict `:` qualified(type($weight)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def NM_AssembleOp : NM_Op<"assemble", [Pure]> {
  let summary = "names the parts of a condensed weight";
  let description = [{
    Makes a condensed weight of its parts, tensors or memrefs of the shapes that
    the type gives. Nothing is copied.

    ```mlir
    %w = nm.assemble %values, %indices
        : tensor<32x128xf32>, tensor<32x128xi8>
        -> !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    ```
  }];
  let arguments = (ins NM_TensorOrMemRef:$values, NM_TensorOrMemRef:$indices,
                       Optional<NM_TensorOrMemRef>:$columns);
  let results = (outs NM_CondensedType:$result);
  let assemblyFormat = [{
    $values `,` $indices (`columns` `(` $columns^ `:` type($columns) `)`)?
    attr-dict `:` type($values) `,` type($indices) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def NM_ValuesOp : NM_Op<"values", [Pure]> {
  let summary = "the values of a condensed weight";
  let description = [{
    ```mlir
    %v = nm.values %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
        -> tensor<32x128xf32>
    ```
  }];
  let arguments = (ins NM_CondensedType:$weight);
  let results = (outs NM_Tensor:$values);
  let assemblyFormat = "$weight attr-dict `:` qualified(type($weight)) `->` type($values)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def NM_IndicesOp : NM_Op<"indices", [Pure]> {
  let summary = "the indices of a condensed weight";
  let description = [{
    ```mlir
    %d = nm.indices %w : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
        -> tensor<32x128xi8>
    ```
  }];
  let arguments = (ins NM_CondensedType:$weight);
  let results = (outs NM_Tensor:$indices);
  let assemblyFormat = "$weight attr-dict `:` qualified(type($weight)) `->` type($indices)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

class NM_ProductOp<string mnemonic>
    : NM_Op<mnemonic, [NM_ProductOpInterface, DestinationStyleOpInterface,
          AttrSizedOperandSegments,
          DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
          DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
              ["reifyResultShapes"]>]> {
  let results = (outs Optional<NM_Tensor>:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(getInitMutable());
    }
  }];
}

def NM_SpmmOp : NM_ProductOp<"spmm"> {
  let summary = "product of a dense matrix and an N:M-sparse weight";
  let description = [{
    `C = activation((A x B) * scale + bias) + residual`, written to `outs`; with
    `combine = mul` the residual is multiplied instead (the gate of a gated
    layer). A is [m, k] (`token_major`) or [k, m] (`feature_major`), C is [m, n]
    or [n, m], the residual lies as C, scale and bias are [n], one element a
    column. Products are accumulated in `acc`. What follows them is computed in
    `acc`, too, or in f32 where a scale makes floats of integer sums, and is
    rounded once to C's element type. A pruned place contributes nothing,
    whatever A holds.

    ```mlir
    %y = nm.spmm %x, %w bias(%b : tensor<128xf32>) outs(%init : tensor<?x128xf32>)
        {epilogue = #nm.epilogue<relu>}
        : tensor<?x64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
        -> tensor<?x128xf32>
    ```
  }];
  let arguments = (ins NM_TensorOrMemRef:$a, NM_CondensedType:$weight,
      Optional<NM_TensorOrMemRef>:$scale, Optional<NM_TensorOrMemRef>:$bias,
      Optional<NM_TensorOrMemRef>:$residual, NM_TensorOrMemRef:$init,
      DefaultValuedAttr<NM_EpilogueAttr, "Epilogue::None">:$epilogue,
      DefaultValuedAttr<NM_CombineAttr, "Combine::Add">:$combine,
      DefaultValuedAttr<NM_LayoutAttr, "Layout::TokenMajor">:$a_layout,
      DefaultValuedAttr<NM_LayoutAttr, "Layout::TokenMajor">:$c_layout,
      DefaultValuedAttr<TypeAttr, "::mlir::Float32Type::get($_builder.getContext())">:$acc,
      OptionalAttr<NM_ScheduleAttr>:$schedule);
  let assemblyFormat = [{
    $a `,` $weight (`scale` `(` $scale^ `:` type($scale) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict
    `:` type($a) `,` qualified(type($weight)) (`->` type($result)^)?
  }];
  let hasCanonicalizer = 1;
}

def NM_SpmvOp : NM_ProductOp<"spmv"> {
  let summary = "product of a vector and an N:M-sparse weight";
  let description = [{
    As `nm.spmm` with m = 1, on vectors: A is [k], C and the residual are [n].

    ```mlir
    %y = nm.spmv %x, %w outs(%init : tensor<128xf32>)
        : tensor<64xf32>, !nm.condensed<64x128xf32, #nm.pattern<2:4>>
        -> tensor<128xf32>
    ```
  }];
  let arguments = (ins NM_TensorOrMemRef:$a, NM_CondensedType:$weight,
      Optional<NM_TensorOrMemRef>:$scale, Optional<NM_TensorOrMemRef>:$bias,
      Optional<NM_TensorOrMemRef>:$residual, NM_TensorOrMemRef:$init,
      DefaultValuedAttr<NM_EpilogueAttr, "Epilogue::None">:$epilogue,
      DefaultValuedAttr<NM_CombineAttr, "Combine::Add">:$combine,
      DefaultValuedAttr<TypeAttr, "::mlir::Float32Type::get($_builder.getContext())">:$acc,
      OptionalAttr<NM_ScheduleAttr>:$schedule);
  let assemblyFormat = [{
    $a `,` $weight (`scale` `(` $scale^ `:` type($scale) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict
    `:` type($a) `,` qualified(type($weight)) (`->` type($result)^)?
  }];
}

#endif // NM_DIALECT_NM_IR_NMOPS_TD
