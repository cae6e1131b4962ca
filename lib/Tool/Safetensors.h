//===- Safetensors.h - Tensors by name in a file ----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_TOOL_SAFETENSORS_H
#define NM_LIB_TOOL_SAFETENSORS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace nm {

/// A tensor of a safetensors file.
struct StoredTensor {
  /// As the format calls it: "BF16".
  std::string type;
  std::vector<int64_t> shape;
  llvm::ArrayRef<char> data;
};

/// The tensors of the safetensors file with these bytes, by name; the result
/// points to them. The file is untrusted: names are there once, extents are not
/// negative, and each byte of data belongs to one tensor.
llvm::Expected<llvm::StringMap<StoredTensor>>
readSafetensors(llvm::StringRef bytes);

} // namespace nm

#endif // NM_LIB_TOOL_SAFETENSORS_H
