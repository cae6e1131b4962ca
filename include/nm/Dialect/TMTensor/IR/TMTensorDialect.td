//===- TMTensorDialect.td - The tm_tensor dialect -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_TMTENSOR_IR_TMTENSORDIALECT_TD
#define NM_DIALECT_TMTENSOR_IR_TMTENSORDIALECT_TD

include "mlir/IR/DialectBase.td"

def TMTensor_Dialect : Dialect {
  let name = "tm_tensor";
  let cppNamespace = "::nm::tm_tensor";
  let summary = "what torch-mlir writes beside linalg";
  let description = [{
    torch-mlir lowers a model to linalg on tensors and a few ops of its own:
    cumulative sums, sorts, scatters and, in older versions, attention. Nearly
    every decoder has one (the positions of a masked sequence are a cumulative
    sum), and stock MLIR cannot parse such a file. This dialect has the same
    names, attributes, printed form and meaning, so torch-mlir's files are read
    and printed as they are.

    All ops are in destination-passing style. On tensors each result is its
    `outs` operand after the update; on memrefs, after bufferization, the `outs`
    are written and there are no results. What is not said by an op's verifier
    and may be wrong in a model's data, an index out of bounds, is checked when
    the program runs.
  }];
}

#endif // NM_DIALECT_TMTENSOR_IR_TMTENSORDIALECT_TD
