//===- TMTensor.td - All definitions of the tm_tensor dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_TMTENSOR_IR_TMTENSOR_TD
#define NM_DIALECT_TMTENSOR_IR_TMTENSOR_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "nm/Dialect/TMTensor/IR/TMTensorDialect.td"

def TMTensor_Shaped : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef]>;

/// An op that updates its `outputs`. Two variadic groups, hence the segments,
/// which torch-mlir's generic form has as well.
class TMTensor_Op<string mnemonic, list<Trait> traits = []>
    : Op<TMTensor_Dialect, mnemonic, !listconcat(traits, [
        AttrSizedOperandSegments, DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

/// ... element by element, by a region.
class TMTensor_RegionOp<string mnemonic>
    : TMTensor_Op<mnemonic, [RecursiveMemoryEffects,
        SingleBlockImplicitTerminator<"::nm::tm_tensor::YieldOp">]> {
  let regions = (region AnyRegion:$region);
}

def TMTensor_ScanOp : TMTensor_RegionOp<"scan"> {
  let summary = "running totals along one dimension";
  let description = [{
    With f the region and i counting along `dimension`, `outs` are the totals
    `out` and, without that dimension, an accumulator `acc`:

    - inclusive: `out[0] = in[0]`, `out[i] = f(out[i-1], in[i])`;
    - exclusive: `out[0] = acc`, `out[i] = f(out[i-1], in[i-1])`.

    The accumulator ends as the last element of `out`; it keeps its value when
    there is none.

    ```mlir
    %sum:2 = tm_tensor.scan dimension(1) inclusive(true)
        ins(%x : tensor<2x16xi64>) outs(%init, %acc : tensor<2x16xi64>, tensor<2xi64>) {
      ^bb0(%total: i64, %next: i64):
        %s = arith.addi %total, %next : i64
        tm_tensor.yield %s : i64
      } -> tensor<2x16xi64>, tensor<2xi64>
    ```
  }];
  let arguments = (ins Variadic<TMTensor_Shaped>:$inputs,
                       Variadic<TMTensor_Shaped>:$outputs,
                       I64Attr:$dimension, BoolAttr:$inclusive);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_ScatterOp : TMTensor_RegionOp<"scatter"> {
  let summary = "updates elements at places given by data";
  let description = [{
    `ins` are updates [u, d1, ..., ds] and indices [u, t]; `outs` is the original
    of rank r. Update element (i, j1, ..., js) belongs to the original's element
    whose last s coordinates start as j1, ..., js and the others as 0, where
    coordinate `dimension_map[q]` is then increased by `indices[i, q]`. There the
    region's result replaces the original; it is given the update and the
    current value, in this order.

    `unique_indices(true)` promises that no element is updated twice. Without it
    updates are applied in the order of i. An index out of bounds is an error
    when the program runs.

    ```mlir
    %cache = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false)
        ins(%rows, %at : tensor<3x64xf32>, tensor<3x1xi64>) outs(%c : tensor<32x64xf32>) {
      ^bb0(%update: f32, %current: f32):
        %s = arith.addf %update, %current : f32
        tm_tensor.yield %s : f32
      } -> tensor<32x64xf32>
    ```
  }];
  let arguments = (ins Variadic<TMTensor_Shaped>:$inputs,
                       Variadic<TMTensor_Shaped>:$outputs,
                       DenseI64ArrayAttr:$dimension_map,
                       DefaultValuedAttr<BoolAttr, "true">:$unique_indices);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict `unique_indices` `(` $unique_indices `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_SortOp : TMTensor_RegionOp<"sort"> {
  let summary = "sorts along one dimension";
  let description = [{
    The region is given a pair of elements a, b of each operand and says whether
    a may stand before b. All operands are reordered in the same way. Elements
    that may stand either way keep their order.

    ```mlir
    %sorted:2 = tm_tensor.sort dimension(1)
        outs(%keys, %places : tensor<10x4xf32>, tensor<10x4xi64>) {
      ^bb0(%a: f32, %b: f32, %i: i64, %j: i64):
        %first = arith.cmpf oge, %a, %b : f32
        tm_tensor.yield %first : i1
      } -> tensor<10x4xf32>, tensor<10x4xi64>
    ```
  }];
  let arguments = (ins Variadic<TMTensor_Shaped>:$inputs,
                       Variadic<TMTensor_Shaped>:$outputs,
                       I64Attr:$dimension);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_TopkOp : TMTensor_RegionOp<"topk"> {
  let summary = "the K first elements along one dimension";
  let description = [{
    `ins` are values and, if given, their i32 indices; without them an element's
    index is its position along `dimension`. `outs` are K values and indices,
    which start as candidates themselves. The region is given a new value and
    one that is kept and says whether the new one goes before it; of equal
    values the one with the smaller index does.

    ```mlir
    %best:2 = tm_tensor.topk dimension(1) ins(%x : tensor<20x10xf32>)
        outs(%values, %places : tensor<20x3xf32>, tensor<20x3xi32>) {
      ^bb0(%new: f32, %kept: f32):
        %swap = arith.cmpf ogt, %new, %kept : f32
        tm_tensor.yield %swap : i1
      } -> tensor<20x3xf32>, tensor<20x3xi32>
    ```
  }];
  let arguments = (ins Variadic<TMTensor_Shaped>:$inputs,
                       Variadic<TMTensor_Shaped>:$outputs,
                       I64Attr:$dimension);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TMTensor_AttentionOp : TMTensor_Op<"attention"> {
  let summary = "softmax(Q K^T scale + mask) V";
  let description = [{
    `ins` are Q [..., m, d], K [..., s, d], V [..., s, n] and, if given, a mask
    [..., m, s] that is added to the logits or, as i1, keeps those where it is
    true. Without `scale` it is 1 / sqrt(d). The softmax runs over s; a row that
    the mask hides altogether gives zeros, as in PyTorch.

    ```mlir
    %y = tm_tensor.attention {scale = 0.125 : f64}
        ins(%q, %k, %v : tensor<8x16x64xf32>, tensor<8x16x64xf32>, tensor<8x16x64xf32>)
        outs(%init : tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    ```
  }];
  let arguments = (ins Variadic<TMTensor_Shaped>:$inputs,
                       Variadic<TMTensor_Shaped>:$outputs,
                       OptionalAttr<F64Attr>:$scale);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)` (`->` type($results)^)?
  }];
}

def TMTensor_YieldOp
    : Op<TMTensor_Dialect, "yield", [Pure, ReturnLike, Terminator]> {
  let summary = "ends a region";
  let description = [{
    Gives the region's value to the op around it.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // NM_DIALECT_TMTENSOR_IR_TMTENSOR_TD
