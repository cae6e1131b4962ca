//===- NMRowsOps.td - Kernels of rows of the nm dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one kernel computes that is no product: reductions of rows, and what is
// computed element by element before, between and after them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_IR_NMROWSOPS_TD
#define NM_DIALECT_NM_IR_NMROWSOPS_TD

include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "nm/Dialect/NM/IR/NMOps.td"

/// Numbers of which vectors lie in memory as their elements do, and which lanes can
/// exchange.
def NM_RowElement : AnyTypeOf<[I1, I8, I16, I32, I64, F16, BF16, F32, F64]>;
def NM_RowOperand : AnyTypeOf<[RankedTensorOf<[NM_RowElement]>,
                               StridedMemRefOf<[NM_RowElement]>]>;

def NM_RowsOp : NM_Op<"rows", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DestinationStyleOpInterface, SingleBlock]> {
  let summary = "a kernel over the rows of arrays";
  let description = [{
    An iteration space, of which the first `rows` dimensions count rows and the others
    the elements of a row. The body computes an element of a row. It has an argument for
    each input, which `indexing_maps` reads as those of linalg.generic do: each result of
    a map is a dimension, or the constant 0 in a dimension of one element. `nm.reduce`
    gives one number of a row for all its elements, so that what is computed of such
    numbers, and of inputs without a dimension of the elements, is the row's too.

    The body may also read an array around it at places that it computes: by
    tensor.extract, or memref.load, of `nm.index`, which is a place in the space, and of
    what it reads, as an embedding does, if the array's extents are known. A place beyond the
    array is read as its last one. The condition of a cf.assert is one of rows. Other ops of
    the body compute without effects.

    Where only a call says how many elements a row has, `most` says that they are at least
    one and at most so many, as a branch around the op has found (`nm-version-rows`).

    `nm.yield` has a value for each output. An output whose map has all dimensions gets
    the elements, one whose map has those of the rows alone what is the row's.

    ```mlir
    %y = nm.rows ins(%x, %w : tensor<32x384xf32>, tensor<384xf32>) outs(%e : tensor<32x384xf32>)
        attributes {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                                     affine_map<(d0, d1) -> (d0, d1)>], rows = 1 : i64} {
    ^bb0(%a: f32, %b: f32):
      %zero = arith.constant 0.0 : f32
      %square = arith.mulf %a, %a : f32
      %sum = nm.reduce addf %square, %zero : f32
      %scale = math.rsqrt %sum : f32
      %scaled = arith.mulf %a, %scale : f32
      %result = arith.mulf %scaled, %b : f32
      nm.yield %result : f32
    } -> tensor<32x384xf32>
    ```
  }];
  let arguments = (ins Variadic<NM_RowOperand>:$inputs, Variadic<NM_RowOperand>:$outputs,
      AffineMapArrayAttr:$indexing_maps, I64Attr:$rows, OptionalAttr<I64Attr>:$most,
      OptionalAttr<NM_RowScheduleAttr>:$schedule);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    attr-dict-with-keyword $body (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
    /// Of the operand with that number.
    ::mlir::AffineMap getIndexingMap(int64_t operand) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[operand]).getValue();
    }
    /// How many dimensions the iteration space has.
    int64_t getNumDims() { return getIndexingMap(0).getNumDims(); }
    /// Whether the operand with that number has a dimension of the elements of rows.
    bool isOfElements(int64_t operand);
    /// The values of the body that each element of a row has its own of; others are the
    /// row's.
    ::llvm::DenseSet<::mlir::Value> collectElementValues();
    /// Whether only a call says how many elements the innermost dimension of a row has.
    bool hasUnknownElements();
    /// Whether the schedule has vectors in which rows are not divided: elements before
    /// the first whole one and behind the last are read one by one.
    bool hasEdges();
    /// The operand and its dimension whose extent dimension `dim` of the space has.
    ::std::pair<::mlir::Value, int64_t> getExtentOf(int64_t dim);
    /// The extent of dimension `dim` of the space; ShapedType::kDynamic if none is known.
    int64_t getStaticExtent(int64_t dim);
  }];
}

def NM_IndexOp : NM_Op<"index", [Pure, HasParent<"RowsOp">]> {
  let summary = "a place in the space of nm.rows";
  let description = [{
    The place of the point that the body computes for along dimension `dim` of the space.

    ```mlir
    %i = nm.index 1 : index
    ```
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def NM_ReduceOp : NM_Op<"reduce", [Pure, HasParent<"RowsOp">, AllTypesMatch<["value", "init", "result"]>]> {
  let summary = "what all elements of a row give together";
  let description = [{
    Combines `value` of all elements of a row, in any order, and `init`: by `kind`, which
    has to be commutative and associative, as it is of floats but for rounding. In which
    order is said by the schedule of `nm.rows` (docs/Spec.md).

    ```mlir
    %sum = nm.reduce addf %x, %zero : f32
    ```
  }];
  let arguments = (ins AtomicRMWKindAttr:$kind, NM_RowElement:$value, NM_RowElement:$init);
  let results = (outs NM_RowElement:$result);
  let assemblyFormat = "$kind $value `,` $init attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def NM_YieldOp : NM_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"RowsOp">]> {
  let summary = "what nm.rows writes";
  let description = [{
    A value for each output of the `nm.rows` around it.

    ```mlir
    nm.yield %result : f32
    ```
  }];
  let arguments = (ins Variadic<NM_RowElement>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // NM_DIALECT_NM_IR_NMROWSOPS_TD
