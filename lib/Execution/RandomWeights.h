//===- RandomWeights.h - Weights of callers without files -------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_RANDOMWEIGHTS_H
#define NM_LIB_EXECUTION_RANDOMWEIGHTS_H

#include "nm/Entry/Signature.h"
#include "nm/Numbers/Tensor.h"

namespace nm {

/// Fills those of `inputs`, one an argument, that are arrays of weights with
/// those of random weights: any numbers would be no valid indices.
void fillRandomWeights(const Signature &signature, uint64_t seed,
                       std::vector<Tensor> &inputs);

} // namespace nm

#endif // NM_LIB_EXECUTION_RANDOMWEIGHTS_H
