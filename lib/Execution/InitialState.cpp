//===- InitialState.cpp - What state begins with --------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InitialState.h"

#include "nm/Support/RawElements.h"

using namespace mlir;
using namespace nm;

llvm::Expected<std::vector<Tensor>>
nm::readInitialState(const Signature &function) {
  std::vector<Tensor> state;
  for (auto [elements, type] :
       llvm::zip(function.initialState, function.arguments)) {
    std::string error;
    auto raw = RawElements::get(
        elements, [&](const Twine &reason) { error = reason.str(); });
    if (failed(raw))
      return llvm::createStringError("expected what state #" +
                                     Twine(state.size()) +
                                     " begins with: " + error);
    std::vector<char> bytes = raw->copy();
    state.push_back({type.element, type.shape, {bytes.begin(), bytes.end()}});
  }
  return state;
}

llvm::Expected<std::vector<Tensor>>
nm::readInitialState(const program::File &file,
                     const program::Entry &function) {
  std::vector<Tensor> state;
  for (uint32_t index : function.initialState) {
    std::string error;
    if (!file.checkConstant(index, error))
      return llvm::createStringError(error);
    const program::Constant &constant = file.getProgram().constants[index];
    state.push_back({constant.element,
                     constant.extents,
                     {constant.data.begin(), constant.data.end()}});
  }
  return state;
}
