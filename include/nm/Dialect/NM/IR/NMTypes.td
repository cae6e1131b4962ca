//===- NMTypes.td - Types of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMTYPES_TD
#define NM_DIALECT_NM_IR_NMTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "nm/Dialect/NM/IR/NMAttributes.td"

class NM_Type<string name, string typeMnemonic> : TypeDef<NM_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def NM_CondensedType : NM_Type<"Condensed", "condensed"> {
  let summary = "a condensed N:M-sparse weight";
  let description = [{
    `!nm.condensed<KxNxT, #nm.pattern<...>>`: a weight of K x N logical elements
    of type T in condensed form. The index type follows the pattern (i8 when the
    window has at most 256 units, then i16, then i32; unsigned values) unless a
    `#nm.packing` is given, whose `coding` says it.

    A value of this type only names its parts (`nm.assemble`); it has no storage
    of its own.
  }];
  let parameters = (ins "int64_t":$k, "int64_t":$n, "::mlir::Type":$elementType,
                        "PatternAttr":$pattern,
                        OptionalParameter<"PackingAttr">:$packing);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The integer type that stores an index.
    ::mlir::IntegerType getIndexType() const;
    /// The shape of the values: [w, n], or as #nm.packing says.
    ::llvm::SmallVector<int64_t, 3> getValuesShape() const;
    /// The shape of the indices: [w / Bk, ceil(n / Bn)], or as #nm.packing says.
    ::llvm::SmallVector<int64_t, 3> getIndicesShape() const;
    /// The shape of the column information; empty when there is none.
    ::llvm::SmallVector<int64_t, 2> getColumnsShape() const;
    ::mlir::RankedTensorType getValuesTensorType() const;
    ::mlir::RankedTensorType getIndicesTensorType() const;
  }];
}

def NM_FragmentType : NM_Type<"Fragment", "fragment"> {
  let summary = "what the threads of a block hold together in registers";
  let description = [{
    How a fragment is spread over the threads is the business of the lowering of
    the instruction kind. It is, as its role says,

    - `!nm.fragment<64x128xf32>`: sums, a tile of C;
    - `!nm.fragment<64x16xf16, rows>`: elements of A, of 64 rows of m and of the 16
      rows of k that belong to condensed rows of the weight;
    - `!nm.fragment<16x128xf16, values>`: 16 condensed rows of the weight;
    - `!nm.fragment<4x8xindex, positions>`: where rows of A lie, for 4 units of each
      of 8 unit columns.
  }];
  let parameters = (ins "int64_t":$m, "int64_t":$n, "::mlir::Type":$elementType,
                        DefaultValuedParameter<"Role", "Role::Sum">:$role);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def NM_TensorMapType : NM_Type<"TensorMap", "tensor_map"> {
  let summary = "a box of a tensor, as the tensor memory accelerator takes it";
  let description = [{
    `!nm.tensor_map`: 128 bytes that the device's driver makes of a tensor's address,
    extents, strides, and the box that one copy moves (`nm.tensor_map`). Host code
    makes it and hands it to a kernel by value. There it is only cast to the address
    of the parameter, which `cp.async.bulk.tensor` takes:

    ```mlir
    %address = builtin.unrealized_conversion_cast %map : !nm.tensor_map to !llvm.ptr
    ```
  }];
}

#endif // NM_DIALECT_NM_IR_NMTYPES_TD
