//===- InitialState.h - What state begins with ------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_EXECUTION_INITIALSTATE_H
#define NM_LIB_EXECUTION_INITIALSTATE_H

#include "nm/Entry/Signature.h"
#include "nm/Numbers/Tensor.h"
#include "nm/Program/File.h"

#include "llvm/Support/Error.h"

namespace nm {

/// Arrays for the leading arguments of a function that are state.
llvm::Expected<std::vector<Tensor>> readInitialState(const Signature &function);
llvm::Expected<std::vector<Tensor>>
readInitialState(const program::File &file, const program::Entry &function);

} // namespace nm

#endif // NM_LIB_EXECUTION_INITIALSTATE_H
