//===- RunNpy.cpp - Reads a .npy file -------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "nm/Numbers/TensorFile.h"

using namespace nm::fuzz;

Reply nm::fuzz::runNpy(Parts parts) {
  std::string error;
  std::optional<nm::Tensor> tensor = nm::parseNpy(parts[0], error);
  if (!tensor)
    return {false, error};
  obeySeededDefects(parts[0]);
  return {true, nm::formatNpy(*tensor)};
}
