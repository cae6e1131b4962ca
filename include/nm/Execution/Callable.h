//===- Callable.h - A function that is called with host arrays --*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_EXECUTION_CALLABLE_H
#define NM_EXECUTION_CALLABLE_H

#include "nm/Numbers/Tensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace nm {

class Callable {
public:
  virtual ~Callable() = default;

  /// Calls the function with copies of `inputs`, which must be of the types of
  /// its signature, and returns its results.
  virtual llvm::Expected<std::vector<Tensor>>
  call(llvm::ArrayRef<Tensor> inputs) = 0;
};

} // namespace nm

#endif // NM_EXECUTION_CALLABLE_H
