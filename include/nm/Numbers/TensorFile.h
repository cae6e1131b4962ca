//===- TensorFile.h - Arrays in .npy and raw files --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are untrusted: every size is checked before memory is taken for it. All
// functions return false or nothing, with a text in `error` that names the file
// and what was expected, when a file cannot be read or written.
//
//===----------------------------------------------------------------------===//

#ifndef NM_NUMBERS_TENSORFILE_H
#define NM_NUMBERS_TENSORFILE_H

#include "nm/Numbers/Tensor.h"

#include <string_view>

namespace nm {

/// Whether the name ends in ".npy".
bool isNpyPath(std::string_view path);

/// Parses the bytes of a .npy file of version 1, 2 or 3, of little-endian
/// elements. Opaque bytes, as which ml_dtypes writes the floats that numpy
/// lacks, are of type `opaque` if it is stored in as many (`lookupNpyType`).
/// Fortran order is converted to row-major.
std::optional<Tensor> parseNpy(std::string_view bytes, std::string &error,
                               std::optional<ElementType> opaque = {});

/// The bytes of a .npy file. Floats that numpy lacks are written as f4.
std::string formatNpy(const Tensor &tensor);

std::optional<Tensor> readNpy(const std::string &path, std::string &error,
                              std::optional<ElementType> opaque = {});
bool writeNpy(const std::string &path, const Tensor &tensor,
              std::string &error);

/// Reads the row-major little-endian elements of an array of this type. At most
/// one extent may be -1: it follows from the size of the file.
std::optional<Tensor> readRaw(const std::string &path, ElementType type,
                              std::vector<int64_t> shape, std::string &error);
bool writeRaw(const std::string &path, const Tensor &tensor,
              std::string &error);

} // namespace nm

#endif // NM_NUMBERS_TENSORFILE_H
