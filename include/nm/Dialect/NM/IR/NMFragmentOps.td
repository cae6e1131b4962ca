//===- NMFragmentOps.td - Ops on operand fragments -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMFRAGMENTOPS_TD
#define NM_DIALECT_NM_IR_NMFRAGMENTOPS_TD

include "nm/Dialect/NM/IR/NMOps.td"

// What nm-load-fragments makes of an nm.tile_mma: a step of k is taken in slices
// of a few condensed rows, whose operands are fragments. When they are loaded is
// then a matter of where the ops stand.

def NM_LoadPositionsOp : NM_Op<"load_positions", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the places of rows of A that units of the weight select";
  let description = [{
    Of units `first`, `first` + 1, ... of a step, for each unit column of the block:
    the row of A's tile at which the unit begins. `indices`, `coding`, `lane_rows`,
    `fragments` and `columns` are those of `nm.tile_mma`.

    ```mlir
    %p = nm.load_positions %d[%first]
        {coding = #nm.coding<rows>, pattern = #nm.pattern<8:32, unit = 1x32>}
        : memref<4x16xi32, 3> -> !nm.fragment<4x4xindex, positions>
    ```
  }];
  let arguments = (ins NM_MemRef:$indices, Index:$first,
      Optional<NM_MemRef>:$columns, NM_PatternAttr:$pattern,
      DefaultValuedAttr<NM_IndexCodingAttr, "IndexCoding::Window">:$coding,
      DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$lane_rows,
      UnitAttr:$fragments);
  let results = (outs NM_Positions:$result);
  let assemblyFormat = [{
    $indices `[` $first `]` (`columns` `(` $columns^ `:` type($columns) `)`)?
    attr-dict `:` type($indices) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def NM_LoadRowsOp : NM_Op<"load_rows", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elements of A from the rows that positions name";
  let description = [{
    The rows from row `place` of unit `unit` of `positions` on: as many condensed
    rows as the result has. Rows of m, and rows of k beyond A's extent, read as
    zero; with `listed` positions come from a list of columns and may be -1.

    ```mlir
    %x = nm.load_rows %a[%p, %c0] {unit = 2 : i64}
        : memref<64x64xf32, 3>, !nm.fragment<4x4xindex, positions>
        -> !nm.fragment<64x1xf32, rows>
    ```
  }];
  let arguments = (ins NM_MemRef:$a, NM_Positions:$positions, Index:$place,
      ConfinedAttr<I64Attr, [IntNonNegative]>:$unit,
      DefaultValuedAttr<NM_LayoutAttr, "Layout::FeatureMajor">:$a_layout,
      UnitAttr:$listed);
  let results = (outs NM_Rows:$result);
  let assemblyFormat = [{
    $a `[` $positions `,` $place `]` attr-dict
    `:` type($a) `,` qualified(type($positions)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def NM_LoadValuesOp : NM_Op<"load_values", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "condensed rows of the weight";
  let description = [{
    Rows `first`, `first` + 1, ... of a step's values, which are, with their
    `lane_rows` and `fragments`, those of `nm.tile_mma`; what lies beyond their
    extents reads as zero.

    ```mlir
    %v = nm.load_values %values[%row] : memref<16x128xf32, 3>
        -> !nm.fragment<1x128xf32, values>
    ```
  }];
  let arguments = (ins NM_MemRef:$values, Index:$first,
      DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$lane_rows,
      UnitAttr:$fragments);
  let results = (outs NM_Values:$result);
  let assemblyFormat = [{
    $values `[` $first `]` attr-dict
    `:` type($values) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def NM_MmaOp : NM_Op<"mma", [Pure, AllTypesMatch<["acc", "result"]>]> {
  let summary = "adds the product of two operand fragments";
  let description = [{
    `result = acc + rows x values`, where a column of `values` is multiplied by the
    rows of A of its unit column.

    ```mlir
    %r = nm.mma %x, %v, %acc : !nm.fragment<64x1xf32, rows>,
        !nm.fragment<1x128xf32, values> -> !nm.fragment<64x128xf32>
    ```
  }];
  let arguments = (ins NM_Rows:$rows, NM_Values:$values, NM_Sum:$acc);
  let results = (outs NM_Sum:$result);
  let assemblyFormat = [{
    $rows `,` $values `,` $acc attr-dict `:` qualified(type($rows)) `,`
    qualified(type($values)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // NM_DIALECT_NM_IR_NMFRAGMENTOPS_TD
